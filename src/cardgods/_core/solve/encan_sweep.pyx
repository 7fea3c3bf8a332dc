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
from cardgods._core.solve.encan_reach cimport Reach, reach_meets
from cardgods._core.solve.encan_scores cimport TRIPLE_WIDTH, ScoreLevel
from cardgods._core.solve.encan_situation cimport LEAVES
from cardgods._core.solve.encan_vectors cimport Vectors, domain_size, fill, fixed_one, leaf_value
from cardgods._core.solve.matrix cimport lanes_for, no_row, solve_game
from cardgods._core.solve.table cimport RowSet
from cardgods._core.walk cimport Cancel


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


cdef int64_t* pack(const HandLevel* hands, const Reach* past, const int64_t* fixed,
                   int64_t* out) noexcept nogil:
    # Only what fits the pasts of a triple; returns the end.
    cdef int32_t b, i
    for b in range(hands.start_blocks):
        if reach_meets(&hands.start_reach[b], past):
            for i in range(hands.begins[b], hands.begins[b + 1]):
                out[0] = fixed[i]
                out += 1
    return out


cdef const int64_t* unpack_fixed(const HandLevel* hands, const Reach* past, const int64_t* packed,
                                 int64_t* fixed) noexcept nogil:
    cdef int32_t b, i
    for b in range(hands.start_blocks):
        if reach_meets(&hands.start_reach[b], past):
            for i in range(hands.begins[b], hands.begins[b + 1]):
                fixed[i] = packed[0]
                packed += 1
    return packed


# One triple ------------------------------------------------------------------------------------------------

cdef inline double bid_value(Worker w, const HandLevel* hands, int32_t at, int side) noexcept nogil:
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
    if side:
        return g.low if side < 0 else g.high
    return g.value


cdef int bid_values(Worker w, const HandLevel* hands, const Reach* past, bint even, int side,
                    const int* cancel) noexcept nogil:
    # The value of every pattern that fits, once the window is closed.
    cdef int32_t b, i
    for b in range(hands.blocks):
        if not reach_meets(&hands.reach[b], past):
            continue
        for i in range(hands.begins[b], hands.begins[b + 1]):
            if even and hands.mirror[i] < i:
                continue
            w.bids[i] = bid_value(w, hands, i, side)
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
            w.fixed[i] = llrint(window_value(w.bids, &hands.calls[3 * <int64_t>i], i) * fixed_one())


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
            s.vectors.unpack(k - 1, row[j], reward, &w.below[j * <int64_t>n])
            w.loaded[j] = tag


cdef int solve_triple(Sweep s, Worker w, int k, int32_t number, const int* cancel) noexcept nogil:
    # Into w.fixed.
    cdef const HandLevel* hands = &s.hands.levels[k]
    cdef const ScoreLevel* level = &s.scores.levels[k]
    cdef const int32_t* row = &level.triples.data[<int64_t>number * TRIPLE_WIDTH]
    cdef const Reach* past = &level.triple_reach[number]
    if certain(row):
        fill(w.bids, hands.count, leaf_value(row[0]))
    else:
        load(s, w, k, row)
        if bid_values(w, hands, past, row[4], s.side, cancel) < 0:
            return -2
    start_values(w, hands, past)
    return 0


