"""Planning a level of the Encan sweep: the order of the work, who waits for what, sizes."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, qsort

from cardgods._core.solve.encan_hands cimport HandLevel
from cardgods._core.solve.encan_reach cimport Reach, reach_meets
from cardgods._core.solve.encan_scores cimport TRIPLE_WIDTH, ScoreLevel
from cardgods._core.solve.encan_situation cimport LEAF_GOLD, LEAVES


cdef bint certain(const int32_t* row) noexcept nogil:
    # All outcomes lead to the same end without a reward: there is no game to play.
    return row[0] < LEAF_GOLD and row[1] == row[0] and row[2] == row[0] and row[3] == 0


cdef struct Ordered:
    int32_t row[4]
    int32_t number

cdef int by_row(const void* x, const void* y) noexcept nogil:
    cdef const Ordered* a = <const Ordered*>x
    cdef const Ordered* b = <const Ordered*>y
    cdef int i
    for i in range(4):
        if a.row[i] != b.row[i]:
            return -1 if a.row[i] < b.row[i] else 1
    return 0


cdef int64_t triple_work(const HandLevel* hands, const int32_t* row, const Reach* past) noexcept nogil:
    # Matrix games that a triple asks for.
    cdef int64_t work = 0
    cdef int32_t b, i
    if certain(row):
        return 0
    for b in range(hands.blocks):
        if not reach_meets(&hands.reach[b], past):
            continue
        if not row[4]:
            work += hands.begins[b + 1] - hands.begins[b]
            continue
        for i in range(hands.begins[b], hands.begins[b + 1]):
            work += hands.mirror[i] >= i
    return work


cdef int order_triples(SweepLevel* level, const HandLevel* hands, const ScoreLevel* scores) noexcept nogil:
    cdef int32_t n = scores.triples.count, i
    cdef int j
    cdef Ordered* ordered = <Ordered*>malloc((<size_t>n + 1) * sizeof(Ordered))
    level.order = <int32_t*>malloc((<size_t>n + 1) * sizeof(int32_t))
    level.work = <int64_t*>calloc(n + 1, sizeof(int64_t))
    if ordered == NULL or level.order == NULL or level.work == NULL:
        free(ordered)
        return -1
    for i in range(n):
        for j in range(4):
            ordered[i].row[j] = scores.triples.data[<int64_t>i * TRIPLE_WIDTH + j]
        ordered[i].number = i
    qsort(ordered, n, sizeof(Ordered), by_row)
    for i in range(n):
        level.order[i] = ordered[i].number
        level.work[i + 1] = level.work[i] + triple_work(
            hands,
            &scores.triples.data[<int64_t>level.order[i] * TRIPLE_WIDTH],
            &scores.triple_reach[level.order[i]],
        )
    free(ordered)
    return 0


cdef int list_members(SweepLevel* level, const ScoreLevel* scores) noexcept nogil:
    # Per triple the classes that hold it; per class how many different triples it waits for.
    cdef int32_t n = scores.triples.count, c
    cdef const int32_t* row
    cdef Member* m
    cdef int j, times, width = scores.offers
    level.member_begins = <int64_t*>calloc(<size_t>n + 2, sizeof(int64_t))
    level.members = <Member*>malloc((<size_t>scores.classes.count * width + 1) * sizeof(Member))
    level.awaited = <int32_t*>calloc(scores.classes.count + 1, sizeof(int32_t))
    level.holders = <int32_t*>calloc(<size_t>n + 1, sizeof(int32_t))
    if (level.member_begins == NULL or level.members == NULL or level.awaited == NULL
            or level.holders == NULL):
        return -1
    for c in range(scores.classes.count):
        row = &scores.classes.data[<int64_t>c * scores.classes.width]
        for j in range(width):
            if j == 0 or row[j] != row[j - 1]:
                level.member_begins[row[j] // 2 + 2] += 1
                level.holders[row[j] // 2] += 1
                level.awaited[c] += 1
    for c in range(n):
        level.member_begins[c + 2] += level.member_begins[c + 1]
    for c in range(scores.classes.count):
        row = &scores.classes.data[<int64_t>c * scores.classes.width]
        times = 0
        for j in range(width):
            times += 1
            if j == width - 1 or row[j + 1] != row[j]:
                m = &level.members[level.member_begins[row[j] // 2 + 1]]
                level.member_begins[row[j] // 2 + 1] += 1
                m.klass = c
                m.times = -times if row[j] & 1 else times
                times = 0
    return 0


cdef int lay_out(SweepLevel* level, SweepLevel* below, const HandLevel* hands, const ScoreLevel* scores,
                 const ScoreLevel* scores_below) noexcept nogil:
    # Plan a level of which the one below is planned; -1 when memory runs out.
    cdef int32_t n = scores.classes.count, i, code
    cdef int j
    level.wanted = <int32_t*>calloc(n + 1, sizeof(int32_t))
    level.sums = <int64_t**>calloc(n + 1, sizeof(int64_t*))
    if (level.wanted == NULL or level.sums == NULL
            or order_triples(level, hands, scores) < 0 or list_members(level, scores) < 0):
        return -1
    for i in range(scores.triples.count):
        for j in range(3):
            code = scores.triples.data[<int64_t>i * TRIPLE_WIDTH + j]
            if code >= 2 * LEAVES:
                below.wanted[code // 2 - scores_below.first] += 1
    return 0


cdef void level_free(SweepLevel* level, int32_t classes) noexcept nogil:
    cdef int32_t c
    if level.sums != NULL:
        for c in range(classes):
            free(level.sums[c])
    free(level.order)
    free(level.work)
    free(level.member_begins)
    free(level.members)
    free(level.awaited)
    free(level.holders)
    free(level.wanted)
    free(level.sums)
