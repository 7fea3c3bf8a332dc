"""Open-hand Trois Trônes solved exactly: the Python face of the proof search.

The typed front, which checks what it is given, is ``cardgods.solve.trones``.
"""

from cardgods._core.bits cimport popcount, select_bit
from cardgods._core.games.trones cimport FRONTS
from cardgods._core.rng cimport Random, Rng, bounded, rng_init
from cardgods._core.solve.trones_bounds cimport OpenDeal, Side, Stream
from cardgods._core.solve.trones_search cimport (
    advance, begin, table_free, table_new, winner, winner_after,
)
from cardgods._core.walk cimport Cancel

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset


cdef void draw_deck(uint64_t cards, Rng* rng, int32_t* out) noexcept nogil:
    # Card by card from those left, ascending, as State.sample_chance deals them.
    cdef int i = 0
    cdef int left = popcount(cards)
    while left:
        out[i] = select_bit(cards, <int>bounded(rng, left))
        cards ^= <uint64_t>1 << out[i]
        i += 1
        left -= 1


cdef void open_deal(const int32_t* deck, int cards, int capacity, int hand, OpenDeal* deal) noexcept nogil:
    # The start of a game with the deck in this order.
    cdef int i
    memset(deal, 0, sizeof(OpenDeal))
    deal.capacity = capacity
    deal.held[0] = deal.held[1] = hand
    for i in range(2 * hand):
        deal.hand[i & 1][i >> 1] = deck[i]
    deal.piled = cards - 2 * hand
    for i in range(deal.piled):
        deal.pile[i] = deck[2 * hand + i]


def deal_deck(cards, Random rng):
    """A deck in the order in which a game draws it from the generator.

    Args:
        cards: mask of the cards in the deck.
        rng: moves on by one bounded draw a card.
    """
    cdef int32_t deck[52]
    cdef uint64_t mask = cards
    draw_deck(mask, &rng.rng, deck)
    return [deck[i] for i in range(popcount(mask))]


cdef class OpenSolver:
    """One deal at a time, solved for the player on turn; not for use by two threads at once.

    Args:
        table_bits: the table of proofs takes 64 << table_bits bytes.
    """

    def __cinit__(self, table_bits=12):
        if not 1 <= table_bits <= 24:
            raise ValueError(f"table_bits is 1..24, not {table_bits}")
        self.search.bits = table_bits
        self.search.table = table_new(table_bits)
        if self.search.table == NULL:
            raise MemoryError

    def __dealloc__(self):
        table_free(self.search.table)

    @property
    def nodes(self):
        """Positions looked at since this solver was made."""
        return self.search.nodes

    def set_deal(self, hands, pile, laid, capacity, mover):
        """Take a position, every card of it known; nothing is checked here.

        Args:
            hands: cards held by each player, at most 4.
            pile: the cards to be drawn, the next one first.
            laid: masks of the cards on the table, per player and front.
            capacity: places per player and front.
            mover: the player on turn.
        """
        cdef OpenDeal deal
        memset(&deal, 0, sizeof(OpenDeal))
        deal.capacity = capacity
        deal.mover = mover
        for p in range(2):
            deal.held[p] = len(hands[p])
            for i in range(deal.held[p]):
                deal.hand[p][i] = hands[p][i]
            for f in range(FRONTS):
                deal.laid[p][f] = laid[p][f]
        deal.piled = len(pile)
        for i in range(deal.piled):
            deal.pile[i] = pile[i]
        begin(&self.search, &deal)
        self._pass()

    cdef void _pass(self) noexcept:
        # Let the other side move if this one has no card to lay.
        if not self.search.sides[self.search.mover].plays:
            self.search.mover = 1 - self.search.mover

    def mover(self):
        """The player on turn: the one named unless he can lay nothing; -1 when nobody can."""
        return self.search.mover if self.search.sides[self.search.mover].plays else -1

    def winner(self):
        """The player who wins with best play of both."""
        cdef int result
        with nogil:
            result = winner(&self.search)
        return result

    def moves(self):
        """All moves of the player on turn, as pairs (card, front)."""
        cdef int me = self.search.mover
        cdef const Side* side = &self.search.sides[me]
        cdef const Stream* stream = &self.search.streams[me]
        if not side.plays:
            return []
        held = [i for i in range(stream.n) if (side.avail & side.seen) >> i & 1]
        return sorted((stream.card[i], f) for i in held for f in range(FRONTS) if side.room[f])

    cdef int _place(self, card) except -1:
        cdef int me = self.search.mover
        cdef int i
        for i in range(self.search.streams[me].n):
            if self.search.streams[me].card[i] == card:
                return i
        raise ValueError(f"card {card} is not held")

    def winning_moves(self):
        """Those of :meth:`moves` after which the player on turn still wins."""
        me = self.search.mover
        return [
            (card, f) for card, f in self.moves()
            if winner_after(&self.search, self._place(card), f) == me
        ]

    def winning_replies(self, card, front):
        """How many moves win for who is on turn after one of :meth:`moves`."""
        cdef int mover = self.search.mover
        cdef Side first = self.search.sides[0]
        cdef Side second = self.search.sides[1]
        self.lay(card, front)
        count = len(self.winning_moves())
        self.search.mover = mover
        self.search.sides[0] = first
        self.search.sides[1] = second
        return count

    def lay(self, card, front):
        """Go on to the position after one of :meth:`moves`, the card drawn after it included."""
        advance(&self.search, self._place(card), front)

    def first_wins(self, cards, int capacity, int hand, Random rng, long first, long count, Cancel cancel):
        """Of deals number first to first + count - 1, how many player 0 wins; without the GIL.

        Deal number i is drawn from stream i under the generator's key.
        """
        cdef uint64_t mask = cards
        cdef int size = popcount(mask)
        cdef int32_t deck[52]
        cdef OpenDeal deal
        cdef Rng local
        cdef const uint8_t* key = <const uint8_t*><const char*>rng.key
        cdef long i
        cdef long wins = 0
        with nogil:
            for i in range(first, first + count):
                if cancel.flag:
                    break
                rng_init(&local, key, i)
                draw_deck(mask, &local, deck)
                open_deal(deck, size, capacity, hand, &deal)
                begin(&self.search, &deal)
                wins += winner(&self.search) == 0
        return wins
