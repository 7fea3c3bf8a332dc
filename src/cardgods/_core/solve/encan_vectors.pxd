# Values of score classes on hand patterns.
cimport cython
from libc.stdint cimport int32_t, int64_t

from cardgods._core.solve.encan_hands cimport MAX_TURNS, HandLevel, Hands
from cardgods._core.solve.encan_reach cimport Reach
from cardgods._core.solve.encan_scores cimport Scores

cdef void fill(double* out, int32_t n, double x) noexcept nogil
cdef int64_t domain_size(const HandLevel* hands, const Reach* past) noexcept nogil
cdef double leaf_value(int32_t code) noexcept nogil


@cython.final
cdef class Vectors:
    cdef readonly Hands hands
    cdef readonly Scores scores
    cdef readonly double scale               # what 1 in the vectors stands for: a power of two
    cdef int64_t* sizes[MAX_TURNS + 1]       # per class: numbers in its vector
    cdef double** values[MAX_TURNS + 1]      # per class: its vector, block after block; NULL if not there
    cdef bint lent[MAX_TURNS + 1]            # True if the vectors lie in a buffer of somebody else's
    cdef list buffers
    cdef double* ends        # patterns without a turn to come: the value when gold decides

    cdef void unpack(self, int level, int32_t code, double reward, double* out) noexcept nogil
    cdef void release(self, int level, int32_t klass) noexcept nogil
