# What can still become of a front of Trois Trônes, as far as the holder of a position knows.
from libc.stdint cimport uint64_t

from cardgods._core.games.trones cimport TronesPos, TronesRules

cdef struct Outlook:
    uint64_t unseen    # cards whose place is not known
    int turns[2]       # cards each will yet lay
    int draws[2]       # cards each will draw in time to lay them

cdef void outlook(const TronesRules* r, const TronesPos* s, uint64_t unseen, Outlook* out) noexcept nogil
cdef void front_range(const TronesRules* r, const TronesPos* s, const Outlook* look, int player, int front,
                      int* worst, int* best) noexcept nogil
