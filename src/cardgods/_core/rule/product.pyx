"""Two rules side by side: a walk over the pairs of states that the same right cards lead to.

What a rule accepts is closed under prefixes, so rule A accepts only what B accepts exactly if A's right cards
are B's in every pair that cards right under both can reach. The walk is breadth-first, so the first
difference found is the end of a shortest sequence that tells the rules apart.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from cardgods._core.bits cimport lsb
from cardgods._core.rule.machine cimport Machine, Moore

cdef struct Pairs:
    const Moore* a
    const Moore* b
    int32_t* left         # [room] states of each pair
    int32_t* right
    int32_t* parent       # [room] pair it was reached from
    int32_t* card         # [room] by which card
    int found, room
    int32_t* table        # pair number + 1, open addressing
    int size
    int only_a            # first pair where A has a card that B has not, -1 = none yet
    int only_b


cdef inline int _slot(const Pairs* p, int s, int t) noexcept nogil:
    cdef uint64_t h = (<uint64_t>s << 32 | <uint64_t>t) * <uint64_t>0x9E3779B97F4A7C15
    cdef int at = <int>(h >> 33) & (p.size - 1)
    while p.table[at]:
        if p.left[p.table[at] - 1] == s and p.right[p.table[at] - 1] == t:
            return at
        at = (at + 1) & (p.size - 1)
    return at


cdef int _resize(Pairs* p, int room) noexcept nogil:
    cdef int k
    cdef int32_t* all = <int32_t*>malloc(4 * <size_t>room * sizeof(int32_t))
    cdef int32_t* old = p.left
    cdef int32_t* table = <int32_t*>calloc(2 * <size_t>room, sizeof(int32_t))
    if all == NULL or table == NULL:
        free(all)
        free(table)
        return -1
    for k in range(p.found):
        all[k] = p.left[k]
        all[room + k] = p.right[k]
        all[2 * room + k] = p.parent[k]
        all[3 * room + k] = p.card[k]
    free(old)
    free(p.table)
    p.left = all
    p.right = all + room
    p.parent = all + 2 * room
    p.card = all + 3 * room
    p.room = room
    p.table = table
    p.size = 2 * room
    for k in range(p.found):
        p.table[_slot(p, p.left[k], p.right[k])] = k + 1
    return 0


cdef int _add(Pairs* p, int s, int t, int parent, int card) noexcept nogil:
    cdef int at
    if p.found == p.room and _resize(p, 2 * p.room):
        return -1
    at = _slot(p, s, t)
    if p.table[at]:
        return 0
    p.left[p.found] = s
    p.right[p.found] = t
    p.parent[p.found] = parent
    p.card[p.found] = card
    p.found += 1
    p.table[at] = p.found
    return 0


cdef int _expand(Pairs* p, int k) noexcept nogil:
    cdef int s = p.left[k]
    cdef int t = p.right[k]
    cdef uint64_t a = p.a.right[s]
    cdef uint64_t b = p.b.right[t]
    cdef uint64_t rest = a & b
    cdef int card, x, y
    if a & ~b and p.only_a < 0:
        p.only_a = k
    if b & ~a and p.only_b < 0:
        p.only_b = k
    while rest:
        card = lsb(rest)
        x = p.a.letter[card]
        y = p.b.letter[card]
        rest &= ~(p.a.letter_mask[x] & p.b.letter_mask[y])
        if _add(p, p.a.next[s * p.a.letters + x], p.b.next[t * p.b.letters + y], k, card):
            return -1
    return 0


cdef int _walk(Pairs* p, int s, int t, int cap) noexcept nogil:
    # 0 = all pairs seen or both differences found; 1 = more than `cap` pairs; -1 = no memory.
    cdef int k = 0
    p.found = 0
    p.only_a = -1
    p.only_b = -1
    if _resize(p, 64) or _add(p, s, t, -1, -1):
        return -1
    while k < p.found and (p.only_a < 0 or p.only_b < 0):
        if p.found > cap:
            return 1
        if _expand(p, k):
            return -1
        k += 1
    return 0


cdef _witness(const Pairs* p, int k, bint of_a):
    cdef uint64_t a, b
    if k < 0:
        return None
    a = p.a.right[p.left[k]]
    b = p.b.right[p.right[k]]
    cards = [lsb(a & ~b if of_a else b & ~a)]
    while p.parent[k] >= 0:
        cards.append(p.card[k])
        k = p.parent[k]
    return cards[::-1]


def compare(Machine a, Machine b, int state_a, int state_b, int cap):
    """Shortest sequences, from a pair of states, that one rule accepts and the other does not.

    Args:
        a: one rule.
        b: the other.
        state_a: state of `a` to begin in; `state_b` that of `b`.
        cap: give up beyond this many pairs.

    Returns:
        Whether the walk was complete, a shortest sequence that only `a` accepts, and one that only `b`
        accepts; None where there is none (or none was found before the walk was given up).
    """
    cdef Pairs p
    cdef int ended
    a._state(state_a)
    b._state(state_b)
    p.a = &a.m
    p.b = &b.m
    p.left = NULL
    p.table = NULL
    with nogil:
        ended = _walk(&p, state_a, state_b, cap)
    try:
        if ended < 0:
            raise MemoryError
        return ended == 0, _witness(&p, p.only_a, True), _witness(&p, p.only_b, False)
    finally:
        free(p.left)
        free(p.table)
