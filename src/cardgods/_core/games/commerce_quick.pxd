# A quick way to play Commerce, for rollouts: knock above a threshold, else exchange the least useful card.
from libc.stdint cimport int32_t

from cardgods._core.commerce_hands cimport STRENGTHS
from cardgods._core.games.commerce_rules cimport SEATS, CommercePos, CommerceRules

cdef struct Quick:
    double points[SEATS][STRENGTHS]   # of knocking, by distance from the dealer and strength
    double keep[52][52]               # of two cards kept and a third drawn
    double threshold                  # points from which it knocks
    double surprise                   # weight of a world for a decision that it would not have taken

cdef void quick_tables(Quick* q, const CommerceRules* r) noexcept nogil
cdef int32_t quick_action(const Quick* q, const CommerceRules* r, const CommercePos* s) noexcept nogil

cdef class QuickPlay:
    cdef Quick q