cdef void done_with(Sweep s, int k, int32_t number) noexcept nogil:
    # A triple no longer needs the vectors that it leads to.
    cdef const int32_t* row = &s.scores.levels[k].triples.data[<int64_t>number * TRIPLE_WIDTH]
    cdef int j
    for j in range(3):
        if row[j] >= 2 * LEAVES:
            unwant(s, k - 1, row[j] // 2 - s.scores.levels[k - 1].first)


cdef int put_by(Sweep s, Worker w, int k, int32_t number) noexcept nogil:
    # Keep the values of a triple of a split level.
    cdef int64_t* values
    if s.vectors.sizes[k][number] == 0:
        return 0
    values = <int64_t*>malloc(s.vectors.sizes[k][number] * sizeof(int64_t))
    if values == NULL:
        return -1
    pack(&s.hands.levels[k], &s.scores.levels[k].triple_reach[number], w.fixed, values)
    s.vectors.values[k][number] = <double*>values
    return 0


cdef int deliver(Sweep s, Worker w, int k, int32_t number) noexcept nogil:
    # Add a triple's values to all classes that it belongs to.
    cdef SweepLevel* level = &s.levels[k]
    cdef const HandLevel* hands = &s.hands.levels[k]
    cdef int64_t m
    cdef int32_t c, times
    cdef PyThread_type_lock lock
    cdef int status = 0
    if s.vectors.split[k]:
        return put_by(s, w, k, number)
    for m in range(level.member_begins[number], level.member_begins[number + 1]):
        c = level.members[m].klass
        times = level.members[m].times
        lock = s.locks[c % LOCKS]
        PyThread_acquire_lock(lock, WAIT_LOCK)
        if level.sums[c] == NULL:
            level.sums[c] = <int64_t*>calloc(s.vectors.sizes[k][c], sizeof(int64_t))
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
    cdef double share = 1.0 / (fixed_one() * s.scores.levels[k].offers)
    for i in range(s.vectors.sizes[k][c]):
        out[i] = <double>level.sums[c][i] * share
    s.vectors.values[k][c] = out
    level.sums[c] = NULL


cdef void unwant(Sweep s, int k, int32_t c) noexcept nogil:
    # One triple less needs the values of a class.
    cdef PyThread_type_lock lock = s.locks[c % LOCKS]
    cdef bint last
    PyThread_acquire_lock(lock, WAIT_LOCK)
    s.levels[k].wanted[c] -= 1
    last = s.levels[k].wanted[c] == 0
    if last and k < s.kept and not s.vectors.split[k]:
        s.vectors.release(k, c)
    PyThread_release_lock(lock)
    if last and s.vectors.split[k] and k != s.floor:
        let_go(s, k, c)


cdef void let_go(Sweep s, int k, int32_t c) noexcept nogil:
    # The triples of a class of a split level are needed for one class less.
    cdef const RowSet* classes = &s.scores.levels[k].classes
    cdef const int32_t* row = &classes.data[<int64_t>c * classes.width]
    cdef PyThread_type_lock lock
    cdef int32_t number
    cdef int j
    for j in range(s.scores.levels[k].offers):
        if j and row[j] == row[j - 1]:
            continue
        number = row[j] // 2
        lock = s.locks[number % LOCKS]
        PyThread_acquire_lock(lock, WAIT_LOCK)
        s.levels[k].holders[number] -= 1
        if s.levels[k].holders[number] == 0:
            s.vectors.release(k, number)
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
    """The work of filling the vectors, from the last turn to the first.

    Args:
        vectors: to be filled.
        keep: how many bytes of vectors may stay, from the root down, for strategies; those of the turn
            after the root always do.
        split: from how many bytes on a level is split, if that makes it smaller and nothing of it stays.
        floor: how many bytes the floor may take: a split level that stays too, so that the game from a
            position above it can be solved down to there; 0 for none.
        side: -1 for what player 0's strategies guarantee against the best replies, 1 for what player 1's do,
            0 for the value.

    Raises:
        ValueError: if a side is asked for where mirror images share their values: they exchange the sides.
    """

    def __cinit__(self, Vectors vectors, int64_t keep, int64_t split, int side=0, int64_t floor=0):
        cdef int k, i
        if side and vectors.hands.symmetric:
            raise ValueError("one side's guarantees need patterns that are not folded")
        self.side = side
        self.vectors = vectors
        self.hands = vectors.hands
        self.scores = vectors.scores
        self.idle = []
        self.reward_unit = 1.0 / (vectors.scale * self.scores.terms.rules.scale)
        for i in range(LOCKS):
            self.locks[i] = PyThread_allocate_lock()
        for k in range(1, self.hands.turns + 1):
            if lay_out(&self.levels[k], &self.levels[k - 1], &self.hands.levels[k], &self.scores.levels[k],
                       &self.scores.levels[k - 1]) < 0:
                raise MemoryError("no memory left for the plan of the solution")
        self.kept = self.hands.turns - 1
        while self.kept > 0:
            keep -= vectors.level_bytes(self.kept)
            if keep < vectors.level_bytes(self.kept - 1):
                break
            self.kept -= 1
        for k in range(1, self.kept):
            size = self.unit_bytes(k, 0, self.scores.levels[k].triples.count)
            if size <= floor:
                self.floor = k
            if split <= size < vectors.level_bytes(k):
                vectors.split_level(k)
        if self.floor and not vectors.split[self.floor]:
            vectors.split_level(self.floor)

    def __dealloc__(self):
        cdef int k
        for k in range(MAX_TURNS + 1):
            level_free(&self.levels[k], self.scores.levels[k].classes.count)
        for k in range(LOCKS):
            if self.locks[k] != NULL:
                PyThread_free_lock(self.locks[k])

    def table_bytes(self):
        """Bytes of the tables of hand patterns and of what a thread works in."""
        cdef int k
        cdef int64_t total = 0, most = 0
        for k in range(self.hands.turns + 1):
            most = max(most, self.hands.levels[k].count)
            total += 40 * <int64_t>self.hands.levels[k].count
            if k > self.hands.lowest:
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

    cdef Worker worker(self):
        try:
            return self.idle.pop()
        except IndexError:
            return Worker(self)

    def run(self, int k, int32_t first, int32_t end, Cancel cancel):
        """Solve a range of triples with `k` turns to come; False if it was cancelled.

        May be called from several threads with different ranges, once all of the level below is done.
        """
        cdef int32_t i
        cdef int status = 0
        cdef Worker w = self.worker()
        with nogil:
            for i in range(first, end):
                status = solve_triple(self, w, k, self.levels[k].order[i], &cancel.flag)
                if status == 0:
                    status = deliver(self, w, k, self.levels[k].order[i])
                if status < 0:
                    break
                done_with(self, k, self.levels[k].order[i])
        self.idle.append(w)
        if status == -1:
            raise MemoryError("no memory left for the values of the solution")
        return status == 0

    def unit_bytes(self, int k, int32_t first, int32_t end):
        """Bytes that :meth:`run_apart` fills."""
        cdef int64_t total = 0
        cdef int32_t i
        for i in range(first, end):
            total += domain_size(
                &self.hands.levels[k], &self.scores.levels[k].triple_reach[self.levels[k].order[i]]
            )
        return total * <int64_t>sizeof(int64_t)

    def run_apart(self, int k, int32_t first, int32_t end, unsigned char[::1] out, Cancel cancel):
        """Solve a range of triples into a buffer instead of into the classes, as it may happen elsewhere.

        Args:
            k: turns to come.
            first: first triple, in the order of the work.
            end: behind the last one.
            out: :meth:`unit_bytes` of them.
            cancel: ends the work early; the buffer is then meaningless.

        Returns:
            (games, games by route, largest gap), as :meth:`tally`.
        """
        cdef int32_t i
        cdef int status = 0
        cdef Worker w = self.worker()
        cdef int64_t* at = <int64_t*>&out[0] if out.shape[0] else NULL
        if out.shape[0] != self.unit_bytes(k, first, end):
            raise ValueError("the buffer has not the size of these triples")
        with nogil:
            for i in range(first, end):
                status = solve_triple(self, w, k, self.levels[k].order[i], &cancel.flag)
                if status < 0:
                    break
                at = pack(&self.hands.levels[k],
                          &self.scores.levels[k].triple_reach[self.levels[k].order[i]], w.fixed, at)
        counts = self.take(w)
        self.idle.append(w)
        return counts

    def deliver(self, int k, int32_t first, int32_t end, const unsigned char[::1] values):
        """Take over what :meth:`run_apart` has found for a range of triples."""
        cdef int32_t i
        cdef int status = 0
        cdef Worker w = self.worker()
        cdef const int64_t* at = <const int64_t*>&values[0] if values.shape[0] else NULL
        if values.shape[0] != self.unit_bytes(k, first, end):
            raise ValueError("the buffer has not the size of these triples")
        with nogil:
            for i in range(first, end):
                at = unpack_fixed(&self.hands.levels[k],
                                  &self.scores.levels[k].triple_reach[self.levels[k].order[i]], at, w.fixed)
                status = deliver(self, w, k, self.levels[k].order[i])
                if status < 0:
                    break
                done_with(self, k, self.levels[k].order[i])
        self.idle.append(w)
        if status < 0:
            raise MemoryError("no memory left for the values of the solution")

    def close(self, int k):
        """Give back what the level below no longer needs, once all of level `k` is done."""
        if 0 < k - 1 < self.kept and k - 1 != self.floor:
            self.vectors.drop(k - 1)

    def tally(self):
        """Take the counts since the last call: (games, games by route, largest gap in units of the value)."""
        games, routes, gap = 0, [0] * ROUTES, 0.0
        for w in self.idle:
            more, by_route, widest = self.take(w)
            games += more
            routes = [a + b for a, b in zip(routes, by_route)]
            gap = gap if widest <= gap else widest
        return games, routes, gap

    cdef object take(self, Worker w):
        cdef int i
        counts = w.games, [w.routes[i] for i in range(<int>ROUTES)], w.gap * self.vectors.scale
        w.games = 0
        w.gap = 0.0
        for i in range(<int>ROUTES):
            w.routes[i] = 0
        return counts
