from libc.stdint cimport int32_t

from cardgods._core.ops cimport MAX_PLAYERS
from cardgods._core.search.tree cimport Seat, Tree

cdef class Profile:
    cdef readonly Tree tree
    cdef double* probability[MAX_PLAYERS]    # of each action, by sequence; 1 at the empty one

cdef void spread(const Seat* seat, const double* probability, double* reach) noexcept nogil
cdef class Reach:
    cdef double* of[MAX_PLAYERS]
