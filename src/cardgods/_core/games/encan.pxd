# L'Encan d'Hermès: a sealed-bid auction duel, with the Goofspiel family as options.
#
# Cards are named by their place in the ascending list of values: card i of a purse and treasure i are both
# worth values[i]. Masks have one bit a card. The rules page is docs/rules/encan.md.
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t

from cardgods._core.ops cimport GameOps
from cardgods._core.state cimport Rules, State

cdef enum:
    MAX_CARDS = 13

cdef enum Tie:
    TIE_CARRY
    TIE_DISCARD
    TIE_SPLIT

cdef enum Payoff:
    PAYOFF_WIN
    PAYOFF_POINTS

cdef enum TreasureOrder:
    ORDER_RANDOM
    ORDER_DESCENDING
    ORDER_ASCENDING

cdef enum TieBreak:
    BREAK_CASCADE      # last treasure, more gold left in hand, player 0 loses
    BREAK_DRAW
    BREAK_SECOND       # level scores go to player 1

cdef enum Phase:
    REVEAL             # chance turns up a treasure
    WINDOW             # somebody may call the Obole
    BID
    OVER

cdef struct EncanRules:
    int cards                  # values in use, 1..13
    int32_t values[MAX_CARDS]  # ascending, in points
    int32_t target             # in units of score; 0 = none
    int scale                  # units of score in a point: 2 if tied lots are split, else 1
    bint obole
    Tie tie
    Payoff payoff
    TreasureOrder order
    TieBreak tie_break

cdef struct EncanPos:
    int32_t score[2]           # units of score
    int32_t carry              # tied lots waiting for a winner, units of score
    uint16_t hand[2]
    uint16_t burnt[2]          # cards paid, without the one an Obole has brought back
    uint16_t pile              # treasures not yet turned up
    int8_t treasure            # the one on offer, -1 if none
    int8_t pending             # player 0's sealed bid, -1 if none
    int8_t last                # who won the last treasure: 0, 1, -1 for a tie or none yet
    uint8_t phase
    uint8_t used               # bit p: player p has used his Obole
    uint8_t passed             # bit p: player p has passed since the last call of this window

cdef void encan_init(const void* rules, void* pos) noexcept nogil
cdef int encan_actor(const void* rules, const void* pos) noexcept nogil
cdef int encan_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil
cdef int encan_chance(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil
cdef void encan_apply(const void* rules, void* pos, int32_t action) noexcept nogil
cdef void encan_open(const EncanRules* r, EncanPos* s) noexcept nogil
cdef int encan_winner(const EncanRules* r, const EncanPos* s) noexcept nogil

cdef class EncanRulesObject(Rules):
    cdef EncanRules r

cdef class EncanState(State):
    pass
