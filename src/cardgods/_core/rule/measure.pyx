"""What a rule does to random play, exactly: acceptance rates, dead ends, traps, cards that are never right.

Random play lays cards drawn uniformly from the 52, with replacement; a wrong card leaves the state as it is.
So a state that accepts few cards is held longer, and the rate of a play is taken over the distribution of
states at that play, not over the accepted cards.
"""

from libc.math cimport fabs
from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.rule.machine cimport Machine, Moore
from cardgods._core.rule.parts cimport Edges, Parts, Report, edges_build, edges_free, find_parts, spread
from cardgods._core.rule.program cimport MAX_FIELDS, Code, Program, advance
from cardgods._core.rule.vm cimport right_cards

cdef enum:
    WORK_LIMIT = 6000000      # edge steps spent on the long run before it is given up

# Rates ----------------------------------------------------------------------------------------------------

cdef void _after_starter(const Edges* e, double* share) noexcept nogil:
    # The starter is uniform among the cards that may lie first.
    cdef int k
    memset(share, 0, e.states * sizeof(double))
    for k in range(e.start[0], e.start[1]):
        share[e.target[k]] += e.cards[k] / (52 * e.accept[0])


cdef double _play(const Edges* e, const double* share, double* next) noexcept nogil:
    # One play; how much the distribution has moved.
    cdef int s
    cdef double moved = 0
    memcpy(next, share, e.states * sizeof(double))
    for s in range(e.states):
        if share[s] == 0 or e.leave[s] == 0:
            continue
        spread(e, s, share[s] / 52, next)
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
    # Mean acceptance of the first plays; stops early once the distribution stands still. `share` ends as
    # the distribution after them.
    cdef int play
    cdef double total = 0
    cdef double moved = 1
    cdef double rate
    cdef double* swap
    cdef double* first = share
    _after_starter(e, share)
    for play in range(plays):
        rate = _rate(e, share)
        if moved < 1e-7:
            total += (plays - play) * rate
            break
        total += rate
        moved = _play(e, share, next)
        swap = share
        share = next
        next = swap
    if share != first:
        memcpy(first, share, e.states * sizeof(double))
    return total / plays


# The long run ---------------------------------------------------------------------------------------------
#
# Time does not matter for where play ends up, so mass is pushed from state to state in ascending order
# (Gauss-Seidel): a sweep empties every state of its mass once, in shares of the ways that leave it. What
# passes through a state in a sweep tends to its visits; a visit takes 1 / leave plays and accepts
# accept / leave cards. Inside a closed part a tenth waits, or the mass would go round a cycle for ever.

cdef struct Flow:
    double* mass          # [states] what waits in each state
    double* passed        # [states] what passed through it in the last sweep
    const double* share   # [states] distribution after the first plays: a good place to begin
    long work             # edge steps left


cdef void _sweep(const Edges* e, Flow* f, const int32_t* states, int n, double flow) noexcept nogil:
    cdef int i, s
    cdef double mass
    for i in range(n):
        s = states[i]
        mass = f.mass[s] * flow
        f.mass[s] -= mass
        f.passed[s] = mass
        if mass == 0:
            continue
        f.work -= e.start[s + 1] - e.start[s]
        # what stays on a card that leads back to the state itself is taken off again
        mass /= e.leave[s]
        spread(e, s, mass / 52, f.mass)
        f.mass[s] -= mass * (e.accept[s] - e.leave[s])


cdef double _recurrent_rate(
    const Edges* e, Flow* f, const int32_t* states, int n, bint* settled
) noexcept nogil:
    # The rate inside a closed part with several states; it begins where the first plays have led.
    cdef int i, s
    cdef int quiet = 0
    cdef double plays, cards, rate
    cdef double before = -1
    cdef double step = 1
    cdef double last
    for i in range(n):
        s = states[i]
        f.mass[s] = f.share[s] * e.leave[s] + 1e-12
    while f.work > 0:
        _sweep(e, f, states, n, 0.9)
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
        quiet = quiet + 1 if step < 1e-7 and (step < 0.9 * last or step < 1e-12) else 0
        if quiet == 2:
            return rate
    settled[0] = False
    return before


