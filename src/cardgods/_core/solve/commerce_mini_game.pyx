"""Small variants of Commerce compiled for their solver, with their deals."""

from libc.stdint cimport int16_t, uint8_t
from libc.stdlib cimport calloc, free

from cardgods._core.solve.commerce_mini_tables cimport (
    MOST_CARDS, NODES, Tables, close_tables, open_tables, seated, set_of, slot_of, traded, turned,
)


cdef class MiniGame:
    """A variant of Commerce for three players and one deal, with its deals up to a renaming of the suits.

    Args:
        pack: its cards 0..51, ascending, 10 to 12 of them, of whole suits.
        suits: how many suits.
        cap: accepted trades in a row that end the deal, 1 to 3.
        deals: play these deals only, each three hands of local cards in order of play; suits then count as
            different (for tests against slower methods). None = all.
    """

    def __cinit__(self, pack, int suits, int cap, deals=None):
        cdef int cards[MOST_CARDS]
        cdef int i
        self.pack = tuple(pack)
        self.suits = suits
        self.cap = cap
        for i in range(len(pack)):
            cards[i] = pack[i]
        open_tables(&self.t, cards, len(pack), 1 if deals else suits, cap)
        self.sets = self.t.start[NODES]
        self.deals = len(deals) if deals else self.list_deals(False)
        self.deal = <int16_t*>calloc(3 * self.deals, sizeof(int16_t))
        self.weight = <uint8_t*>calloc(self.deals, 1)
        if self.deal == NULL or self.weight == NULL:
            raise MemoryError
        if deals:
            self.take_deals(deals)
        else:
            self.list_deals(True)

    def __dealloc__(self):
        close_tables(&self.t)
        free(self.deal)
        free(self.weight)

    cdef long list_deals(self, bint keep) noexcept:
        cdef const Tables* t = &self.t
        cdef int a, b, c, images
        cdef long n = 0
        for a in range(t.hands):
            for b in range(t.hands):
                if t.mask[a] & t.mask[b]:
                    continue
                for c in range(t.hands):
                    if t.mask[c] & (t.mask[a] | t.mask[b]):
                        continue
                    images = orbit(t, a, b, c)
                    if images:
                        if keep:
                            self.deal[3 * n] = <int16_t>a
                            self.deal[3 * n + 1] = <int16_t>b
                            self.deal[3 * n + 2] = <int16_t>c
                            self.weight[n] = <uint8_t>images
                        n += 1
        return n

    def take_deals(self, deals):
        """Play these deals, each three hands of local cards; part of the construction."""
        for i, hands in enumerate(deals):
            self.weight[i] = 1
            for seat, hand in enumerate(hands):
                self.deal[3 * i + seat] = self.t.place[sum(1 << card for card in hand)]

    def lookup(self, int node, hand, trades):
        """Where the decision of a player stands in arrays of information sets.

        Args:
            node: number of the decision (commerce_mini_tables.pxd).
            hand: his first hand, cards 0..51.
            trades: pairs (card that left, card that came) of the trades he took part in.

        Returns:
            (information set, place among the cards of its row of each card now held, ascending).

        Raises:
            ValueError: if there is no such decision.
        """
        cdef const Tables* t = &self.t
        cdef int level = seated(node).level, key, mask = 0, card
        local = {card: i for i, card in enumerate(self.pack)}
        for card in hand:
            mask |= 1 << <int>local[card]
        key = t.place[mask]
        if len(trades) != level or key < 0:
            raise ValueError(f"no decision {node} with {len(trades)} trades")
        for gone, come in trades:
            key = traded(t, key, slot_of(mask, local[gone]), local[come])
            mask = mask & ~(1 << <int>local[gone]) | 1 << <int>local[come]
        return set_of(t, node, level, key), tuple(turned(t, level, key, slot) for slot in range(3))

    def deal_count(self):
        """All deals, told apart by suits and with the stock as a set."""
        return sum(self.weight[i] for i in range(self.deals))


cdef int renamed_place(const Tables* t, int renaming, int hand) noexcept nogil:
    cdef int mask = t.mask[hand], card, out = 0
    for card in range(t.cards):
        if mask >> card & 1:
            out |= 1 << t.renamed[renaming][card]
    return t.place[out]


cdef int orbit(const Tables* t, int a, int b, int c) noexcept nogil:
    # How many deals the renamings of the suits make of this one; 0 if it is not the first of them.
    cdef int r, x, y, z, fixed = 0
    cdef long own = (<long>a * t.hands + b) * t.hands + c, image
    for r in range(t.renamings):
        x = renamed_place(t, r, a)
        y = renamed_place(t, r, b)
        z = renamed_place(t, r, c)
        image = (<long>x * t.hands + y) * t.hands + z
        if image < own:
            return 0
        fixed += image == own
    return t.renamings // fixed
