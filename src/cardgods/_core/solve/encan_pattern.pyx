"""One hand pattern of the Encan family and what happens to it."""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t

from cardgods._core.bits cimport lsb, msb


cdef uint64_t pattern_key(const Pattern* p) noexcept nogil:
    return (
        <uint64_t>p.hand[0]
        | <uint64_t>p.hand[1] << 13
        | <uint64_t>(p.mark[0] + 1) << 26
        | <uint64_t>(p.mark[1] + 1) << 30
        | <uint64_t>p.used << 34
    )


cdef Pattern pattern_of(uint64_t key) noexcept nogil:
    cdef Pattern p
    p.hand[0] = <uint16_t>(key & 0x1fff)
    p.hand[1] = <uint16_t>((key >> 13) & 0x1fff)
    p.mark[0] = <int8_t>((key >> 26) & 15) - 1
    p.mark[1] = <int8_t>((key >> 30) & 15) - 1
    p.used = <uint8_t>((key >> 34) & 3)
    return p


cdef inline unsigned int mark_bit(const Pattern* p, int player) noexcept nogil:
    return 1u << p.mark[player] if p.mark[player] >= 0 else 0


cdef inline unsigned int closed_up(unsigned int x, unsigned int below) noexcept nogil:
    return (x & below) | ((x >> 1) & ~below)


cdef void pattern_settle(Pattern* p) noexcept nogil:
    # Drop the columns that nobody has, and put a mark at the foot of the run of cards that it belongs to:
    # within a run no card of the other player can tell the order.
    cdef unsigned int h[2]
    cdef unsigned int m[2]
    cdef unsigned int gaps, below, own, i
    h[0] = p.hand[0]
    h[1] = p.hand[1]
    m[0] = mark_bit(p, 0)
    m[1] = mark_bit(p, 1)
    gaps = ~(h[0] | h[1] | m[0] | m[1]) & 0x1fff
    while gaps:
        below = 1u << msb(gaps)
        gaps ^= below
        below -= 1
        for i in range(2):
            h[i] = closed_up(h[i], below)
            m[i] = closed_up(m[i], below)
    for i in range(2):
        if m[i] & ~(h[1 - i] | m[1 - i]):
            own = h[i] & ~(h[1 - i] | m[1 - i])
            while (m[i] >> 1) & own:
                h[i] ^= m[i] | (m[i] >> 1)
                m[i] >>= 1
                own = h[i] & ~(h[1 - i] | m[1 - i])
        p.hand[i] = <uint16_t>h[i]
        p.mark[i] = <int8_t>(lsb(m[i]) if m[i] else -1)


cdef Pattern pattern_after(const Pattern* p, int bid0, int bid1) noexcept nogil:
    # After a turn with these bids, named by their columns.
    cdef Pattern q = p[0]
    q.hand[0] ^= <uint16_t>(1 << bid0)
    q.hand[1] ^= <uint16_t>(1 << bid1)
    if not q.used & 1 and (q.mark[0] < 0 or bid0 < q.mark[0]):
        q.mark[0] = <int8_t>bid0
    if not q.used & 2 and (q.mark[1] < 0 or bid1 < q.mark[1]):
        q.mark[1] = <int8_t>bid1
    pattern_settle(&q)
    return q


cdef Pattern pattern_called(const Pattern* p, int player) noexcept nogil:
    # After `player`, who must have a mark, has called it back.
    cdef Pattern q = p[0]
    q.hand[player] |= <uint16_t>(1 << q.mark[player])
    q.mark[player] = -1
    q.used |= <uint8_t>(1 << player)
    pattern_settle(&q)
    return q


cdef Pattern pattern_ended(const Pattern* p) noexcept nogil:
    # With no turn to come only the cards in hand count.
    cdef Pattern q = p[0]
    q.mark[0] = q.mark[1] = -1
    q.used = 3
    pattern_settle(&q)
    return q


cdef Pattern pattern_mirror(const Pattern* p) noexcept nogil:
    cdef Pattern q
    q.hand[0] = p.hand[1]
    q.hand[1] = p.hand[0]
    q.mark[0] = p.mark[1]
    q.mark[1] = p.mark[0]
    q.used = (p.used >> 1 | p.used << 1) & 3
    return q


cdef int run_starts(const Pattern* p, int player) noexcept nogil:
    # The cards of a hand without those that are like the card of the column below: of no other column of the
    # opponent's between them, so that either bid leads to the same.
    cdef unsigned int own = p.hand[player] & ~(p.hand[1 - player] | mark_bit(p, 1 - player))
    return p.hand[player] & ~(own & (own << 1))
