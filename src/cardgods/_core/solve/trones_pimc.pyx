"""Perfect-information Monte Carlo for Trois Trônes: sampled worlds through the open-hand solver.

Each world is a deal that the player cannot tell from the real one, hands and order of the pile; a move
scores if it wins that deal with all cards open.
"""

from cardgods._core.bits cimport lsb, pop_lsb, popcount
from cardgods._core.games.trones cimport (
    FRONTS, LAY, TronesPos, TronesRules, TronesState, trones_apply, trones_legal, trones_resample,
)
from cardgods._core.ops cimport MAX_ACTIONS
from cardgods._core.rng cimport Random, Rng, shuffle
from cardgods._core.solve.trones_bounds cimport OpenDeal
from cardgods._core.solve.trones_search cimport (
    Search, begin, dominated, table_free, table_new, winner_after,
)
from cardgods._core.walk cimport Cancel

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

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


cdef void open_position(const TronesRules* r, const TronesPos* s, Rng* rng, OpenDeal* deal) noexcept nogil:
    # A position with the order of the pile drawn.
    cdef int p, f
    deal.capacity = r.capacity
    deal.mover = s.turn
    for p in range(2):
        deal.held[p] = cards_into(s.hand[p], deal.hand[p])
        for f in range(FRONTS):
            deal.laid[p][f] = s.laid[p][f]
    deal.piled = cards_into(s.pile, deal.pile)
    shuffle(rng, deal.pile, deal.piled)


cdef class Pimc:
    """Sampled worlds for the player on turn; it can be run on as long as one likes.

    Args:
        state: the state; only what the player knows of it is used.
        player: who is on turn there.
        rng: where the numbers come from; it is copied and stays as it is.
        every_move: score all legal moves, not only those that no other is sure to equal.

    Raises:
        IllegalActionError: if the player is not to lay a card.
    """

    cdef Search search
    cdef TronesState state
    cdef int32_t* world
    cdef Rng rng
    cdef int player
    cdef int count
    cdef int32_t actions[MAX_ACTIONS]
    cdef long wins[MAX_ACTIONS]
    cdef readonly long worlds

    def __cinit__(self, TronesState state, int player, Random rng, bint every_move=False):
        cdef const TronesPos* s = <const TronesPos*>state.pos
        if s.phase != LAY or s.turn != player:
            raise IllegalActionError(f"player {player} is not to lay a card here")
        self.state = state.clone()
        self.player = player
        self.rng = rng.rng
        self.search.bits = TABLE_BITS
        self.search.table = table_new(TABLE_BITS)
        self.world = <int32_t*>malloc((state.length + 1) * sizeof(int32_t))
        if self.search.table == NULL or self.world == NULL:
            raise MemoryError
        self.count = trones_legal(state.data, s, player, self.actions)
        for i in range(MAX_ACTIONS):
            self.wins[i] = 0
        if not every_move:
            self.drop_dominated()

    def __dealloc__(self):
        table_free(self.search.table)
        free(self.world)

    cdef int index_of(self, int32_t action) noexcept nogil:
        # Place of the action's card in the stream: hands come first there, ascending.
        cdef const TronesPos* s = <const TronesPos*>self.state.pos
        return popcount(s.hand[self.player] & ((<uint64_t>1 << (action // FRONTS)) - 1))

    cdef void draw(self) noexcept nogil:
        cdef TronesPos pos
        cdef OpenDeal deal
        cdef int i
        trones_resample(
            self.state.data, self.state.start, self.state.actions, self.state.length, self.player, &self.rng,
            self.world,
        )
        memcpy(&pos, self.state.start, sizeof(TronesPos))
        for i in range(self.state.length):
            trones_apply(self.state.data, &pos, self.world[i])
        open_position(<const TronesRules*>self.state.data, &pos, &self.rng, &deal)
        begin(&self.search, &deal)

    cdef void drop_dominated(self) noexcept:
        cdef int kept = 0
        cdef int i
        # Who dominates whom among the cards in hand is the same in every world.
        self.draw()
        for i in range(self.count):
            if not dominated(&self.search, self.index_of(self.actions[i]), self.actions[i] % FRONTS):
                self.actions[kept] = self.actions[i]
                kept += 1
        self.count = kept

    def run(self, long worlds, Cancel cancel):
        """Draw and solve some worlds, without the GIL; how many were done before the flag was set."""
        cdef long done = 0
        cdef int i
        with nogil:
            while done < worlds and not cancel.flag:
                self.draw()
                for i in range(self.count):
                    self.wins[i] += self.player == winner_after(
                        &self.search, self.index_of(self.actions[i]), self.actions[i] % FRONTS
                    )
                done += 1
        self.worlds += done
        return done

    def moves(self):
        """Pairs (action, worlds won) of the moves that are scored, best first, then ascending."""
        found = [(self.actions[i], self.wins[i]) for i in range(self.count)]
        return sorted(found, key=lambda move: (-move[1], move[0]))
