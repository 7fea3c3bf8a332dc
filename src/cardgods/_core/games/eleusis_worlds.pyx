"""Worlds of Eleusis that agree with what a player knows.

A world is a history with other cards behind the backs. Every card that chance has given to another player is
a slot; what he has laid or shown since must have come from one of his slots. A proposal puts those cards
into random slots that were there in time, and fills the others in the order of the draws. Proposals are
weighed by the probability of the world over that of the proposal: with one stock the weights differ only
where two copies of a card could have filled a slot, and rejection makes the draw exactly uniform; where
further packs came in, a short Metropolis chain of independent proposals does.
"""

from libc.math cimport exp, log
from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.games.eleusis_moves cimport eleusis_apply
from cardgods._core.games.eleusis_position cimport (
    CLAIM,
    DRAW,
    GOD_STARTER,
    KINDS,
    MAX_PACKS,
    MAX_SEATS,
    NEXT_ROUND,
    OVER,
    RIGHT,
    SEQUENCE,
    STARTER,
    TURN,
    EleusisPos,
    EleusisRules,
)
from cardgods._core.games.eleusis_table cimport right_now
from cardgods._core.rng cimport Rng, bounded, uniform01
from cardgods._core.rule.program cimport FULL_DECK

cdef enum:
    CHAIN = 24                # proposals of a Metropolis chain
    TRIES = 400               # proposals of a rejection before the last one is taken


# What a history says of hidden cards -----------------------------------------------------------------------

cdef struct Slot:
    int32_t at                # place in the history
    int32_t seat              # who drew it, -1 = a turned starter
    int32_t packs             # packs that were in play
    int32_t card              # what the world makes of it, -1 = not yet decided
    int32_t taken             # number of the demand that it fills, -1 = none
    int32_t returned          # number of packs with which it came back into the stock, 0 = never
    bint known                # the player knows what it is
    bint refused              # a starter under the stock
    uint64_t allowed          # kinds that it can be: a refused starter is none that would have been right

cdef struct Demand:
    int32_t seat
    int32_t at                # only slots before this place of the history
    int32_t card              # a kind that one of the open slots must be, or -1: all of them, see first
    int32_t first, count      # the unknown part of a shown hand, in the list `shown`

cdef struct Seat:
    int known[KINDS]          # cards of the hand that everybody can name
    int open                  # his slots of which nothing has been asked

cdef struct World:
    const EleusisRules* r
    int player
    int slots, demands, n_shown
    Slot* slot
    Demand* demand
    int32_t* shown
    int32_t* best             # [slots] the cards of the world that stands
    int last_pack
    int16_t decided[MAX_PACKS + 1][KINDS]   # draws of a kind up to the end of the time with so many packs
    Seat seat[MAX_SEATS]
    int16_t base[KINDS]       # cards that lay elsewhere when the history began
    bint single               # no pack was added


cdef inline Slot* open_slot(World* w, int at, int seat, int packs, bint known) noexcept nogil:
    cdef Slot* slot = &w.slot[w.slots]
    memset(slot, 0, sizeof(Slot))
    slot.at = at
    slot.seat = seat
    slot.packs = packs
    slot.known = known
    slot.allowed = <uint64_t>FULL_DECK
    w.slots += 1
    return slot


cdef void read_draw(World* w, int at, int seat, int packs) noexcept nogil:
    open_slot(w, at, seat, packs, seat == w.player)
    w.seat[seat].open += seat != w.player


cdef void read_chance(World* w, const EleusisPos* s, int at, int card) noexcept nogil:
    cdef Slot* slot
    cdef uint64_t right
    if s.phase == DRAW:
        read_draw(w, at, s.draw_seat[0], s.packs)
    elif s.phase == STARTER:
        slot = open_slot(w, at, -1, s.packs, w.player == s.god)
        if w.r.rule[s.round].code != NULL:
            right = right_now(w.r, s)
            if (right >> card) & 1:
                slot.known = True
            else:
                slot.allowed = ~right & <uint64_t>FULL_DECK


