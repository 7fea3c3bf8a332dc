"""Hand patterns of the Encan family, level by level from a root, with the tables of what bids lead to."""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.solve.encan_pattern cimport (
    KEY_BITS,
    Pattern,
    PatternSet,
    pattern_after,
    pattern_called,
    pattern_ended,
    pattern_key,
    pattern_mirror,
    pattern_of,
    pattern_settle,
    patterns_add,
    patterns_expect,
    patterns_find,
    patterns_free,
    patterns_init,
    run_starts,
)
from cardgods._core.solve.encan_reach cimport (
    Reach,
    reach_add,
    reach_after,
    reach_compare,
    reach_keep,
    reach_none,
    reach_start,
)
from cardgods._core.solve.matrix cimport lanes_for
from cardgods._core.solve.table cimport (
    RowSet,
    rowset_add,
    rowset_free,
    rowset_init,
)
from cardgods._core.walk cimport Cancel

cdef enum:
    # In a table whose level below is not sorted yet.
    OUTCOME_SHIFT = 30
    NOBODY = (1 << 30) - 1    # the game is over by then: any pattern will do
    MOST_CELLS = MAX_TURNS * MAX_TURNS

cdef struct Arrivals:
    # Patterns in the order in which they were found, and the pasts that lead to them.
    PatternSet* found
    Reach* start
    Reach* stand
    int32_t room

cdef struct Ranked:
    uint64_t key
    int32_t block, number


cdef int32_t arrive(Arrivals* a, uint64_t key) noexcept nogil:
    cdef int32_t before = a.found.count
    cdef int32_t i = patterns_add(a.found, key)
    cdef Reach* bigger
    if i < 0:
        return -1
    if i < before:
        return i
    if i >= a.room:
        bigger = <Reach*>realloc(a.start, 2 * <size_t>a.room * sizeof(Reach))
        if bigger == NULL:
            return -1
        a.start = bigger
        bigger = <Reach*>realloc(a.stand, 2 * <size_t>a.room * sizeof(Reach))
        if bigger == NULL:
            return -1
        a.stand = bigger
        a.room *= 2
    memset(&a.start[i], 0, sizeof(Reach))
    memset(&a.stand[i], 0, sizeof(Reach))
    return i


cdef int by_block(const void* x, const void* y) noexcept nogil:
    cdef const Ranked* a = <const Ranked*>x
    cdef const Ranked* b = <const Ranked*>y
    if a.block != b.block:
        return -1 if a.block < b.block else 1
    if a.key != b.key:
        return -1 if a.key < b.key else 1
    return 0


cdef int by_reach(const void* x, const void* y) noexcept nogil:
    # Rows of two Reach and a number: those with starts first.
    cdef const Reach* a = <const Reach*>x
    cdef const Reach* b = <const Reach*>y
    cdef int order = reach_compare(&b[0], &a[0])
    return order if order else reach_compare(&b[1], &a[1])


cdef struct BlockRow:
    Reach start, stand
    int32_t number


cdef int32_t* sorted_blocks(HandLevel* level, const RowSet* blocks) noexcept nogil:
    # Put the blocks in order in the level; returns block number -> rank, NULL when memory runs out.
    cdef int32_t n = blocks.count, i
    cdef BlockRow* rows = <BlockRow*>malloc(n * sizeof(BlockRow))
    cdef int32_t* rank = <int32_t*>malloc(n * sizeof(int32_t))
    level.start_reach = <Reach*>malloc(n * sizeof(Reach))
    level.reach = <Reach*>malloc(n * sizeof(Reach))
    if rows == NULL or rank == NULL or level.start_reach == NULL or level.reach == NULL:
        free(rows)
        free(rank)
        return NULL
    for i in range(n):
        memcpy(&rows[i].start, &blocks.data[<int64_t>i * blocks.width], 2 * sizeof(Reach))
        rows[i].number = i
    qsort(rows, n, sizeof(BlockRow), by_reach)
    for i in range(n):
        rank[rows[i].number] = i
        level.start_reach[i] = rows[i].start
        level.reach[i] = rows[i].stand
    free(rows)
    return rank


