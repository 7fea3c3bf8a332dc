"""Regret minimisation on small variants of Commerce.

Monte Carlo counterfactual regret minimisation with external sampling (M. Lanctot et al., "Monte Carlo
Sampling for Regret Minimization in Extensive Games", NIPS 2009), in rounds: one round goes through all deals
(up to a renaming of the suits, renamed at random), with the other players' actions and the order of the
stock drawn at random and the strategies held fixed, and then updates all regrets at once. Rounds are weighted
as in linear CFR (N. Brown, T. Sandholm, "Solving Imperfect-Information Games via Discounted Regret
Minimization", AAAI 2019). The deals of a round are cut in shards with a random stream and an array of their
own, summed in order, so that the result depends on neither the number of threads nor on interruptions.
"""

from libc.stdint cimport int16_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from cardgods._core.rng cimport Random, Rng, bounded, uniform01
from cardgods._core.solve.commerce_mini_game cimport MiniGame, renamed_place
from cardgods._core.solve.commerce_mini_play cimport Play, buy, ended, payoff, start_play, trade, turn_node
from cardgods._core.solve.commerce_mini_tables cimport (
    AFTER22, CARD, KNOCKS, NODES, OFFERS, REPLY0, REPLY1, TURN0, TURN1, TURN2, WIDTH, Seated, Tables,
    level_out, seated, set_of, turned, width,
)
from cardgods._core.walk cimport Cancel


# One deal --------------------------------------------------------------------------------------------------

cdef struct Walk:
    const Tables* t
    const double* now
    double* change
    double weight          # of the deal
    int seat               # whose regrets are counted
    int order[3]           # of the stock
    Rng* rng


cdef int drawn(Walk* w, const double* now, int first, int level, int key, bint turn) noexcept nogil:
    # An action of another player drawn from his strategy: KNOCKS, CARD + slot or OFFERS + slot.
    cdef double rest = uniform01(w.rng) - now[KNOCKS]
    cdef int slot, action = KNOCKS
    if rest < 0:
        return KNOCKS
    for slot in range(6 if turn else 3):
        action = CARD + slot
        rest -= now[(CARD if slot < 3 else OFFERS) + turned(w.t, level, key, slot % 3)]
        if rest < 0:
            break
    return action


cdef double at_turn(Walk* w, const Play* p) noexcept nogil:
    if ended(w.t, p):
        return payoff(w.t, p, w.seat)
    return decide(w, p, turn_node(p), -1)


cdef double outcome(Walk* w, const Play* p, int action, int offer) noexcept nogil:
    # What an action leads to; offer = slot of the card on offer, -1 on one's own turn.
    cdef Play q
    if action == KNOCKS:
        return payoff(w.t, p, w.seat)
    if offer < 0 and action >= OFFERS:
        return decide(w, p, 4 * p.trades + 1, action - OFFERS)
    memcpy(&q, p, sizeof(Play))
    if offer < 0:
        buy(&q, action - CARD, w.order[p.bought])
    else:
        trade(w.t, &q, offer, action - CARD)
    return at_turn(w, &q)


cdef double decide(Walk* w, const Play* p, int node, int offer) noexcept nogil:
    cdef Seated who = seated(node)
    cdef int key = p.key[who.seat]
    cdef int row = WIDTH * set_of(w.t, node, who.level, key)
    cdef bint turn = offer < 0 and p.bought == 0
    cdef int actions = 7 if turn else 4
    cdef int place[7]
    cdef double values[7]
    cdef double mean = 0
    cdef int a
    if who.seat != w.seat:
        return outcome(w, p, drawn(w, w.now + row, node, who.level, key, turn), offer)
    for a in range(actions):
        place[a] = a
        if a >= CARD:
            place[a] = (CARD if a < OFFERS else OFFERS) + turned(w.t, who.level, key, (a - CARD) % 3)
        values[a] = outcome(w, p, a, offer)
        mean += w.now[row + place[a]] * values[a]
    for a in range(actions):
        w.change[row + place[a]] += w.weight * (values[a] - mean)
    return mean


cdef void one_deal(Walk* w, const int16_t* deal, Rng* rng) noexcept nogil:
    cdef const Tables* t = w.t
    cdef Play p
    cdef int renaming = <int>bounded(rng, t.renamings), i, n = 0, rest, j
    start_play(
        t, &p,
        renamed_place(t, renaming, deal[0]),
        renamed_place(t, renaming, deal[1]),
        renamed_place(t, renaming, deal[2]),
    )
    rest = p.stock
    for i in range(t.cards):
        if rest >> i & 1:
            w.order[n] = i
            n += 1
    for i in range(n - 1, 0, -1):
        j = <int>bounded(rng, i + 1)
        rest = w.order[i]
        w.order[i] = w.order[j]
        w.order[j] = rest
    for i in range(3):
        w.seat = i
        at_turn(w, &p)


# Rounds ----------------------------------------------------------------------------------------------------

cdef void match_regrets(const double* regret, double* now, int actions) noexcept nogil:
    cdef double total = 0
    cdef int a
    for a in range(actions):
        if regret[a] > 0:
            total += regret[a]
    for a in range(actions):
        if total > 0:
            now[a] = regret[a] / total if regret[a] > 0 else 0
        else:
            now[a] = 1.0 / actions


