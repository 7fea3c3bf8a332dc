# The explicit tree of histories: flat arrays in depth-first order, so that the first child of a node is the
# one right behind it, the next sibling stands at its end, a forward loop goes from the root down and a
# backward loop from the leaves up.
from libc.stdint cimport int8_t, int32_t

from cardgods._core.search.path cimport Path
from cardgods._core.search.tree cimport Tree

cdef struct Nodes:
    Path path
    const int* cancel
    int players
    int32_t count             # so far
    int32_t terminals         # so far
    int8_t* actor             # player, CHANCE or TERMINAL
    int32_t* action           # that leads here from the parent, -1 at the root
    int32_t* parent           # -1 at the root
    int32_t* end              # first node behind the subtree
    int32_t* set              # information set of a choice, else the number of a terminal node, else -1
    double* step              # probability of the chance outcome that leads here, 1 if it is none
    double* returns           # [terminals * players]

cdef class Histories:
    cdef readonly Tree tree
    cdef Nodes n
    cdef int32_t* start       # [sets + 1] into members
    cdef int32_t* members     # nodes by information set, ascending