cdef double _absorb(
    const Edges* e, Flow* f, const int32_t* states, int n, double* gains, const int32_t* part, int parts
) noexcept nogil:
    # Push mass out of the passing states until next to none is left; gains = mass by closed part. The rest
    # is shared out as the last sweep was: the ratio settles long before the mass is gone.
    cdef int i, k, s
    cdef double left = 1
    cdef double gone
    while f.work > 0 and left > 1e-9:
        _sweep(e, f, states, n, 1.0)
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


cdef int _measure(const Moore* m, int plays, Report* out) noexcept nogil:
    cdef Edges e
    cdef Parts p
    cdef Flow f
    cdef size_t n = m.states
    cdef double* pool = <double*>calloc(4 * n + 1, sizeof(double))
    cdef int32_t* lists = <int32_t*>malloc((3 * n + 4) * sizeof(int32_t))
    cdef int failed = edges_build(m, &e)
    memset(out, 0, sizeof(Report))
    if not failed and pool != NULL and lists != NULL:
        p.order = lists
        p.number = lists + n
        p.start = lists + 2 * n
        p.gains = pool + 3 * n
        failed = find_parts(m, &e, &p, out)
        out.mean = _first_plays(&e, plays, pool, pool + n)
        memset(pool + n, 0, 2 * n * sizeof(double))
        f.share = pool
        f.mass = pool + n
        f.passed = pool + 2 * n
        f.work = WORK_LIMIT
        if not failed:
            out.far = _long_run(&e, &f, &p, &out.settled)
    failed = failed or pool == NULL or lists == NULL
    edges_free(&e)
    free(pool)
    free(lists)
    return failed


# Sampling, for rules with too many states ------------------------------------------------------------------

cdef int _one_run(const Code* c, int plays, Rng* rng, Report* out) noexcept nogil:
    # Right cards among `plays` random plays after a random starter.
    cdef uint16_t memory[MAX_FIELDS]
    cdef uint16_t after[MAX_FIELDS]
    cdef uint64_t right = c.start
    cdef int _play, card, cards
    cdef int accepted = -1
    memset(memory, 0, sizeof(memory))
    memset(after, 0, sizeof(after))
    for _play in range(plays):
        card = <int>bounded(rng, 52)
        while accepted < 0 and not (right >> card) & 1:
            card = <int>bounded(rng, 52)
        if (right >> card) & 1:
            advance(c, memory, card, after)
            memcpy(memory, after, sizeof(memory))
            accepted += 1
            right = right_cards(c, memory)
            out.playable |= right
            cards = popcount(right)
            out.least = cards if cards < out.least else out.least
            out.most = cards if cards > out.most else out.most
    return accepted


def sample(Program program, int plays, int runs, Random rng):
    """An estimate of what `measure` gives, for a rule with too many states.

    Returns:
        The mean rate over `plays` plays after the starter in `runs` random runs, its standard error, the
        fewest and most right cards seen, and the mask of cards that were right at some time.
    """
    cdef Report r
    cdef int _k, right
    cdef double rate
    cdef double total = 0
    cdef double squares = 0
    if program.c.start == 0 or plays < 1 or runs < 2:
        raise ValueError("a rule without starters, or no plays, has no rate")
    memset(&r, 0, sizeof(r))
    r.least = 52
    for _k in range(runs):
        with nogil:
            right = _one_run(&program.c, plays + 1, &rng.rng, &r)
        rate = <double>right / plays
        total += rate
        squares += rate * rate
    total /= runs
    squares = (squares / runs - total * total) * runs / (runs - 1.0)
    return total, (squares / runs) ** 0.5 if squares > 0 else 0.0, r.least, r.most, r.playable


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
