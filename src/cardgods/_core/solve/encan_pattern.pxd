# One hand pattern of the Encan family: all that matters of two hands is the order of their cards. And the set
# of those that a search has met.
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from cardgods._core.bits cimport lsb, msb, prefetch

# The values that somebody holds or may call back are the columns, ascending; bit c of a hand says that the
# player holds the card of column c. The mark is the column of the smallest card he has burnt, while he may
# still call it back; -1 if there is none.
cdef struct Pattern:
    uint16_t hand[2]
    int8_t mark[2]
    uint8_t used              # bit p: player p has used his Obole, or there is none

cdef enum:
    KEY_BITS = 36


cdef inline uint64_t pattern_key(const Pattern* p) noexcept nogil:
    return (
        <uint64_t>p.hand[0]
        | <uint64_t>p.hand[1] << 13
        | <uint64_t>(p.mark[0] + 1) << 26
        | <uint64_t>(p.mark[1] + 1) << 30
        | <uint64_t>p.used << 34
    )


cdef inline Pattern pattern_of(uint64_t key) noexcept nogil:
    cdef Pattern p
    p.hand[0] = <uint16_t>(key & 0x1fff)
    p.hand[1] = <uint16_t>((key >> 13) & 0x1fff)
    p.mark[0] = <int8_t>((key >> 26) & 15) - 1
    p.mark[1] = <int8_t>((key >> 30) & 15) - 1
    p.used = <uint8_t>((key >> 34) & 3)
    return p


cdef inline unsigned int mark_bit(const Pattern* p, int player) noexcept nogil:
    return 1u << p.mark[player] if p.mark[player] >= 0 else 0


cdef inline void pattern_lower_mark(Pattern* p, int player) noexcept nogil:
    # Put a mark at the foot of the run of cards that it belongs to: within a run no card of the other player
    # can tell the order.
    cdef unsigned int others = p.hand[1 - player] | mark_bit(p, 1 - player), mark = mark_bit(p, player)
    if not mark & ~others:
        return
    while (mark >> 1) & p.hand[player] & ~others:
        p.hand[player] ^= <uint16_t>(mark | (mark >> 1))
        mark >>= 1
    p.mark[player] = <int8_t>lsb(mark)


cdef inline void pattern_settle(Pattern* p) noexcept nogil:
    # Drop the columns that nobody has, and settle the marks. Hands and marks lie in four lanes of a word.
    cdef uint64_t lanes = (
        <uint64_t>p.hand[0]
        | <uint64_t>p.hand[1] << 16
        | <uint64_t>mark_bit(p, 0) << 32
        | <uint64_t>mark_bit(p, 1) << 48
    )
    cdef uint64_t below, taken = (lanes | lanes >> 16 | lanes >> 32 | lanes >> 48) & 0x1fff
    cdef uint64_t gaps
    if taken & (taken + 1):
        gaps = ~taken & ((<uint64_t>1 << msb(taken)) - 1)
        while gaps:
            below = <uint64_t>1 << msb(gaps)
            gaps ^= below
            below = (below - 1) * <uint64_t>0x0001000100010001
            lanes = (lanes & below) | ((lanes >> 1) & ~below & <uint64_t>0x7fff7fff7fff7fff)
        p.hand[0] = <uint16_t>lanes
        p.hand[1] = <uint16_t>(lanes >> 16)
        if p.mark[0] >= 0:
            p.mark[0] = <int8_t>lsb(lanes >> 32 & 0xffff)
        if p.mark[1] >= 0:
            p.mark[1] = <int8_t>lsb(lanes >> 48)
    pattern_lower_mark(p, 0)
    pattern_lower_mark(p, 1)


cdef inline Pattern pattern_after(const Pattern* p, int bid0, int bid1) noexcept nogil:
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


cdef inline Pattern pattern_called(const Pattern* p, int player) noexcept nogil:
    # After `player`, who must have a mark, has called it back.
    cdef Pattern q = p[0]
    q.hand[player] |= <uint16_t>(1 << q.mark[player])
    q.mark[player] = -1
    q.used |= <uint8_t>(1 << player)
    pattern_settle(&q)
    return q


cdef inline Pattern pattern_ended(const Pattern* p) noexcept nogil:
    # With no turn to come only the cards in hand count.
    cdef Pattern q = p[0]
    q.mark[0] = q.mark[1] = -1
    q.used = 3
    pattern_settle(&q)
    return q


