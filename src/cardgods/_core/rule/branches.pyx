"""Rules that choose between parts, `if a then b else c` and patterns, that agree with a board.

The choice splits the observations, and each part answers for its own share, so the parts are found one by one
and their numbers multiplied. Two things tie the parts together: a refused sequence (one of its cards was
wrong, it is not known which), and a card that was right while the condition was unknown (either part will
do). For these the parts are grouped by which of the demands they meet, and the groups are tried in pairs.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memset

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.rule.hypotheses cimport (
    CHOOSE,
    COSTS,
    PATTERN_2,
    PATTERN_3,
    Board,
    Classes,
    Search,
    take,
)

cdef enum:
    PARTS = 3

# One choice. What ties its parts together is a list of demands, each of which some part must meet: a literal
# has a key, with a bit for each demand that it meets, and parts fit if their keys together have all bits.
cdef struct Choice:
    int form
    int condition             # class of the condition, -1 for patterns
    int parts
    const uint64_t* share[PARTS]    # observations that each part answers for
    uint64_t* unknown         # observations at which the condition is unknown
    int demands               # 0 = nothing ties the parts
    int key_words
    uint64_t* all_bits        # [key_words] what the keys must make together
    int32_t* list[PARTS]      # literals that can be each part
    uint64_t* key[PARTS]      # [list * key_words]
    int32_t length[PARTS]
    # groups of the literals of each part by their keys
    int32_t groups[PARTS]
    int32_t* first[PARTS]     # place in the list of one of each group
    uint64_t* costs[PARTS]    # [groups * COSTS] literals by cost
    int32_t* table
    int32_t size


cdef void _tie(const Board* b, Choice* h, const uint64_t* yes, const uint64_t* may) noexcept nogil:
    # A refused sequence is one demand; two if one of its cards meets an unknown condition, where both parts
    # must refuse it. A card that was right while the condition was unknown is one.
    cdef int w, g, k
    cdef uint64_t open_cards
    h.demands = 0
    for w in range(b.words):
        h.unknown[w] = may[w] & ~yes[w] if may != NULL else 0
        h.demands += popcount(h.unknown[w] & b.sure[w] & b.label[w])
    for g in range(b.groups):
        open_cards = 0
        for w in range(b.words):
            open_cards |= b.group[g * b.words + w] & h.unknown[w]
        h.demands += 2 if open_cards else 1
    h.key_words = (h.demands + 63) // 64
    for k in range(h.key_words):
        h.all_bits[k] = ~<uint64_t>0
    if h.demands & 63:
        h.all_bits[h.key_words - 1] = (<uint64_t>1 << (h.demands & 63)) - 1


cdef inline void _set(uint64_t* key, int bit, bint value) noexcept nogil:
    key[bit >> 6] |= <uint64_t>value << (bit & 63)


cdef void _fill_key(
    const Board* b, const Choice* h, int part, const uint64_t* may, uint64_t* key
) noexcept nogil:
    cdef int w, g
    cdef int bit = 0
    cdef uint64_t group, refused, both, open_cards, rest
    memset(key, 0, h.key_words * sizeof(uint64_t))
    for g in range(b.groups):
        refused = 0
        both = 0
        open_cards = 0
        for w in range(b.words):
            group = b.group[g * b.words + w]
            refused |= group & h.share[part][w] & ~may[w]
            both |= group & h.unknown[w] & ~may[w]
            open_cards |= group & h.unknown[w]
        _set(key, bit, refused != 0 or (both != 0 and part == 0))
        bit += 1
        if open_cards:
            _set(key, bit, refused != 0 or (both != 0 and part == 1))
            bit += 1
    for w in range(b.words):
        rest = h.unknown[w] & b.sure[w] & b.label[w]
        while rest:
            _set(key, bit, (may[w] >> lsb(rest)) & 1)
            bit += 1
            rest &= rest - 1


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
            if h.demands:
                _fill_key(b, h, part, may, h.key[part] + n * h.key_words)
            n += 1
    h.length[part] = n


# Counting --------------------------------------------------------------------------------------------------

cdef inline int _group_of(Choice* h, int part, int place) noexcept nogil:
    cdef const uint64_t* key = h.key[part] + place * h.key_words
    cdef uint64_t at = 0
    cdef int w, g
    if not h.demands:
        h.groups[part] = 1
        return 0
    for w in range(h.key_words):
        at = (at ^ key[w]) * <uint64_t>0x9E3779B97F4A7C15
        at ^= at >> 31
    at &= h.size - 1
    while h.table[at]:
        g = h.table[at] - 1
        if memcmp(h.key[part] + h.first[part][g] * h.key_words, key, h.key_words * sizeof(uint64_t)) == 0:
            return g
        at = (at + 1) & (h.size - 1)
    g = h.groups[part]
    h.table[at] = g + 1
    h.first[part][g] = place
    h.groups[part] += 1
    memset(h.costs[part] + g * COSTS, 0, COSTS * sizeof(uint64_t))
    return g


cdef void _group_part(const Search* s, Choice* h, int part) noexcept nogil:
    cdef const Classes* c = s.classes
    cdef int i, literal, g, cost
    h.groups[part] = 0
    if h.demands:
        memset(h.table, 0, h.size * sizeof(int32_t))
    else:
        memset(h.costs[part], 0, COSTS * sizeof(uint64_t))
    for i in range(h.length[part]):
        literal = h.list[part][i]
        g = _group_of(h, part, i)
        for cost in range(COSTS - 1):
            h.costs[part][g * COSTS + cost + (literal & 1)] += c.costs[(literal >> 1) * COSTS + cost]


cdef inline bint _fits(const Choice* h, int x, int y, int z) noexcept nogil:
    # Whether literals, by their places in the lists, meet all demands together.
    cdef int w
    cdef uint64_t met
    for w in range(h.key_words):
        met = h.key[0][x * h.key_words + w] | h.key[1][y * h.key_words + w]
        if h.parts == 3:
            met |= h.key[2][z * h.key_words + w]
        if met != h.all_bits[w]:
            return False
    return True


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
                if not h.demands or _fits(h, h.first[0][i], h.first[1][j], 0):
                    _add(s, h, h.costs[0] + i * COSTS, y, NULL)
                continue
            for k in range(h.groups[2]):
                if not h.demands or _fits(h, h.first[0][i], h.first[1][j], h.first[2][k]):
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
                if _fits(h, i, j, 0):
                    if h.condition >= 0:
                        take(s, CHOOSE, 2 * h.condition, x, y)
                    else:
                        take(s, h.form, x, y, -1)
                continue
            for k in range(h.length[2]):
                z = h.list[2][k]
                if base + cheap[x >> 1] + cheap[y >> 1] + cheap[z >> 1] > s.most:
                    break
                if _fits(h, i, j, k):
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
    cdef size_t key_words = words + (2 * <size_t>s.board.groups + 63) // 64
    cdef int32_t* pool
    cdef uint64_t* rows
    cdef uint64_t* costs
    cdef uint64_t* keys
    cdef int part
    memset(&h, 0, sizeof(h))
    h.size = 4
    while <size_t>h.size < 2 * literals:
        h.size *= 2
    pool = <int32_t*>malloc((2 * PARTS * literals + h.size) * sizeof(int32_t))
    rows = <uint64_t*>malloc((2 * words + key_words) * sizeof(uint64_t))
    costs = <uint64_t*>malloc(PARTS * (literals + 1) * COSTS * sizeof(uint64_t))
    keys = <uint64_t*>malloc((PARTS * literals * key_words + 1) * sizeof(uint64_t))
    if pool == NULL or rows == NULL or costs == NULL or keys == NULL:
        s.failed = True
    else:
        h.table = pool
        for part in range(PARTS):
            h.list[part] = pool + h.size + part * literals
            h.first[part] = pool + h.size + (PARTS + part) * literals
            h.costs[part] = costs + part * (literals + 1) * COSTS
            h.key[part] = keys + part * literals * key_words
        h.unknown = rows
        h.all_bits = rows + 2 * words
        _conditions(s, &h, rows + words)
        _patterns(s, &h)
    free(pool)
    free(rows)
    free(costs)
    free(keys)
