"""Rules of one or two atoms that agree with a board, counted by cost and listed.

Atoms that say the same of all observations are one class, so what is compared is classes; the members count.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memset

from cardgods._core.rule.atoms cimport Atom, Table


# Classes --------------------------------------------------------------------------------------------------

cdef void classes_free(Classes* c) noexcept nogil:
    free(c.yes)
    free(c.start)
    c.yes = NULL
    c.start = NULL


cdef inline bint _same_row(const Table* t, int a, int b) noexcept nogil:
    cdef size_t size = t.words * sizeof(uint64_t)
    return (
        memcmp(t.yes + <size_t>a * t.words, t.yes + <size_t>b * t.words, size) == 0
        and memcmp(t.no + <size_t>a * t.words, t.no + <size_t>b * t.words, size) == 0
    )


cdef inline uint64_t _hash_row(const Table* t, int a) noexcept nogil:
    cdef uint64_t h = 0x243F6A8885A308D3
    cdef int w
    for w in range(t.words):
        h = (h ^ t.yes[<size_t>a * t.words + w]) * <uint64_t>0x9E3779B97F4A7C15
        h ^= h >> 29
        h = (h ^ t.no[<size_t>a * t.words + w]) * <uint64_t>0xBF58476D1CE4E5B9
        h ^= h >> 32
    return h


cdef void _by_cost(const Atom* atom, int n, int32_t* order) noexcept nogil:
    cdef int at[COSTS + 1]
    cdef int k
    memset(at, 0, sizeof(at))
    for k in range(n):
        at[atom[k].cost + 1] += 1
    for k in range(COSTS):
        at[k + 1] += at[k]
    for k in range(n):
        order[at[atom[k].cost]] = k
        at[atom[k].cost] += 1


cdef int _number(const Table* t, const int32_t* order, int n, int32_t* of, int32_t* head) noexcept nogil:
    # Class of each atom and the first atom of each class, or -1. The cheapest atoms come first.
    cdef uint64_t size = 4
    cdef uint64_t at
    cdef int32_t* table
    cdef int classes = 0
    cdef int k, a
    while size < <uint64_t>(2 * n):
        size *= 2
    table = <int32_t*>calloc(size, sizeof(int32_t))
    if table == NULL:
        return -1
    for k in range(n):
        a = order[k]
        at = _hash_row(t, a) & (size - 1)
        while table[at] and not _same_row(t, head[table[at] - 1], a):
            at = (at + 1) & (size - 1)
        if not table[at]:
            head[classes] = a
            classes += 1
            table[at] = classes
        of[a] = table[at] - 1
    free(table)
    return classes


cdef void _rows(const Table* t, const int32_t* head, Classes* c) noexcept nogil:
    cdef int k, w
    cdef uint64_t all_bits
    cdef size_t row, to
    for k in range(c.count):
        row = <size_t>head[k] * t.words
        to = <size_t>k * t.words
        for w in range(t.words):
            all_bits = ~<uint64_t>0
            if 64 * (w + 1) > t.bits:
                all_bits = (<uint64_t>1 << (t.bits - 64 * w)) - 1 if t.bits > 64 * w else 0
            c.yes[to + w] = t.yes[row + w]
            c.may[2 * to + w] = ~t.no[row + w] & all_bits
            c.may[2 * to + t.words + w] = ~t.yes[row + w] & all_bits


cdef int group_atoms(const Table* t, const Atom* atom, int atoms, Classes* out) noexcept nogil:
    """Group atoms by their rows: 0, or -1 without memory."""
    cdef int32_t* pool = <int32_t*>malloc(3 * <size_t>atoms * sizeof(int32_t))
    cdef int32_t* order = pool
    cdef int32_t* of = pool + atoms
    cdef int32_t* head = pool + 2 * atoms
    cdef int k, a
    memset(out, 0, sizeof(Classes))
    if pool == NULL:
        return -1
    _by_cost(atom, atoms, order)
    out.words = t.words
    out.count = _number(t, order, atoms, of, head)
    if out.count >= 0:
        out.yes = <uint64_t*>malloc(3 * <size_t>out.count * t.words * sizeof(uint64_t))
        out.start = <int32_t*>calloc((2 + COSTS) * <size_t>out.count + atoms + 3, sizeof(int32_t))
    if out.yes == NULL or out.start == NULL:
        classes_free(out)
        free(pool)
        return -1
    out.may = out.yes + <size_t>out.count * t.words
    out.cheapest = out.start + out.count + 2
    out.member = out.cheapest + out.count
    out.costs = out.member + atoms
    _rows(t, head, out)
    for a in range(atoms):
        out.start[of[a] + 2] += 1
        out.costs[of[a] * COSTS + atom[a].cost] += 1
    for k in range(out.count):
        out.start[k + 1] += out.start[k]
        out.cheapest[k] = atom[head[k]].cost
    for k in range(atoms):
        a = order[k]
        out.member[out.start[of[a] + 1]] = a
        out.start[of[a] + 1] += 1
    free(pool)
    return 0


# What agrees, and what becomes of it -----------------------------------------------------------------------

cdef bint agrees(const Board* b, const uint64_t* right) noexcept nogil:
    """Whether verdicts are those of the board."""
    cdef int w, g
    cdef bint refused
    for w in range(b.words):
        if (right[w] ^ b.label[w]) & b.sure[w]:
            return False
    for g in range(b.groups):
        refused = False
        for w in range(b.words):
            refused |= (b.group[g * b.words + w] & ~right[w]) != 0
        if not refused:
            return False
    return True


cdef inline void _emit(Search* s, int form, int cost, int a, int b, int c) noexcept nogil:
    cdef Found* f
    if cost <= s.most and s.listed < s.room:
        f = s.found + s.listed
        f.a = a
        f.b = b
        f.c = c
        f.form = form
        f.cost = cost
        f.merged = 1
        s.listed += 1


cdef inline bint _one_kind(int form, int i, int j) noexcept nogil:
    # Both parts come from one class and may change places: a rule has two such spellings.
    return i == j if form == BOTH or form == EITHER else form == DIFFER and i >> 1 == j >> 1


cdef void _tally(Search* s, int form, int i, int j) noexcept nogil:
    # How many rules take two parts from these literal classes, by cost.
    cdef const int32_t* x = s.classes.costs + (i >> 1) * COSTS
    cdef const int32_t* y
    cdef int base = s.form_cost[form] + (i & 1)
    cdef uint64_t level[LEVELS]
    cdef int a, b
    if j < 0:
        for a in range(COSTS):
            s.count[form][base + a] += x[a]
        return
    y = s.classes.costs + (j >> 1) * COSTS
    base += j & 1 if form != DIFFER else 0
    memset(level, 0, sizeof(level))
    for a in range(COSTS):
        if x[a]:
            for b in range(COSTS):
                level[a + b] += <uint64_t>x[a] * y[b]
    if i >> 1 == j >> 1:
        for a in range(COSTS):
            level[2 * a] -= x[a]
    for a in range(2 * COSTS):
        s.count[form][base + a] += level[a] // 2 if _one_kind(form, i, j) else level[a]


cdef void take(Search* s, int form, int i, int j, int k) noexcept nogil:
    """All rules of a form whose parts are members of these literal classes (-1 = there is no such part)."""
    cdef const Classes* c = s.classes
    cdef int x, y, z, a, b, cost
    cdef int base = s.form_cost[form] + (i & 1) + (j & 1 if j >= 0 and form != DIFFER else 0)
    cdef bint twice = _one_kind(form, i, j)
    if not s.listing:
        _tally(s, form, i, j)
        return
    for x in range(c.start[i >> 1], c.start[(i >> 1) + 1]):
        a = c.member[x]
        if base + s.atom[a].cost > s.most:
            return
        if j < 0:
            _emit(s, form, base + s.atom[a].cost, 2 * a + (i & 1), -1, -1)
            continue
        for y in range(c.start[j >> 1], c.start[(j >> 1) + 1]):
            b = c.member[y]
            cost = base + s.atom[a].cost + s.atom[b].cost
            if cost > s.most:
                break
            if k < 0:
                if form == PATTERN_2 or (a != b and not (twice and b < a)):
                    _emit(s, form, cost, 2 * a + (i & 1), 2 * b + (j & 1), -1)
                continue
            for z in range(c.start[k >> 1], c.start[(k >> 1) + 1]):
                _emit(
                    s, form, cost + s.atom[c.member[z]].cost + (k & 1),
                    2 * a + (i & 1), 2 * b + (j & 1), 2 * c.member[z] + (k & 1),
                )


# One atom, and two -----------------------------------------------------------------------------------------

cdef void _ones(Search* s) noexcept nogil:
    cdef int literal
    for literal in range(2 * s.classes.count):
        if agrees(s.board, s.classes.may + <size_t>literal * s.classes.words):
            take(s, SINGLE, literal, -1, -1)


cdef int _candidates(Search* s, bint both, int32_t* out) noexcept nogil:
    # Literals that can be a side of `and` (they accept all that was right), or of `or` (refuse all wrong).
    cdef const Board* b = s.board
    cdef const uint64_t* may
    cdef int literal, w
    cdef int n = 0
    cdef uint64_t bad
    for literal in range(2 * s.classes.count):
        may = s.classes.may + <size_t>literal * b.words
        bad = 0
        for w in range(b.words):
            bad |= b.sure[w] & (b.label[w] & ~may[w] if both else may[w] & ~b.label[w])
        if not bad:
            out[n] = literal
            n += 1
    return n


cdef void _twos(Search* s, bint both, int32_t* side, uint64_t* right) noexcept nogil:
    cdef const uint64_t* x
    cdef const uint64_t* y
    cdef int words = s.board.words
    cdef int n = _candidates(s, both, side)
    cdef int form = BOTH if both else EITHER
    cdef int i, j, w
    for i in range(n):
        x = s.classes.may + <size_t>side[i] * words
        if s.listing and 2 * s.classes.cheapest[side[i] >> 1] + s.form_cost[form] > s.most:
            break
        for j in range(i, n):
            y = s.classes.may + <size_t>side[j] * words
            for w in range(words):
                right[w] = x[w] & y[w] if both else x[w] | y[w]
                if (right[w] ^ s.board.label[w]) & s.board.sure[w]:
                    break
            else:
                if agrees(s.board, right):
                    take(s, form, side[i], side[j], -1)


cdef void _differences(Search* s, uint64_t* right) noexcept nogil:
    # a xor b, and a iff b, which is a xor not b
    cdef const Classes* c = s.classes
    cdef int words = c.words
    cdef const uint64_t* x
    cdef const uint64_t* x_may
    cdef const uint64_t* y
    cdef const uint64_t* y_may
    cdef const uint64_t* label = s.board.label
    cdef const uint64_t* sure = s.board.sure
    cdef int i, j, w
    for i in range(c.count):
        x = c.yes + <size_t>i * words
        x_may = c.may + 2 * <size_t>i * words
        if s.listing and 2 * c.cheapest[i] + s.form_cost[DIFFER] > s.most:
            break
        for j in range(2 * i, 2 * c.count):
            y_may = c.may + <size_t>j * words
            y = c.may + <size_t>(j ^ 1) * words
            # surely false: both surely true or both surely false; y holds where the literal is not true
            for w in range(words):
                right[w] = ~((x[w] & ~y[w]) | (~x_may[w] & ~y_may[w]))
                if (right[w] ^ label[w]) & sure[w]:
                    break
            else:
                if agrees(s.board, right):
                    take(s, DIFFER, 2 * i, j, -1)


cdef void simple_forms(Search* s) noexcept nogil:
    """Rules of one and two atoms."""
    cdef int32_t* side = <int32_t*>malloc(2 * <size_t>s.classes.count * sizeof(int32_t))
    cdef uint64_t* right = <uint64_t*>malloc(s.board.words * sizeof(uint64_t))
    if side == NULL or right == NULL:
        s.failed = True
    else:
        _ones(s)
        _twos(s, True, side, right)
        _twos(s, False, side, right)
        _differences(s, right)
    free(side)
    free(right)
