"""External-sampling regret minimisation for Trois Trônes over a table of information sets.

Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret minimization in extensive games" (2009),
with regrets and averages weighted by the number of the pass (Brown and Sandholm, "Solving
imperfect-information games via discounted regret minimization", 2019). A pass is a fixed number of deals in
which one player learns against the strategies of its beginning; its samples draw from streams of their own,
so the table depends on rules, grain, seed and the number of passes alone.

Where information sets are told apart exactly, all own moves are followed to the end, as the theorem wants.
Where they are only alike there is no theorem: one own move is followed and learnt from, the others are played
out, so that a deal costs a hundred positions instead of thousands.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from cardgods._core.games.trones cimport (
    FRONTS, LAY, OVER, TronesPos, TronesRules, TronesRulesObject, TronesState, front_holder, trones_apply)
from cardgods._core.rng cimport Random, Rng, bounded, rng_init, uniform01
from cardgods._core.solve.trones_policy cimport Policy, before_any, drawn_from, drawn_move, shares_of
from cardgods._core.solve.trones_regrets cimport (
    AVERAGE, PARTS, REGRET, Log, Part, Table, entry_bytes, log_note, matched, part_enter, part_missing,
    part_of, part_reserve, part_take, table_bytes, table_close, table_entries, table_find, table_open)
from cardgods._core.solve.trones_sets cimport (
    EXACT, Grain, Spot, View, deal_hands, draw_deck, lay_and_draw, view_of)
from cardgods._core.walk cimport Cancel

from cardgods.errors import SolveError

cdef double EXPLORED = 0.3    # share of moves tried whatever the strategy
cdef double TRUST = 30.0      # regret of the heuristic's move before anything is learnt


# One shard of a round: what its samples need and what they have learnt.
cdef struct Shard:
    const TronesRules* rules
    const Table* table
    const Grain* grain
    Rng rng
    int32_t deck[52]
    int player                # who learns
    double weight
    int64_t nodes
    bint cut                  # by the flag
    Log logs[8]


cdef inline void strategy(const Shard* x, const View* view, double* shares) noexcept nogil:
    cdef const float* numbers = table_find(x.table, view.key)
    cdef int i
    if numbers != NULL:
        for i in range(view.count):
            if numbers[i] > 0.0:
                matched(numbers, view.count, shares)
                return
    before_any(x.grain, view.count, shares)


cdef inline double won_by(const TronesPos* s, int player) noexcept nogil:
    cdef int winner = front_holder(s, 0) + front_holder(s, 1) + front_holder(s, 2) >= 2
    return 1.0 if winner == player else -1.0


cdef double follow(Shard* x, const Spot* s, int32_t action) noexcept nogil:
    cdef Spot after = s[0]
    lay_and_draw(x.rules, &after, action, x.deck)
    return sample(x, &after)


cdef double played_out(Shard* x, const Spot* s, int32_t action) noexcept nogil:
    # What the one who learns gets after a move, both playing as they do now.
    cdef Spot now = s[0]
    cdef View view
    cdef double shares[12]
    cdef int i
    lay_and_draw(x.rules, &now, action, x.deck)
    while now.pos.phase != OVER:
        x.nodes += 1
        view_of(x.rules, x.grain, &now, &view)
        i = 0
        if view.count > 1:
            strategy(x, &view, shares)
            i = drawn_from(&x.rng, shares, view.count)
        lay_and_draw(x.rules, &now, view.action[i], x.deck)
    return won_by(&now.pos, x.player)


cdef int explored(Shard* x, const double* shares, int count) noexcept nogil:
    # The move that the sample goes on with.
    if uniform01(&x.rng) < EXPLORED:
        return <int>bounded(&x.rng, <uint32_t>count)
    return drawn_from(&x.rng, shares, count)


cdef double sample(Shard* x, const Spot* s) noexcept nogil:
    # What the one who learns gets, all his moves tried, one of the other's drawn.
    cdef View view
    cdef double shares[12]
    cdef double values[12]
    cdef double here = 0.0
    cdef int i, on = -1
    x.nodes += 1
    if s.pos.phase == OVER:
        return won_by(&s.pos, x.player)
    view_of(x.rules, x.grain, s, &view)
    if view.count == 1:
        return follow(x, s, view.action[0])
    strategy(x, &view, shares)
    if s.pos.turn != x.player:
        log_note(&x.logs[part_of(view.key)], view.key, AVERAGE, view.count, shares, x.weight)
        return follow(x, s, view.action[drawn_from(&x.rng, shares, view.count)])
    if x.grain.kind != EXACT:
        on = explored(x, shares, view.count)
    for i in range(view.count):
        if on < 0 or on == i:
            values[i] = follow(x, s, view.action[i])
        else:
            values[i] = played_out(x, s, view.action[i])
        here += shares[i] * values[i]
    for i in range(view.count):
        values[i] -= here
    log_note(&x.logs[part_of(view.key)], view.key, REGRET, view.count, values, x.weight)
    return here


cdef int spot_of(TronesState state, Spot* out) except -1:
    # A state as a position with the way to it.
    cdef int i
    memset(out, 0, sizeof(Spot))
    memcpy(&out.pos, state.start, sizeof(TronesPos))
    for i in range(state.length):
        if out.pos.phase == LAY:
            out.laid[out.count] = state.actions[i]
            out.count += 1
        trones_apply(state.data, &out.pos, state.actions[i])
    return 0


cdef class Blueprint:
    """Regrets and average strategies of all information sets that the samples have met.

    A pass, of player 0 and of player 1 by turns, is begun; its shards are walked in any order and by any
    threads; then the parts of the table take up what was learnt, again in any order; and it is ended.

    Args:
        rules: of the game.
        grain: kind, width, steps, gaps, groups; see trones_sets.pxd.
        seed: of the samples.
        memory: bytes that the table may take.

    Attributes:
        shards: of a pass.
        parts: of the table.
        round: deals of a pass.
        passes: finished passes.
        nodes: positions that these have walked through.
        memory: the limit.
    """

    def __cinit__(self, TronesRulesObject rules, grain, seed, int64_t memory):
        self.rules = rules
        self.shards = SHARDS
        self.parts = PARTS
        self.round = SHARDS * (WIDE_DEALS if grain[0] == EXACT else NARROW_DEALS)
        self.random = Random(seed)
        self.memory = memory
        self.grain.kind, self.grain.width, self.grain.steps, self.grain.gaps, self.grain.groups = grain
        self.desks = calloc(SHARDS, sizeof(Shard))
        if self.desks == NULL or table_open(&self.table, self.grain.width):
            raise MemoryError
        self.table.trust = 0.0 if self.grain.kind == EXACT else TRUST

    def __dealloc__(self):
        cdef Shard* shards = <Shard*>self.desks
        cdef int i, p
        if shards != NULL:
            for i in range(SHARDS):
                for p in range(PARTS):
                    free(shards[i].logs[p].words)
            free(shards)
        table_close(&self.table)

    def __len__(self):
        """Number of information sets met."""
        return table_entries(&self.table)

    def bytes_taken(self):
        """Bytes that the table takes."""
        return table_bytes(&self.table)

    def begin(self):
        """Begin a pass."""
        cdef Shard* shards = <Shard*>self.desks
        cdef Shard* x
        cdef int i, p
        for i in range(SHARDS):
            x = &shards[i]
            x.rules = &self.rules.r
            x.table = &self.table
            x.grain = &self.grain
            x.player = <int>(self.passes % 2)
            x.weight = <double>(self.passes // 2 + 1)
            x.nodes = 0
            x.cut = False
            for p in range(PARTS):
                x.logs[p].used = 0
                x.logs[p].failed = False

    def walk(self, int shard, Cancel cancel):
        """Deal and learn; the flag ends it after the sample under way, and then the pass must begin again."""
        cdef Shard* x = &(<Shard*>self.desks)[shard]
        cdef Spot start
        cdef const unsigned char* key = self.random.key
        cdef int64_t deals = self.round // SHARDS
        cdef int64_t first = (self.passes * SHARDS + shard) * deals
        cdef int64_t i
        with nogil:
            for i in range(deals):
                if cancel.flag:
                    x.cut = True
                    break
                rng_init(&x.rng, key, first + i)
                draw_deck(x.rules, &x.rng, x.deck)
                deal_hands(x.rules, x.deck, &start)
                sample(x, &start)

    def reserve(self):
        """Make room for what the shards have learnt.

        Raises:
            SolveError: if the table would outgrow its memory; it stays as it was.
            MemoryError: if there is not enough memory.
        """
        cdef Shard* shards = <Shard*>self.desks
        cdef int64_t more[8]
        cdef int64_t room, bytes_then = 0
        cdef int i, p
        for p in range(PARTS):
            more[p] = 0
            for i in range(SHARDS):
                if shards[i].logs[p].failed:
                    raise MemoryError
                if shards[i].cut:
                    raise SolveError("the pass was cut short")
                more[p] += part_missing(&self.table, p, &shards[i].logs[p])
            room = self.table.part[p].room
            while self.table.part[p].used + more[p] > room:
                room *= 2
            bytes_then += room * entry_bytes(self.table.width)
        if bytes_then > self.memory:
            raise SolveError(
                f"{len(self):,} information sets after {self.passes // 2 * self.round:,} deals fill the "
                f"{self.memory / 1e6:,.1f} MB that the table may take"
            )
        for p in range(PARTS):
            if part_reserve(&self.table, p, more[p]):
                raise MemoryError

    def take(self, int part):
        """Let a part of the table take up what the shards have learnt."""
        cdef const Shard* shards = <const Shard*>self.desks
        cdef int i
        with nogil:
            for i in range(SHARDS):
                part_take(&self.table, part, &shards[i].logs[part], shards[i].weight)

    def end(self):
        """End a pass."""
        cdef const Shard* shards = <const Shard*>self.desks
        cdef int i
        for i in range(SHARDS):
            self.nodes += shards[i].nodes
        self.passes += 1

    def shares(self, TronesState state, double least=0.0):
        """(action, probability) of the average strategy of the player on turn.

        Args:
            state: where a player is to lay a card; only what he knows counts.
            least: what is less probable is not played.
        """
        cdef Spot spot
        cdef View view
        cdef double shares[12]
        cdef Policy policy = Policy(&self.table, &self.grain, least)
        spot_of(state, &spot)
        shares_of(&self.rules.r, &policy, &spot, &view, shares)
        return [(view.action[i], shares[i]) for i in range(view.count)]

    def duel(self, int64_t first, int64_t deals, double least, Cancel cancel):
        """Games against the heuristic, each deal with both seats.

        Args:
            first: number of the first deal.
            deals: how many.
            least: what is less probable is not played.
            cancel: ends it early.

        Returns:
            Deals won twice, once and never.
        """
        cdef Policy mine = Policy(&self.table, &self.grain, least)
        cdef Policy his = Policy(NULL, NULL, 0.0)
        cdef const unsigned char* key = self.random.key
        cdef const TronesRules* r = &self.rules.r
        cdef int64_t counts[3]
        cdef Spot spot
        cdef Rng rng
        cdef int32_t deck[52]
        cdef int64_t i
        cdef int seat, won
        counts[0] = counts[1] = counts[2] = 0
        with nogil:
            for i in range(first, first + deals):
                if cancel.flag:
                    break
                # Streams that no sample will reach.
                rng_init(&rng, key, <uint64_t>-1 - <uint64_t>i)
                draw_deck(r, &rng, deck)
                won = 0
                for seat in range(2):
                    deal_hands(r, deck, &spot)
                    while spot.pos.phase != OVER:
                        lay_and_draw(r, &spot, drawn_move(
                            r, &mine if spot.pos.turn == seat else &his, &spot, &rng), deck)
                    won += won_by(&spot.pos, seat) > 0.0
                counts[won] += 1
        return counts[2], counts[1], counts[0]

    def shares_at(self, laid, hand):
        """The same for a player on turn who holds full hands to the end, as the other does.

        Args:
            laid: actions so far.
            hand: his cards.
        """
        cdef Spot spot
        cdef View view
        cdef double shares[12]
        cdef Policy policy = Policy(&self.table, &self.grain, 0.0)
        memset(&spot, 0, sizeof(Spot))
        for i, action in enumerate(laid):
            spot.laid[i] = action
            spot.pos.laid[i % 2][action % FRONTS] |= <uint64_t>1 << <int>(action // FRONTS)
        for card in hand:
            spot.pos.hand[len(laid) % 2] |= <uint64_t>1 << <int>card
        spot.count = len(laid)
        spot.pos.turn = <int8_t>(len(laid) % 2)
        spot.pos.phase = LAY
        spot.pos.held[0] = spot.pos.held[1] = <int8_t>len(hand)
        spot.pos.piled = <int8_t>(self.rules.r.cards - 2 * len(hand) - len(laid))
        shares_of(&self.rules.r, &policy, &spot, &view, shares)
        return [(view.action[i], shares[i]) for i in range(view.count)]

    def keys(self, int part):
        """The keys of a part of the table, 8 bytes each."""
        cdef const Part* x = &self.table.part[part]
        return PyBytes_FromStringAndSize(<const char*>x.keys, x.used * sizeof(uint64_t))

    def numbers(self, int part, int what):
        """C floats of the entries of a part: regrets (0) or summed strategies (1)."""
        cdef const Part* x = &self.table.part[part]
        cdef int64_t size = self.table.width * sizeof(float)
        cdef bytes found = PyBytes_FromStringAndSize(NULL, x.used * size)
        cdef char* out = PyBytes_AS_STRING(found)
        cdef int32_t i
        for i in range(x.used):
            memcpy(out + i * size, x.numbers + (2 * <int64_t>i + what) * self.table.width, size)
        return found

    def restore(self, int64_t passes, int64_t nodes, parts):
        """Take up the table of another of the same rules, grain and seed.

        Args:
            passes: its passes.
            nodes: its nodes.
            parts: of each part the keys, regrets (empty if nothing is to be learnt any more) and averages.

        Raises:
            SolveError: if the sizes do not fit.
        """
        cdef const unsigned char[::1] keys, regrets, averages
        cdef int64_t size = self.table.width * sizeof(float)
        cdef int64_t i, count
        cdef uint64_t key
        cdef float* numbers
        for part, (keys, regrets, averages) in enumerate(parts):
            count = keys.shape[0] // sizeof(uint64_t)
            if averages.shape[0] != count * size or regrets.shape[0] not in (0, count * size):
                raise SolveError("the parts do not fit each other")
            if part_reserve(&self.table, part, count):
                raise MemoryError
            for i in range(count):
                memcpy(&key, &keys[i * sizeof(uint64_t)], sizeof(uint64_t))
                if part_of(key) != part:
                    raise SolveError("a key stands in a part that it does not belong to")
                numbers = part_enter(&self.table, part, key)
                memcpy(numbers + self.table.width, &averages[i * size], size)
                if regrets.shape[0]:
                    memcpy(numbers, &regrets[i * size], size)
        self.passes = passes
        self.nodes = nodes
