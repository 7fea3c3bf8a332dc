# A deal of a small variant of Commerce as the solver plays it.
from cardgods._core.solve.commerce_mini_tables cimport Tables

cdef struct Play:
    int hand[3]           # masks
    int key[3]            # what each knows (commerce_mini_tables)
    int paid[3]           # for buys
    int stock             # mask of the cards not drawn
    int left              # how many
    int trades            # before the first buy
    int bought            # buys

cdef inline int turn_node(const Play* p) noexcept nogil:
    # The decision of whoever is on turn.
    return 4 * p.trades + (p.bought + 1 if p.bought else 0)

cdef inline int on_turn(const Play* p) noexcept nogil:
    return (p.trades + p.bought) % 3

cdef inline bint ended(const Tables* t, const Play* p) noexcept nogil:
    return p.left == 0 or (p.bought == 0 and p.trades == t.cap)

cdef void start_play(const Tables* t, Play* p, int a, int b, int c) noexcept nogil
cdef void buy(Play* p, int slot, int card) noexcept nogil
cdef void trade(const Tables* t, Play* p, int offer, int back) noexcept nogil
cdef int payoff(const Tables* t, const Play* p, int seat) noexcept nogil
