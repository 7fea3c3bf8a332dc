"""Moves of Trois Trônes tried in worlds that fit a player's beliefs.

A world is a hand of the other, drawn from the beliefs, and an order of the pile. In each, after every move,
the game is played on by strategies that know no more than the players would, to its end or for some moves,
after which it is solved with all cards open.
"""

from libc.stdint cimport int32_t, int64_t, uint64_t

from cardgods._core.bits cimport lsb, pop_lsb, popcount
from cardgods._core.games.trones cimport (
    FRONTS, LAY, OVER, TronesRules, front_holder, trones_legal)
from cardgods._core.games.trones_greedy cimport Judgement, judge
from cardgods._core.ops cimport MAX_ACTIONS
from cardgods._core.rng cimport Random, Rng, shuffle
from cardgods._core.solve.trones_beliefs cimport Beliefs
from cardgods._core.solve.trones_blueprint cimport Blueprint
from cardgods._core.solve.trones_bounds cimport OpenDeal
from cardgods._core.solve.trones_policy cimport Policy, drawn_move
from cardgods._core.solve.trones_search cimport Search, begin, table_free, table_new, winner, winner_after
from cardgods._core.solve.trones_sets cimport Spot, lay_and_draw
from cardgods._core.walk cimport Cancel

from cardgods.errors import IllegalActionError

cdef enum:
    TABLE_BITS = 8


cdef int cards_into(uint64_t mask, int32_t* out) noexcept nogil:
    cdef int n = 0
    while mask:
        out[n] = lsb(mask)
        mask = pop_lsb(mask)
        n += 1
    return n


cdef class Lookahead:
    """Moves of the player on turn, and in how many worlds each wins.

    Args:
        beliefs: of the player, up to date; they may not change any more while this is used.
        rng: where the numbers come from; it is copied and stays as it is.
        mine: how the player plays on; the heuristic if there is none.
        his: how the other does.
        least: what is less probable is not played.
        every_move: judge all legal moves, not only those that no other is sure to equal.

    Raises:
        IllegalActionError: if the player is not to lay a card.

    Attributes:
        worlds: drawn so far.
    """

    cdef Beliefs beliefs
    cdef object tables            # that the policies point into
    cdef Policy policies[2]
    cdef Search search
    cdef Rng rng
    cdef int count
    cdef int32_t actions[MAX_ACTIONS]
    cdef int64_t won[MAX_ACTIONS]
    cdef readonly int64_t worlds

    def __cinit__(self, Beliefs beliefs, Random rng, mine=None, his=None, double least=0.0,
                  bint every_move=False):
        cdef Judgement found
        cdef int me = beliefs.player
        cdef const TronesRules* r = &beliefs.rules.r
        if beliefs.spot.pos.phase != LAY or beliefs.spot.pos.turn != me:
            raise IllegalActionError(f"player {me} is not to lay a card here")
        self.beliefs = beliefs
        self.policies[me] = self._policy(mine, least)
        self.policies[1 - me] = self._policy(his, least)
        self.tables = (mine, his)
        self.rng = rng.rng
        self.search.bits = TABLE_BITS
        self.search.table = table_new(TABLE_BITS)
        if self.search.table == NULL:
            raise MemoryError
        if every_move:
            self.count = trones_legal(r, &beliefs.spot.pos, me, self.actions)
        else:
            judge(r, &beliefs.spot.pos, &found)
            self.count = found.count
            for i in range(found.count):
                self.actions[i] = found.action[i]
        for i in range(MAX_ACTIONS):
            self.won[i] = 0
        beliefs.ready()

    def __dealloc__(self):
        table_free(self.search.table)

    cdef Policy _policy(self, Blueprint table, double least):
        if table is None:
            return Policy(NULL, NULL, 0.0)
        return Policy(&table.table, &table.grain, least)

    cdef void draw(self, Spot* out, int32_t* deck) noexcept nogil:
        # A world: the other's hand, and the pile in the order of drawing.
        cdef const TronesRules* r = &self.beliefs.rules.r
        cdef int me = self.beliefs.player
        cdef int p, f
        out[0] = self.beliefs.spot
        out.pos.hand[1 - me] = self.beliefs.drawn(&self.rng)
        out.pos.pile = r.deck & ~(out.pos.hand[0] | out.pos.hand[1])
        for p in range(2):
            for f in range(FRONTS):
                out.pos.pile &= ~out.pos.laid[p][f]
        cards_into(out.pos.pile, deck + r.cards - out.pos.piled)
        shuffle(&self.rng, deck + r.cards - out.pos.piled, out.pos.piled)

    cdef bint wins(self, const Spot* world, int32_t action, const int32_t* deck, int depth) noexcept nogil:
        # After a move, so many more by the strategies, and then with open cards if the game is not over.
        cdef const TronesRules* r = &self.beliefs.rules.r
        cdef Spot s = world[0]
        lay_and_draw(r, &s, action, deck)
        while s.pos.phase != OVER and depth:
            lay_and_draw(r, &s, drawn_move(r, &self.policies[s.pos.turn], &s, &self.rng), deck)
            depth -= 1
        if s.pos.phase != OVER:
            self.open_up(&s, deck)
            return winner(&self.search) == self.beliefs.player
        return (front_holder(&s.pos, 0) + front_holder(&s.pos, 1) + front_holder(&s.pos, 2) >= 2) \
            == self.beliefs.player

    cdef void open_up(self, const Spot* world, const int32_t* deck) noexcept nogil:
        cdef const TronesRules* r = &self.beliefs.rules.r
        cdef OpenDeal deal
        cdef int p, f, i
        deal.capacity = r.capacity
        deal.mover = world.pos.turn
        for p in range(2):
            deal.held[p] = cards_into(world.pos.hand[p], deal.hand[p])
            for f in range(FRONTS):
                deal.laid[p][f] = world.pos.laid[p][f]
        deal.piled = world.pos.piled
        for i in range(deal.piled):
            deal.pile[i] = deck[r.cards - deal.piled + i]
        begin(&self.search, &deal)

    def run(self, long worlds, Cancel cancel, int depth):
        """Judge the moves in some worlds, without the GIL; how many were done before the flag was set.

        Args:
            worlds: how many.
            cancel: ends it early.
            depth: moves that are played after the one judged, before all cards are opened.
        """
        cdef long done = 0
        cdef Spot world
        cdef int32_t deck[52]
        cdef uint64_t below
        cdef int i, me = self.beliefs.player
        cdef int32_t a
        with nogil:
            while done < worlds and not cancel.flag:
                self.draw(&world, deck)
                if not depth:
                    self.open_up(&world, deck)
                for i in range(self.count):
                    a = self.actions[i]
                    if not depth:
                        below = world.pos.hand[me] & ((<uint64_t>1 << (a // FRONTS)) - 1)
                        self.won[i] += winner_after(&self.search, popcount(below), a % FRONTS) == me
                    else:
                        self.won[i] += self.wins(&world, a, deck, depth)
                done += 1
        self.worlds += done
        return done

    def moves(self):
        """Pairs (action, worlds won) of the moves that are judged, best first, then ascending."""
        found = [(self.actions[i], self.won[i]) for i in range(self.count)]
        return sorted(found, key=lambda move: (-move[1], move[0]))
