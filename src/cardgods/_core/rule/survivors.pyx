"""All rules of a space that agree with a board: how many, which, and what they say of the next card."""

from libc.math cimport exp2
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cardgods._core.bits cimport prefetch
from cardgods._core.rng cimport Random, next32
from cardgods._core.rule.atoms cimport ASK, BACK, BRANCH, LAY, PROBES, Atoms, Step, Table, table_free
from cardgods._core.rule.branches cimport branching_forms
from cardgods._core.rule.hypotheses cimport (
    BOTH,
    FORMS,
    CHOOSE,
    LEVELS,
    SINGLE,
    EITHER,
    PATTERN_2,
    DIFFER,
    Board,
    Classes,
    Found,
    Search,
    classes_free,
    group_atoms,
    simple_forms,
)
from cardgods._core.rule.program cimport FULL_DECK

FORM_NAMES = ("one", "and", "or", "xor", "if", "pattern2", "pattern3")
STEP_KINDS = {"lay": LAY, "ask": ASK, "branch": BRANCH, "back": BACK}


# The verdict of a rule from those of its parts -------------------------------------------------------------

cdef struct Part:
    const uint64_t* yes
    const uint64_t* no


cdef inline uint64_t _right(int form, const Part* p, int place, size_t at) noexcept nogil:
    # Cards that are not surely wrong; `place` = cards on the line before.
    cdef uint64_t wrong
    if form == SINGLE:
        wrong = p[0].no[at]
    elif form == BOTH:
        wrong = p[0].no[at] | p[1].no[at]
    elif form == EITHER:
        wrong = p[0].no[at] & p[1].no[at]
    elif form == DIFFER:
        wrong = p[0].yes[at] & p[1].yes[at] | p[0].no[at] & p[1].no[at]
    elif form == CHOOSE:
        wrong = p[0].yes[at] & p[1].no[at] | p[0].no[at] & p[2].no[at] | p[1].no[at] & p[2].no[at]
    else:
        wrong = p[place % (2 if form == PATTERN_2 else 3)].no[at]
    return ~wrong & <uint64_t>FULL_DECK


cdef inline void _part(
    int literal, const uint64_t* yes, const uint64_t* no, size_t row, Part* p
) noexcept nogil:
    cdef size_t at = <size_t>(literal >> 1) * row
    p.yes = yes + at if not literal & 1 else no + at
    p.no = no + at if not literal & 1 else yes + at


cdef inline void _parts(
    const Found* f, const uint64_t* yes, const uint64_t* no, size_t row, Part* p
) noexcept nogil:
    _part(f.a, yes, no, row, &p[0])
    _part(f.b if f.b >= 0 else f.a, yes, no, row, &p[1])
    _part(f.c if f.c >= 0 else f.a, yes, no, row, &p[2])


# Merging rules that say the same ---------------------------------------------------------------------------

cdef enum:
    BATCH = 16

cdef struct Mark:
    uint64_t one
    uint64_t two


cdef inline Mark _mark(
    const Found* f, const uint64_t* yes, const uint64_t* no, const int32_t* length, const uint64_t* key
) noexcept nogil:
    # Two universal hashes (sums of products of half words) of what the rule says at the probes.
    cdef uint64_t right[PROBES]
    cdef Part p[3]
    cdef Mark m
    cdef int k
    cdef uint64_t one = 0
    cdef uint64_t two = 0
    _parts(f, yes, no, PROBES, p)
    for k in range(PROBES):
        right[k] = _right(f.form, p, length[k], k)
    for k in range(PROBES):
        one += <uint64_t><uint32_t>(right[k] + key[k]) * ((right[k] >> 26) + (key[k] >> 33))
        two += <uint64_t><uint32_t>(right[k] ^ key[PROBES + k]) * ((right[k] >> 26) + (key[PROBES + k] >> 33))
    m.one = one
    m.two = two
    return m


cdef inline uint64_t _home(const Mark* m, uint64_t size) noexcept nogil:
    return (m.one ^ (m.two >> 17)) * <uint64_t>0x9E3779B97F4A7C15 >> 20 & (size - 1)


cdef long _put(
    Found* found, long k, long kept, const Mark* m, Mark* marks, int32_t* table, uint64_t size
) noexcept nogil:
    # Rule k joins those that are kept, or the one that it is in other words.
    cdef uint64_t at = _home(m, size)
    cdef Found* same
    while table[at]:
        if marks[table[at] - 1].one == m.one and marks[table[at] - 1].two == m.two:
            same = found + table[at] - 1
            same.weight += found[k].weight
            same.merged += 1
            return kept
        at = (at + 1) & (size - 1)
    found[kept] = found[k]
    marks[kept] = m[0]
    table[at] = <int32_t>(kept + 1)
    return kept + 1


