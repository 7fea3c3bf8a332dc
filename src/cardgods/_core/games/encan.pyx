"""L'Encan d'Hermès in the core; docs/rules/encan.md has the rules and options."""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint16_t
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, popcount, select_bit
from cardgods._core.ops cimport CHANCE, TERMINAL, GameOps
from cardgods._core.rng cimport Rng, bounded
from cardgods._core.state cimport Rules, State


# The game --------------------------------------------------------------------------------------------------

cdef inline int32_t hand_gold(const EncanRules* r, unsigned int hand) noexcept nogil:
    cdef int32_t gold = 0
    while hand:
        gold += r.values[lsb(hand)]
        hand &= hand - 1
    return gold


cdef inline bint may_call(const EncanRules* r, const EncanPos* s, int player) noexcept nogil:
    return r.obole and not (s.used >> player) & 1 and s.burnt[player] != 0


cdef inline int speaker(const EncanRules* r, const EncanPos* s) noexcept nogil:
    # Who speaks next in the Obole window: player 0 before player 1; -1 when the window is closed.
    if may_call(r, s, 0) and not s.passed & 1:
        return 0
    if may_call(r, s, 1) and not s.passed & 2:
        return 1
    return -1


cdef inline void reveal(const EncanRules* r, EncanPos* s, int treasure) noexcept nogil:
    s.treasure = <int8_t>treasure
    s.pile &= <uint16_t>~(1 << treasure)
    s.passed = 0
    s.phase = WINDOW if speaker(r, s) >= 0 else BID


cdef void encan_open(const EncanRules* r, EncanPos* s) noexcept nogil:
    # Start a turn: chance acts, or the fixed order names the treasure, or there is none left.
    if r.target and (s.score[0] >= r.target or s.score[1] >= r.target) or s.pile == 0:
        s.phase = OVER
    elif r.order == ORDER_RANDOM:
        s.phase = REVEAL
    elif r.order == ORDER_ASCENDING:
        reveal(r, s, lsb(s.pile))
    else:
        reveal(r, s, select_bit(s.pile, popcount(s.pile) - 1))


cdef void encan_init(const void* rules, void* pos) noexcept nogil:
    cdef const EncanRules* r = <const EncanRules*>rules
    cdef EncanPos* s = <EncanPos*>pos
    memset(s, 0, sizeof(EncanPos))
    s.hand[0] = s.hand[1] = s.pile = <uint16_t>((1 << r.cards) - 1)
    s.treasure = s.pending = s.last = -1
    encan_open(r, s)


cdef int encan_actor(const void* rules, const void* pos) noexcept nogil:
    cdef const EncanPos* s = <const EncanPos*>pos
    if s.phase == BID:
        return 0 if s.pending < 0 else 1
    if s.phase == REVEAL:
        return CHANCE
    if s.phase == WINDOW:
        return speaker(<const EncanRules*>rules, s)
    return TERMINAL


cdef int encan_sealed(const void* rules, const void* pos) noexcept nogil:
    cdef const EncanPos* s = <const EncanPos*>pos
    return 3 if s.phase == BID and s.pending < 0 else 0


cdef int encan_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil:
    cdef const EncanRules* r = <const EncanRules*>rules
    cdef const EncanPos* s = <const EncanPos*>pos
    cdef unsigned int hand
    cdef int n = 0
    if s.phase == BID:
        hand = s.hand[player]
        while hand:
            out[n] = lsb(hand)
            hand &= hand - 1
            n += 1
    elif s.phase == WINDOW:
        out[0] = r.cards        # pass
        out[1] = r.cards + 1    # call
        n = 2
    return n


