# La Guerre des Trois Trônes: cards laid face up on three fronts, two fronts win.
#
# Fronts 0 Sky (trump diamonds), 1 Sea (trump spades), 2 Underworld (trump clubs); hearts are no trump.
# Cards and masks are those of cards.pxd; action 3 * card + front lays a card, chance outcome c deals card c.
# The rules page is docs/rules/trones.md.
from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

from cardgods._core.bits cimport lsb, pop_lsb, popcount
from cardgods._core.cards cimport rank_of, suit_of
from cardgods._core.rng cimport Rng
from cardgods._core.state cimport Rules, State

cdef enum:
    FRONTS = 3
    TRUMP_BONUS = 10

cdef enum Phase:
    DEAL
    DRAW               # the player on turn has laid a card and draws one
    LAY
    OVER

cdef struct TronesRules:
    uint64_t deck
    int cards          # in the deck, 4..32
    int capacity       # places per player and front, 1..3
    int hand           # cards a player holds, 1..4

cdef struct TronesPos:
    uint64_t hand[2]
    uint64_t laid[2][3]
    uint64_t pile      # what is left to deal and draw, in no order
    int8_t held[2]     # number of cards in each hand, known to all
    int8_t piled       # number of cards in the pile
    uint8_t phase
    int8_t turn        # the player on turn; during the deal the one who gets the next card

cdef inline int trump_of(int front) noexcept nogil:
    # Suit 1, 3, 0 of front 0, 1, 2, two bits each.
    return (0b001101 >> (2 * front)) & 3

cdef inline int force_of(int card, int front) noexcept nogil:
    # Rank 0 is the two, so a seven counts 7 and an ace 14; no trump can equal a card that is none.
    return rank_of(card) + 2 + (TRUMP_BONUS if suit_of(card) == trump_of(front) else 0)

cdef inline int room_on(const TronesRules* r, const TronesPos* s, int player, int front) noexcept nogil:
    return r.capacity - popcount(s.laid[player][front])

cdef inline int room_of(const TronesRules* r, const TronesPos* s, int player) noexcept nogil:
    return room_on(r, s, player, 0) + room_on(r, s, player, 1) + room_on(r, s, player, 2)

cdef inline void forces(uint64_t cards, int front, int* total, int* high) noexcept nogil:
    # Sum and maximum of the forces of some cards on a front.
    cdef int force
    total[0] = high[0] = 0
    while cards:
        force = force_of(lsb(cards), front)
        total[0] += force
        if force > high[0]:
            high[0] = force
        cards = pop_lsb(cards)

cdef int front_holder(const TronesPos* s, int front) noexcept nogil
cdef void trones_init(const void* rules, void* pos) noexcept nogil
cdef int trones_actor(const void* rules, const void* pos) noexcept nogil
cdef int trones_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil
cdef void trones_apply(const void* rules, void* pos, int32_t action) noexcept nogil
cdef void trones_resample(const void* rules, const void* start, const int32_t* history, int length,
                          int player, Rng* rng, int32_t* out) noexcept nogil

cdef class TronesRulesObject(Rules):
    cdef TronesRules r

cdef class TronesState(State):
    pass