cdef long _merge(
    Found* found, long n, const uint64_t* yes, const uint64_t* no, const int32_t* length, const uint64_t* key
) noexcept nogil:
    # The first of each kind stays, in order, with the weight of all; how many there are, or -1. The marks of
    # a batch are made before they are looked up, so that memory is fetched meanwhile.
    cdef uint64_t size = 16
    cdef long j, last
    cdef long k = 0
    cdef long kept = 0
    cdef Mark batch[BATCH]
    cdef Mark* marks = <Mark*>malloc((n + 1) * sizeof(Mark))
    cdef int32_t* table
    while size < <uint64_t>(2 * n):
        size *= 2
    table = <int32_t*>calloc(size, sizeof(int32_t))
    if table == NULL or marks == NULL:
        free(table)
        free(marks)
        return -1
    while k < n:
        last = k + BATCH if k + BATCH < n else n
        for j in range(k, last):
            batch[j - k] = _mark(&found[j], yes, no, length, key)
            prefetch(&table[_home(&batch[j - k], size)])
        for j in range(k, last):
            kept = _put(found, j, kept, &batch[j - k], marks, table, size)
        k = last
    free(table)
    free(marks)
    return kept


cdef void _sort(const Found* found, long n, Found* out) noexcept nogil:
    cdef long at[LEVELS + 1]
    cdef long k
    memset(at, 0, sizeof(at))
    for k in range(n):
        at[found[k].cost + 1] += 1
    for k in range(LEVELS):
        at[k + 1] += at[k]
    for k in range(n):
        out[at[found[k].cost]] = found[k]
        at[found[k].cost] += 1


# What the survivors say of the next card -------------------------------------------------------------------

cdef void _split(const Found* found, long n, double* right) noexcept nogil:
    # Weight by card, from tables of the eight cards of each byte of the masks.
    cdef double byte[7][256]
    cdef long k
    cdef int j, v
    cdef uint64_t now
    memset(byte, 0, sizeof(byte))
    for k in range(n):
        now = found[k].now
        for j in range(7):
            byte[j][(now >> (8 * j)) & 255] += found[k].weight
    for j in range(52):
        right[j] = 0
        for v in range(256):
            if (v >> (j & 7)) & 1:
                right[j] += byte[j >> 3][v]


cdef void _search(Search* s, bint choices) noexcept nogil:
    if s.listing and s.room == 0:
        return
    simple_forms(s)
    if choices:
        branching_forms(s)