cdef int rank_arrivals(HandLevel* level, const Arrivals* a, Ranked* out) noexcept nogil:
    # Sort the arrivals by block and key into `out` and note where the blocks begin.
    cdef RowSet blocks
    cdef Reach pair[2]
    cdef int32_t i, n = a.found.count
    cdef int32_t* rank = NULL
    if rowset_init(&blocks, 2 * sizeof(Reach) // sizeof(int32_t), 64) < 0:
        return -1
    for i in range(n):
        pair[0] = a.start[i]
        pair[1] = a.stand[i]
        out[i].key = a.found.keys[i]
        out[i].number = i
        out[i].block = rowset_add(&blocks, <int32_t*>pair)
        if out[i].block < 0:
            rowset_free(&blocks)
            return -1
    rank = sorted_blocks(level, &blocks)
    level.blocks = blocks.count
    rowset_free(&blocks)
    level.begins = <int32_t*>calloc(level.blocks + 1, sizeof(int32_t))
    if rank == NULL or level.begins == NULL:
        free(rank)
        return -1
    for i in range(n):
        out[i].block = rank[out[i].block]
        level.begins[out[i].block + 1] += 1
    free(rank)
    for i in range(level.blocks):
        level.begins[i + 1] += level.begins[i]
    qsort(out, n, sizeof(Ranked), by_block)
    return 0


cdef int32_t called(Arrivals* a, const Pattern* p, int player, const Reach* past) noexcept nogil:
    # The arrival after a call, -1 if the player may not call, -2 when memory runs out.
    cdef Pattern q
    cdef int32_t i
    if p.mark[player] < 0:
        return -1
    q = pattern_called(p, player)
    i = arrive(a, pattern_key(&q))
    if i < 0:
        return -2
    reach_add(&a.stand[i], past)
    return i


cdef int open_windows(HandLevel* level, Arrivals* a, bint closed) noexcept nogil:
    # Add what calls lead to before the bids of this turn; `level.calls` holds numbers of arrival for now.
    cdef int32_t i, j
    cdef int32_t* out
    cdef Pattern p, q
    cdef Reach past
    level.calls = <int32_t*>malloc(<size_t>level.starts * 3 * sizeof(int32_t))
    if level.calls == NULL:
        return -1
    for i in range(level.starts):
        p = pattern_of(a.found.keys[i])
        past = a.start[i]
        reach_add(&a.stand[i], &past)
        out = &level.calls[3 * <int64_t>i]
        out[0] = out[1] = out[2] = -1
        if closed:
            continue
        for j in range(2):
            out[j] = called(a, &p, j, &past)
        if out[0] >= 0 and out[1] >= 0:
            q = pattern_called(&p, 0)
            out[2] = called(a, &q, 1, &past)
        if out[0] < -1 or out[1] < -1 or out[2] < -1:
            return -1
    return 0


cdef int settle_level(HandLevel* level, Arrivals* a, int32_t** places, bint symmetric) noexcept nogil:
    # Number the patterns of a level for good.
    cdef int32_t n = a.found.count, i, number
    cdef int64_t k
    cdef Pattern p
    cdef Ranked* ranked = <Ranked*>malloc(n * sizeof(Ranked))
    cdef int32_t* calls = level.calls
    level.count = n
    level.keys = <uint64_t*>malloc(n * sizeof(uint64_t))
    places[0] = <int32_t*>malloc(n * sizeof(int32_t))
    level.mirror = <int32_t*>malloc(n * sizeof(int32_t))
    level.calls = <int32_t*>malloc(<size_t>level.starts * 3 * sizeof(int32_t))
    if (ranked == NULL or level.keys == NULL or places[0] == NULL or level.calls == NULL
            or level.mirror == NULL or rank_arrivals(level, a, ranked) < 0):
        free(ranked)
        free(calls)
        return -1
    for i in range(n):
        level.keys[i] = ranked[i].key
        places[0][ranked[i].number] = i
    while level.start_blocks < level.blocks and level.begins[level.start_blocks] < level.starts:
        level.start_blocks += 1
    for i in range(level.starts):
        for k in range(3):
            level.calls[3 * <int64_t>places[0][i] + k] = (
                places[0][calls[3 * <int64_t>i + k]] if calls[3 * <int64_t>i + k] >= 0 else -1
            )
    free(ranked)
    free(calls)
    if not symmetric:
        free(level.mirror)
        level.mirror = NULL
        return 0
    for i in range(n):
        p = pattern_of(level.keys[i])
        p = pattern_mirror(&p)
        number = patterns_find(a.found, pattern_key(&p))
        # Only a pattern that stands for nothing can lack its mirror image.
        level.mirror[i] = places[0][number] if number >= 0 else i
    return 0


cdef int size_tables(HandLevel* level) noexcept nogil:
    # Lay out the tables of all patterns that are played on with.
    cdef int32_t n = level.count, b, i
    cdef int64_t cells = 0
    cdef Pattern p
    level.rows = <uint8_t*>malloc(n)
    level.cols = <uint8_t*>malloc(n)
    level.cells = <int64_t*>malloc((<size_t>n + 1) * sizeof(int64_t))
    if level.rows == NULL or level.cols == NULL or level.cells == NULL:
        return -1
    for b in range(level.blocks):
        for i in range(level.begins[b], level.begins[b + 1]):
            p = pattern_of(level.keys[i])
            level.rows[i] = level.cols[i] = 0
            if not reach_none(&level.reach[b]):
                level.rows[i] = <uint8_t>popcount(run_starts(&p, 0))
                level.cols[i] = <uint8_t>popcount(run_starts(&p, 1))
            level.cells[i] = cells
            cells += lanes_for(level.rows[i]) * level.cols[i]
    level.cells[n] = cells
    level.table = <uint32_t*>malloc((<size_t>cells + 1) * sizeof(uint32_t))
    return -1 if level.table == NULL else 0


cdef int list_bids(const Pattern* p, const bint* over, bint last, const Arrivals* below, uint64_t* keys,
                   uint8_t* outcomes) noexcept nogil:
    # What every pair of bids leads to, column after column. All are known before the first is looked up, so
    # that memory can answer many questions at a time.
    cdef Pattern q
    cdef int cols = run_starts(p, 1), rows, i, j, n = 0
    while cols:
        j = lsb(cols)
        cols &= cols - 1
        rows = run_starts(p, 0)
        while rows:
            i = lsb(rows)
            rows &= rows - 1
            outcomes[n] = 2 if i == j else (0 if i > j else 1)
            if not over[outcomes[n]]:
                q = pattern_after(p, i, j)
                if last:
                    q = pattern_ended(&q)
                keys[n] = pattern_key(&q)
                patterns_expect(below.found, keys[n])
            n += 1
    return n


cdef int play_bids(HandLevel* level, int32_t at, const Reach* past, Arrivals* below,
                   const Reach* alive) noexcept nogil:
    # Fill the table of one pattern; entries are numbers of arrival below. `alive` is NULL for the last turn.
    cdef Reach next[3]
    cdef bint over[3]
    cdef uint64_t keys[MOST_CELLS]
    cdef uint8_t outcomes[MOST_CELLS]
    cdef Pattern p = pattern_of(level.keys[at])
    cdef int n, k, outcome, spare = lanes_for(level.rows[at]) - level.rows[at]
    cdef int32_t number
    cdef uint32_t* cell = &level.table[level.cells[at]]
    for outcome in range(3):
        next[outcome] = reach_after(past, outcome)
        if alive != NULL:
            reach_keep(&next[outcome], alive)
        over[outcome] = alive != NULL and reach_none(&next[outcome])
    n = list_bids(&p, over, alive == NULL, below, keys, outcomes)
    for k in range(n):
        outcome = outcomes[k]
        number = NOBODY
        if not over[outcome]:
            number = arrive(below, keys[k])
            if number < 0:
                return -1
            reach_add(&below.start[number], &next[outcome])
        cell[0] = <uint32_t>outcome << OUTCOME_SHIFT | <uint32_t>number
        cell += 1
        if (k + 1) % level.rows[at] == 0:
            for _ in range(spare):
                cell[0] = 3u << OUTCOME_SHIFT
                cell += 1
    return 0


cdef void point_below(HandLevel* level, const int32_t* places, int32_t starts) noexcept nogil:
    # Turn numbers of arrival into places of the three vectors below, one after the other.
    cdef int64_t k
    cdef uint32_t cell
    for k in range(level.cells[level.count]):
        cell = level.table[k]
        level.table[k] = (cell >> OUTCOME_SHIFT) * <uint32_t>starts
        if cell >> OUTCOME_SHIFT < 3 and cell & NOBODY != NOBODY:
            level.table[k] += places[cell & NOBODY]


@cython.final
cdef class Hands:
    """All hand patterns below a root, by the number of turns to come.

    Args:
        hands: columns in hand, one mask a player, over columns of which some may be nobody's.
        marks: column of the smallest burnt card of each player who may still call, else -1.
        used: bit p set if player p has used his Obole (both if there is none).
        turns: turns to come, 1..13.
        lowest: number of turns to come below which no patterns are found, for strategies near the root.
        closed: nobody may call any more before the first bids.
        fold: let mirror images share their values, if the hands at the root are alike.
    """

    def __cinit__(self, hands, marks, used, turns, lowest=0, closed=False, fold=True):
        cdef Pattern mirror
        self.turns = turns
        self.lowest = lowest
        self.closed = closed
        memset(self.alive, 0xff, sizeof(self.alive))
        for p in range(2):
            self.root.hand[p] = hands[p]
            self.root.mark[p] = marks[p]
        self.root.used = used
        pattern_settle(&self.root)
        mirror = pattern_mirror(&self.root)
        self.symmetric = fold and pattern_key(&mirror) == pattern_key(&self.root)

    def __dealloc__(self):
        for level in range(MAX_TURNS + 1):
            self.release_level(level)

    cdef void release_level(self, int level) noexcept nogil:
        cdef HandLevel* v = &self.levels[level]
        patterns_free(&self.sets[level])
        free(self.places[level])
        self.places[level] = NULL
        free(v.keys)
        free(v.mirror)
        free(v.calls)
        free(v.rows)
        free(v.cols)
        free(v.cells)
        free(v.table)
        free(v.begins)
        free(v.start_reach)
        free(v.reach)
        memset(v, 0, sizeof(HandLevel))

    cdef int32_t find(self, int level, const Pattern* p) noexcept nogil:
        # Place of a settled pattern in its level, -1 if no game from the root leads to it.
        cdef int32_t number = -1
        if self.places[level] != NULL:
            number = patterns_find(&self.sets[level], pattern_key(p))
        return -1 if number < 0 else self.places[level][number]

    def build(self, Cancel cancel, alive=None):
        """Find all patterns; False if it was cancelled.

        Args:
            cancel: ends the search early.
            alive: pasts after which the scores leave something to play for, as ``Scores.alive`` gives them;
                patterns that only other pasts lead to are left out. None: all pasts.
        """
        cdef int result, k, i
        if alive is not None:
            for k in range(self.turns + 1):
                for i in range(4):
                    self.alive[k].w[i] = alive[k][i]
        with nogil:
            result = expand(self, &cancel.flag)
        if result == -1:
            raise MemoryError("no memory left for the hand patterns")
        return result == 0

    def wanted(self):
        """Per number of turns to come: the pasts that patterns were found for, as four words."""
        return [[v.w[0], v.w[1], v.w[2], v.w[3]] for v in self.alive[:self.turns + 1]]

    def dump(self, int k):
        """The patterns at the start of a turn of a level, as bytes: (keys, begins of blocks, their pasts)."""
        cdef HandLevel* level = &self.levels[k]
        if level.start_reach == NULL:
            raise ValueError(f"the patterns with {k} turns to come are not there")
        return (
            PyBytes_FromStringAndSize(<char*>level.keys, level.starts * sizeof(uint64_t)),
            PyBytes_FromStringAndSize(<char*>level.begins, (level.start_blocks + 1) * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<char*>level.start_reach, level.start_blocks * sizeof(Reach)),
        )

    def load(self, int k, const unsigned char[::1] keys, const unsigned char[::1] begins,
             const unsigned char[::1] reach):
        """Take the starts of a level from what :meth:`dump` has given, in place of finding them.

        Raises:
            ValueError: if the lengths or the numbers do not fit together.
        """
        cdef HandLevel* level = &self.levels[k]
        cdef int32_t n = <int32_t>(keys.shape[0] // sizeof(uint64_t)), b, i
        cdef int32_t blocks = <int32_t>(reach.shape[0] // sizeof(Reach))
        if (level.keys != NULL or n < 1 or blocks < 1 or keys.shape[0] != n * <int64_t>sizeof(uint64_t)
                or reach.shape[0] != blocks * <int64_t>sizeof(Reach)
                or begins.shape[0] != (blocks + 1) * <int64_t>sizeof(int32_t)):
            raise ValueError("patterns and blocks do not fit together")
        if fill_level(self, k, n, blocks, &keys[0], &begins[0], &reach[0]) < 0:
            raise MemoryError("no memory left for the hand patterns")
        for b in range(blocks):
            if not 0 <= level.begins[b] < level.begins[b + 1]:
                raise ValueError("the blocks of the patterns are out of order")
        if level.begins[0] != 0 or level.begins[blocks] != n or self.sets[k].count != n:
            raise ValueError("patterns and blocks do not fit together")
        for i in range(n):
            if level.keys[i] >> KEY_BITS:
                raise ValueError("there is no such pattern")
            if self.symmetric and level.mirror[i] < 0:
                raise ValueError("a pattern lacks its mirror image")

    def counts(self):
        """Per number of turns to come: (patterns at the start of a turn, all patterns, blocks)."""
        return [(v.starts, v.count, v.blocks) for v in self.levels[:self.turns + 1]]


cdef int fill_level(Hands h, int k, int32_t n, int32_t blocks, const void* keys, const void* begins,
                    const void* reach) noexcept nogil:
    # Copy the starts of a level that was found elsewhere; -1 when memory runs out.
    cdef HandLevel* level = &h.levels[k]
    cdef Pattern p
    cdef int32_t i
    level.starts = level.count = n
    level.blocks = level.start_blocks = blocks
    level.keys = <uint64_t*>malloc(n * sizeof(uint64_t))
    level.begins = <int32_t*>malloc((<size_t>blocks + 1) * sizeof(int32_t))
    level.start_reach = <Reach*>malloc(blocks * sizeof(Reach))
    h.places[k] = <int32_t*>malloc(n * sizeof(int32_t))
    if (level.keys == NULL or level.begins == NULL or level.start_reach == NULL or h.places[k] == NULL
            or patterns_init(&h.sets[k], n) < 0):
        return -1
    memcpy(level.keys, keys, n * sizeof(uint64_t))
    memcpy(level.begins, begins, (<size_t>blocks + 1) * sizeof(int32_t))
    memcpy(level.start_reach, reach, blocks * sizeof(Reach))
    for i in range(n):
        h.places[k][i] = i
        if patterns_add(&h.sets[k], level.keys[i]) < 0:
            return -1
    if h.symmetric:
        level.mirror = <int32_t*>malloc(n * sizeof(int32_t))
        if level.mirror == NULL:
            return -1
        for i in range(n):
            p = pattern_of(level.keys[i])
            p = pattern_mirror(&p)
            level.mirror[i] = patterns_find(&h.sets[k], pattern_key(&p))
    return 0


cdef int begin(Arrivals* a, PatternSet* found, int32_t room) noexcept nogil:
    a.found = found
    a.room = room
    a.start = <Reach*>malloc(room * sizeof(Reach))
    a.stand = <Reach*>malloc(room * sizeof(Reach))
    if a.start == NULL or a.stand == NULL or patterns_init(found, room) < 0:
        return -1
    return 0


cdef int finish(Hands h, int k, Arrivals* a) noexcept nogil:
    # Calls, final numbers and the layout of the tables of a level whose starts are complete.
    cdef HandLevel* level = &h.levels[k]
    level.starts = a.found.count
    if (open_windows(level, a, h.closed and k == h.turns) < 0
            or settle_level(level, a, &h.places[k], h.symmetric) < 0):
        return -1
    return size_tables(level) if k > h.lowest else 0


cdef int descend(Hands h, int k, Arrivals* a, Arrivals* below, const int* cancel) noexcept nogil:
    # From a level of starts to the starts of the level below.
    cdef HandLevel* level = &h.levels[k]
    cdef const Reach* alive = &h.alive[k - 1] if k > 1 else NULL
    cdef int32_t i
    cdef Pattern p
    if finish(h, k, a) < 0 or begin(below, &h.sets[k - 1], 64) < 0:
        return -1
    for i in range(a.found.count):
        if reach_none(&a.stand[i]):
            continue
        if play_bids(level, h.places[k][i], &a.stand[i], below, alive) < 0:
            return -1
        if i % 1024 == 0 and cancel[0]:
            return -2
    if below.found.count == 0:
        # Every game is over by now; tables still have to point somewhere.
        p = pattern_of(a.found.keys[0])
        p = pattern_after(&p, lsb(p.hand[0]), lsb(p.hand[1]))
        if k == 1:
            p = pattern_ended(&p)
        return -1 if arrive(below, pattern_key(&p)) < 0 else 0
    return 0


cdef int expand(Hands h, const int* cancel) noexcept nogil:
    cdef Arrivals a[2]
    cdef int k, status = 0
    memset(a, 0, sizeof(a))
    if begin(&a[0], &h.sets[h.turns], 1) < 0 or arrive(&a[0], pattern_key(&h.root)) < 0:
        status = -1
    else:
        a[0].start[0] = reach_start()
    k = h.turns
    while status == 0 and k > h.lowest:
        status = descend(h, k, &a[0], &a[1], cancel)
        free(a[0].start)
        free(a[0].stand)
        a[0] = a[1]
        memset(&a[1], 0, sizeof(Arrivals))
        k -= 1
    if status == 0:
        status = finish(h, h.lowest, &a[0])
    for k in range(h.turns, h.lowest, -1):
        if status == 0:
            point_below(&h.levels[k], h.places[k - 1], h.levels[k - 1].starts)
    for k in range(2):
        free(a[k].start)
        free(a[k].stand)
    return status
