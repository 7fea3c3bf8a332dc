"""Rules that choose between parts, `if a then b else c` and patterns, that agree with a board.

The choice splits the observations, and each part answers for its own share, so the parts are found one by one
and their numbers multiplied. Two things tie the parts together: a refused sequence (one of its cards was
wrong, it is not known which), and a card that was right while the condition was unknown (either part will
do). For these the parts are grouped by what they say there, and the groups are tried in pairs.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from cardgods._core.rule.hypotheses cimport (
    CHOOSE,
    COSTS,
    PATTERN_2,
    PATTERN_3,
    Board,
    Classes,
    Search,
    agrees,
    take,
)

cdef enum:
    PARTS = 3

# One choice.
cdef struct Choice:
    int form
    int condition             # class of the condition, -1 for patterns
    int parts
    const uint64_t* share[PARTS]     # observations that each part answers for
    uint64_t* unknown         # observations at which the condition is unknown
    uint64_t* tied            # observations that tie the parts together
    bint loose                # nothing ties them
    int32_t* list[PARTS]      # literals that can be each part
    int32_t length[PARTS]
    uint64_t* right           # room for a row
    # groups of the literals of each part by what they say where parts are tied
    int32_t groups[PARTS]
    int32_t* first[PARTS]     # a literal of each group
    uint64_t* costs[PARTS]    # [groups * COSTS] literals by cost
    int32_t* table
    int32_t size


cdef void _tie(const Board* b, Choice* h, const uint64_t* yes, const uint64_t* may) noexcept nogil:
    cdef int w, g
    cdef uint64_t any_tied = 0
    for w in range(b.words):
        h.unknown[w] = may[w] & ~yes[w] if may != NULL else 0
        h.tied[w] = h.unknown[w] & b.sure[w] & b.label[w]
        for g in range(b.groups):
            h.tied[w] |= b.group[g * b.words + w]
        any_tied |= h.tied[w]
    h.loose = any_tied == 0


cdef void _find_part(const Search* s, Choice* h, int part) noexcept nogil:
    cdef const Board* b = s.board
    cdef const uint64_t* share = h.share[part]
    cdef const uint64_t* may
    cdef int literal, w
    cdef int n = 0
    cdef uint64_t bad
    for literal in range(2 * s.classes.count):
        may = s.classes.may + <size_t>literal * b.words
        bad = 0
        for w in range(b.words):
            bad = b.sure[w] & (
                ((may[w] ^ b.label[w]) & share[w]) | (h.unknown[w] & may[w] & ~b.label[w])
            )
            if bad:
                break
        if not bad:
            h.list[part][n] = literal
            n += 1
    h.length[part] = n


# Counting --------------------------------------------------------------------------------------------------

cdef inline int _group_of(const Search* s, Choice* h, int part, int literal) noexcept nogil:
    cdef const Board* b = s.board
    cdef const uint64_t* row = s.classes.may + <size_t>literal * b.words
    cdef const uint64_t* other
    cdef uint64_t at = 0
    cdef int w, g
    if h.loose:
        h.groups[part] = 1
        return 0
    for w in range(b.words):
        at = (at ^ (row[w] & h.tied[w])) * <uint64_t>0x9E3779B97F4A7C15
        at ^= at >> 31
    at &= h.size - 1
    while h.table[at]:
        g = h.table[at] - 1
        other = s.classes.may + <size_t>h.first[part][g] * b.words
        for w in range(b.words):
            if (row[w] ^ other[w]) & h.tied[w]:
                break
        else:
            return g
        at = (at + 1) & (h.size - 1)
    g = h.groups[part]
    h.table[at] = g + 1
    h.first[part][g] = literal
    h.groups[part] += 1
    memset(h.costs[part] + g * COSTS, 0, COSTS * sizeof(uint64_t))
    return g


cdef void _group_part(const Search* s, Choice* h, int part) noexcept nogil:
    cdef const Classes* c = s.classes
    cdef int i, literal, g, cost
    h.groups[part] = 0
    if h.loose:
        memset(h.costs[part], 0, COSTS * sizeof(uint64_t))
    else:
        memset(h.table, 0, h.size * sizeof(int32_t))
    for i in range(h.length[part]):
        literal = h.list[part][i]
        g = _group_of(s, h, part, literal)
        for cost in range(COSTS - 1):
            h.costs[part][g * COSTS + cost + (literal & 1)] += c.costs[(literal >> 1) * COSTS + cost]


cdef bint _fits(const Search* s, const Choice* h, int x, int y, int z) noexcept nogil:
    # Whether literals agree with all that ties them together, each being right about its own share.
    cdef const Board* b = s.board
    cdef const uint64_t* p = s.classes.may + <size_t>x * b.words
    cdef const uint64_t* q = s.classes.may + <size_t>y * b.words
    cdef const uint64_t* r = s.classes.may + <size_t>(z if z >= 0 else y) * b.words
    cdef int w
    if h.loose:
        return True
    for w in range(b.words):
        h.right[w] = (h.share[0][w] & p[w]) | (h.share[1][w] & q[w]) | (h.unknown[w] & (p[w] | q[w]))
        if h.parts == 3:
            h.right[w] |= h.share[2][w] & r[w]
    return agrees(b, h.right)


cdef void _add(
    Search* s, const Choice* h, const uint64_t* x, const uint64_t* y, const uint64_t* z
) noexcept nogil:
    cdef uint64_t two[2 * COSTS]
    cdef int a, b, base
    cdef const int32_t* condition
    cdef uint64_t* count = s.count[h.form]
    memset(two, 0, sizeof(two))
    for a in range(COSTS):
        if x[a]:
            for b in range(COSTS):
                two[a + b] += x[a] * y[b]
    base = s.form_cost[h.form]
    for a in range(2 * COSTS):
        if not two[a]:
            continue
        if z != NULL:
            for b in range(COSTS):
                count[base + a + b] += two[a] * z[b]
        elif h.condition >= 0:
            condition = s.classes.costs + h.condition * COSTS
            for b in range(COSTS):
                count[base + a + b] += two[a] * <uint64_t>condition[b]
        else:
            count[base + a] += two[a]


cdef void _count(Search* s, Choice* h) noexcept nogil:
    cdef int i, j, k
    cdef const uint64_t* y
    for i in range(h.parts):
        _group_part(s, h, i)
    for i in range(h.groups[0]):
        for j in range(h.groups[1]):
            y = h.costs[1] + j * COSTS
            if h.parts == 2:
                if h.loose or _fits(s, h, h.first[0][i], h.first[1][j], -1):
                    _add(s, h, h.costs[0] + i * COSTS, y, NULL)
                continue
            for k in range(h.groups[2]):
                if h.loose or _fits(s, h, h.first[0][i], h.first[1][j], h.first[2][k]):
                    _add(s, h, h.costs[0] + i * COSTS, y, h.costs[2] + k * COSTS)


# Listing ---------------------------------------------------------------------------------------------------

cdef void _list(Search* s, Choice* h) noexcept nogil:
    cdef const int32_t* cheap = s.classes.cheapest
    cdef int base = s.form_cost[h.form] + (cheap[h.condition] if h.condition >= 0 else 0)
    cdef int i, j, k, x, y, z
    for i in range(h.length[0]):
        x = h.list[0][i]
        if base + cheap[x >> 1] > s.most:
            break
        for j in range(h.length[1]):
            y = h.list[1][j]
            if base + cheap[x >> 1] + cheap[y >> 1] > s.most or s.listed == s.room:
                break
            if h.parts == 2:
                if _fits(s, h, x, y, -1):
                    if h.condition >= 0:
                        take(s, CHOOSE, 2 * h.condition, x, y)
                    else:
                        take(s, h.form, x, y, -1)
                continue
            for k in range(h.length[2]):
                z = h.list[2][k]
                if base + cheap[x >> 1] + cheap[y >> 1] + cheap[z >> 1] > s.most:
                    break
                if _fits(s, h, x, y, z):
                    take(s, h.form, x, y, z)


cdef void _choice(Search* s, Choice* h, const uint64_t* yes, const uint64_t* may) noexcept nogil:
    cdef int part
    _tie(s.board, h, yes, may)
    for part in range(h.parts):
        _find_part(s, h, part)
        if h.length[part] == 0:
            return
    if s.listing:
        _list(s, h)
    else:
        _count(s, h)


cdef void _conditions(Search* s, Choice* h, uint64_t* no) noexcept nogil:
    cdef const Classes* c = s.classes
    cdef const uint64_t* may
    cdef int k, w
    h.form = CHOOSE
    h.parts = 2
    for k in range(c.count):
        if s.listing and s.form_cost[CHOOSE] + c.cheapest[k] > s.most:
            break
        may = c.may + 2 * <size_t>k * c.words
        for w in range(c.words):
            no[w] = ~may[w]
        h.condition = k
        h.share[0] = c.yes + <size_t>k * c.words
        h.share[1] = no
        _choice(s, h, h.share[0], may)


cdef void _patterns(Search* s, Choice* h) noexcept nogil:
    cdef int k
    cdef const uint64_t* place = s.board.place
    h.condition = -1
    h.form = PATTERN_2
    h.parts = 2
    for k in range(2):
        h.share[k] = place + k * s.board.words
    _choice(s, h, NULL, NULL)
    h.form = PATTERN_3
    h.parts = 3
    for k in range(3):
        h.share[k] = place + (2 + k) * s.board.words
    _choice(s, h, NULL, NULL)


cdef void branching_forms(Search* s) noexcept nogil:
    """Rules that choose."""
    cdef Choice h
    cdef size_t literals = 2 * <size_t>s.classes.count
    cdef int words = s.board.words
    cdef int32_t* pool
    cdef uint64_t* rows
    cdef uint64_t* costs
    cdef int part
    memset(&h, 0, sizeof(h))
    h.size = 4
    while <size_t>h.size < 2 * literals:
        h.size *= 2
    pool = <int32_t*>malloc((2 * PARTS * literals + h.size) * sizeof(int32_t))
    rows = <uint64_t*>malloc(4 * <size_t>words * sizeof(uint64_t))
    costs = <uint64_t*>malloc(PARTS * (literals + 1) * COSTS * sizeof(uint64_t))
    if pool == NULL or rows == NULL or costs == NULL:
        s.failed = True
    else:
        h.table = pool
        for part in range(PARTS):
            h.list[part] = pool + h.size + part * literals
            h.first[part] = pool + h.size + (PARTS + part) * literals
            h.costs[part] = costs + part * (literals + 1) * COSTS
        h.unknown = rows
        h.tied = rows + words
        h.right = rows + 2 * words
        _conditions(s, &h, rows + 3 * words)
        _patterns(s, &h)
    free(pool)
    free(rows)
    free(costs)
