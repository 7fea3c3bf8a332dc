"""Counting deals of disjoint hands: inclusion-exclusion over shared cards for two players, and the same
inside an enumeration of the smallest set for three.

Two sets A and B of hands: the number of disjoint pairs is the sum over all sets S of shared cards, the
empty one included, of (-1)^|S| a(S) b(S), where a(S) counts the hands of A that contain S.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from cardgods._core.cards cimport bit
from cardgods._core.commerce_hands cimport STRENGTHS, HandTable, hand_table


cdef inline void clear(Family* f, bint triples) noexcept nogil:
    f.total = 0
    memset(f.one, 0, sizeof(f.one))
    memset(f.member, 0, sizeof(f.member))
    memset(f.two, 0, sizeof(f.two))
    if triples:
        memset(f.three, 0, sizeof(f.three))


cdef inline void add(Family* f, const HandTable* t, int hand, bint triples) noexcept nogil:
    cdef int a = t.cards[hand][0], b = t.cards[hand][1], c = t.cards[hand][2]
    f.total += 1
    f.member[hand] = 1
    f.one[a] += 1
    f.one[b] += 1
    f.one[c] += 1
    f.two[52 * a + b] += 1
    f.two[52 * a + c] += 1
    f.two[52 * b + c] += 1
    if triples:
        f.two[52 * b + a] += 1
        f.two[52 * c + a] += 1
        f.two[52 * c + b] += 1
        f.three[SQUARE * a + 52 * b + c] = f.three[SQUARE * a + 52 * c + b] = 1
        f.three[SQUARE * b + 52 * a + c] = f.three[SQUARE * b + 52 * c + a] = 1
        f.three[SQUARE * c + 52 * a + b] = f.three[SQUARE * c + 52 * b + a] = 1


cdef inline int apart(const Family* f, const HandTable* t, int hand) noexcept nogil:
    # Hands of the set without a card of this one.
    cdef int a = t.cards[hand][0], b = t.cards[hand][1], c = t.cards[hand][2]
    return (
        f.total - f.one[a] - f.one[b] - f.one[c]
        + f.two[52 * a + b] + f.two[52 * a + c] + f.two[52 * b + c] - f.member[hand]
    )


cdef inline bint fits(const HandTable* t, int hand, uint64_t free, uint64_t held) noexcept nogil:
    cdef uint64_t mask = bit(t.cards[hand][0]) | bit(t.cards[hand][1]) | bit(t.cards[hand][2])
    return mask & ~free == 0 and held & ~mask == 0


cdef void list_hands(Hands* out, uint64_t free, uint64_t held) noexcept nogil:
    """The hands of free cards that contain the held ones."""
    cdef const HandTable* t = hand_table()
    cdef int s, i, n = 0
    for s in range(STRENGTHS):
        out.start[s] = n
        for i in range(t.start[s], t.start[s + 1]):
            if fits(t, t.order[i], free, held):
                out.list[n] = t.order[i]
                n += 1
    out.start[STRENGTHS] = n


cdef struct Slice:
    const uint16_t* hands
    int n


cdef inline Slice cut(const Unknown* u, int player, Span span) noexcept nogil:
    cdef const Hands* h = u.hands[player]
    cdef Slice out
    out.hands = &h.list[0]
    out.n = 0
    if span.low <= span.high:
        out.hands = &h.list[h.start[span.low]]
        out.n = h.start[span.high + 1] - h.start[span.low]
    return out


cdef void fill(Family* f, Slice part, bint triples) noexcept nogil:
    cdef const HandTable* t = hand_table()
    cdef int i
    clear(f, triples)
    for i in range(part.n):
        add(f, t, part.hands[i], triples)


cdef int64_t products(const uint8_t* a, const uint8_t* a1, const uint8_t* a2, const uint8_t* a3,
                      const uint8_t* b, const uint8_t* b1, const uint8_t* b2, const uint8_t* b3,
                      int n) noexcept nogil:
    # Sum of (a - a1 - a2 - a3)(b - b1 - b2 - b3): every factor is 0..49, n is at most SQUARE.
    cdef int i, total = 0
    cdef int16_t x, y
    for i in range(n):
        x = <int16_t>(a[i] - a1[i] - a2[i] - a3[i])
        y = <int16_t>(b[i] - b1[i] - b2[i] - b3[i])
        total += x * y
    return total


cdef inline int one_apart(const Family* f, int i, int a, int b, int c) noexcept nogil:
    # Hands with card i and without a, b and c.
    return (
        f.one[i] - f.two[52 * i + a] - f.two[52 * i + b] - f.two[52 * i + c]
        + f.three[SQUARE * i + 52 * a + b] + f.three[SQUARE * i + 52 * a + c]
        + f.three[SQUARE * i + 52 * b + c]
    )


cdef inline int two_apart(const Family* f, int i, int j, int a, int b, int c) noexcept nogil:
    cdef int at = 52 * i + j
    return f.two[at] - f.three[SQUARE * a + at] - f.three[SQUARE * b + at] - f.three[SQUARE * c + at]


cdef int64_t shared_pairs(const Family* f, const Family* g, const int* hand) noexcept nogil:
    # The terms |S| = 2: all ordered pairs of cards, less those with a card of the hand.
    cdef const uint8_t* x = &f.three[0]
    cdef const uint8_t* y = &g.three[0]
    cdef int a = SQUARE * hand[0], b = SQUARE * hand[1], c = SQUARE * hand[2], i, j, at
    cdef int64_t total = products(f.two, x + a, x + b, x + c, g.two, y + a, y + b, y + c, SQUARE)
    for i in range(3):
        at = 52 * hand[i]
        total -= 2 * products(
            f.two + at, x + a + at, x + b + at, x + c + at, g.two + at, y + a + at, y + b + at, y + c + at, 52
        )
        for j in range(3):
            total += (
                two_apart(f, hand[i], hand[j], hand[0], hand[1], hand[2])
                * two_apart(g, hand[i], hand[j], hand[0], hand[1], hand[2])
            )
    return total // 2


cdef int64_t pairs_apart(const Family* f, const Family* g, const Family* both, int hand) noexcept nogil:
    # Disjoint pairs of a hand of f and one of g, both without a card of this hand.
    cdef const HandTable* t = hand_table()
    cdef int h[3]
    cdef int i
    cdef int64_t total = <int64_t>apart(f, t, hand) * apart(g, t, hand) - apart(both, t, hand)
    for i in range(3):
        h[i] = t.cards[hand][i]
    for i in range(52):
        if f.one[i] and g.one[i] and i != h[0] and i != h[1] and i != h[2]:
            total -= <int64_t>one_apart(f, i, h[0], h[1], h[2]) * one_apart(g, i, h[0], h[1], h[2])
    return total + shared_pairs(f, g, h)


cdef void intersect(Family* both, const Family* f, Slice part) noexcept nogil:
    cdef const HandTable* t = hand_table()
    cdef int i
    clear(both, False)
    for i in range(part.n):
        if f.member[part.hands[i]]:
            add(both, t, part.hands[i], False)


cdef int64_t deals3(Work* w, const Slice* parts) noexcept nogil:
    # The smallest set is enumerated, the others become families.
    cdef int least = 0, i
    cdef int64_t total = 0
    for i in range(1, 3):
        if parts[i].n < parts[least].n:
            least = i
    if parts[least].n == 0:
        return 0
    fill(&w.family[0], parts[(least + 1) % 3], True)
    fill(&w.family[1], parts[(least + 2) % 3], True)
    intersect(&w.family[2], &w.family[0], parts[(least + 2) % 3])
    for i in range(parts[least].n):
        total += pairs_apart(&w.family[0], &w.family[1], &w.family[2], parts[least].hands[i])
    return total


cdef int64_t deals(const Unknown* u, const Span* spans, Work* w) noexcept nogil:
    """Ways to deal each player a hand of his strengths."""
    cdef const HandTable* t = hand_table()
    cdef Slice parts[3]
    cdef int i, least
    cdef int64_t total = 0
    for i in range(3):
        parts[i] = cut(u, min(i, u.players - 1), spans[min(i, u.players - 1)])
    if u.players == 1:
        return parts[0].n
    if u.players == 3:
        return deals3(w, parts)
    least = parts[1].n < parts[0].n
    if parts[least].n == 0:
        return 0
    fill(&w.family[0], parts[least], False)
    for i in range(parts[1 - least].n):
        total += apart(&w.family[0], t, parts[1 - least].hands[i])
    return total


cdef inline int64_t under(const Unknown* u, const Work* w, int hand) noexcept nogil:
    # Ways to deal the others from the hands counted so far, without a card of this one.
    cdef const HandTable* t = hand_table()
    if u.players == 1:
        return 1
    if u.players == 2:
        return apart(&w.family[0], t, hand)
    if u.alike:
        return pairs_apart(&w.family[0], &w.family[0], &w.family[0], hand)
    return pairs_apart(&w.family[0], &w.family[1], &w.family[2], hand)


cdef void admit(const Unknown* u, Work* w, int s) noexcept nogil:
    # Count the hands of strength s among those that the second and third players may have.
    cdef const HandTable* t = hand_table()
    cdef bint triples = u.players == 3
    cdef Span span
    cdef Slice part
    cdef int i
    span.low = span.high = s
    if u.players > 1:
        part = cut(u, 1, span)
        for i in range(part.n):
            add(&w.family[0], t, part.hands[i], triples)
    if triples and not u.alike:
        part = cut(u, 2, span)
        for i in range(part.n):
            add(&w.family[1], t, part.hands[i], True)
            if w.family[0].member[part.hands[i]]:
                add(&w.family[2], t, part.hands[i], False)


cdef int64_t deals_under_first(const Unknown* u, int low, Work* w) noexcept nogil:
    """Ways to deal the first player a hand of strength `low` or more and the others none stronger."""
    cdef int s, i
    cdef int64_t total = 0
    cdef Span span
    cdef Slice part
    for i in range(u.players):
        clear(&w.family[i], u.players == 3)
    for s in range(STRENGTHS):
        admit(u, w, s)
        if s >= low:
            span.low = span.high = s
            part = cut(u, 0, span)
            for i in range(part.n):
                total += under(u, w, part.hands[i])
    return total
