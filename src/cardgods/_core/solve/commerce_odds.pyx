"""What knocking now is worth in Commerce: exact counts for up to three unknown hands, else sampling."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.cards cimport bit
from cardgods._core.commerce_hands cimport (
    STRENGTHS, TRICON, HandTable, best_hand, hand_table, showdown, strength_of,
)
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.solve.commerce_counts cimport Span, Unknown, Work, deals, deals_under_first, list_hands
from cardgods._core.walk cimport Cancel

cdef enum:
    MOST = 12          # players


# Where a hand stands: its owner sits `seat` places to the left of the dealer. ----------------------------

cdef struct Question:
    uint64_t hand
    uint64_t unseen               # cards that nobody is known to hold and that are not known to be gone
    uint64_t held[MOST]           # cards that the player at each place is known to hold
    int players
    int seat


cdef struct Counts:
    int64_t total                 # deals of the unknown hands
    int64_t win                   # in which the hand takes the pot
    int64_t outright              # in which it beats every other hand without the help of its place
    int64_t same                  # in which it does not, and the dealer loses in the winner's category


cdef void others(const Question* q, Unknown* u, Work* w) noexcept nogil:
    cdef int place, i = 0
    cdef uint64_t known = 0
    u.players = q.players - 1
    for place in range(q.players):
        known |= q.held[place]
    u.alike = known == 0
    for place in range(q.players):
        if place != q.seat:
            u.hands[i] = &w.hands[0 if u.alike else i]
            if i == 0 or not u.alike:
                list_hands(&w.hands[i], q.unseen | q.held[place], q.held[place])
            i += 1


cdef int64_t beaten(const Unknown* u, const Question* q, int s, Span dealer, Work* w) noexcept nogil:
    # Deals in which everybody yields to strength s at this seat, the dealer within the span given.
    cdef Span spans[3]
    cdef int i
    for i in range(u.players):
        spans[i].low = 0
        spans[i].high = s - 1 if i < q.seat else s
    if q.seat > 0:
        spans[0].low = dealer.low
        spans[0].high = min(spans[0].high, dealer.high)
    return deals(u, spans, w)


cdef int64_t within(const Unknown* u, Span first, int high, Work* w) noexcept nogil:
    # Deals in which the first of the others has a strength of the span, nobody one above `high`.
    cdef Span spans[3]
    cdef int i
    for i in range(u.players):
        spans[i].low = 0
        spans[i].high = high
    spans[0] = first
    return deals(u, spans, w)


cdef int64_t dealer_pays_all(const Unknown* u, const Question* q, int s, Work* w) noexcept nogil:
    # For a seat other than the dealer's: the dealer, first of the others, is in the winner's category, and
    # neither he nor this hand wins. That is: the dealer is in the highest category on the table, less the
    # deals that he wins, less the deals that this hand wins.
    cdef const HandTable* t = hand_table()
    cdef int c
    cdef Span span
    cdef int64_t total = 0
    for c in range(t.category[s], TRICON + 1):
        span.low = t.first[c]
        span.high = t.first[c + 1] - 1
        total += within(u, span, span.high, w)
    total -= deals_under_first(u, s, w)
    span.low = t.first[t.category[s]]
    span.high = s - 1
    return total - beaten(u, q, s, span, w)


cdef int64_t all_deals(const Question* q) noexcept nogil:
    cdef int64_t total = 1
    cdef int place, need, left = popcount(q.unseen)
    for place in range(q.players):
        if place != q.seat:
            need = 3 - popcount(q.held[place])
            if need == 3:
                total *= left * (left - 1) * (left - 2) // 6
            elif need == 2:
                total *= left * (left - 1) // 2
            elif need == 1:
                total *= left
            left -= need
    return total


cdef void count(const Question* q, Counts* out, Work* w) noexcept nogil:
    cdef const HandTable* t = hand_table()
    cdef int s = strength_of(t, q.hand)
    cdef Unknown u
    cdef Span span
    others(q, &u, w)
    span.low = 0
    span.high = STRENGTHS - 1
    out.total = all_deals(q)
    out.win = beaten(&u, q, s, span, w)
    span.high = s - 1
    out.outright = out.win if q.seat == u.players else within(&u, span, s - 1, w)
    if q.seat == 0:
        span.high = t.first[t.category[s] + 1] - 1
        out.same = within(&u, span, span.high, w) - out.win
    else:
        out.same = dealer_pays_all(&u, q, s, w)


cdef int question(Question* q, uint64_t hand, uint64_t unseen, held, int seat) except -1:
    cdef int place
    q.hand = hand
    q.unseen = unseen
    q.players = len(held)
    q.seat = seat
    for place in range(q.players):
        q.held[place] = held[place]
    return 0


def exact(uint64_t hand, uint64_t unseen, held, int seat):
    """Counts over all deals of one to three unknown hands.

    Args:
        hand: mask of the three cards.
        unseen: mask of the cards that may be anywhere.
        held: for each place from the dealer on, mask of the cards known to be there; 0 at the own seat.
        seat: place of the hand, 0 = dealer.

    Returns:
        (deals, those that the hand wins, those in which it beats all others outright, those in which it
        loses and the dealer, loser too, is in the winner's category). Nothing is checked here.
    """
    cdef Question q
    cdef Counts out
    cdef Work* w = <Work*>malloc(sizeof(Work))
    if w == NULL:
        raise MemoryError
    question(&q, hand, unseen, held, seat)
    with nogil:
        count(&q, &out, w)
    free(w)
    return out.total, out.win, out.outright, out.same


# Sampling ------------------------------------------------------------------------------------------------

cdef struct Tally:
    int64_t win
    int64_t outright
    int64_t points
    int64_t squares


cdef inline uint64_t draw(int32_t* pool, int* left, int n, Rng* rng) noexcept nogil:
    # n random cards moved behind the rest of the pool.
    cdef uint64_t cards = 0
    cdef int j
    cdef int32_t card
    while n > 0:
        j = <int>bounded(rng, left[0])
        left[0] -= 1
        card = pool[j]
        pool[j] = pool[left[0]]
        pool[left[0]] = card
        cards |= bit(card)
        n -= 1
    return cards


cdef void enter(Tally* out, const int* others, int own, int players, int seat) noexcept nogil:
    # One showdown, this hand at the seat and the others around it in their order.
    cdef const HandTable* t = hand_table()
    cdef int strengths[MOST]
    cdef int i, winner, points
    cdef bint outright = True
    for i in range(players - 1):
        strengths[i + (i >= seat)] = others[i]
        outright &= others[i] < own
    strengths[seat] = own
    winner = best_hand(strengths, players)
    points = showdown(t, strengths, players, seat, winner)
    out.win += winner == seat
    out.outright += outright
    out.points += points
    out.squares += points * points


cdef void one_sample(const Question* q, int discard, bint all_seats, int32_t* pool, int size, Rng* rng,
                     Tally* out) noexcept nogil:
    cdef const HandTable* t = hand_table()
    cdef int others[MOST]
    cdef int place, i = 0, left = size
    cdef uint64_t own = q.hand
    if discard >= 0:
        own = own ^ bit(discard) | draw(pool, &left, 1, rng)
    for place in range(q.players):
        if place != q.seat:
            others[i] = strength_of(t, q.held[place] | draw(pool, &left, 3 - popcount(q.held[place]), rng))
            i += 1
    for place in range(q.players if all_seats else 1):
        enter(&out[place], others, strength_of(t, own), q.players, place if all_seats else q.seat)


def sample(uint64_t hand, uint64_t unseen, held, int seat, int discard, long samples, Random rng,
           Cancel cancel):
    """Deal the unknown hands at random, many times.

    Args:
        hand, unseen, held, seat: as for :func:`exact`; seat -1 = every seat in turn of the same deals,
            with nothing held.
        discard: card given up for one drawn before the hands are dealt; -1 = none.
        samples: how many deals.
        rng: where the numbers come from; it moves on.
        cancel: ends the sampling early.

    Returns:
        For the seat, or for every seat: (deals won, deals in which the hand beats all others outright, sum
        of points, sum of their squares); points are net of the ante of 1.
    """
    cdef Question q
    cdef Tally out[MOST]
    cdef int32_t pool[52]
    cdef int size = 0
    cdef long _i
    cdef int place
    cdef uint64_t rest = unseen
    cdef Rng local = rng.rng
    question(&q, hand, unseen, held, max(seat, 0))
    while rest:
        pool[size] = lsb(rest)
        rest &= rest - 1
        size += 1
    memset(out, 0, sizeof(out))
    with nogil:
        for _i in range(samples):
            if cancel.flag:
                break
            one_sample(&q, discard, seat < 0, pool, size, &local, out)
    rng.rng = local
    return [
        (out[place].win, out[place].outright, out[place].points, out[place].squares)
        for place in range(q.players if seat < 0 else 1)
    ]
