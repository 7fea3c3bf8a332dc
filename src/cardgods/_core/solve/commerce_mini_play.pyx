"""A deal of a small variant of Commerce as the solver plays it."""

from cardgods._core.solve.commerce_mini_tables cimport Tables, card_at, traded


cdef void start_play(const Tables* t, Play* p, int a, int b, int c) noexcept nogil:
    """The first turn, with hands by their places."""
    cdef int seat
    p.key[0] = a
    p.key[1] = b
    p.key[2] = c
    p.stock = (1 << t.cards) - 1
    for seat in range(3):
        p.hand[seat] = t.mask[p.key[seat]]
        p.stock ^= p.hand[seat]
        p.paid[seat] = 0
    p.left = t.stock
    p.trades = p.bought = 0


cdef void buy(Play* p, int slot, int card) noexcept nogil:
    """The one on turn gives up the card of a slot for one from the stock; seat 2 deals and pays nobody."""
    cdef int seat = on_turn(p)
    p.hand[seat] = p.hand[seat] & ~(1 << card_at(p.hand[seat], slot)) | 1 << card
    p.stock &= ~(1 << card)
    p.left -= 1
    p.paid[seat] += 1
    p.paid[2] -= 1
    p.bought += 1


cdef void trade(const Tables* t, Play* p, int offer, int back) noexcept nogil:
    """The one on turn and his left neighbour exchange the cards of two slots."""
    cdef int seat = on_turn(p), left = (seat + 1) % 3
    cdef int a = card_at(p.hand[seat], offer), b = card_at(p.hand[left], back)
    p.key[seat] = traded(t, p.key[seat], offer, b)
    p.key[left] = traded(t, p.key[left], back, a)
    p.hand[seat] ^= 1 << a | 1 << b
    p.hand[left] ^= 1 << a | 1 << b
    p.trades += 1


cdef int payoff(const Tables* t, const Play* p, int seat) noexcept nogil:
    """Points of a seat if the hands are settled now, ante and buys included."""
    # the dealer, seat 2, has the first claim at equal strength, then seats 0 and 1
    cdef int a = t.strength[p.hand[0]], b = t.strength[p.hand[1]], c = t.strength[p.hand[2]]
    cdef int winner = 2
    cdef bint same
    if a > c:
        winner = 0
    if b > c and b > a:
        winner = 1
    same = t.category[p.hand[2]] == t.category[p.hand[winner]]
    if seat == winner:
        return (2 if winner == 2 else 3) - p.paid[seat]
    if seat == 2:
        return (-3 if same else -2) - p.paid[seat]
    return (0 if same and winner != 2 else -1) - p.paid[seat]
