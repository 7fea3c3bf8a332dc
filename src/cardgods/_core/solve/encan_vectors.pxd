# Values of score classes on hand patterns.
cimport cython
from libc.stdint cimport int32_t, int64_t

from cardgods._core.solve.encan_hands cimport MAX_TURNS, HandLevel, Hands
from cardgods._core.solve.encan_reach cimport Reach
from cardgods._core.solve.encan_scores cimport Scores


cdef inline double fixed_one() noexcept nogil:
    # What 1 is in fixed point. Sums over a class are integers, so that they do not depend on the order in
    # which threads add to them; 13 times the largest value, 1, must fit.
    return 288230376151711744.0      # 2 ** 58


cdef void fill(double* out, int32_t n, double x) noexcept nogil
cdef int64_t domain_size(const HandLevel* hands, const Reach* past) noexcept nogil
cdef double leaf_value(int32_t code) noexcept nogil


@cython.final
cdef class Vectors:
    cdef readonly Hands hands
    cdef readonly Scores scores
    cdef readonly double scale               # what 1 in the vectors stands for: a power of two
    cdef bint split[MAX_TURNS + 1]           # True if a level has vectors of triples, not of classes
    cdef int64_t numbers[MAX_TURNS + 1]      # values of all classes of a level
    cdef int64_t* sizes[MAX_TURNS + 1]       # per vector: numbers in it
    # Per class: its values, block after block. Per triple of a split level: the fixed-point numbers of which
    # the classes are the means. NULL if not there.
    cdef double** values[MAX_TURNS + 1]
    cdef bint lent[MAX_TURNS + 1]            # True if the vectors lie in a buffer of somebody else's
    cdef list buffers
    cdef double* ends        # patterns without a turn to come: the value when gold decides

    cdef void unpack(self, int level, int32_t code, double reward, double* out) noexcept nogil
    cdef int32_t count(self, int level) noexcept nogil
    cdef void unpack_class(self, int level, int32_t code, double reward, double* out) noexcept nogil
    cdef void unpack_split(self, int level, int32_t code, double reward, double* out) noexcept nogil
    cdef void release(self, int level, int32_t number) noexcept nogil
