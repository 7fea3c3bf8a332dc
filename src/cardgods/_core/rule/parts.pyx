"""The transitions of a machine, and the parts of play that are never left again."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cardgods._core.bits cimport popcount
from cardgods._core.rule.machine cimport Moore


# Transitions ----------------------------------------------------------------------------------------------

cdef void edges_free(Edges* e) noexcept nogil:
    free(e.start)
    free(e.target)
    free(e.cards)
    free(e.single)
    free(e.leave)


cdef int edges_build(const Moore* m, Edges* e) noexcept nogil:
    cdef int n = m.states
    cdef int s, k, t, cards, count
    cdef int at = 0
    cdef int32_t* seat = <int32_t*>malloc(n * sizeof(int32_t))   # where the row has a target already
    memset(e, 0, sizeof(Edges))
    e.states = n
    e.start = <int32_t*>malloc((n + 1) * sizeof(int32_t))
    e.target = <int32_t*>malloc((<size_t>n * m.letters + 1) * sizeof(int32_t))
    e.cards = <uint8_t*>malloc(<size_t>n * m.letters + 1)
    e.single = <uint8_t*>malloc(n + 1)
    e.leave = <double*>calloc(2 * n, sizeof(double))
    if not (seat and e.start and e.target and e.cards and e.single and e.leave):
        free(seat)
        return -1
    e.accept = e.leave + n
    memset(seat, 255, n * sizeof(int32_t))
    for s in range(n):
        e.start[s] = at
        e.single[s] = 1
        count = 0
        for k in range(m.letters):
            t = m.next[s * m.letters + k]
            if t < 0:
                continue
            cards = popcount(m.right[s] & m.letter_mask[k])
            count += cards
            if seat[t] < e.start[s]:
                seat[t] = at
                e.target[at] = t
                e.cards[at] = 0
                at += 1
            e.cards[seat[t]] += <uint8_t>cards
            e.single[s] &= e.cards[seat[t]] == 1
        e.accept[s] = count / 52.0
        e.leave[s] = e.accept[s]
        if seat[s] >= e.start[s]:
            e.leave[s] -= e.cards[seat[s]] / 52.0
    e.start[n] = at
    free(seat)
    return 0


# Closed parts ---------------------------------------------------------------------------------------------

cdef struct Scan:
    int32_t* index        # order of discovery + 1; 0 = not yet
    int32_t* low
    int32_t* stack        # states not yet in a component
    int32_t* path         # states of the walk
    int32_t* edge         # next edge of each state of the walk
    int32_t* part         # component of each state, -1 = none yet
    int found, depth, held, parts


cdef void _enter(Scan* x, const Edges* e, int s) noexcept nogil:
    x.found += 1
    x.index[s] = x.found
    x.low[s] = x.found
    x.stack[x.held] = s
    x.held += 1
    x.path[x.depth] = s
    x.edge[x.depth] = e.start[s]
    x.depth += 1


cdef void _leave(Scan* x, int s) noexcept nogil:
    cdef int t = -1
    x.depth -= 1
    if x.depth > 0 and x.low[s] < x.low[x.path[x.depth - 1]]:
        x.low[x.path[x.depth - 1]] = x.low[s]
    if x.low[s] == x.index[s]:
        while t != s:
            x.held -= 1
            t = x.stack[x.held]
            x.part[t] = x.parts
        x.parts += 1


cdef void _components_from(Scan* x, const Edges* e, int root) noexcept nogil:
    # R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.
    cdef int s, t
    if x.index[root]:
        return
    _enter(x, e, root)
    while x.depth:
        s = x.path[x.depth - 1]
        if x.edge[x.depth - 1] == e.start[s + 1]:
            _leave(x, s)
            continue
        t = e.target[x.edge[x.depth - 1]]
        x.edge[x.depth - 1] += 1
        if not x.index[t]:
            _enter(x, e, t)
        elif x.part[t] < 0 and x.index[t] < x.low[s]:
            x.low[s] = x.index[t]


cdef void _closed_parts(const Moore* m, const Edges* e, Scan* x, Parts* p) noexcept nogil:
    # Number the closed parts and list their states after those that play passes through.
    cdef int s, k, at
    cdef unsigned char* leaks = <unsigned char*>x.edge
    cdef int32_t* number = x.low
    memset(leaks, 0, x.parts + 1)
    for s in range(e.states):
        for k in range(e.start[s], e.start[s + 1]):
            if x.part[s] >= 0 and x.part[e.target[k]] != x.part[s]:
                leaks[x.part[s]] = 1
    p.closed = 0
    for k in range(x.parts):
        number[k] = -1 if leaks[k] else p.closed
        p.closed += not leaks[k]
    memset(p.start, 0, (p.closed + 2) * sizeof(int32_t))
    for s in range(e.states):
        p.number[s] = number[x.part[s]] if x.part[s] >= 0 else -1
        if x.part[s] >= 0:
            p.start[p.number[s] + 2] += 1
    for k in range(p.closed + 1):
        p.start[k + 1] += p.start[k]
    for s in range(e.states):
        if x.part[s] >= 0:
            at = p.number[s] + 1
            p.order[p.start[at]] = s
            p.start[at] += 1
    # What is now the end of each group is the start of the next: start[0] = number of passing states.


cdef void _survey(
    const Moore* m, const Scan* x, const Parts* p, uint64_t* union_of, Report* out
) noexcept nogil:
    # States are numbered by distance from the start, so the first hit is the nearest.
    cdef int s, k, cards
    memset(union_of, 0, (p.closed + 1) * sizeof(uint64_t))
    for s in range(m.states):
        if x.part[s] < 0:
            continue
        out.playable |= m.right[s]
        cards = popcount(m.right[s])
        out.least = cards if cards < out.least else out.least
        out.most = cards if cards > out.most else out.most
        if cards == 0 and out.dead < 0:
            out.dead = s
        if p.number[s] >= 0:
            union_of[p.number[s]] |= m.right[s]
    for s in range(m.states):
        k = p.number[s]
        if k < 0 or not union_of[k]:
            continue
        if out.closing < 0 or popcount(union_of[k]) < popcount(out.closing_mask):
            out.closing = s
            out.closing_mask = union_of[k]


cdef int find_parts(const Moore* m, const Edges* e, Parts* p, Report* out) noexcept nogil:
    cdef int n = m.states
    cdef int k
    cdef Scan x
    cdef int32_t* pool = <int32_t*>calloc(6 * n + 1, sizeof(int32_t))
    cdef uint64_t* union_of = <uint64_t*>malloc((n + 1) * sizeof(uint64_t))
    if pool == NULL or union_of == NULL:
        free(pool)
        free(union_of)
        return -1
    memset(&x, 0, sizeof(x))
    x.index = pool
    x.low = pool + n
    x.stack = pool + 2 * n
    x.path = pool + 3 * n
    x.edge = pool + 4 * n
    x.part = pool + 5 * n
    memset(x.part, 255, n * sizeof(int32_t))
    out.least = 52
    out.dead = -1
    out.closing = -1
    for k in range(e.start[0], e.start[1]):
        _components_from(&x, e, e.target[k])
    _closed_parts(m, e, &x, p)
    _survey(m, &x, p, union_of, out)
    free(pool)
    free(union_of)
    return 0