cdef inline Pattern pattern_mirror(const Pattern* p) noexcept nogil:
    cdef Pattern q
    q.hand[0] = p.hand[1]
    q.hand[1] = p.hand[0]
    q.mark[0] = p.mark[1]
    q.mark[1] = p.mark[0]
    q.used = (p.used >> 1 | p.used << 1) & 3
    return q


cdef inline int run_starts(const Pattern* p, int player) noexcept nogil:
    # The cards of a hand without those that are like the card of the column below: of no other column of the
    # opponent's between them, so that either bid leads to the same.
    cdef unsigned int own = p.hand[player] & ~(p.hand[1 - player] | mark_bit(p, 1 - player))
    return p.hand[player] & ~(own & (own << 1))


# Keys numbered in the order of arrival. A slot holds key and number, so that one look at memory finds both.
cdef struct PatternSet:
    uint64_t* keys            # in order of arrival
    int32_t count, room
    uint64_t* slots           # (number + 1) << KEY_BITS | key, 0 for an empty slot
    int shift                 # 64 less the binary logarithm of the number of slots

cdef enum:
    MOST_PATTERNS = (1 << (64 - KEY_BITS)) - 2


cdef inline void patterns_free(PatternSet* s) noexcept nogil:
    free(s.keys)
    free(s.slots)
    memset(s, 0, sizeof(PatternSet))


cdef inline int patterns_init(PatternSet* s, int32_t room) noexcept nogil:
    # -1 when memory runs out.
    cdef uint64_t slots = 16
    memset(s, 0, sizeof(PatternSet))
    s.shift = 60
    while slots < 2 * <uint64_t>room:
        slots *= 2
        s.shift -= 1
    s.keys = <uint64_t*>malloc(room * sizeof(uint64_t))
    s.slots = <uint64_t*>calloc(slots, sizeof(uint64_t))
    s.room = room
    if s.keys == NULL or s.slots == NULL:
        patterns_free(s)
        return -1
    return 0


cdef inline uint64_t patterns_slot(const PatternSet* s, uint64_t key) noexcept nogil:
    # The slot that holds a key, or the empty one where it belongs. Knuth's multiplicative hashing.
    cdef uint64_t at = (key * <uint64_t>0x9e3779b97f4a7c15) >> s.shift
    cdef uint64_t last = (<uint64_t>1 << (64 - s.shift)) - 1
    while s.slots[at] and s.slots[at] & ((<uint64_t>1 << KEY_BITS) - 1) != key:
        at = (at + 1) & last
    return at


cdef inline void patterns_expect(const PatternSet* s, uint64_t key) noexcept nogil:
    # A key will be asked for soon.
    prefetch(&s.slots[(key * <uint64_t>0x9e3779b97f4a7c15) >> s.shift])


cdef inline int32_t patterns_find(const PatternSet* s, uint64_t key) noexcept nogil:
    # Number of a key, -1 if absent.
    return <int32_t>(s.slots[patterns_slot(s, key)] >> KEY_BITS) - 1


cdef inline int patterns_grow(PatternSet* s) noexcept nogil:
    cdef uint64_t* slots
    cdef uint64_t* keys = <uint64_t*>realloc(s.keys, 2 * <size_t>s.room * sizeof(uint64_t))
    cdef int32_t i
    if keys == NULL:
        return -1
    s.keys = keys
    slots = <uint64_t*>calloc(<size_t>1 << (65 - s.shift), sizeof(uint64_t))
    if slots == NULL:
        return -1
    free(s.slots)
    s.slots = slots
    s.shift -= 1
    s.room *= 2
    for i in range(s.count):
        s.slots[patterns_slot(s, keys[i])] = <uint64_t>(i + 1) << KEY_BITS | keys[i]
    return 0


cdef inline int32_t patterns_add(PatternSet* s, uint64_t key) noexcept nogil:
    # Number of a key, given now if it is new; -1 when memory or numbers run out.
    cdef uint64_t at = patterns_slot(s, key)
    if s.slots[at]:
        return <int32_t>(s.slots[at] >> KEY_BITS) - 1
    if s.count == MOST_PATTERNS:
        return -1
    if s.count == s.room:
        if patterns_grow(s) < 0:
            return -1
        at = patterns_slot(s, key)
    s.keys[s.count] = key
    s.count += 1
    s.slots[at] = <uint64_t>s.count << KEY_BITS | key
    return s.count - 1
