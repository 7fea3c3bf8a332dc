# The transitions of a machine by state, merged: how many of the 52 cards lead from a state to another.
from libc.stdint cimport int32_t

from cardgods._core.rule.machine cimport Moore

cdef struct Edges:
    int32_t states
    int32_t* start        # [states + 1]
    int32_t* target
    double* weight        # cards / 52
    double* leave         # [states] probability that a uniform card is right and changes the state
    double* accept        # [states] probability that a uniform card is right

cdef int edges_build(const Moore* m, Edges* e) noexcept nogil
cdef void edges_free(Edges* e) noexcept nogil