cdef double reach_of(const Tables* t, const double* now, int node, int key) noexcept nogil:
    # How likely the owner's own actions lead to a key, given that the others let him.
    cdef int card_slot = key // t.cards % 3, before = key // t.cards // 3
    cdef Seated who = seated(node)
    if who.level == 0:
        return 1
    if node == TURN1:
        return now[WIDTH * set_of(t, REPLY0, 0, before) + CARD + turned(t, 0, before, card_slot)]
    if node == TURN2:
        return now[WIDTH * set_of(t, REPLY1, 0, before) + CARD + turned(t, 0, before, card_slot)]
    if node == AFTER22:
        return (
            now[WIDTH * set_of(t, TURN1, 1, before) + OFFERS + turned(t, 1, before, card_slot)]
            * reach_of(t, now, TURN1, before)
        )
    return now[WIDTH * set_of(t, TURN0, 0, before) + OFFERS + turned(t, 0, before, card_slot)]


cdef class Learner:
    """Regrets and mean strategies of all seats; grows round by round.

    Args:
        game: the variant.
        seed: seed of the random numbers.
        shards: parts of a round.
    """

    def __cinit__(self, MiniGame game, seed=0, int shards=4):
        cdef long n = game.sets * WIDTH
        self.game = game
        self.shards = shards
        self.iteration = 0
        self.key = seed
        self.regret = <double*>calloc(n, sizeof(double))
        self.total = <double*>calloc(n, sizeof(double))
        self.now = <double*>calloc(n, sizeof(double))
        self.change = <double*>calloc(n * shards, sizeof(double))
        if not (self.regret and self.total and self.now and self.change):
            raise MemoryError
        self.rematch()

    def __dealloc__(self):
        free(self.regret)
        free(self.total)
        free(self.now)
        free(self.change)

    cdef void rematch(self) noexcept:
        cdef const Tables* t = &self.game.t
        cdef int node, i
        for node in range(NODES):
            for i in range(t.start[node], t.start[node + 1]):
                match_regrets(self.regret + WIDTH * i, self.now + WIDTH * i, width(node))

    def run_shard(self, int shard, Cancel cancel):
        """Walk through the deals of one shard of the present round; several may run at once."""
        cdef Walk w
        cdef long low = self.game.deals * shard // self.shards
        cdef long high = self.game.deals * (shard + 1) // self.shards, i
        cdef Random rng = Random(self.key, self.iteration * self.shards + shard)
        cdef const int16_t* deal = self.game.deal
        cdef const uint8_t* weight = self.game.weight
        w.t = &self.game.t
        w.now = self.now
        w.change = self.change + shard * <long>self.game.sets * WIDTH
        w.rng = &rng.rng
        memset(w.change, 0, self.game.sets * WIDTH * sizeof(double))
        with nogil:
            for i in range(low, high):
                if cancel.flag:
                    break
                w.weight = weight[i]
                one_deal(&w, deal + 3 * i, w.rng)

    def finish_round(self):
        """Add up the shards, in order, and move on to the next round."""
        cdef const Tables* t = &self.game.t
        cdef int node, c, level, a, actions, s
        cdef long at, n = self.game.sets * WIDTH
        cdef double weight = self.iteration + 1, reach, change
        for node in range(NODES):
            level = seated(node).level
            actions = width(node)
            for c in range(t.classes[level]):
                at = WIDTH * (t.start[node] + c)
                reach = reach_of(t, self.now, node, t.first[level][c])
                for a in range(actions):
                    self.total[at + a] += weight * reach * self.now[at + a]
                    change = 0
                    for s in range(self.shards):
                        change += self.change[s * n + at + a]
                    self.change[at + a] = change
                level_out(self.change + at, t.alike[level][c], actions)
                for a in range(actions):
                    # linear weighting: round t counts t times
                    self.regret[at + a] += weight * self.change[at + a]
        self.iteration += 1
        self.rematch()

    def save(self):
        """(rounds done, regrets, sums of strategies) as numbers of this machine's float64, in bytes."""
        cdef long size = self.game.sets * WIDTH * sizeof(double)
        return self.iteration, (<char*>self.regret)[:size], (<char*>self.total)[:size]

    def load(self, long iteration, bytes regret, bytes total):
        """Go on from what :meth:`save` gave.

        Raises:
            ValueError: if it is of another size.
        """
        cdef long size = self.game.sets * WIDTH * sizeof(double)
        if len(regret) != size or len(total) != size:
            raise ValueError(f"{len(regret)} and {len(total)} bytes given, this variant has {size}")
        memcpy(self.regret, <char*>regret, size)
        memcpy(self.total, <char*>total, size)
        self.iteration = iteration
        self.rematch()

    def profile(self, double floor=0.0):
        """The mean strategies so far, as bytes of float64 [sets][8].

        Args:
            floor: probabilities below it become 0 and the others grow to match.
        """
        cdef const Tables* t = &self.game.t
        cdef long size = self.game.sets * WIDTH * sizeof(double)
        cdef double* out = <double*>calloc(self.game.sets * WIDTH, sizeof(double))
        cdef int node, c, level
        if out == NULL:
            raise MemoryError
        for node in range(NODES):
            level = seated(node).level
            for c in range(t.classes[level]):
                mean_row(
                    self.total + WIDTH * (t.start[node] + c), out + WIDTH * (t.start[node] + c),
                    width(node), floor,
                )
        try:
            return (<char*>out)[:size]
        finally:
            free(out)


cdef void mean_row(const double* total, double* out, int actions, double floor) noexcept nogil:
    cdef double scale = 0, kept = 0
    cdef int a
    for a in range(actions):
        scale += total[a]
    for a in range(actions):
        out[a] = total[a] / scale if scale > 0 else 1.0 / actions
        if out[a] < floor:
            out[a] = 0
        kept += out[a]
    for a in range(actions):
        out[a] /= kept
