"""Minimal Moore machines: states that no sequence of cards tells apart fall into one block.

The first rounds refine all states at once (E. F. Moore, "Gedanken-experiments on sequential machines", 1956);
most rules are settled after three. What is left, long counters, is refined only where successors changed
block, so a chain of a thousand states is a thousand small steps and not a thousand rounds.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cardgods._core.rule.machine cimport Moore

cdef enum:
    FULL_ROUNDS = 6

cdef struct Refinement:
    const Moore* m
    int32_t* block        # [states] block of each state
    int32_t* fresh        # [states] blocks of the next round
    int32_t* table        # [size] hash table of group numbers + 1
    int32_t* leader       # [states] one state of each group
    int32_t size
    int32_t blocks
    # for the second part
    int32_t* from_state   # predecessors, grouped by successor
    int32_t* from_start   # [states + 1]
    int32_t* dirty        # [states] list
    int32_t* group        # [states] group of each dirty state
    int32_t* count        # [states] members of each block
    int32_t* members      # [states] dirty members of each group
    int32_t* touched      # [states] dirty members of each block
    int32_t* largest      # [states] the group of a block that keeps its number, -1 for the rest of it
    unsigned char* mark


cdef inline uint64_t _mix(uint64_t h, uint64_t x) noexcept nogil:
    h = (h ^ x) * <uint64_t>0x9E3779B97F4A7C15
    return h ^ (h >> 29)


cdef inline uint64_t _hash(const Refinement* r, int s) noexcept nogil:
    # Two chains, so that the multiplications of one overlap with the other's.
    cdef const int32_t* next = &r.m.next[s * r.m.letters]
    cdef uint64_t h = _mix(r.m.right[s], <uint64_t>r.block[s])
    cdef uint64_t g = 1
    cdef int k
    if r.blocks == 1:
        return h
    for k in range(0, r.m.letters - 1, 2):
        h = _mix(h, <uint64_t>(r.block[next[k]] if next[k] >= 0 else -1))
        g = _mix(g, <uint64_t>(r.block[next[k + 1]] if next[k + 1] >= 0 else -1))
    if r.m.letters & 1:
        k = r.m.letters - 1
        h = _mix(h, <uint64_t>(r.block[next[k]] if next[k] >= 0 else -1))
    return h ^ (g << 1)


cdef inline bint _alike(const Refinement* r, int s, int t) noexcept nogil:
    cdef const int32_t* a = &r.m.next[s * r.m.letters]
    cdef const int32_t* b = &r.m.next[t * r.m.letters]
    cdef int k
    if r.block[s] != r.block[t] or r.m.right[s] != r.m.right[t]:
        return False
    if r.blocks == 1:
        return True
    for k in range(r.m.letters):
        if (a[k] < 0) != (b[k] < 0) or (a[k] >= 0 and r.block[a[k]] != r.block[b[k]]):
            return False
    return True


cdef inline int _group_of(Refinement* r, int s, int groups) noexcept nogil:
    # Number of the group of s among those seen so far, or `groups` (and s leads it) if it is new.
    cdef int at = <int>(_hash(r, s) & <uint64_t>(r.size - 1))
    while r.table[at]:
        if _alike(r, s, r.leader[r.table[at] - 1]):
            return r.table[at] - 1
        at = (at + 1) & (r.size - 1)
    r.table[at] = groups + 1
    r.leader[groups] = s
    return groups


cdef int _full_round(Refinement* r) noexcept nogil:
    cdef int s, g
    cdef int groups = 0
    cdef int32_t* swap
    memset(r.table, 0, r.size * sizeof(int32_t))
    for s in range(r.m.states):
        g = _group_of(r, s, groups)
        groups += g == groups
        r.fresh[s] = g
    swap = r.block
    r.block = r.fresh
    r.fresh = swap
    return groups


cdef void _predecessors(Refinement* r) noexcept nogil:
    cdef int s, k, t
    cdef int n = r.m.states
    cdef int letters = r.m.letters
    memset(r.from_start, 0, (n + 1) * sizeof(int32_t))
    for s in range(n * letters):
        if r.m.next[s] >= 0:
            r.from_start[r.m.next[s] + 1] += 1
    for s in range(n):
        r.from_start[s + 1] += r.from_start[s]
    for s in range(n):
        for k in range(letters):
            t = r.m.next[s * letters + k]
            if t >= 0:
                r.from_state[r.from_start[t]] = s
                r.from_start[t] += 1
    for s in range(n, 0, -1):
        r.from_start[s] = r.from_start[s - 1]
    r.from_start[0] = 0


cdef int _split(Refinement* r, int n_dirty) noexcept nogil:
    # Split the blocks of the dirty states; afterwards `fresh` lists the states with a new block number.
    cdef int i, s, g, b
    cdef int groups = 0
    cdef int need = 4
    while need < 2 * n_dirty:
        need *= 2
    r.size = need
    memset(r.table, 0, r.size * sizeof(int32_t))
    for i in range(n_dirty):
        s = r.dirty[i]
        g = _group_of(r, s, groups)
        if g == groups:
            r.members[g] = 0
            groups += 1
        r.group[i] = g
        r.members[g] += 1
        r.touched[r.block[s]] = 0
    for g in range(groups):
        b = r.block[r.leader[g]]
        if r.touched[b] == 0:
            r.largest[b] = g
        elif r.members[g] > r.members[r.largest[b]]:
            r.largest[b] = g
        r.touched[b] += r.members[g]
    for g in range(groups):
        b = r.block[r.leader[g]]
        if r.count[b] > r.touched[b]:
            r.largest[b] = -1
    return _renumber(r, n_dirty, groups)


cdef int _renumber(Refinement* r, int n_dirty, int groups) noexcept nogil:
    # The states of a block that were not looked at keep its number; if all were, the largest group does.
    cdef int i, s, g, b
    cdef int changed = 0
    cdef int32_t* number = r.leader
    for g in range(groups):
        b = r.block[r.leader[g]]
        if r.largest[b] == g:
            number[g] = b
        else:
            number[g] = r.blocks
            r.blocks += 1
            r.count[number[g]] = r.members[g]
            r.count[b] -= r.members[g]
    for i in range(n_dirty):
        s = r.dirty[i]
        if number[r.group[i]] != r.block[s]:
            r.block[s] = number[r.group[i]]
            r.fresh[changed] = s
            changed += 1
    return changed


cdef int _gather_dirty(Refinement* r, int changed) noexcept nogil:
    cdef int i, k, s, n = 0
    for i in range(changed):
        for k in range(r.from_start[r.fresh[i]], r.from_start[r.fresh[i] + 1]):
            s = r.from_state[k]
            if not r.mark[s]:
                r.mark[s] = 1
                r.dirty[n] = s
                n += 1
    for i in range(n):
        r.mark[r.dirty[i]] = 0
    return n


cdef void _refine_changed(Refinement* r) noexcept nogil:
    cdef int s, n_dirty
    cdef int n = r.m.states
    _predecessors(r)
    memset(r.count, 0, n * sizeof(int32_t))
    for s in range(n):
        r.count[r.block[s]] += 1
        r.dirty[s] = s
    n_dirty = n
    while n_dirty:
        n_dirty = _gather_dirty(r, _split(r, n_dirty))


cdef void _release(Refinement* r) noexcept nogil:
    free(r.table)
    free(r.from_state)
    free(r.mark)


cdef int _prepare(Refinement* r, const Moore* m) noexcept nogil:
    # One allocation for all arrays of one int per state.
    cdef long n = m.states
    cdef int32_t* pool
    r.m = m
    r.size = 16
    while r.size < 2 * n:
        r.size *= 2
    pool = <int32_t*>malloc((r.size + 10 * n + 1) * sizeof(int32_t))
    r.from_state = <int32_t*>malloc((n * m.letters + 1) * sizeof(int32_t))
    r.mark = <unsigned char*>calloc(n, 1)
    r.table = pool
    if pool == NULL or r.from_state == NULL or r.mark == NULL:
        return -1
    r.block = pool + r.size
    r.fresh = r.block + n
    r.leader = r.fresh + n
    r.dirty = r.leader + n
    r.group = r.dirty + n
    r.count = r.group + n
    r.members = r.count + n
    r.touched = r.members + n
    r.largest = r.touched + n
    r.from_start = r.largest + n
    return 0


cdef int minimise(const Moore* m, int32_t* block) noexcept nogil:
    """The block of every state; the number of blocks, or -1 if memory is short."""
    cdef Refinement r
    cdef int _round, before, s
    cdef bint stable = False
    if _prepare(&r, m):
        _release(&r)
        return -1
    memset(r.block, 0, m.states * sizeof(int32_t))
    r.blocks = 1
    for _round in range(FULL_ROUNDS):
        before = r.blocks
        r.blocks = _full_round(&r)
        if r.blocks == before or r.blocks == m.states:
            stable = True
            break
    if not stable:
        _refine_changed(&r)
    for s in range(m.states):
        block[s] = r.block[s]
    _release(&r)
    return r.blocks
