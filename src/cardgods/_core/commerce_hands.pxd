# The strength of every hand of Commerce: one dense table over the 22,100 hands of three cards.
#
# The 65 strengths are numbered 0..64 from the weakest: nothing, 39 points (by total, at equal totals two
# cards below three), 12 sequences (by top card), 13 tricons (by rank). Short packs use the same numbers:
# a hand of a short pack is a hand of the full one.
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from cardgods._core.bits cimport lsb, msb

cdef enum:
    HANDS = 22100
    STRENGTHS = 65

cdef enum Category:
    NOTHING
    POINT
    SEQUENCE
    TRICON

cdef struct HandTable:
    uint16_t choose2[52]             # c * (c - 1) / 2
    uint16_t choose3[52]             # c * (c - 1) * (c - 2) / 6
    uint8_t strength[HANDS]          # by hand_index
    uint8_t cards[HANDS][3]          # ascending, by hand_index
    uint16_t order[HANDS]            # hands by ascending strength
    int start[STRENGTHS + 1]         # where each strength begins in order
    uint8_t category[STRENGTHS]
    uint8_t value[STRENGTHS]         # total of a point, rank of a sequence's top card or of a tricon
    uint8_t size[STRENGTHS]          # cards that make it: 0, 2 or 3
    int first[5]                     # lowest strength of each category, then STRENGTHS

cdef const HandTable* hand_table() noexcept nogil

cdef inline int hand_index(const HandTable* t, uint64_t hand) noexcept nogil:
    # Colexicographic rank of three cards: lowest, middle, highest.
    cdef uint64_t upper = hand & (hand - 1)
    return lsb(hand) + t.choose2[lsb(upper)] + t.choose3[msb(hand)]

cdef inline int strength_of(const HandTable* t, uint64_t hand) noexcept nogil:
    return t.strength[hand_index(t, hand)]

cdef inline int best_hand(const int* strengths, int n) noexcept nogil:
    # Winner of a showdown, hands in the order of the table from the dealer on: he has the first claim.
    cdef int winner = 0, i
    for i in range(1, n):
        if strengths[i] > strengths[winner]:
            winner = i
    return winner

cdef inline int showdown(const HandTable* t, const int* strengths, int n, int place,
                         int winner) noexcept nogil:
    # What the player at that distance from the dealer has won or lost in points, his ante of 1 included.
    cdef bint same = t.category[strengths[0]] == t.category[strengths[winner]]
    if place == winner:
        return n - 1 if winner == 0 else n
    if place == 0:
        return -n if same else -2
    return 0 if same and winner != 0 else -1
