"""The backward pass of the Encan solver, level by level of turns to come."""

cimport cython
from cpython.pythread cimport (
    WAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
)
from libc.math cimport llrint
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free, malloc

from cardgods._core.solve.encan_hands cimport HandLevel
from cardgods._core.solve.encan_layout cimport SweepLevel, certain, lay_out, level_free
from cardgods._core.solve.encan_pattern cimport Pattern, pattern_of
from cardgods._core.solve.encan_reach cimport Reach, reach_meets
from cardgods._core.solve.encan_scores cimport TRIPLE_WIDTH, ScoreLevel
from cardgods._core.solve.encan_situation cimport LEAF_GOLD, LEAF_LEVEL, LEAVES
from cardgods._core.solve.matrix cimport lanes_for, no_row, solve_game
from cardgods._core.walk cimport Cancel


# Sums over a class are integers, so that they do not depend on the order in which threads add to them; 13
# times the largest value, 1, must fit.
cdef double FIXED = 2.0 ** 58


# Vectors ---------------------------------------------------------------------------------------------------

cdef void fill(double* out, int32_t n, double x) noexcept nogil:
    for _ in range(n):
        out[0] = x
        out += 1


cdef inline void add_fixed(const HandLevel* hands, const Reach* past, const int64_t* fixed, int32_t times,
                           int64_t* sums) noexcept nogil:
    # Add a triple's values, `times` over, to the sums of a class; negative: those of the exchanged triple.
    cdef int32_t b, i
    for b in range(hands.start_blocks):
        if not reach_meets(&hands.start_reach[b], past):
            continue
        if times > 0:
            for i in range(hands.begins[b], hands.begins[b + 1]):
                sums[i - hands.begins[b]] += times * fixed[i]
        else:
            for i in range(hands.begins[b], hands.begins[b + 1]):
                sums[i - hands.begins[b]] += times * fixed[hands.mirror[i]]
        sums += hands.begins[b + 1] - hands.begins[b]


# One triple ------------------------------------------------------------------------------------------------

cdef inline double bid_value(Worker w, const HandLevel* hands, int32_t at) noexcept nogil:
    cdef MatrixGame* g = &w.game
    cdef const uint32_t* cell = &hands.table[hands.cells[at]]
    cdef int k
    g.rows = hands.rows[at]
    g.cols = hands.cols[at]
    g.lanes = lanes_for(g.rows)
    for k in range(hands.cells[at + 1] - hands.cells[at]):
        g.a[k] = w.below[cell[k]]
    w.routes[solve_game(g)] += 1
    if not g.high - g.low <= w.gap:
        w.gap = g.high - g.low
    return g.value


cdef int bid_values(Worker w, const HandLevel* hands, const Reach* past, bint even,
                    const int* cancel) noexcept nogil:
    # The value of every pattern that fits, once the window is closed.
    cdef int32_t b, i
    for b in range(hands.blocks):
        if not reach_meets(&hands.reach[b], past):
            continue
        for i in range(hands.begins[b], hands.begins[b + 1]):
            if even and hands.mirror[i] < i:
                continue
            w.bids[i] = bid_value(w, hands, i)
            w.games += 1
            if even:
                w.bids[hands.mirror[i]] = -w.bids[i] if hands.mirror[i] != i else 0.0
            if w.games % 1024 == 0 and cancel[0]:
                return -2
    return 0


cdef inline double window_value(const double* bids, const int32_t* calls, int32_t at) noexcept nogil:
    # The window is a small open game: player 0 speaks first, and who passed may answer a call.
    cdef double stay = bids[at], first, second, answer
    if calls[0] < 0 and calls[1] < 0:
        return stay
    if calls[1] < 0:
        return max(stay, bids[calls[0]])
    if calls[0] < 0:
        return min(stay, bids[calls[1]])
    first = min(bids[calls[0]], bids[calls[2]])
    answer = max(bids[calls[1]], bids[calls[2]])
    second = min(stay, answer)
    return max(first, second)