cdef void ask(World* w, int seat, int card, int at) noexcept nogil:
    # He laid a card: one that all knew if there is one, else one of his slots must have been it.
    cdef Demand* d = &w.demand[w.demands]
    if w.seat[seat].known[card]:
        w.seat[seat].known[card] -= 1
        return
    d.seat = seat
    d.card = card
    d.at = at
    w.demands += 1
    w.seat[seat].open -= 1


cdef void ask_hand(World* w, const EleusisPos* s, int at) noexcept nogil:
    # He showed his hand: what was not known of it is in his open slots.
    cdef Demand* d = &w.demand[w.demands]
    cdef Seat* seat = &w.seat[s.turn]
    cdef int k, _
    d.seat = s.turn
    d.card = -1
    d.at = at
    d.first = w.n_shown
    for k in range(KINDS):
        for _ in range(seat.known[k], s.hand[s.turn][k]):
            w.shown[w.n_shown] = k
            w.n_shown += 1
    d.count = w.n_shown - d.first
    w.demands += 1
    seat.open = 0


cdef void read_decision(World* w, const EleusisPos* s, int at, int action) noexcept nogil:
    if s.phase == GOD_STARTER and action == RIGHT:
        w.slot[w.slots - 1].known = True
    elif s.turn == w.player:
        return
    elif action == CLAIM:
        ask_hand(w, s, at)
    elif s.phase == TURN or (s.phase == SEQUENCE and action < KINDS):
        ask(w, s.turn, action, at)


cdef void return_refused(World* w, int packs) noexcept nogil:
    cdef int k
    w.single = False
    for k in range(w.slots):
        if w.slot[k].refused and not w.slot[k].returned:
            w.slot[k].returned = packs


cdef void follow(World* w, const EleusisPos* s, const EleusisPos* t, int action) noexcept nogil:
    # What the step did: a starter refused, a pack added (with those refused before, and with this one too
    # if it was the last card), hands of which everything is known.
    cdef bint refused = s.phase == GOD_STARTER and action != RIGHT
    cdef int k, kind
    if s.phase == STARTER and w.r.rule[s.round].code != NULL:
        refused = t.line == s.line
    if refused and t.bottom_size == 0:
        w.slot[w.slots - 1].refused = True
    if t.packs != s.packs:
        return_refused(w, t.packs)
    if refused:
        w.slot[w.slots - 1].refused = True
    w.last_pack = t.packs
    for k in range(MAX_SEATS):
        if w.seat[k].open == 0 and k != w.player:
            for kind in range(KINDS):
                w.seat[k].known[kind] = t.hand[k][kind]


# Proposals -------------------------------------------------------------------------------------------------

cdef inline void decide(World* w, Slot* slot, int card) noexcept nogil:
    cdef int e
    slot.card = card
    for e in range(slot.packs, w.last_pack + 1):
        w.decided[e][card] += 1
    if slot.returned:
        for e in range(slot.returned, w.last_pack + 1):
            w.decided[e][card] -= 1


cdef inline int spare(const World* w, const Slot* slot, int kind) noexcept nogil:
    # Copies of a kind that a slot may take without leaving too few for what is decided.
    cdef int e
    cdef int least = MAX_PACKS
    for e in range(slot.packs, w.last_pack + 1):
        if e - w.decided[e][kind] < least:
            least = e - w.decided[e][kind]
    return least if least > 0 else 0


cdef inline bint is_open(const Slot* slot, const Demand* d) noexcept nogil:
    return slot.seat == d.seat and slot.card < 0 and slot.at < d.at


cdef bint fill_demand(World* w, int which, Rng* rng, double* chance) noexcept nogil:
    # Put a card that was laid into a random slot that is open, early enough and could have been it.
    cdef const Demand* d = &w.demand[which]
    cdef int k, pick
    cdef int n = 0
    for k in range(w.slots):
        n += is_open(&w.slot[k], d) and spare(w, &w.slot[k], d.card) > 0
    if n == 0:
        return False
    pick = <int>bounded(rng, n)
    chance[0] -= log(n)
    for k in range(w.slots):
        if is_open(&w.slot[k], d) and spare(w, &w.slot[k], d.card) > 0:
            if pick == 0:
                w.slot[k].taken = which
                decide(w, &w.slot[k], d.card)
                return True
            pick -= 1
    return False


