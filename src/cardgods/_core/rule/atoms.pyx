"""Conditions of the rule language held against a board, all at once."""

from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.rng cimport Random
from cardgods._core.rule.program cimport FULL_DECK, MAX_FIELDS, Program, advance
from cardgods._core.rule.vm cimport evaluate

cdef struct Line:
    uint16_t memory[MAX_FIELDS]
    int32_t last          # the last card, -1 on an empty table


cdef inline void _lay(const Atom* a, Line* line, int card) noexcept nogil:
    cdef uint16_t after[MAX_FIELDS]
    line.last = card
    if a.kind == PROGRAM:
        memcpy(after, line.memory, sizeof(after))
        advance(a.code, line.memory, card, after)
        memcpy(line.memory, after, sizeof(after))


cdef inline void _masks(const Atom* a, const Line* line, uint64_t* yes, uint64_t* no) noexcept nogil:
    if a.kind == PROGRAM:
        evaluate(a.code, line.memory, yes, no)
    elif a.kind == STATIC:
        yes[0] = a.mask
        no[0] = a.mask ^ <uint64_t>FULL_DECK
    elif line.last < 0:
        yes[0] = 0
        no[0] = 0
    else:
        yes[0] = <uint64_t>FULL_DECK if (a.mask >> line.last) & 1 else 0
        no[0] = yes[0] ^ <uint64_t>FULL_DECK


cdef void _walk(
    const Atom* a, const Step* steps, int n, uint64_t* yes, uint64_t* no, uint64_t* now_yes, uint64_t* now_no
) noexcept nogil:
    cdef Line line, kept
    cdef int k
    cdef int bit = 0
    cdef bint stale = True
    cdef uint64_t y = 0
    cdef uint64_t w = 0
    memset(&line, 0, sizeof(line))
    line.last = -1
    kept = line
    for k in range(n):
        if steps[k].kind == ASK:
            if stale:
                _masks(a, &line, &y, &w)
                stale = False
            yes[bit >> 6] |= ((y >> steps[k].card) & 1) << (bit & 63)
            no[bit >> 6] |= ((w >> steps[k].card) & 1) << (bit & 63)
            bit += 1
            continue
        stale = True
        if steps[k].kind == LAY:
            _lay(a, &line, steps[k].card)
        elif steps[k].kind == BRANCH:
            kept = line
        else:
            line = kept
    _masks(a, &line, now_yes, now_no)


cdef void table_free(Table* t) noexcept nogil:
    free(t.yes)
    free(t.now_yes)
    t.yes = NULL
    t.now_yes = NULL


def _probe_lines():
    """Cards with their places: a line in which each rank follows each rank, and one of the whole deck."""
    rng = Random("probes of rules")
    ranks = []
    for low in range(13):
        ranks.append(low)
        for high in range(low + 1, 13):
            ranks += [low, high]
    deck = list(range(52))
    rng.shuffle(deck)
    for line in ([rank + 13 * rng.below(4) for rank in (*ranks, 0)], deck):
        yield from zip(line, range(1, len(line) + 1), strict=True)


cdef class Atoms:
    """Atoms of a space of rules.

    Args:
        atoms: for each its kind ("static", "last" or "program"), a mask of cards or a Program, and its cost
            in bits, 0..31.

    Raises:
        ValueError: if a cost is out of range or there are no atoms.
    """

    def __cinit__(self, atoms):
        cdef int k
        cdef Program program
        self.size = len(atoms)
        self.programs = []
        self.atom = <Atom*>calloc(self.size + 1, sizeof(Atom))
        if self.atom == NULL:
            raise MemoryError
        if not self.size:
            raise ValueError("a space without atoms has no rules")
        for k, (kind, what, cost) in enumerate(atoms):
            if not 0 <= cost <= 31:
                raise ValueError(f"a cost is 0 to 31 bits, not {cost}")
            self.atom[k].cost = cost
            self.atom[k].kind = {"static": STATIC, "last": LAST, "program": PROGRAM}[kind]
            if kind == "program":
                program = what
                self.programs.append(program)
                self.atom[k].code = &program.c
            else:
                self.atom[k].mask = what

    def __dealloc__(self):
        free(self.atom)
        free(self.probe_yes)
        free(self.probe_no)

    cdef int fill(self, const Step* steps, int n, Table* out) noexcept nogil:
        """What every atom says of the observations of a board: 0, or -1 without memory."""
        cdef int k
        cdef size_t row
        out.bits = 0
        for k in range(n):
            out.bits += steps[k].kind == ASK
        out.words = (out.bits + 63) // 64 if out.bits else 1
        row = <size_t>self.size * out.words
        out.yes = <uint64_t*>calloc(2 * row, sizeof(uint64_t))
        out.now_yes = <uint64_t*>calloc(2 * self.size, sizeof(uint64_t))
        if out.yes == NULL or out.now_yes == NULL:
            table_free(out)
            return -1
        out.no = out.yes + row
        out.now_no = out.now_yes + self.size
        for k in range(self.size):
            row = <size_t>k * out.words
            _walk(
                &self.atom[k], steps, n, out.yes + row, out.no + row, out.now_yes + k, out.now_no + k
            )
        return 0

    cdef int probe(self) except -1:
        """What every atom says of all cards at the probes."""
        cdef int k, i
        cdef Line line
        cdef int32_t cards[PROBES]
        cdef size_t row = <size_t>self.size * PROBES
        if self.probe_yes != NULL:
            return 0
        for k, (card, length) in enumerate(_probe_lines()):
            cards[k] = card
            self.probe_length[k] = length
        self.probe_no = <uint64_t*>malloc(row * sizeof(uint64_t))
        self.probe_yes = <uint64_t*>malloc(row * sizeof(uint64_t))
        if self.probe_yes == NULL or self.probe_no == NULL:
            raise MemoryError
        with nogil:
            for k in range(self.size):
                for i in range(PROBES):
                    if self.probe_length[i] == 1:
                        memset(&line, 0, sizeof(line))
                    _lay(&self.atom[k], &line, cards[i])
                    row = <size_t>k * PROBES + i
                    _masks(&self.atom[k], &line, self.probe_yes + row, self.probe_no + row)
        return 0

    def says(self, int k, line):
        """Masks of the cards for which atom k is surely true and surely false after a line."""
        cdef Line laid
        cdef uint64_t yes, no
        cdef int card
        if not 0 <= k < self.size:
            raise IndexError(f"atoms are 0..{self.size - 1}, not {k}")
        memset(&laid, 0, sizeof(laid))
        laid.last = -1
        for card in line:
            _lay(&self.atom[k], &laid, card)
        _masks(&self.atom[k], &laid, &yes, &no)
        return yes, no
