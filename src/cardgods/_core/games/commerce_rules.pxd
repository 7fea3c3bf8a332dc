# Commerce: the position and the rules; the rules page is docs/rules/commerce.md.
#
# Cards are numbers 0..51 whatever the pack. Actions 0..51 name a card (to discard, offer or return; for
# chance, to deal or draw), BUY, TRADE and KNOCK open a turn; KNOCK also refuses an offer. The chance
# outcome of the lot is the first dealer.
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from cardgods._core.commerce_hands cimport HandTable
from cardgods._core.rng cimport Rng

cdef enum:
    SEATS = 12
    BUY = 52
    TRADE = 53
    KNOCK = 54
    HIDDEN = 55          # in events: a card that the player does not see, or an offer that was accepted

cdef enum Phase:
    LOT                  # chance names the first dealer
    DEAL                 # chance deals the next card; before the first, the last deal's hands lie open
    TURN                 # buy, trade or knock
    DISCARD              # which card the buyer gives up
    DRAW                 # chance draws the buyer's new card
    OFFER                # which card goes to the left
    REPLY                # the neighbour returns a card unseen, or knocks
    OVER

cdef enum Reason:        # why the last deal ended
    NO_REASON
    BY_KNOCK
    BY_REFUSAL
    BY_STOCK             # its last card has been bought
    BY_CAP               # so many trades in a row without a buy

cdef struct CommerceRules:
    const HandTable* table
    uint64_t pack
    int players
    int deals
    int cap              # trades in a row that end a deal; 0 = none

cdef struct CommercePos:
    uint64_t hand[SEATS]
    uint64_t rejected[SEATS]   # what each has discarded in this deal
    uint64_t stock             # cards not dealt
    int32_t balance[SEATS]     # points; sum + pot = 0
    int16_t pot
    int8_t left                # cards in the stock
    int8_t dealt               # cards dealt in this deal, up to three each
    int8_t dealer              # -1 before the lot
    int8_t turn                # whose turn it is
    int8_t offer               # card on offer, -1 if none
    int8_t trades              # accepted trades in a row
    int8_t settled             # deals settled
    int8_t knocker             # who ended the last deal, -1 if nobody did
    int8_t winner              # of the last deal, -1 before the first is settled
    uint8_t reason
    uint8_t phase
    uint8_t bought[SEATS]      # buys of each in this deal

cdef inline int seat_after(const CommerceRules* r, int seat, int steps) noexcept nogil:
    return (seat + steps) % r.players

cdef inline bint hands_open(const CommercePos* s) noexcept nogil:
    # Between two deals and at the end the hands lie face up.
    return s.phase == OVER or (s.phase == DEAL and s.dealt == 0)

cdef void commerce_init(const void* rules, void* pos) noexcept nogil
cdef int commerce_actor(const void* rules, const void* pos) noexcept nogil
cdef int commerce_sealed(const void* rules, const void* pos) noexcept nogil
cdef int commerce_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil
cdef int commerce_chance(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil
cdef void commerce_apply(const void* rules, void* pos, int32_t action) noexcept nogil
cdef void commerce_returns(const void* rules, const void* pos, double* out) noexcept nogil
cdef int commerce_events(const void* rules, const void* before, int32_t action, const void* after, int player,
                         int16_t* out) noexcept nogil
cdef void commerce_observe(const void* rules, const void* pos, int player, void* out) noexcept nogil
cdef int commerce_playout(const void* rules, void* pos, Rng* rng) noexcept nogil