cdef int pick_shown(
    World* w, const Slot* slot, int32_t* cards, int n, Rng* rng, double* chance
) noexcept nogil:
    # A random card that the slot could have been, moved to the end of the list; -1 if there is none.
    cdef int i, pick, card
    cdef int fitting = 0
    cdef int alike = 0
    for i in range(n):
        fitting += spare(w, slot, cards[i]) > 0
    if fitting == 0:
        return -1
    pick = <int>bounded(rng, fitting)
    for i in range(n):
        if spare(w, slot, cards[i]) > 0:
            if pick == 0:
                break
            pick -= 1
    card = cards[i]
    for pick in range(n):
        alike += cards[pick] == card
    chance[0] += log(<double>alike / fitting)
    cards[i] = cards[n - 1]
    cards[n - 1] = card
    return card


cdef bint fill_shown(World* w, int which, Rng* rng, double* chance) noexcept nogil:
    # The open slots of a shown hand hold its unknown cards in a random order.
    cdef const Demand* d = &w.demand[which]
    cdef int32_t* cards = &w.shown[d.first]
    cdef int k, card
    cdef int left = d.count
    for k in range(w.slots):
        if is_open(&w.slot[k], d) and left:
            card = pick_shown(w, &w.slot[k], cards, left, rng, chance)
            if card < 0:
                return False
            w.slot[k].taken = which
            decide(w, &w.slot[k], card)
            left -= 1
    return left == 0


cdef bint fill_rest(World* w, bint restricted, Rng* rng, double* chance) noexcept nogil:
    # Slots of which nothing is known, in the order of the draws; those with a restriction come first.
    cdef int32_t copies[KINDS]
    cdef int k, kind, total, rest
    for k in range(w.slots):
        if w.slot[k].card >= 0 or (w.slot[k].allowed != <uint64_t>FULL_DECK) != restricted:
            continue
        total = 0
        for kind in range(KINDS):
            copies[kind] = spare(w, &w.slot[k], kind) if (w.slot[k].allowed >> kind) & 1 else 0
            total += copies[kind]
        if total == 0:
            return False
        rest = <int>bounded(rng, total)
        kind = 0
        while rest >= copies[kind]:
            rest -= copies[kind]
            kind += 1
        decide(w, &w.slot[k], kind)
        chance[0] += log(<double>copies[kind] / total)
    return True


cdef bint propose(World* w, const int32_t* history, Rng* rng, double* chance) noexcept nogil:
    # One world, and the logarithm of its chance as far as that differs between worlds.
    cdef int i, k
    chance[0] = 0
    for k in range(MAX_PACKS + 1):
        memcpy(w.decided[k], w.base, sizeof(w.base))
    for k in range(w.slots):
        w.slot[k].taken = -1
        w.slot[k].card = -1
        if w.slot[k].known:
            decide(w, &w.slot[k], history[w.slot[k].at])
    for i in range(w.demands):
        if w.demand[i].card >= 0:
            if not fill_demand(w, i, rng, chance):
                return False
        elif not fill_shown(w, i, rng, chance):
            return False
    return fill_rest(w, True, rng, chance) and fill_rest(w, False, rng, chance)


cdef double log_ways(const World* w) noexcept nogil:
    # In how many ways the laid cards could have filled slots with the same cards in the end.
    cdef int i, k, n
    cdef double total = 0
    cdef const Demand* d
    for i in range(w.demands):
        d = &w.demand[i]
        n = 0
        for k in range(w.slots):
            if w.slot[k].seat == d.seat and w.slot[k].card == d.card and w.slot[k].at < d.at:
                n += w.slot[k].taken < 0 or w.slot[k].taken >= i
        if d.card >= 0 and n > 1:
            total += log(n)
    return total


