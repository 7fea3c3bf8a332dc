# How many ways there are to deal disjoint hands of three cards to one, two or three players, each from his
# own set of hands. Sets are ranges of strengths over the cards that a player can hold.
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from cardgods._core.commerce_hands cimport HANDS, STRENGTHS

cdef enum:
    SQUARE = 52 * 52

# A set of hands and how many of them contain a card, a pair, a triple. The square tables are symmetric
# with an empty diagonal, so that a whole one can be run through without a look at the indices.
cdef struct Family:
    int total
    int one[52]
    uint8_t member[HANDS]
    uint8_t two[SQUARE]              # at most 49
    uint8_t three[52 * SQUARE]       # [a][b][c]; kept for three players only

# The players who are dealt unknown hands, in their order around the table, and the hands each can have.
cdef struct Hands:
    int start[STRENGTHS + 1]         # where each strength begins in the list
    uint16_t list[HANDS]             # ascending by strength

cdef struct Unknown:
    int players                      # 1..3
    bint alike                       # all can have the same hands
    const Hands* hands[3]

cdef struct Work:                    # scratch memory of one thread
    Hands hands[3]
    Family family[3]

cdef struct Span:                    # strengths from low to high, both included; none if high < low
    int low
    int high

cdef void list_hands(Hands* out, uint64_t free, uint64_t held) noexcept nogil
cdef int64_t deals(const Unknown* u, const Span* spans, Work* w) noexcept nogil
cdef int64_t deals_under_first(const Unknown* u, int low, Work* w) noexcept nogil
