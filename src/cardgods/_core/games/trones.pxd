# La Guerre des Trois Trônes: the strength of a card on a front, shared by the game and its solver.
#
# Fronts 0 Sky (trump diamonds), 1 Sea (trump spades), 2 Underworld (trump clubs); hearts are no trump.
from cardgods._core.cards cimport rank_of, suit_of

cdef enum:
    FRONTS = 3
    TRUMP_BONUS = 10

cdef inline int trump_of(int front) noexcept nogil:
    # Suit 1, 3, 0 of front 0, 1, 2, two bits each.
    return (0b001101 >> (2 * front)) & 3

cdef inline int force_of(int card, int front) noexcept nogil:
    # Rank 0 is the two, so a seven counts 7 and an ace 14; no trump can equal a card that is none.
    return rank_of(card) + 2 + (TRUMP_BONUS if suit_of(card) == trump_of(front) else 0)
