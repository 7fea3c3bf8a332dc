"""Worlds of Commerce that a player cannot tell from the true one, drawn uniformly.

Hidden from him are the cards dealt to others and drawn by others, and which card of three each of them
discarded, offered or returned. All histories that fit what he has learnt are equally likely, so a world is a
uniform draw of the choices by place (commerce_marks) with cards dealt at random behind the places.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb
from cardgods._core.cards cimport bit
from cardgods._core.games.commerce_marks cimport (
    EXCHANGE, GET, LOSE, LOST, PLAIN, SHOW, SWAP, Deal, Step, StepKind, plan,
)
from cardgods._core.games.commerce_rules cimport (
    DEAL, DISCARD, DRAW, KNOCK, OFFER, REPLY, SEATS, CommercePos, CommerceRules, commerce_apply, seat_after,
)
from cardgods._core.rng cimport Rng, bounded, shuffle


# The cards behind the places -------------------------------------------------------------------------------

cdef struct Tokens:
    int n
    int* card                    # -1 = not known yet
    int* mark                    # what it counts as: its own card, LOST or PLAIN
    int hand[SEATS][3]
    int size[SEATS]


cdef int pull(Tokens* k, int seat, int pick, Rng* rng) noexcept nogil:
    # Take a token of the kind wanted from a seat, any with the same probability.
    cdef int i, at = 0, seen = 0, token
    for i in range(k.size[seat]):
        if k.mark[k.hand[seat][i]] == pick:
            seen += 1
            if bounded(rng, seen) == 0:
                at = i
    token = k.hand[seat][at]
    k.size[seat] -= 1
    k.hand[seat][at] = k.hand[seat][k.size[seat]]
    return token


cdef inline void push(Tokens* k, int seat, int token) noexcept nogil:
    k.hand[seat][k.size[seat]] = token
    k.size[seat] += 1


cdef inline int new_token(Tokens* k, int card, int mark) noexcept nogil:
    k.card[k.n] = card
    k.mark[k.n] = mark
    k.n += 1
    return k.n - 1


cdef void carry_out(Tokens* k, const Step* t, int32_t* out, Rng* rng) noexcept nogil:
    # Until the cards are known, the history holds ~token.
    cdef int token, back
    if t.kind == GET:
        token = new_token(k, -1, PLAIN)
        push(k, t.seat, token)
        out[t.at] = ~token
    elif t.kind == LOSE:
        out[t.at] = ~pull(k, t.seat, t.pick, rng)
    elif t.kind == SHOW:
        out[t.at] = ~k.hand[t.seat][bounded(rng, 3)]
    elif t.kind == SWAP:
        token = pull(k, t.seat, t.pick, rng)
        back = pull(k, t.other, t.pick_other, rng)
        out[t.at] = ~token
        out[t.at_other] = ~back
        push(k, t.seat, back)
        push(k, t.other, token)
    else:
        k.card[pull(k, t.seat, t.pick, rng)] = t.coming
        push(k, t.seat, new_token(k, t.going, t.going if t.seen else LOST))


cdef void show_hands(Tokens* k, const Deal* d, int player, int players, Rng* rng) noexcept nogil:
    # The unmarked cards of an open hand, in any order.
    cdef int32_t cards[3]
    cdef int seat, i, n
    cdef uint64_t rest
    for seat in range(players):
        if seat == player:
            continue
        rest = d.open[seat]
        for i in range(k.size[seat]):
            if k.card[k.hand[seat][i]] >= 0:
                rest &= ~bit(k.card[k.hand[seat][i]])
        n = 0
        while rest:
            cards[n] = lsb(rest)
            rest &= rest - 1
            n += 1
        shuffle(rng, cards, n)
        for i in range(k.size[seat]):
            if k.card[k.hand[seat][i]] < 0:
                n -= 1
                k.card[k.hand[seat][i]] = cards[n]


cdef void deal_rest(Tokens* k, const CommerceRules* r, const Deal* d, int player, Rng* rng) noexcept nogil:
    cdef int32_t cards[52]
    cdef int i, n = 0
    cdef uint64_t rest = r.pack & ~d.held
    if d.shown:
        show_hands(k, d, player, r.players, rng)
        for i in range(r.players):
            rest &= ~d.open[i]
    while rest:
        cards[n] = lsb(rest)
        rest &= rest - 1
        n += 1
    shuffle(rng, cards, n)
    for i in range(k.n):
        if k.card[i] < 0:
            n -= 1
            k.card[i] = cards[n]


cdef bint invent(Deal* d, const CommerceRules* r, int player, int32_t* out, int low, int high,
                 Rng* rng) noexcept nogil:
    # Fill in the hidden actions of a deal, which lie between two places of the history.
    cdef Tokens k
    cdef int i
    if not plan(d, player, r.players, rng):
        return False
    memset(&k, 0, sizeof(Tokens))
    k.card = <int*>malloc(2 * (d.n + 1) * sizeof(int))
    if k.card == NULL:
        return False
    k.mark = k.card + d.n + 1
    for i in range(d.n):
        carry_out(&k, &d.steps[i], out, rng)
    deal_rest(&k, r, d, player, rng)
    for i in range(low, high):
        if out[i] < 0:
            out[i] = k.card[~out[i]]
    free(k.card)
    return True


# What the player has seen ----------------------------------------------------------------------------------

cdef Step* add_step(Deal* d, StepKind kind, int seat, int at) noexcept nogil:
    cdef Step* grown
    if d.n == d.room:
        grown = <Step*>realloc(d.steps, 2 * d.room * sizeof(Step))
        if grown == NULL:
            return NULL
        d.steps = grown
        d.room *= 2
    grown = &d.steps[d.n]
    d.n += 1
    grown.kind = kind
    grown.seat = grown.other = seat
    grown.at = grown.at_other = at
    return grown


cdef bint record_trade(Deal* d, const CommerceRules* r, const CommercePos* s, int32_t action, int player,
                       int at, int offered) noexcept nogil:
    # A trade or a refused offer, as the player sees it.
    cdef int left = seat_after(r, s.turn, 1)
    cdef Step* t
    if action == KNOCK:
        return s.turn == player or add_step(d, SHOW, s.turn, offered) != NULL
    if player == s.turn or player == left:
        t = add_step(d, EXCHANGE, left if player == s.turn else s.turn, at)
        if t != NULL:
            t.coming = action if player == s.turn else s.offer
            t.going = s.offer if player == s.turn else action
            d.held |= bit(t.coming)
        return t != NULL
    t = add_step(d, SWAP, s.turn, offered)
    if t != NULL:
        t.other = left
        t.at_other = at
    return t != NULL


cdef bint record(Deal* d, const CommerceRules* r, const CommercePos* s, int32_t action, int player, int at,
                 int offered) noexcept nogil:
    cdef int seat = s.turn
    if s.phase == REPLY:
        return record_trade(d, r, s, action, player, at, offered)
    if s.phase == DEAL:
        seat = seat_after(r, s.dealer, 1 + s.dealt)
    if s.phase == DEAL or s.phase == DRAW:
        if seat == player:
            d.held |= bit(action)
            return True
        return add_step(d, GET, seat, at) != NULL
    if s.phase == DISCARD and seat != player:
        return add_step(d, LOSE, seat, at) != NULL
    return True


cdef void close_deal(Deal* d, const CommerceRules* r, const CommercePos* s, int player,
                     const int32_t* history, int32_t* out, int low, int high, Rng* rng) noexcept nogil:
    cdef int i
    d.shown = s.dealt == 0
    for i in range(r.players):
        d.open[i] = s.hand[i]
    if not invent(d, r, player, out, low, high, rng):
        # out of memory: what has happened fits all that anybody knows
        memcpy(out + low, history + low, (high - low) * sizeof(int32_t))
    d.n = 0
    d.held = 0


cdef void commerce_resample(const void* rules, const void* start, const int32_t* history, int length,
                            int player, Rng* rng, int32_t* out) noexcept nogil:
    cdef const CommerceRules* r = <const CommerceRules*>rules
    cdef CommercePos s
    cdef Deal d
    cdef int i, low = 0, offered = 0, settled = 0
    cdef bint complete = True
    memset(&d, 0, sizeof(Deal))
    d.room = 64
    d.steps = <Step*>malloc(d.room * sizeof(Step))
    memcpy(out, history, length * sizeof(int32_t))
    memcpy(&s, start, sizeof(CommercePos))
    complete = d.steps != NULL
    for i in range(length):
        if s.phase == OFFER:
            offered = i
        complete = complete and record(&d, r, &s, history[i], player, i, offered)
        commerce_apply(rules, &s, history[i])
        if s.settled > settled and complete:
            close_deal(&d, r, &s, player, history, out, low, i + 1, rng)
            settled = s.settled
            low = i + 1
    if s.phase == REPLY and s.turn != player:
        complete = complete and add_step(&d, SHOW, s.turn, offered) != NULL
    if complete and d.n > 0:
        close_deal(&d, r, &s, player, history, out, low, length, rng)
    free(d.steps)