cdef int encan_chance(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil:
    cdef unsigned int pile = (<const EncanPos*>pos).pile
    cdef int n = 0
    while pile:
        out[n] = lsb(pile)
        weights[n] = 1
        pile &= pile - 1
        n += 1
    return n


cdef inline void speak(const EncanRules* r, EncanPos* s, bint call) noexcept nogil:
    cdef int player = speaker(r, s)
    cdef uint16_t card
    if call:
        card = s.burnt[player] & <uint16_t>(-<int>s.burnt[player])
        s.burnt[player] ^= card
        s.hand[player] |= card
        s.used |= <uint8_t>(1 << player)
        s.passed = 0
    else:
        s.passed |= <uint8_t>(1 << player)
    if speaker(r, s) < 0:
        s.phase = BID


cdef inline void settle(const EncanRules* r, EncanPos* s, int bid0, int bid1) noexcept nogil:
    cdef int32_t lot = s.carry + r.values[s.treasure] * r.scale
    s.hand[0] ^= <uint16_t>(1 << bid0)
    s.hand[1] ^= <uint16_t>(1 << bid1)
    s.burnt[0] |= <uint16_t>(1 << bid0)
    s.burnt[1] |= <uint16_t>(1 << bid1)
    s.treasure = s.pending = -1
    if bid0 == bid1:
        s.last = -1
        if r.tie == TIE_CARRY:
            s.carry = lot
        elif r.tie == TIE_SPLIT:
            s.score[0] += lot // 2
            s.score[1] += lot // 2
    else:
        s.last = bid1 > bid0
        s.score[s.last] += lot
        s.carry = 0
    encan_open(r, s)


cdef void encan_apply(const void* rules, void* pos, int32_t action) noexcept nogil:
    cdef const EncanRules* r = <const EncanRules*>rules
    cdef EncanPos* s = <EncanPos*>pos
    if s.phase == BID:
        if s.pending < 0:
            s.pending = <int8_t>action
        else:
            settle(r, s, s.pending, action)
    elif s.phase == REVEAL:
        reveal(r, s, action)
    else:
        speak(r, s, action == r.cards + 1)


cdef int encan_winner(const EncanRules* r, const EncanPos* s) noexcept nogil:
    # Of a finished game: 0, 1 or -1 for a draw.
    cdef int32_t gold0, gold1
    if s.score[0] != s.score[1]:
        return s.score[1] > s.score[0]
    if r.tie_break == BREAK_DRAW:
        return -1
    if r.tie_break == BREAK_SECOND:
        return 1
    if s.last >= 0:
        return s.last
    gold0 = hand_gold(r, s.hand[0])
    gold1 = hand_gold(r, s.hand[1])
    return 0 if gold0 > gold1 else 1


cdef void encan_returns(const void* rules, const void* pos, double* out) noexcept nogil:
    cdef const EncanRules* r = <const EncanRules*>rules
    cdef const EncanPos* s = <const EncanPos*>pos
    cdef int winner
    out[0] = out[1] = 0.0
    if r.payoff == PAYOFF_POINTS:
        out[0] = (s.score[0] - s.score[1]) / <double>r.scale
        out[1] = (s.score[1] - s.score[0]) / <double>r.scale
    elif s.phase == OVER:
        winner = encan_winner(r, s)
        if winner >= 0:
            out[winner] = 1.0
            out[1 - winner] = -1.0


# What the players know -------------------------------------------------------------------------------------

cdef int encan_events(const void* rules, const void* before, int32_t action, const void* after, int player,
                      int16_t* out) noexcept nogil:
    cdef const EncanPos* s = <const EncanPos*>before
    if s.phase != BID:
        out[0] = <int16_t>action
        return 1
    if s.pending < 0:
        out[0] = <int16_t>action
        return player == 0
    if player == 0:
        out[0] = <int16_t>action
        return 1
    out[0] = <int16_t>action
    out[1] = s.pending
    return 2


cdef void encan_observe(const void* rules, const void* pos, int player, void* out) noexcept nogil:
    memcpy(out, pos, sizeof(EncanPos))
    if player != 0:
        (<EncanPos*>out).pending = -1


cdef void encan_resample(const void* rules, const void* start, const int32_t* history, int length, int player,
                         Rng* rng, int32_t* out) noexcept nogil:
    # Only a bid that is still sealed can be hidden.
    cdef EncanPos s
    cdef int i
    memcpy(&s, start, sizeof(EncanPos))
    for i in range(length):
        encan_apply(rules, &s, history[i])
        out[i] = history[i]
    if s.pending >= 0 and player != 0:
        out[length - 1] = select_bit(s.hand[0], <int>bounded(rng, popcount(s.hand[0])))


# Random play -----------------------------------------------------------------------------------------------

cdef int encan_playout(const void* rules, void* pos, Rng* rng) noexcept nogil:
    cdef const EncanRules* r = <const EncanRules*>rules
    cdef EncanPos* s = <EncanPos*>pos
    cdef int steps = 0, k0, k1
    cdef unsigned int draw
    while s.phase != OVER:
        steps += 1
        if s.phase == REVEAL:
            reveal(r, s, select_bit(s.pile, <int>bounded(rng, popcount(s.pile))))
        elif s.phase == WINDOW:
            speak(r, s, bounded(rng, 2))
        else:
            k0 = popcount(s.hand[0])
            k1 = popcount(s.hand[1])
            if s.pending < 0:
                # one draw for both bids: a uniform number below k0 * k1 is a uniform pair
                draw = bounded(rng, k0 * k1)
                s.pending = <int8_t>select_bit(s.hand[0], draw // k1)
                draw = draw % k1
                steps += 1
            else:
                draw = bounded(rng, k1)
            settle(r, s, s.pending, select_bit(s.hand[1], draw))
    return steps


cdef GameOps OPS
OPS.name = b"encan"
OPS.state_bytes = sizeof(EncanPos)
OPS.init = encan_init
OPS.actor = encan_actor
OPS.sealed = encan_sealed
OPS.legal = encan_legal
OPS.chance = encan_chance
OPS.apply = encan_apply
OPS.returns = encan_returns
OPS.events = encan_events
OPS.observe = encan_observe
OPS.resample = encan_resample
OPS.playout = encan_playout


# Python face -----------------------------------------------------------------------------------------------

cdef class EncanRulesObject(Rules):
    """The compiled options of one member of the family; see ``cardgods.games.encan.EncanOptions``."""

    def __cinit__(self, cards, target, obole, tie, payoff, treasure_order, tie_break):
        cdef int i
        self.r.cards = len(cards)
        for i in range(self.r.cards):
            self.r.values[i] = cards[i]
        self.r.scale = 2 if tie == "split" else 1
        self.r.target = (target or 0) * self.r.scale
        self.r.obole = obole
        self.r.tie = <Tie>("carry", "discard", "split").index(tie)
        self.r.payoff = <Payoff>("win", "points").index(payoff)
        self.r.order = <TreasureOrder>("random", "descending", "ascending").index(treasure_order)
        self.r.tie_break = <TieBreak>("cascade", "draw", "second").index(tie_break)
        self.ops = &OPS
        self.data = &self.r
        self.num_players = 2
        self.num_distinct_actions = self.r.cards + 2
        # a turn: treasure, two bids; a window is at most two calls and two passes, in all turns but one
        self.max_game_length = 3 * self.r.cards + (2 * self.r.cards + 2 if obole else 0)


cdef class EncanState(State):
    """A position of L'Encan d'Hermès.

    Actions: 0..n-1 bid (or, for chance, reveal) the card of that place in the ascending list of values;
    n passes in the Obole window, n + 1 calls the Obole.
    """

    cdef object describe(self, const void* pos):
        cdef const EncanPos* s = <const EncanPos*>pos
        cdef const EncanRules* r = <const EncanRules*>self.data
        values = [r.values[i] for i in range(r.cards)]

        def shown(mask):
            return [values[i] for i in range(r.cards) if (mask >> i) & 1]

        def points(units):
            return units if r.scale == 1 else (units // 2 if units % 2 == 0 else units / 2)

        actor = encan_actor(r, s)
        winner = encan_winner(r, s) if s.phase == OVER and r.payoff == PAYOFF_WIN else None
        return {
            "phase": ("reveal", "window", "bid", "over")[s.phase],
            "turn": popcount(((1 << r.cards) - 1) & ~s.pile),
            "treasure": values[s.treasure] if s.treasure >= 0 else None,
            "carry": points(s.carry),
            "treasures_left": shown(s.pile),
            "hands": [shown(s.hand[0]), shown(s.hand[1])],
            "burnt": [shown(s.burnt[0]), shown(s.burnt[1])],
            "scores": [points(s.score[0]), points(s.score[1])],
            "target": r.target // r.scale if r.target else None,
            "obole": [bool(r.obole and not (s.used >> p) & 1) for p in range(2)],
            "speaker": actor if s.phase == WINDOW else None,
            "sealed_bid": values[s.pending] if s.pending >= 0 else None,
            "last_winner": s.last if s.last >= 0 else None,
            "winner": winner if winner is not None and winner >= 0 else None,
        }

    def set_up(self, hands, burnt, pile, treasure, scores, carry, obole_used, passed, last_winner):
        """Let the history begin here; masks and card places, already checked (``EncanGame.new_position``)."""
        cdef EncanPos s
        cdef const EncanRules* r = <const EncanRules*>self.data
        encan_init(r, &s)
        for p in range(2):
            s.hand[p] = hands[p]
            s.burnt[p] = burnt[p]
            s.score[p] = scores[p]
            s.used |= <uint8_t>(bool(obole_used[p]) << p)
        s.carry = carry
        s.pile = pile
        s.last = last_winner
        s.treasure = -1
        if treasure < 0:
            encan_open(r, &s)
        else:
            reveal(r, &s, treasure)
            s.passed = passed
            s.phase = WINDOW if speaker(r, &s) >= 0 else BID
        self.begin(&s)
