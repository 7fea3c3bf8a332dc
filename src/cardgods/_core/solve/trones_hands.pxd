# Hands as numbers: subsets of equally many cards out of m, in colexicographic order, so that a number does
# not depend on m and the hands of fewer cards come first. Cards are numbered 0 to m - 1 among those not laid.
from libc.stdint cimport int8_t, int32_t, uint32_t

cdef enum:
    MOST_DECK = 32
    MOST_HELD = 4
    MOST_SUBSETS = 15

cdef struct Hands:
    int deck
    int held                              # cards in a hand
    int32_t choose[MOST_DECK + 2][MOST_HELD + 2]
    int32_t rests                         # hands less one card, out of deck - 1
    uint32_t* mask                        # [hand]
    int32_t* gap                          # [card * choose[deck - 1] + hand] without -> with the card
    int32_t* joined                       # [card * rests + rest]: the hand of rest and card
    int8_t* slot                          # [card * rests + rest]: the card's place in that hand
    int32_t* add                          # [rest * deck + drawn]: the new hand, -1 if the card is in rest
    int subsets                           # proper subsets of a hand
    int width                             # subsets of all hands, in all
    int32_t* subset                       # [hand * subsets + u]: a number below width
    int8_t sign[MOST_SUBSETS]             # of the u-th: -1 to the power of its size

cdef int hands_open(Hands* h, int deck, int held) noexcept nogil
cdef void hands_close(Hands* h) noexcept nogil
cdef int32_t hand_number(const Hands* h, uint32_t mask) noexcept nogil
