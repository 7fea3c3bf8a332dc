"""What a rule does to random play, exactly: acceptance rates, dead ends, traps, cards that are never right.

Random play lays cards drawn uniformly from the 52, with replacement; a wrong card leaves the state as it is.
So a state that accepts few cards is held longer, and the rate of a play is taken over the distribution of
states at that play, not over the accepted cards.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.rule.machine cimport Machine, Moore

cdef enum:
    WORK_LIMIT = 6000000      # edge steps spent on the long run before it is given up

cdef struct Report:
    double mean                # acceptance over the first plays after the starter
    double far                 # the limit of the rate
    bint settled               # whether the limit was reached
    int least                  # fewest cards right in a state after the starter
    int most
    uint64_t playable          # cards that are right in some state after the starter
    int dead                   # a state without right cards, nearest to the start, or -1
    int closing                # a state of the smallest closed part of the play, nearest to the start, or -1
    uint64_t closing_mask      # all cards that are ever right there


cdef struct Parts:
    int closed             # parts of the play after the starter that are never left
    int32_t* number        # [states] closed part of each state, -1 = play passes through or never comes
    int32_t* order         # states that play passes through, then the states of each closed part, ascending
    int32_t* start         # [closed + 1] where each closed part begins in `order`, and the end
    double* gains          # [closed] probability to end there


# Transitions ----------------------------------------------------------------------------------------------

cdef void edges_free(Edges* e) noexcept nogil:
    free(e.start)
    free(e.target)
    free(e.weight)
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
    e.weight = <double*>malloc((<size_t>n * m.letters + 1) * sizeof(double))
    e.leave = <double*>calloc(2 * n, sizeof(double))
    if not (seat and e.start and e.target and e.weight and e.leave):
        free(seat)
        return -1
    e.accept = e.leave + n
    memset(seat, 255, n * sizeof(int32_t))
    for s in range(n):
        e.start[s] = at
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
                e.weight[at] = 0
                at += 1
            e.weight[seat[t]] += cards / 52.0
        e.accept[s] = count / 52.0
        e.leave[s] = e.accept[s]
        if seat[s] >= e.start[s]:
            e.leave[s] -= e.weight[seat[s]]
    e.start[n] = at
    free(seat)
    return 0


# Rates ----------------------------------------------------------------------------------------------------

cdef void _after_starter(const Edges* e, double* share) noexcept nogil:
    # The starter is uniform among the cards that may lie first.
    cdef int k
    memset(share, 0, e.states * sizeof(double))
    for k in range(e.start[0], e.start[1]):
        share[e.target[k]] += e.weight[k] / e.accept[0]


cdef double _play(const Edges* e, const double* share, double* next) noexcept nogil:
    # One play; how much the distribution has moved.
    cdef int s, k
    cdef double moved = 0
    memcpy(next, share, e.states * sizeof(double))
    for s in range(e.states):
        if share[s] == 0 or e.leave[s] == 0:
            continue
        for k in range(e.start[s], e.start[s + 1]):
            next[e.target[k]] += share[s] * e.weight[k]
        next[s] -= share[s] * e.accept[s]
    for s in range(e.states):
        moved += fabs(next[s] - share[s])
    return moved


cdef double _rate(const Edges* e, const double* share) noexcept nogil:
    cdef int s
    cdef double rate = 0
    for s in range(e.states):
        rate += share[s] * e.accept[s]
    return rate


cdef double _first_plays(const Edges* e, int plays, double* share, double* next) noexcept nogil:
    # Mean acceptance of the first plays; stops early once the distribution stands still.
    cdef int play
    cdef double total = 0
    cdef double moved = 1
    cdef double rate
    cdef double* swap
    _after_starter(e, share)
    for play in range(plays):
        rate = _rate(e, share)
        if moved < 1e-9:
            return (total + (plays - play) * rate) / plays
        total += rate
        moved = _play(e, share, next)
        swap = share
        share = next
        next = swap
    return total / plays


# The long run ---------------------------------------------------------------------------------------------
#
# Time does not matter for where play ends up, so mass is pushed from state to state in ascending order
# (Gauss-Seidel): a sweep empties every state of its mass once, in shares of the ways that leave it. What
# passes through a state in a sweep tends to its visits; a visit takes 1 / leave plays and accepts
# accept / leave cards.

cdef struct Flow:
    double* mass          # [states] what waits in each state
    double* passed        # [states] what passed through it in the last sweep
    long work             # edge steps left


cdef void _sweep(const Edges* e, Flow* f, const int32_t* states, int n) noexcept nogil:
    cdef int i, s, k
    cdef double mass
    for i in range(n):
        s = states[i]
        mass = f.mass[s]
        f.mass[s] = 0
        f.passed[s] = mass
        if mass == 0:
            continue
        f.work -= e.start[s + 1] - e.start[s]
        mass /= e.leave[s]
        for k in range(e.start[s], e.start[s + 1]):
            if e.target[k] != s:
                f.mass[e.target[k]] += mass * e.weight[k]


cdef double _recurrent_rate(const Edges* e, Flow* f, const int32_t* states, int n, bint* settled) noexcept nogil:
    # The rate inside a closed part with several states; its mass is spread over them first.
    cdef int i, s
    cdef int quiet = 0
    cdef double plays, cards, rate
    cdef double before = -1
    cdef double step = 1
    cdef double last
    for i in range(n):
        f.mass[states[i]] = 1.0 / n
    while f.work > 0:
        _sweep(e, f, states, n)
        plays = 0
        cards = 0
        for i in range(n):
            s = states[i]
            plays += f.passed[s] / e.leave[s]
            cards += f.passed[s] / e.leave[s] * e.accept[s]
        rate = cards / plays
        last = step
        step = fabs(rate - before)
        before = rate
        quiet = quiet + 1 if step < 1e-8 and (step < 0.9 * last or step < 1e-12) else 0
        if quiet == 2:
            return rate
    settled[0] = False
    return before


cdef double _absorb(const Edges* e, Flow* f, const int32_t* states, int n, double* gains, const int32_t* part,
                    int parts) noexcept nogil:
    # Push mass out of the passing states until next to none is left; gains = mass by closed part. The rest
    # is shared out as the last sweep was: the ratio settles long before the mass is gone.
    cdef int i, k, s
    cdef double left = 1
    cdef double gone
    while f.work > 0 and left > 1e-9:
        _sweep(e, f, states, n)
        left = 0
        for i in range(n):
            left += f.mass[states[i]]
    for s in range(e.states):
        if part[s] >= 0:
            gains[part[s]] += f.mass[s]
    gone = 1 - left
    for k in range(parts):
        gains[k] = gains[k] / gone if gone > 0 else 0
    return left


cdef double _long_run(const Edges* e, Flow* f, const Parts* p, bint* settled) noexcept nogil:
    cdef int k, s, first, n
    cdef double rate, left
    cdef double total = 0
    settled[0] = True
    if p.closed > 1:
        _after_starter(e, f.mass)
        left = _absorb(e, f, p.order, p.start[0], p.gains, p.number, p.closed)
        settled[0] = left < 1e-6
    else:
        p.gains[0] = 1
    for k in range(p.closed):
        first = p.start[k]
        n = p.start[k + 1] - first
        s = p.order[first]
        rate = e.accept[s] if n == 1 else _recurrent_rate(e, f, p.order + first, n, settled)
        total += p.gains[k] * rate
    return total


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


cdef void _survey(const Moore* m, const Scan* x, const Parts* p, uint64_t* union_of, Report* out) noexcept nogil:
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


cdef int _find_parts(const Moore* m, const Edges* e, Parts* p, Report* out) noexcept nogil:
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


cdef int _measure(const Moore* m, int plays, Report* out) noexcept nogil:
    cdef Edges e
    cdef Parts p
    cdef Flow f
    cdef size_t n = m.states
    cdef double* pool = <double*>calloc(3 * n + 1, sizeof(double))
    cdef int32_t* lists = <int32_t*>malloc((3 * n + 4) * sizeof(int32_t))
    cdef int failed = edges_build(m, &e)
    memset(out, 0, sizeof(Report))
    if not failed and pool != NULL and lists != NULL:
        p.order = lists
        p.number = lists + n
        p.start = lists + 2 * n
        p.gains = pool + 2 * n
        failed = _find_parts(m, &e, &p, out)
        out.mean = _first_plays(&e, plays, pool, pool + n)
        memset(pool, 0, 2 * n * sizeof(double))
        f.mass = pool
        f.passed = pool + n
        f.work = WORK_LIMIT
        if not failed:
            out.far = _long_run(&e, &f, &p, &out.settled)
    failed = failed or pool == NULL or lists == NULL
    edges_free(&e)
    free(pool)
    free(lists)
    return failed


# The Python face ------------------------------------------------------------------------------------------

def shortest_path(Machine machine, int goal):
    """The shortest sequence of right cards from the empty table to a state, lowest cards first."""
    cdef const Moore* m = &machine.m
    cdef int s, t
    cdef uint64_t rest
    came = {0: None}
    queue = [0]
    for s in queue:
        if s == goal:
            break
        rest = m.right[s]
        while rest:
            card = lsb(rest)
            rest &= rest - 1
            t = m.next[s * m.letters + m.letter[card]]
            if t not in came:
                came[t] = (s, card)
                queue.append(t)
    cards = []
    step = came[goal]
    while step is not None:
        cards.append(step[1])
        step = came[step[0]]
    return cards[::-1]


def measure(Machine machine, int plays):
    """Rates and closed parts of a machine.

    Args:
        machine: the rule.
        plays: how many plays after the starter the mean is taken over, at least 1.

    Returns:
        The mean rate of the first plays, the long-run rate and whether it was reached; the fewest and most
        cards right at once and the mask of cards ever right, after the starter; the nearest dead state
        (-1 if none); the nearest state of the smallest closed part with right cards, and their mask.
    """
    cdef Report r
    cdef int failed
    if machine.m.right[0] == 0 or plays < 1:
        raise ValueError("a rule without starters, or no plays, has no rate")
    with nogil:
        failed = _measure(&machine.m, plays, &r)
    if failed:
        raise MemoryError
    return (
        r.mean, r.far, bool(r.settled), r.least, r.most, r.playable, r.dead, r.closing, r.closing_mask
    )