cdef class Survivors:
    """The rules of a space that agree with a board.

    All are counted; the cheapest are listed, cheapest first, and what says the same at all probes is listed
    once, with the weight of all its spellings.

    Args:
        atoms: the space.
        steps: the board as pairs (kind, card): "lay" a right card, "ask" for a verdict, "branch" and "back".
        verdicts: for each card asked for: 1 right, 0 wrong, and -1 - g if it belongs to refused sequence g.
        places: for each card asked for: how many cards lay on the line before it.
        form_costs: bits of each form, by FORM_NAMES.
        limit: rules to list at most, before they are merged.
        merge: whether what says the same is listed once.
        choices: whether rules that choose between parts, and patterns, are looked for.
        steepness: a bit of cost makes a rule less likely by this power of two.

    Attributes:
        position: cards on the line.
        complete: whether all rules are listed.
        most: greatest cost of the rules listed.
    """

    cdef Atoms atoms
    cdef Found* found
    cdef Search s
    cdef long size
    cdef readonly int position
    cdef readonly bint complete
    cdef readonly int most
    cdef readonly int classes

    def __init__(
        self, Atoms atoms, steps, verdicts, places, form_costs, long limit, bint merge=True,
        bint choices=True, double steepness=1.0
    ):
        cdef Board b
        cdef Table t
        cdef Classes c
        cdef int k, failed
        cdef Step* step = <Step*>calloc(len(steps) + 1, sizeof(Step))
        cdef int n = len(steps)
        if step == NULL:
            raise MemoryError
        if len(form_costs) != FORMS or any(not 0 <= cost <= 20 for cost in form_costs):
            free(step)
            raise ValueError(f"{FORMS} forms need as many costs, each 0 to 20 bits")
        self.atoms = atoms
        memset(&self.s, 0, sizeof(self.s))
        memset(&t, 0, sizeof(t))
        memset(&c, 0, sizeof(c))
        memset(&b, 0, sizeof(b))
        for k, (kind, card) in enumerate(steps):
            step[k].kind = STEP_KINDS[kind]
            step[k].card = card
            self.position += kind == "lay"
            if kind == "branch":
                n_before = self.position
            elif kind == "back":
                self.position = n_before
        for k in range(FORMS):
            self.s.form_cost[k] = form_costs[k]
        atoms.probe()
        try:
            with nogil:
                failed = atoms.fill(step, n, &t)
                if not failed:
                    failed = group_atoms(&t, atoms.atom, atoms.size, &c)
            if failed:
                raise MemoryError
            self.classes = c.count
            _fill_board(&b, t.words, verdicts, places)
            self.s.board = &b
            self.s.classes = &c
            self.s.atom = atoms.atom
            with nogil:
                _search(&self.s, choices)
            self._list(limit, choices)
            self._finish(&t, merge, steepness)
        finally:
            free(step)
            free(b.label)
            table_free(&t)
            classes_free(&c)

    cdef int _list(self, long limit, bint choices) except -1:
        # Up to the cost at which there are more than may be listed.
        cdef int cost, form
        cdef uint64_t total = 0
        cdef uint64_t level
        self.complete = True
        for cost in range(LEVELS):
            level = 0
            for form in range(FORMS):
                level += self.s.count[form][cost]
            if level and total and total + level > <uint64_t>limit:
                self.complete = False
                break
            total += level
            self.s.most = cost
            if total > <uint64_t>limit:
                self.complete = False
                total = limit
                break
        self.most = self.s.most
        self.s.listing = True
        self.s.room = <long>total
        self.s.found = <Found*>malloc((total + 1) * sizeof(Found))
        if self.s.found == NULL:
            raise MemoryError
        with nogil:
            _search(&self.s, choices)
        if self.s.failed:
            raise MemoryError
        return 0

    cdef int _finish(self, Table* t, bint merge, double steepness) except -1:
        cdef Part p[3]
        cdef uint64_t key[2 * PROBES]
        cdef long k
        cdef Random rng = Random("marks of rules")
        for k in range(2 * PROBES):
            key[k] = <uint64_t>next32(&rng.rng) << 32 | next32(&rng.rng)
        self.size = self.s.listed
        self.found = <Found*>malloc((self.size + 1) * sizeof(Found))
        if self.found == NULL:
            raise MemoryError
        with nogil:
            _sort(self.s.found, self.size, self.found)
            free(self.s.found)
            self.s.found = NULL
            for k in range(self.size):
                _parts(&self.found[k], t.now_yes, t.now_no, 1, p)
                self.found[k].now = _right(self.found[k].form, p, self.position, 0)
                self.found[k].weight = exp2(-steepness * self.found[k].cost)
            if merge:
                self.size = _merge(
                    self.found, self.size, self.atoms.probe_yes, self.atoms.probe_no,
                    self.atoms.probe_length, key,
                )
        if self.size < 0:
            raise MemoryError
        return 0

    def __dealloc__(self):
        free(self.found)
        free(self.s.found)

    def __len__(self):
        return self.size

    def counts(self):
        """How many rules of each form agree with the board, in all of the space."""
        return {
            name: sum(self.s.count[form][cost] for cost in range(LEVELS))
            for form, name in enumerate(FORM_NAMES)
        }

    def by_cost(self):
        """Rules in all of the space by cost, from 0 bits on."""
        return [sum(self.s.count[form][cost] for form in range(FORMS)) for cost in range(LEVELS)]

    def rule(self, long k):
        """Form, literals, cost, weight and spellings of a listed rule; literals are 2 * atom + negated."""
        cdef const Found* f
        if not 0 <= k < self.size:
            raise IndexError(f"listed rules are 0..{self.size - 1}, not {k}")
        f = &self.found[k]
        parts = tuple(part for part in (f.a, f.b, f.c) if part >= 0)
        return FORM_NAMES[f.form], parts, f.cost, f.weight, f.merged

    def now(self, long k):
        """Mask of the cards that a listed rule calls right next."""
        if not 0 <= k < self.size:
            raise IndexError(f"listed rules are 0..{self.size - 1}, not {k}")
        return self.found[k].now

    def weight(self):
        """Weight of all listed rules."""
        cdef long k
        cdef double total = 0
        for k in range(self.size):
            total += self.found[k].weight
        return total

    def split(self):
        """For each card the weight of the listed rules that call it right next."""
        cdef double right[52]
        cdef int card
        with nogil:
            _split(self.found, self.size, right)
        return [right[card] for card in range(52)]


cdef int _fill_board(Board* b, int words, verdicts, places) except -1:
    cdef int k, group, part
    cdef uint64_t bit
    b.words = words
    b.groups = max((-verdict for verdict in verdicts), default=0)
    b.groups = b.groups if b.groups > 0 else 0
    b.label = <uint64_t*>calloc((7 + b.groups) * <size_t>words, sizeof(uint64_t))
    if b.label == NULL:
        raise MemoryError
    b.sure = b.label + words
    b.place = b.sure + words
    b.group = b.place + 5 * words
    for k, verdict in enumerate(verdicts):
        bit = <uint64_t>1 << (k & 63)
        if verdict >= 0:
            b.sure[k >> 6] |= bit
            if verdict:
                b.label[k >> 6] |= bit
        else:
            group = -1 - verdict
            b.group[group * words + (k >> 6)] |= bit
        part = places[k] % 2
        b.place[part * words + (k >> 6)] |= bit
        part = 2 + places[k] % 3
        b.place[part * words + (k >> 6)] |= bit
    return 0
