"""La Guerre des Trois Trônes in the core; docs/rules/trones.md has the rules and options."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, pop_lsb, popcount, select_bit
from cardgods._core.games.trones_greedy cimport greedy_move
from cardgods._core.games.trones_status cimport Outlook, front_range, outlook
from cardgods._core.ops cimport CHANCE, TERMINAL, GameOps
from cardgods._core.rng cimport Rng, bounded
from cardgods._core.state cimport Rules, State

cdef enum:
    DRAWN = 16                # cards one player gets in a game: at most 4 and one after each of 9 turns


# The game --------------------------------------------------------------------------------------------------

cdef inline bint can_lay(const TronesRules* r, const TronesPos* s, int player) noexcept nogil:
    return s.held[player] != 0 and room_of(r, s, player) != 0


cdef inline void next_turn(const TronesRules* r, TronesPos* s) noexcept nogil:
    # The other player, or the same again if the other can lay nothing, or nobody.
    s.phase = LAY
    if can_lay(r, s, 1 - s.turn):
        s.turn = 1 - s.turn
    elif not can_lay(r, s, s.turn):
        s.phase = OVER


cdef void trones_init(const void* rules, void* pos) noexcept nogil:
    cdef const TronesRules* r = <const TronesRules*>rules
    cdef TronesPos* s = <TronesPos*>pos
    memset(s, 0, sizeof(TronesPos))
    s.pile = r.deck
    s.piled = <int8_t>r.cards
    s.phase = DEAL


cdef int trones_actor(const void* rules, const void* pos) noexcept nogil:
    cdef const TronesPos* s = <const TronesPos*>pos
    if s.phase == LAY:
        return s.turn
    return TERMINAL if s.phase == OVER else CHANCE


cdef int trones_sealed(const void* rules, const void* pos) noexcept nogil:
    return 0


cdef int trones_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil:
    cdef const TronesRules* r = <const TronesRules*>rules
    cdef const TronesPos* s = <const TronesPos*>pos
    cdef uint64_t hand = s.hand[player]
    cdef bint free[3]
    cdef int n = 0
    cdef int f, card
    for f in range(FRONTS):
        free[f] = room_on(r, s, player, f) > 0
    while hand:
        card = lsb(hand)
        hand = pop_lsb(hand)
        for f in range(FRONTS):
            if free[f]:
                out[n] = FRONTS * card + f
                n += 1
    return n


cdef int trones_chance(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil:
    cdef uint64_t pile = (<const TronesPos*>pos).pile
    cdef int n = 0
    while pile:
        out[n] = lsb(pile)
        weights[n] = 1
        pile = pop_lsb(pile)
        n += 1
    return n


cdef inline void take(const TronesRules* r, TronesPos* s, int card) noexcept nogil:
    s.pile ^= <uint64_t>1 << card
    s.piled -= 1
    s.hand[s.turn] |= <uint64_t>1 << card
    s.held[s.turn] += 1
    if s.phase == DRAW:
        next_turn(r, s)
    else:
        s.turn = 1 - s.turn
        if s.held[1] == r.hand:
            s.phase = LAY


cdef inline void lay(const TronesRules* r, TronesPos* s, int card, int front) noexcept nogil:
    s.hand[s.turn] ^= <uint64_t>1 << card
    s.held[s.turn] -= 1
    s.laid[s.turn][front] |= <uint64_t>1 << card
    if s.piled and (room_of(r, s, 0) or room_of(r, s, 1)):
        s.phase = DRAW
    else:
        next_turn(r, s)


cdef void trones_apply(const void* rules, void* pos, int32_t action) noexcept nogil:
    cdef TronesPos* s = <TronesPos*>pos
    if s.phase == LAY:
        lay(<const TronesRules*>rules, s, action // FRONTS, action % FRONTS)
    else:
        take(<const TronesRules*>rules, s, action)


cdef int front_holder(const TronesPos* s, int front) noexcept nogil:
    # Who takes the front if nothing more is laid. The highest force settles equal sums: of two trumps the
    # higher has more, a trump has more than any card that is none, and without trumps it is the value.
    cdef int total[2]
    cdef int high[2]
    cdef int p
    for p in range(2):
        forces(s.laid[p][front], front, &total[p], &high[p])
    if total[0] != total[1]:
        return total[1] > total[0]
    return high[1] > high[0]


cdef inline int trones_winner(const TronesPos* s) noexcept nogil:
    return front_holder(s, 0) + front_holder(s, 1) + front_holder(s, 2) >= 2


cdef void trones_returns(const void* rules, const void* pos, double* out) noexcept nogil:
    cdef const TronesPos* s = <const TronesPos*>pos
    out[0] = out[1] = 0.0
    if s.phase == OVER:
        out[0] = -1.0 if trones_winner(s) else 1.0
        out[1] = -out[0]


# What the players know -------------------------------------------------------------------------------------

cdef int trones_events(const void* rules, const void* before, int32_t action, const void* after, int player,
                       int16_t* out) noexcept nogil:
    cdef const TronesPos* s = <const TronesPos*>before
    out[0] = <int16_t>action
    return s.phase == LAY or s.turn == player


cdef void trones_observe(const void* rules, const void* pos, int player, void* out) noexcept nogil:
    cdef TronesPos* s = <TronesPos*>out
    cdef int p
    memcpy(out, pos, sizeof(TronesPos))
    s.pile = 0
    for p in range(2):
        if p != player:
            s.hand[p] = 0


cdef void trones_resample(const void* rules, const void* start, const int32_t* history, int length,
                          int player, Rng* rng, int32_t* out) noexcept nogil:
    # Every order of the deck that gives the player his cards and lets the other hold what he laid in time
    # is as likely. So each card the other laid goes to one of the places in his stream that came before,
    # the earliest laid first (each has the same number of free places whatever the earlier ones took),
    # and any unseen cards fill the rest.
    cdef const TronesRules* r = <const TronesRules*>rules
    cdef TronesPos s
    cdef int place[DRAWN]
    cdef int places = 0
    cdef uint64_t taken = 0   # places already given a card
    cdef uint64_t unseen = r.deck
    cdef int i, k, card
    memcpy(&s, start, sizeof(TronesPos))
    for i in range(length):
        out[i] = history[i]
        if s.phase != LAY and s.turn != player:
            place[places] = i
            places += 1
        elif s.phase != LAY:
            unseen ^= <uint64_t>1 << history[i]
        elif s.turn != player:
            card = history[i] // FRONTS
            unseen ^= <uint64_t>1 << card
            k = popcount(taken)
            k = select_bit(~taken, <int>bounded(rng, places - k))
            taken |= <uint64_t>1 << k
            out[place[k]] = card
        trones_apply(rules, &s, history[i])
    for i in range(places):
        if not (taken >> i) & 1:
            card = select_bit(unseen, <int>bounded(rng, popcount(unseen)))
            unseen ^= <uint64_t>1 << card
            out[place[i]] = card


# Random play -----------------------------------------------------------------------------------------------

cdef int trones_playout(const void* rules, void* pos, Rng* rng) noexcept nogil:
    cdef const TronesRules* r = <const TronesRules*>rules
    cdef TronesPos* s = <TronesPos*>pos
    cdef int steps = 0
    cdef int f, n, pick
    cdef int free[3]
    while s.phase != OVER:
        steps += 1
        if s.phase != LAY:
            take(r, s, select_bit(s.pile, <int>bounded(rng, s.piled)))
            continue
        n = 0
        for f in range(FRONTS):
            if room_on(r, s, s.turn, f):
                free[n] = f
                n += 1
        pick = <int>bounded(rng, s.held[s.turn] * n)
        lay(r, s, select_bit(s.hand[s.turn], pick // n), free[pick % n])
    return steps


cdef int32_t trones_policy(const void* rules, const void* pos, Rng* rng) noexcept nogil:
    return greedy_move(<const TronesRules*>rules, <const TronesPos*>pos)


cdef GameOps OPS
OPS.name = b"trones"
OPS.state_bytes = sizeof(TronesPos)
OPS.init = trones_init
OPS.actor = trones_actor
OPS.sealed = trones_sealed
OPS.legal = trones_legal
OPS.chance = trones_chance
OPS.apply = trones_apply
OPS.returns = trones_returns
OPS.events = trones_events
OPS.observe = trones_observe
OPS.resample = trones_resample
OPS.playout = trones_playout
OPS.policy = trones_policy


# Python face -----------------------------------------------------------------------------------------------

cdef list cards_in(uint64_t mask):
    return [card for card in range(52) if (mask >> card) & 1]


cdef class TronesRulesObject(Rules):
    """The compiled options of one member of the family; see ``cardgods.games.trones.TronesOptions``."""

    def __cinit__(self, deck, capacity, hand):
        self.r.deck = deck
        self.r.cards = popcount(self.r.deck)
        self.r.capacity = capacity
        self.r.hand = hand
        self.ops = &OPS
        self.data = &self.r
        self.num_players = 2
        self.num_distinct_actions = FRONTS * 52
        turns = min(2 * FRONTS * capacity, self.r.cards)
        self.max_game_length = 2 * hand + turns + min(turns - 1, self.r.cards - 2 * hand)


cdef class TronesState(State):
    """A position of La Guerre des Trois Trônes.

    Actions: 3 * card + front lays a card (fronts 0 Sky, 1 Sea, 2 Underworld); a chance outcome is the card
    dealt or drawn.
    """

    cdef object describe(self, const void* pos):
        cdef const TronesPos* s = <const TronesPos*>pos
        cdef const TronesRules* r = <const TronesRules*>self.data
        cdef Outlook look
        cdef uint64_t unseen = r.deck
        for p in range(2):
            unseen &= ~(s.hand[p] | s.laid[p][0] | s.laid[p][1] | s.laid[p][2])
        outlook(r, s, unseen, &look)
        phase = ("deal", "draw", "lay", "over")[s.phase]
        fronts = [describe_front(r, s, &look, f) for f in range(FRONTS)]
        return {
            "phase": phase,
            "turn": s.turn if s.phase != OVER else None,
            "hands": [cards_in(s.hand[p]) if popcount(s.hand[p]) == s.held[p] else None for p in range(2)],
            "held": [s.held[0], s.held[1]],
            "pile": s.piled,
            "unseen": cards_in(unseen),
            "capacity": r.capacity,
            "turns_left": [look.turns[0], look.turns[1]],
            "fronts": fronts,
            "winner": trones_winner(s) if s.phase == OVER else None,
        }


cdef object describe_front(const TronesRules* r, const TronesPos* s, const Outlook* look, int f):
    cdef int total[2]
    cdef int high[2]
    cdef int best[2]
    cdef int worst[2]
    cdef int p
    for p in range(2):
        forces(s.laid[p][f], f, &total[p], &high[p])
        front_range(r, s, look, p, f, &worst[p], &best[p])
    holder = front_holder(s, f)
    closed = all([room_on(r, s, p, f) == 0 or look.turns[p] == 0 for p in range(2)])
    settled = holder if closed else None
    for p in range(2):
        # Equal sums settle nothing before the end, since the highest forces may still change.
        if worst[p] > best[1 - p]:
            settled = p
    return {
        "trump": trump_of(f),
        "cards": [cards_in(s.laid[0][f]), cards_in(s.laid[1][f])],
        "room": [room_on(r, s, 0, f), room_on(r, s, 1, f)],
        "forces": [total[0], total[1]],
        "leader": holder if s.laid[0][f] | s.laid[1][f] else None,
        "worst": [worst[0], worst[1]],
        "best": [best[0], best[1]],
        "settled": settled,
    }