cdef double log_target(const World* w) noexcept nogil:
    # Logarithm of the product of copies that each draw could have been; -1e30 if a draw is impossible.
    cdef int drawn[KINDS]
    cdef int k, j, copies
    cdef int packs = 0
    cdef double total = 0
    for k in range(KINDS):
        drawn[k] = w.base[k]
    for k in range(w.slots):
        if w.slot[k].packs != packs:
            packs = w.slot[k].packs
            for j in range(k):
                if w.slot[j].returned == packs:
                    drawn[w.slot[j].card] -= 1
        copies = packs - drawn[w.slot[k].card]
        if copies <= 0:
            return -1e30
        total += log(copies)
        drawn[w.slot[k].card] += 1
    return total


cdef inline void keep(World* w) noexcept nogil:
    cdef int k
    for k in range(w.slots):
        w.best[k] = w.slot[k].card


cdef void draw_world(World* w, const int32_t* history, Rng* rng) noexcept nogil:
    cdef int i
    cdef double chance, weight
    cdef double standing = -1e29
    for i in range(w.slots):
        w.best[i] = history[w.slot[i].at]
    for _ in range(TRIES if w.single else CHAIN):
        if not propose(w, history, rng, &chance):
            continue
        if w.single:
            keep(w)
            if uniform01(rng) < exp(-log_ways(w)):
                return
        else:
            weight = log_target(w) - log_ways(w) - chance
            if weight > -1e28 and (standing < -1e28 or log(uniform01(rng) + 1e-300) < weight - standing):
                keep(w)
                standing = weight


cdef void finish_round(World* w, const int32_t* history, Rng* rng, int32_t* out) noexcept nogil:
    cdef int k
    cdef bint hidden = False
    for k in range(w.slots):
        hidden = hidden or not w.slot[k].known
    if hidden:
        draw_world(w, history, rng)
        for k in range(w.slots):
            out[w.slot[k].at] = w.best[k]
    w.slots = w.demands = w.n_shown = 0
    w.single = True
    memset(w.seat, 0, sizeof(w.seat))
    memset(w.base, 0, sizeof(w.base))


cdef void read_start(World* w, const EleusisPos* s) noexcept nogil:
    # Cards of a position set up by hand are no slots: they stay what they are.
    cdef int k, kind
    for kind in range(KINDS):
        w.base[kind] = <int16_t>(s.packs - s.stock[kind] - s.bottom[kind])
        for k in range(MAX_SEATS):
            w.seat[k].known[kind] = s.hand[k][kind]


cdef void read_history(World* w, const void* start, const int32_t* history, int length, Rng* rng,
                       int32_t* out) noexcept nogil:
    cdef EleusisPos s
    cdef EleusisPos t
    cdef int i
    memcpy(&s, start, sizeof(s))
    read_start(w, &s)
    for i in range(length):
        memcpy(&t, &s, sizeof(s))
        eleusis_apply(w.r, &t, history[i])
        if s.phase == NEXT_ROUND:
            read_draw(w, i, (t.god + 1) % w.r.players, w.r.packs)
        else:
            read_chance(w, &s, i, history[i])
            read_decision(w, &s, i, history[i])
        if t.phase == NEXT_ROUND or t.phase == OVER:
            w.last_pack = s.packs
            finish_round(w, history, rng, out)
        else:
            follow(w, &s, &t, history[i])
        memcpy(&s, &t, sizeof(s))
    finish_round(w, history, rng, out)


cdef void eleusis_resample(const void* rules, const void* start, const int32_t* history, int length,
                           int player, Rng* rng, int32_t* out) noexcept nogil:
    cdef World w
    memset(&w, 0, sizeof(w))
    w.r = <const EleusisRules*>rules
    w.player = player
    w.single = True
    w.slot = <Slot*>malloc((length + 1) * sizeof(Slot))
    w.demand = <Demand*>malloc((length + 1) * sizeof(Demand))
    w.best = <int32_t*>malloc((length + 1) * sizeof(int32_t))
    w.shown = <int32_t*>malloc((length + 1) * sizeof(int32_t))
    memcpy(out, history, length * sizeof(int32_t))
    if w.slot and w.demand and w.best and w.shown:
        read_history(&w, start, history, length, rng, out)
    free(w.slot)
    free(w.demand)
    free(w.best)
    free(w.shown)
