"""Exact values of a profile of a small variant of Commerce, and exact best responses to it.

A best response of one seat is found from its last decisions to its first: what each action is worth at
each of its information sets is summed over all deals and all that the others and the stock do with positive
probability, and the best action is then fixed. Profiles do not tell renamed suits apart, so one deal of each
class of deals stands for all of it.
"""

from libc.stdint cimport int16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from cardgods._core.solve.commerce_mini_game cimport MiniGame
from cardgods._core.solve.commerce_mini_play cimport (
    Play, buy, ended, payoff, start_play, trade, turn_node,
)
from cardgods._core.solve.commerce_mini_tables cimport (
    CARD, KNOCKS, LEVELS, NODES, OFFERS, WIDTH, Seated, Tables, level_out, seated, set_of, turned, width,
)
from cardgods._core.walk cimport Cancel

cdef enum:
    FOLLOWS = -1          # instead of a level: the seat follows the profile like the others


cdef struct Walk:
    const Tables* t
    const double* profile
    const signed char* choice    # [sets] what the seat does where that is decided already
    double* worth                # [sets][WIDTH] sums of what its actions are worth
    double weight                # of the deal
    int seat
    int level                    # of the information sets whose actions are compared now
    long nodes


cdef inline int place_of(const Tables* t, int level, int key, int action) noexcept nogil:
    # Where an action stands in the row of its information set.
    if action == KNOCKS:
        return KNOCKS
    return (CARD if action < OFFERS else OFFERS) + turned(t, level, key, (action - CARD) % 3)


cdef inline bint same_slots(int alike, int one, int other) noexcept nogil:
    # Whether a renaming of the suits exchanges the actions of two places.
    if one == KNOCKS or other == KNOCKS or (one < OFFERS) != (other < OFFERS):
        return False
    return (alike >> (2 * ((one - CARD) % 3)) & 3) == (alike >> (2 * ((other - CARD) % 3)) & 3)


# Values ----------------------------------------------------------------------------------------------------

cdef double after(Walk* w, const Play* p, int action, int offer) noexcept nogil:
    # The seat's points after an action, expected over all that follows; offer = -1 on one's own turn.
    cdef Play q
    cdef double total = 0
    cdef int card
    if action == KNOCKS:
        return payoff(w.t, p, w.seat)
    if offer < 0 and action >= OFFERS:
        return value(w, p, 4 * p.trades + 1, action - OFFERS)
    if offer >= 0:
        memcpy(&q, p, sizeof(Play))
        trade(w.t, &q, offer, action - CARD)
        return value(w, &q, -1, -1)
    for card in range(w.t.cards):
        if p.stock >> card & 1:
            memcpy(&q, p, sizeof(Play))
            buy(&q, action - CARD, card)
            total += value(w, &q, -1, -1)
    return total / p.left


cdef double value(Walk* w, const Play* p, int reply, int offer) noexcept nogil:
    # The seat's expected points from a decision on: on turn, or (reply >= 0) at the answer to an offer.
    cdef Seated who
    cdef const double* row
    cdef int node, key, a, chosen
    cdef double total = 0
    w.nodes += 1
    if reply < 0 and ended(w.t, p):
        return payoff(w.t, p, w.seat)
    node = reply if reply >= 0 else turn_node(p)
    who = seated(node)
    key = p.key[who.seat]
    chosen = set_of(w.t, node, who.level, key)
    row = w.profile + WIDTH * chosen
    if who.seat == w.seat and w.level != FOLLOWS:
        return chosen_value(w, p, node, offer, w.choice[chosen], w.t.alike[who.level][w.t.of[who.level][key]])
    for a in range(width(node)):
        if row[place_of(w.t, who.level, key, a)] > 0:
            total += row[place_of(w.t, who.level, key, a)] * after(w, p, a, offer)
    return total


cdef double chosen_value(Walk* w, const Play* p, int node, int offer, int chosen, int alike) noexcept nogil:
    # Slots that a renaming of the suits exchanges are chosen alike: one deal stands for all of its class, so
    # a choice of one of them would be taken for the same choice where the suits are renamed.
    cdef Seated who = seated(node)
    cdef double total = 0
    cdef int n = 0, a, place
    for a in range(width(node)):
        place = place_of(w.t, who.level, p.key[who.seat], a)
        if place == chosen or same_slots(alike, place, chosen):
            total += after(w, p, a, offer)
            n += 1
    return total / n


# Comparing the actions of one level ------------------------------------------------------------------------

cdef void below(Walk* w, const Play* p, int action, int offer, double reach) noexcept nogil:
    cdef Play q
    cdef int card
    if action == KNOCKS or reach == 0:
        return
    if offer < 0 and action >= OFFERS:
        collect(w, p, 4 * p.trades + 1, action - OFFERS, reach)
        return
    if offer >= 0:
        memcpy(&q, p, sizeof(Play))
        trade(w.t, &q, offer, action - CARD)
        collect(w, &q, -1, -1, reach)
        return
    for card in range(w.t.cards):
        if p.stock >> card & 1:
            memcpy(&q, p, sizeof(Play))
            buy(&q, action - CARD, card)
            collect(w, &q, -1, -1, reach / p.left)