cdef void start_values(Worker w, const HandLevel* hands, const Reach* past) noexcept nogil:
    cdef int32_t b, i
    for b in range(hands.start_blocks):
        if not reach_meets(&hands.start_reach[b], past):
            continue
        for i in range(hands.begins[b], hands.begins[b + 1]):
            w.fixed[i] = llrint(window_value(w.bids, &hands.calls[3 * <int64_t>i], i) * FIXED)


cdef void load(Sweep s, Worker w, int k, const int32_t* row) noexcept nogil:
    # Spread out the three vectors that a triple leads to.
    cdef int32_t n = s.hands.levels[k - 1].starts
    cdef int64_t tag
    cdef int j
    cdef double reward
    if w.level != k:
        w.level = k
        w.loaded[0] = w.loaded[1] = w.loaded[2] = -1
        w.below[3 * <int64_t>n] = no_row()
    for j in range(3):
        tag = row[j]
        if j < 2:
            tag |= <int64_t>row[3] << 32
        if tag != w.loaded[j]:
            reward = (0 if j == 2 else 1 - 2 * j) * row[3] * s.reward_unit
            s.unpack(k - 1, row[j], reward, &w.below[j * <int64_t>n])
            w.loaded[j] = tag


cdef int solve_triple(Sweep s, Worker w, int k, int32_t number, const int* cancel) noexcept nogil:
    cdef const HandLevel* hands = &s.hands.levels[k]
    cdef const ScoreLevel* level = &s.scores.levels[k]
    cdef const int32_t* row = &level.triples.data[<int64_t>number * TRIPLE_WIDTH]
    cdef const Reach* past = &level.triple_reach[number]
    cdef int j
    if certain(row):
        fill(w.bids, hands.count, leaf_value(row[0]))
    else:
        load(s, w, k, row)
        if bid_values(w, hands, past, row[4], cancel) < 0:
            return -2
    start_values(w, hands, past)
    if deliver(s, w, k, number) < 0:
        return -1
    for j in range(3):
        if row[j] >= 2 * LEAVES:
            unwant(s, k - 1, row[j] // 2 - s.scores.levels[k - 1].first)
    return 0


cdef inline double leaf_value(int32_t code) noexcept nogil:
    return 0.0 if code == LEAF_LEVEL else (-1.0 if code & 1 else 1.0)


cdef int deliver(Sweep s, Worker w, int k, int32_t number) noexcept nogil:
    # Add a triple's values to all classes that it belongs to.
    cdef SweepLevel* level = &s.levels[k]
    cdef const HandLevel* hands = &s.hands.levels[k]
    cdef int64_t m
    cdef int32_t c, times
    cdef PyThread_type_lock lock
    cdef int status = 0
    for m in range(level.member_begins[number], level.member_begins[number + 1]):
        c = level.members[m].klass
        times = level.members[m].times
        lock = s.locks[c % LOCKS]
        PyThread_acquire_lock(lock, WAIT_LOCK)
        if level.sums[c] == NULL:
            level.sums[c] = <int64_t*>calloc(level.sizes[c], sizeof(int64_t))
        if level.sums[c] == NULL:
            status = -1
        else:
            add_fixed(hands, &s.scores.levels[k].class_reach[c], w.fixed, times, level.sums[c])
            level.awaited[c] -= 1
            if level.awaited[c] == 0:
                complete(s, k, c)
        PyThread_release_lock(lock)
    return status


cdef void complete(Sweep s, int k, int32_t c) noexcept nogil:
    # All triples have come: the sums become means, in place.
    cdef SweepLevel* level = &s.levels[k]
    cdef double* out = <double*>level.sums[c]
    cdef int64_t i
    cdef double share = 1.0 / (FIXED * s.scores.levels[k].offers)
    for i in range(level.sizes[c]):
        out[i] = <double>level.sums[c][i] * share
    level.values[c] = out
    level.sums[c] = NULL


cdef void unwant(Sweep s, int k, int32_t c) noexcept nogil:
    # One triple less needs the vector of a class.
    cdef PyThread_type_lock lock = s.locks[c % LOCKS]
    PyThread_acquire_lock(lock, WAIT_LOCK)
    s.levels[k].wanted[c] -= 1
    if s.levels[k].wanted[c] == 0 and k < s.kept:
        s.release(k, c)
    PyThread_release_lock(lock)


@cython.final
cdef class Worker:
    def __cinit__(self, Sweep sweep):
        cdef int64_t starts = 1, count = 1
        cdef int k
        for k in range(sweep.hands.turns + 1):
            starts = max(starts, sweep.hands.levels[k].starts)
            count = max(count, sweep.hands.levels[k].count)
        self.below = <double*>malloc((3 * starts + 1) * sizeof(double))
        self.bids = <double*>malloc(count * sizeof(double))
        self.fixed = <int64_t*>malloc(starts * sizeof(int64_t))
        if self.below == NULL or self.bids == NULL or self.fixed == NULL:
            raise MemoryError("no memory left for the vectors of a thread")

    def __dealloc__(self):
        free(self.below)
        free(self.bids)
        free(self.fixed)


@cython.final
cdef class Sweep:
    """Values of all classes on all hand patterns that can meet them.

    Args:
        hands: the patterns, built.
        scores: the classes, built from the same root.
        keep: how many bytes of vectors may stay, from the root down, for strategies; those of the turn
            after the root always do.
        bound: no value is larger than this; 1 if the win is played for.
    """

    def __cinit__(self, Hands hands, Scores scores, int64_t keep, double bound):
        cdef int k, i
        cdef Pattern p
        self.hands = hands
        self.scores = scores
        self.idle = []
        self.scale = 1.0
        while self.scale < bound:
            self.scale *= 2
        self.reward_unit = 1.0 / (self.scale * scores.terms.rules.scale)
        for i in range(LOCKS):
            self.locks[i] = PyThread_allocate_lock()
        for k in range(1, hands.turns + 1):
            if lay_out(&self.levels[k], &self.levels[k - 1], &hands.levels[k], &scores.levels[k],
                       &scores.levels[k - 1]) < 0:
                raise MemoryError("no memory left for the plan of the solution")
        self.kept = hands.turns - 1
        while self.kept > 0:
            keep -= self.level_bytes(self.kept)
            if keep < self.level_bytes(self.kept - 1):
                break
            self.kept -= 1
        self.ends = <double*>malloc(hands.levels[0].starts * sizeof(double))
        if self.ends == NULL:
            raise MemoryError
        for i in range(hands.levels[0].starts):
            p = pattern_of(hands.levels[0].keys[i])
            self.ends[i] = 1.0 if p.hand[0] > p.hand[1] else -1.0

    def __dealloc__(self):
        cdef int k
        for k in range(MAX_TURNS + 1):
            level_free(&self.levels[k], self.scores.levels[k].classes.count)
        free(self.ends)
        for k in range(LOCKS):
            if self.locks[k] != NULL:
                PyThread_free_lock(self.locks[k])

    cdef void unpack(self, int level, int32_t code, double reward, double* out) noexcept nogil:
        # A code's values on all starts of a level, where it has any, plus a reward.
        cdef const HandLevel* hands = &self.hands.levels[level]
        cdef const Reach* past
        cdef const double* values
        cdef int32_t b, i, c
        if code == LEAF_LEVEL or code // 2 == 0:
            fill(out, hands.starts, leaf_value(code) + reward)
            return
        if code // 2 == LEAF_GOLD // 2:
            for i in range(hands.starts):
                out[i] = reward + (-self.ends[hands.mirror[i]] if code & 1 else self.ends[i])
            return
        c = code // 2 - self.scores.levels[level].first
        past = &self.scores.levels[level].class_reach[c]
        values = self.levels[level].values[c]
        for b in range(hands.start_blocks):
            if not reach_meets(&hands.start_reach[b], past):
                continue
            values -= hands.begins[b]
            if code & 1:
                for i in range(hands.begins[b], hands.begins[b + 1]):
                    out[hands.mirror[i]] = reward - values[i]
            else:
                for i in range(hands.begins[b], hands.begins[b + 1]):
                    out[i] = values[i] + reward
            values += hands.begins[b + 1]

    cdef void release(self, int level, int32_t klass) noexcept nogil:
        free(self.levels[level].values[klass])
        self.levels[level].values[klass] = NULL

    def level_bytes(self, int k):
        """Bytes of all vectors with `k` turns to come."""
        cdef int32_t c
        cdef int64_t total = 0
        if k > 0:
            for c in range(self.scores.levels[k].classes.count):
                total += self.levels[k].sizes[c] * <int64_t>sizeof(double)
        return total

    def table_bytes(self):
        """Bytes of the tables of hand patterns and of what a thread works in."""
        cdef int k
        cdef int64_t total = 0, most = 0
        for k in range(self.hands.turns + 1):
            most = max(most, self.hands.levels[k].count)
            total += 40 * <int64_t>self.hands.levels[k].count
            if k:
                total += 4 * self.hands.levels[k].cells[self.hands.levels[k].count]
        return total + 40 * most

    def work(self, int k):
        """Matrix games to solve with `k` turns to come."""
        return self.levels[k].work[self.scores.levels[k].triples.count]

    def units(self, int k, int64_t games):
        """Ranges (first, end) of triples with at least so many games each, in the order of the work."""
        cdef int32_t n = self.scores.levels[k].triples.count, first = 0, i
        found = []
        for i in range(n):
            if self.levels[k].work[i + 1] - self.levels[k].work[first] >= games or i == n - 1:
                found.append((first, i + 1))
                first = i + 1
        return found

    def run(self, int k, int32_t first, int32_t end, Cancel cancel):
        """Solve a range of triples with `k` turns to come; False if it was cancelled.

        May be called from several threads with different ranges, once all of the level below is done.
        """
        cdef int32_t i
        cdef int status = 0
        cdef Worker w
        try:
            w = self.idle.pop()
        except IndexError:
            w = Worker(self)
        with nogil:
            for i in range(first, end):
                status = solve_triple(self, w, k, self.levels[k].order[i], &cancel.flag)
                if status < 0:
                    break
        self.idle.append(w)
        if status == -1:
            raise MemoryError("no memory left for the values of the solution")
        return status == 0

    def close(self, int k):
        """Give back what the level below no longer needs, once all of level `k` is done."""
        cdef int32_t c
        if 0 < k - 1 < self.kept:
            for c in range(self.scores.levels[k - 1].classes.count):
                self.release(k - 1, c)

    def tally(self):
        """Take the counts since the last call: (games, games by route, largest gap in units of the value)."""
        cdef Worker w
        cdef int i
        games, routes, gap = 0, [0] * ROUTES, 0.0
        for w in self.idle:
            games += w.games
            gap = max(gap, w.gap)
            for i in range(<int>ROUTES):
                routes[i] += w.routes[i]
                w.routes[i] = 0
            w.games = 0
            w.gap = 0.0
        return games, routes, gap * self.scale

    def root_value(self):
        """Value for player 0 at the start of the root's turn: +1 or -1 for a win, or points."""
        cdef int k = self.hands.turns
        cdef int32_t c = self.scores.root // 2 - self.scores.levels[k].first
        cdef double value = self.levels[k].values[c][0]
        return self.scale * (-value if self.scores.root & 1 else value)

    def counts(self):
        """Per number of turns to come: numbers in the vectors."""
        return [0] + [self.level_bytes(k) // 8 for k in range(1, self.hands.turns + 1)]
