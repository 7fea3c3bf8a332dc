"""The rules of Commerce in the core; docs/rules/commerce.md tells them."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, popcount, select_bit
from cardgods._core.cards cimport bit
from cardgods._core.commerce_hands cimport best_hand, showdown, strength_of
from cardgods._core.ops cimport CHANCE, TERMINAL
from cardgods._core.rng cimport Rng, bounded


cdef void commerce_init(const void* rules, void* pos) noexcept nogil:
    cdef const CommerceRules* r = <const CommerceRules*>rules
    cdef CommercePos* s = <CommercePos*>pos
    memset(s, 0, sizeof(CommercePos))
    s.stock = r.pack
    s.left = <int8_t>popcount(r.pack)
    s.dealer = s.turn = s.offer = s.knocker = s.winner = -1
    s.phase = LOT


cdef int commerce_actor(const void* rules, const void* pos) noexcept nogil:
    cdef const CommercePos* s = <const CommercePos*>pos
    if s.phase == REPLY:
        return seat_after(<const CommerceRules*>rules, s.turn, 1)
    if s.phase == OVER:
        return TERMINAL
    if s.phase == LOT or s.phase == DEAL or s.phase == DRAW:
        return CHANCE
    return s.turn


cdef int commerce_sealed(const void* rules, const void* pos) noexcept nogil:
    return 0


cdef int commerce_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil:
    cdef const CommercePos* s = <const CommercePos*>pos
    cdef uint64_t hand = s.hand[player]
    cdef int n = 0
    if s.phase == TURN:
        out[0] = BUY
        out[1] = TRADE
        out[2] = KNOCK
        return 3
    while hand:
        out[n] = lsb(hand)
        hand &= hand - 1
        n += 1
    if s.phase == REPLY:
        out[n] = KNOCK
        n += 1
    return n


cdef int commerce_chance(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil:
    cdef const CommercePos* s = <const CommercePos*>pos
    cdef uint64_t cards = s.stock if s.dealt else (<const CommerceRules*>rules).pack
    cdef int n = 0
    if s.phase == LOT:
        for n in range((<const CommerceRules*>rules).players):
            out[n] = n
            weights[n] = 1
        return (<const CommerceRules*>rules).players
    while cards:
        out[n] = lsb(cards)
        weights[n] = 1
        cards &= cards - 1
        n += 1
    return n


# A deal ----------------------------------------------------------------------------------------------------

cdef inline void open_deal(const CommerceRules* r, CommercePos* s) noexcept nogil:
    # Clear the table and take the antes.
    cdef int p
    memset(s.hand, 0, sizeof(s.hand))
    memset(s.rejected, 0, sizeof(s.rejected))
    memset(s.bought, 0, sizeof(s.bought))
    s.stock = r.pack
    s.left = <int8_t>popcount(r.pack)
    s.trades = 0
    s.pot = <int16_t>r.players
    for p in range(r.players):
        s.balance[p] -= 1


cdef inline void deal_card(const CommerceRules* r, CommercePos* s, int card) noexcept nogil:
    cdef int seat
    if s.dealt == 0:
        open_deal(r, s)
    seat = seat_after(r, s.dealer, 1 + s.dealt)
    s.hand[seat] |= bit(card)
    s.stock ^= bit(card)
    s.left -= 1
    s.dealt += 1
    if s.dealt == 3 * r.players:
        s.turn = <int8_t>seat_after(r, s.dealer, 1)
        s.phase = TURN


cdef void settle(const CommerceRules* r, CommercePos* s, int reason, int knocker) noexcept nogil:
    # Showdown, payments, and the deal passes to the left.
    cdef int strengths[SEATS]
    cdef int p, winner
    for p in range(r.players):
        strengths[p] = strength_of(r.table, s.hand[seat_after(r, s.dealer, p)])
    winner = best_hand(strengths, r.players)
    for p in range(r.players):
        # the ante is paid already
        s.balance[seat_after(r, s.dealer, p)] += 1 + showdown(r.table, strengths, r.players, p, winner)
    s.winner = <int8_t>seat_after(r, s.dealer, winner)
    s.reason = <uint8_t>reason
    s.knocker = <int8_t>knocker
    s.pot = 0
    s.dealt = 0
    s.trades = 0
    s.turn = s.offer = -1
    s.settled += 1
    if s.settled == r.deals:
        s.phase = OVER
    else:
        s.phase = DEAL
        s.dealer = <int8_t>seat_after(r, s.dealer, 1)


cdef inline void next_turn(const CommerceRules* r, CommercePos* s) noexcept nogil:
    s.turn = <int8_t>seat_after(r, s.turn, 1)
    s.phase = TURN


cdef inline void draw_card(const CommerceRules* r, CommercePos* s, int card) noexcept nogil:
    s.hand[s.turn] |= bit(card)
    s.stock ^= bit(card)
    s.left -= 1
    s.trades = 0
    if s.left == 0:
        settle(r, s, BY_STOCK, -1)
    else:
        next_turn(r, s)


cdef inline void discard_card(const CommerceRules* r, CommercePos* s, int card) noexcept nogil:
    # The price goes to the dealer; from himself to himself it is nothing.
    s.hand[s.turn] ^= bit(card)
    s.rejected[s.turn] |= bit(card)
    s.bought[s.turn] += 1
    s.balance[s.turn] -= 1
    s.balance[s.dealer] += 1
    s.phase = DRAW


cdef inline void answer(const CommerceRules* r, CommercePos* s, int action) noexcept nogil:
    cdef int left = seat_after(r, s.turn, 1)
    if action == KNOCK:
        settle(r, s, BY_REFUSAL, left)
        return
    s.hand[s.turn] ^= bit(s.offer) | bit(action)
    s.hand[left] ^= bit(s.offer) | bit(action)
    s.offer = -1
    s.trades += 1
    if s.trades == r.cap:
        settle(r, s, BY_CAP, -1)
    else:
        next_turn(r, s)


cdef inline void open_turn(const CommerceRules* r, CommercePos* s, int action) noexcept nogil:
    if action == KNOCK:
        settle(r, s, BY_KNOCK, s.turn)
    else:
        s.phase = DISCARD if action == BUY else OFFER


cdef void commerce_apply(const void* rules, void* pos, int32_t action) noexcept nogil:
    cdef const CommerceRules* r = <const CommerceRules*>rules
    cdef CommercePos* s = <CommercePos*>pos
    if s.phase == DEAL:
        deal_card(r, s, action)
    elif s.phase == TURN:
        open_turn(r, s, action)
    elif s.phase == DISCARD:
        discard_card(r, s, action)
    elif s.phase == DRAW:
        draw_card(r, s, action)
    elif s.phase == OFFER:
        s.offer = <int8_t>action
        s.phase = REPLY
    elif s.phase == REPLY:
        answer(r, s, action)
    else:
        s.dealer = <int8_t>action
        s.phase = DEAL


cdef void commerce_returns(const void* rules, const void* pos, double* out) noexcept nogil:
    cdef int p
    for p in range((<const CommerceRules*>rules).players):
        out[p] = (<const CommercePos*>pos).balance[p]


# What the players know -------------------------------------------------------------------------------------

cdef int showdown_events(const CommerceRules* r, const CommercePos* before, const CommercePos* after,
                         int16_t* out) noexcept nogil:
    # At the end of a deal all hands are shown: each seat's three cards, ascending.
    cdef int p, n = 0
    cdef uint64_t hand
    if after.settled == before.settled:
        return 0
    for p in range(r.players):
        hand = after.hand[p]
        while hand:
            out[n] = <int16_t>lsb(hand)
            hand &= hand - 1
            n += 1
    return n


cdef int commerce_events(const void* rules, const void* before, int32_t action, const void* after, int player,
                         int16_t* out) noexcept nogil:
    cdef const CommerceRules* r = <const CommerceRules*>rules
    cdef const CommercePos* s = <const CommercePos*>before
    cdef int owner = -1         # who sees the card that the action names; -1 = all see the action
    cdef int left, n = 1
    if s.phase == DEAL:
        owner = seat_after(r, s.dealer, 1 + s.dealt)
    elif s.phase == DISCARD or s.phase == DRAW or s.phase == OFFER:
        owner = s.turn
    elif s.phase == REPLY and action != KNOCK:
        owner = left = seat_after(r, s.turn, 1)
        if player == left:
            out[n] = s.offer
            n += 1
        elif player == s.turn:
            owner = player
    out[0] = <int16_t>action if owner < 0 or owner == player else HIDDEN
    return n + showdown_events(r, s, <const CommercePos*>after, out + n)


cdef void commerce_observe(const void* rules, const void* pos, int player, void* out) noexcept nogil:
    cdef CommercePos* s = <CommercePos*>out
    cdef int p
    memcpy(out, pos, sizeof(CommercePos))
    s.stock = 0
    for p in range((<const CommerceRules*>rules).players):
        if p != player:
            s.rejected[p] = 0
            if not hands_open(s):
                s.hand[p] = 0
    if s.phase == REPLY and player != s.turn:
        s.offer = -1


# Random play -----------------------------------------------------------------------------------------------

cdef int commerce_playout(const void* rules, void* pos, Rng* rng) noexcept nogil:
    cdef const CommerceRules* r = <const CommerceRules*>rules
    cdef CommercePos* s = <CommercePos*>pos
    cdef int steps = 0, choice
    cdef uint64_t deck
    while s.phase != OVER:
        steps += 1
        if s.phase == DEAL:
            deck = s.stock if s.dealt else r.pack
            deal_card(r, s, select_bit(deck, <int>bounded(rng, popcount(deck))))
        elif s.phase == TURN:
            open_turn(r, s, BUY + <int>bounded(rng, 3))
        elif s.phase == DRAW:
            draw_card(r, s, select_bit(s.stock, <int>bounded(rng, s.left)))
        elif s.phase == DISCARD:
            discard_card(r, s, select_bit(s.hand[s.turn], <int>bounded(rng, 3)))
        elif s.phase == OFFER:
            s.offer = <int8_t>select_bit(s.hand[s.turn], <int>bounded(rng, 3))
            s.phase = REPLY
        elif s.phase == REPLY:
            choice = <int>bounded(rng, 4)
            answer(r, s, KNOCK if choice == 3 else select_bit(s.hand[seat_after(r, s.turn, 1)], choice))
        else:
            s.dealer = <int8_t>bounded(rng, r.players)
            s.phase = DEAL
    return steps