cdef void collect(Walk* w, const Play* p, int reply, int offer, double reach) noexcept nogil:
    # Find the seat's decisions of the level and add up what their actions are worth there.
    cdef Seated who
    cdef int node, key, row, a, at
    w.nodes += 1
    if reply < 0 and ended(w.t, p):
        return
    node = reply if reply >= 0 else turn_node(p)
    who = seated(node)
    key = p.key[who.seat]
    row = WIDTH * set_of(w.t, node, who.level, key)
    for a in range(width(node)):
        at = row + place_of(w.t, who.level, key, a)
        if who.seat != w.seat:
            below(w, p, a, offer, reach * w.profile[at])
        elif who.level < w.level:
            below(w, p, a, offer, reach)
        else:
            w.worth[at] += reach * after(w, p, a, offer)


cdef class Response:
    """The best response of one seat to a profile, or (best=False) the profile itself seen from the seat.

    Args:
        game: the variant.
        profile: float64 [sets][8] as bytes, from ``Learner.profile``.
        seat: 0 the first to play, 1 the second, 2 the dealer.
        shards: parts into which the deals are cut.
        best: look for a best response.
    """

    cdef readonly MiniGame game
    cdef readonly int seat, shards
    cdef bytes kept
    cdef bint best
    cdef const double* profile
    cdef double* worth            # [shards][sets][WIDTH]
    cdef signed char* choice      # [sets]

    def __cinit__(self, MiniGame game, bytes profile, int seat, int shards=4, bint best=True):
        cdef long n = game.sets * WIDTH
        if len(profile) != n * <long>sizeof(double):
            raise ValueError(f"a profile of this variant has {n * sizeof(double)} bytes, not {len(profile)}")
        self.game = game
        self.kept = profile
        self.seat = seat
        self.shards = shards
        self.best = best
        self.profile = <const double*><const char*>profile
        self.worth = <double*>calloc(n * shards if best else 1, sizeof(double))
        self.choice = <signed char*>calloc(game.sets, 1)
        if not (self.worth and self.choice):
            raise MemoryError

    def __dealloc__(self):
        free(self.worth)
        free(self.choice)

    cdef void ready(self, Walk* w, int shard, int level) noexcept:
        w.t = &self.game.t
        w.profile = self.profile
        w.choice = self.choice
        w.worth = self.worth + (shard * <long>self.game.sets * WIDTH if self.best else 0)
        w.seat = self.seat
        w.level = level
        w.nodes = 0

    def compare(self, int shard, int level, Cancel cancel):
        """Add up, over a shard of the deals, what actions are worth at the decisions of a level.

        Levels (2, 1, 0) are the trades that the seat took part in before; deeper ones are to be closed
        first. Returns the number of positions visited.
        """
        cdef Walk w
        cdef Play p
        cdef const int16_t* deal = self.game.deal
        cdef long low = self.game.deals * shard // self.shards
        cdef long high = self.game.deals * (shard + 1) // self.shards, i
        self.ready(&w, shard, level)
        with nogil:
            for i in range(low, high):
                if cancel.flag:
                    break
                start_play(w.t, &p, deal[3 * i], deal[3 * i + 1], deal[3 * i + 2])
                collect(&w, &p, -1, -1, self.game.weight[i])
        return w.nodes

    def close(self, int level):
        """Fix the best action at each of the seat's decisions of a level (the first of equals)."""
        cdef const Tables* t = &self.game.t
        cdef Seated who
        cdef int node, c, a, s
        cdef long at, n = self.game.sets * WIDTH
        for node in range(NODES):
            who = seated(node)
            if who.seat != self.seat or who.level != level:
                continue
            for c in range(t.classes[level]):
                at = WIDTH * (t.start[node] + c)
                for s in range(1, self.shards):
                    for a in range(width(node)):
                        self.worth[at + a] += self.worth[s * n + at + a]
                level_out(self.worth + at, t.alike[level][c], width(node))
                self.choice[t.start[node] + c] = 0
                for a in range(1, width(node)):
                    if self.worth[at + a] > self.worth[at + self.choice[t.start[node] + c]]:
                        self.choice[t.start[node] + c] = <signed char>a

    def value(self, int shard, Cancel cancel):
        """Sum of the seat's expected points over the deals of a shard, each by the number it stands for."""
        cdef Walk w
        cdef Play p
        cdef const int16_t* deal = self.game.deal
        cdef long low = self.game.deals * shard // self.shards
        cdef long high = self.game.deals * (shard + 1) // self.shards, i
        cdef double total = 0
        self.ready(&w, shard, LEVELS if self.best else FOLLOWS)
        with nogil:
            for i in range(low, high):
                if cancel.flag:
                    break
                start_play(w.t, &p, deal[3 * i], deal[3 * i + 1], deal[3 * i + 2])
                total += self.game.weight[i] * value(&w, &p, -1, -1)
        return total

    def choices(self):
        """The chosen place in the row of each information set, as bytes; 0 where the seat does not decide."""
        return (<char*>self.choice)[:self.game.sets]
