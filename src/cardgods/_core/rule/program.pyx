"""The register machine of a rule: memory, evaluation, and the constructor from plain lists."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cardgods._core.bits cimport lsb

import math

cdef enum Op:
    # numbers that do not depend on the candidate
    N_CONST        # dst = imm
    N_CARD         # dst = numbers[imm + digit of field a]; unknown if the digit is 0
    N_FIELD        # dst = digit of field a + imm
    N_RANGE        # dst = digit of field a; unknown if 0
    N_ADD, N_SUB, N_MUL, N_MOD, N_MIN, N_MAX, N_GCD, N_DIST   # dst = a op b
    N_ABS          # dst = |a|
    # numbers with a value for each rank of the candidate
    V_RANK, V_POINTS
    V_SPLAT        # dst = number a in every lane
    V_ADD, V_SUB, V_MUL, V_MOD, V_MIN, V_MAX, V_GCD, V_DIST
    V_ABS
    # conditions
    C_MASK         # dst = masks[imm]
    C_TABLE        # dst = masks[imm + 2 * digit of field a], its complement side at + 1
    C_SEEN         # dst = union of masks[imm + value] over the set in field a
    C_LEAST        # dst = union of masks[imm + value] over the values least often in the tally a of b values
    C_MOST
    C_ATTRIBUTE    # dst = masks[imm + number a]
    C_N_EQ, C_N_LT, C_N_LE     # dst = number a op number b
    C_V_EQ, C_V_LT, C_V_LE     # the same lane by lane
    C_N_IN, C_V_IN             # dst = a in one of the b spans at numbers[imm]
    C_NOT, C_AND, C_OR, C_XOR
    C_IF           # dst = if a then b else imm
    C_PICK         # dst = register b + digit of field a

OPS = {
    "n.const": N_CONST, "n.card": N_CARD, "n.field": N_FIELD, "n.range": N_RANGE,
    "n.+": N_ADD, "n.-": N_SUB, "n.*": N_MUL, "n.%": N_MOD, "n.min": N_MIN, "n.max": N_MAX,
    "n.gcd": N_GCD, "n.dist": N_DIST, "n.abs": N_ABS,
    "v.rank": V_RANK, "v.points": V_POINTS, "v.splat": V_SPLAT,
    "v.+": V_ADD, "v.-": V_SUB, "v.*": V_MUL, "v.%": V_MOD, "v.min": V_MIN, "v.max": V_MAX,
    "v.gcd": V_GCD, "v.dist": V_DIST, "v.abs": V_ABS,
    "c.mask": C_MASK, "c.table": C_TABLE, "c.seen": C_SEEN, "c.least": C_LEAST, "c.most": C_MOST,
    "c.attribute": C_ATTRIBUTE, "c.n=": C_N_EQ, "c.n<": C_N_LT, "c.n<=": C_N_LE,
    "c.v=": C_V_EQ, "c.v<": C_V_LT, "c.v<=": C_V_LE, "c.nin": C_N_IN, "c.vin": C_V_IN,
    "c.not": C_NOT, "c.and": C_AND, "c.or": C_OR, "c.xor": C_XOR, "c.if": C_IF, "c.pick": C_PICK,
}
FIELD_KINDS = {
    "slot": SLOT, "first": FIRST, "count": COUNT, "count%": COUNT_MOD, "run": RUN, "run%": RUN_MOD,
    "seen": SEEN, "tally": TALLY, "tally+": TALLY_PART, "lowest": LOWEST, "highest": HIGHEST,
}

cdef struct Registers:
    int32_t n[MAX_REGISTERS]
    uint8_t n_known[MAX_REGISTERS]
    uint8_t v_known[MAX_REGISTERS]
    uint64_t yes[MAX_REGISTERS]
    uint64_t no[MAX_REGISTERS]
    int32_t v[MAX_REGISTERS][LANES]


# Numbers --------------------------------------------------------------------------------------------------

cdef inline int32_t _mod(int32_t a, int32_t b) noexcept nogil:
    cdef int32_t r = a % b
    return r + b if r < 0 else r


cdef inline int32_t _gcd(int32_t a, int32_t b) noexcept nogil:
    cdef int32_t rest
    a = -a if a < 0 else a
    b = -b if b < 0 else b
    while b:
        rest = a % b
        a = b
        b = rest
    return a


cdef inline int32_t _dist(int32_t a, int32_t b) noexcept nogil:
    # Steps between two ranks on the circle of thirteen.
    cdef int32_t d = _mod(a - b, 13)
    return d if d <= 6 else 13 - d


cdef inline int32_t _number(int op, int32_t a, int32_t b) noexcept nogil:
    if op == N_ADD:
        return a + b
    if op == N_SUB:
        return a - b
    if op == N_MUL:
        return a * b
    if op == N_MOD:
        return _mod(a, b)
    if op == N_MIN:
        return a if a < b else b
    if op == N_MAX:
        return a if a > b else b
    if op == N_GCD:
        return _gcd(a, b)
    return _dist(a, b)


cdef inline void _numbers(const Code* c, const Instruction* i, const uint16_t* memory, Registers* r) noexcept nogil:
    cdef int digit
    if i.op == N_CONST:
        r.n[i.dst] = i.imm
        r.n_known[i.dst] = 1
    elif i.op == N_CARD:
        digit = memory[i.a]
        r.n[i.dst] = c.numbers[i.imm + digit]
        r.n_known[i.dst] = digit != 0
    elif i.op == N_FIELD:
        r.n[i.dst] = memory[i.a] + i.imm
        r.n_known[i.dst] = 1
    elif i.op == N_RANGE:
        r.n[i.dst] = memory[i.a]
        r.n_known[i.dst] = memory[i.a] != 0
    elif i.op == N_ABS:
        r.n[i.dst] = -r.n[i.a] if r.n[i.a] < 0 else r.n[i.a]
        r.n_known[i.dst] = r.n_known[i.a]
    else:
        r.n_known[i.dst] = r.n_known[i.a] & r.n_known[i.b]
        if r.n_known[i.dst]:
            r.n[i.dst] = _number(i.op, r.n[i.a], r.n[i.b])


cdef inline void _vector(const Instruction* i, Registers* r) noexcept nogil:
    # Only what is known is computed: an unknown divisor could be 0.
    cdef int lane
    cdef int32_t* out = r.v[i.dst]
    cdef const int32_t* a = r.v[i.a]
    cdef const int32_t* b = r.v[i.b]
    if i.op == V_RANK or i.op == V_POINTS:
        r.v_known[i.dst] = 1
        for lane in range(13):
            out[lane] = lane + 2 if lane < 12 else 1
            if i.op == V_POINTS and out[lane] > 10:
                out[lane] = 10
        return
    if i.op == V_SPLAT:
        r.v_known[i.dst] = r.n_known[i.a]
        for lane in range(13):
            out[lane] = r.n[i.a]
        return
    if i.op == V_ABS:
        r.v_known[i.dst] = r.v_known[i.a]
        for lane in range(13):
            out[lane] = -a[lane] if a[lane] < 0 else a[lane]
        return
    r.v_known[i.dst] = r.v_known[i.a] & r.v_known[i.b]
    if not r.v_known[i.dst]:
        return
    if i.op == V_ADD:
        for lane in range(13):
            out[lane] = a[lane] + b[lane]
    elif i.op == V_SUB:
        for lane in range(13):
            out[lane] = a[lane] - b[lane]
    else:
        for lane in range(13):
            out[lane] = _number(i.op - V_ADD + N_ADD, a[lane], b[lane])


# Conditions -----------------------------------------------------------------------------------------------

cdef inline uint64_t _every_suit(uint64_t ranks) noexcept nogil:
    return ranks | ranks << 13 | ranks << 26 | ranks << 39


cdef inline void _settle(Registers* r, int dst, bint known, uint64_t yes) noexcept nogil:
    r.yes[dst] = yes if known else 0
    r.no[dst] = ~yes & <uint64_t>FULL_DECK if known else 0


cdef inline void _compare(const Instruction* i, Registers* r) noexcept nogil:
    cdef int lane
    cdef uint64_t ranks = 0
    cdef const int32_t* a = r.v[i.a]
    cdef const int32_t* b = r.v[i.b]
    cdef bint truth
    if i.op <= C_N_LE:
        if i.op == C_N_EQ:
            truth = r.n[i.a] == r.n[i.b]
        elif i.op == C_N_LT:
            truth = r.n[i.a] < r.n[i.b]
        else:
            truth = r.n[i.a] <= r.n[i.b]
        _settle(r, i.dst, r.n_known[i.a] & r.n_known[i.b], <uint64_t>FULL_DECK if truth else 0)
        return
    if i.op == C_V_EQ:
        for lane in range(13):
            ranks |= <uint64_t>(a[lane] == b[lane]) << lane
    elif i.op == C_V_LT:
        for lane in range(13):
            ranks |= <uint64_t>(a[lane] < b[lane]) << lane
    else:
        for lane in range(13):
            ranks |= <uint64_t>(a[lane] <= b[lane]) << lane
    _settle(r, i.dst, r.v_known[i.a] & r.v_known[i.b], _every_suit(ranks))


cdef inline bint _in_spans(int32_t value, const int32_t* spans, int n) noexcept nogil:
    cdef int k
    for k in range(n):
        if spans[2 * k] <= value <= spans[2 * k + 1]:
            return True
    return False


cdef inline void _member(const Code* c, const Instruction* i, Registers* r) noexcept nogil:
    cdef int lane
    cdef uint64_t ranks = 0
    cdef const int32_t* spans = &c.numbers[i.imm]
    if i.op == C_N_IN:
        ranks = 0x1FFF if _in_spans(r.n[i.a], spans, i.b) else 0
        _settle(r, i.dst, r.n_known[i.a], _every_suit(ranks))
        return
    for lane in range(13):
        ranks |= <uint64_t>_in_spans(r.v[i.a][lane], spans, i.b) << lane
    _settle(r, i.dst, r.v_known[i.a], _every_suit(ranks))


cdef inline uint64_t _seen(const uint64_t* masks, uint64_t values) noexcept nogil:
    cdef uint64_t found = 0
    while values:
        found |= masks[lsb(values)]
        values &= values - 1
    return found


cdef inline uint64_t _extreme(const uint64_t* masks, const uint16_t* tally, int n, bint most) noexcept nogil:
    cdef int k
    cdef int wanted = 0
    cdef uint64_t found = 0
    if most:
        for k in range(n):
            wanted = tally[k] if tally[k] > wanted else wanted
    for k in range(n):
        if tally[k] == wanted:
            found |= masks[k]
    return found


cdef inline void _history(const Code* c, const Instruction* i, const uint16_t* memory, Registers* r) noexcept nogil:
    cdef const uint64_t* masks = &c.masks[i.imm]
    if i.op == C_TABLE:
        r.yes[i.dst] = masks[2 * memory[i.a]]
        r.no[i.dst] = masks[2 * memory[i.a] + 1]
    elif i.op == C_MASK:
        _settle(r, i.dst, True, masks[0])
    elif i.op == C_SEEN:
        _settle(r, i.dst, True, _seen(masks, memory[i.a]))
    elif i.op == C_ATTRIBUTE:
        _settle(r, i.dst, r.n_known[i.a], masks[r.n[i.a]] if r.n_known[i.a] else 0)
    else:
        _settle(r, i.dst, True, _extreme(masks, memory + i.a, i.b, i.op == C_MOST))


cdef inline void _connect(const Instruction* i, const uint16_t* memory, Registers* r) noexcept nogil:
    # Kleene's strong three-valued logic, 52 candidates at once.
    cdef uint64_t ay = r.yes[i.a]
    cdef uint64_t an = r.no[i.a]
    cdef uint64_t by = r.yes[i.b]
    cdef uint64_t bn = r.no[i.b]
    cdef int third
    if i.op == C_NOT:
        r.yes[i.dst] = an
        r.no[i.dst] = ay
    elif i.op == C_AND:
        r.yes[i.dst] = ay & by
        r.no[i.dst] = an | bn
    elif i.op == C_OR:
        r.yes[i.dst] = ay | by
        r.no[i.dst] = an & bn
    elif i.op == C_XOR:
        r.yes[i.dst] = ay & bn | an & by
        r.no[i.dst] = ay & by | an & bn
    elif i.op == C_IF:
        third = i.imm
        r.yes[i.dst] = ay & by | an & r.yes[third] | by & r.yes[third]
        r.no[i.dst] = ay & bn | an & r.no[third] | bn & r.no[third]
    else:
        third = i.b + memory[i.a]
        r.yes[i.dst] = r.yes[third]
        r.no[i.dst] = r.no[third]


cdef void evaluate(const Code* c, const uint16_t* memory, uint64_t* yes, uint64_t* no) noexcept nogil:
    cdef Registers r
    cdef int k, op
    for k in range(c.length):
        op = c.code[k].op
        if op >= C_NOT:
            _connect(&c.code[k], memory, &r)
        elif op >= C_N_IN:
            _member(c, &c.code[k], &r)
        elif op >= C_N_EQ:
            _compare(&c.code[k], &r)
        elif op >= C_MASK:
            _history(c, &c.code[k], memory, &r)
        elif op >= V_RANK:
            _vector(&c.code[k], &r)
        else:
            _numbers(c, &c.code[k], memory, &r)
    yes[0] = r.yes[c.result]
    no[0] = r.no[c.result]


# Memory ---------------------------------------------------------------------------------------------------

cdef inline uint16_t _stopped(int value, int limit) noexcept nogil:
    return <uint16_t>(value if value < limit else limit)


cdef inline void _tally(const Field* f, const uint16_t* before, int value, uint16_t* after) noexcept nogil:
    # Only differences matter: the least value is kept at 0.
    cdef int k
    cdef int n = f.link
    cdef bint shift = True
    for k in range(n):
        after[k] = before[k]
    after[value] = _stopped(after[value] + 1, f.arg)
    for k in range(n):
        shift = shift and after[k] > 0
    if shift:
        for k in range(n):
            after[k] -= 1


cdef inline uint16_t _run(const Field* f, int length, int last, int value) noexcept nogil:
    cdef int now = length + 1 if last and f.map[last] == value else 1
    if f.kind == RUN_MOD:
        return <uint16_t>(now % f.arg)
    return _stopped(now, f.arg)


cdef void advance_shared(const Code* c, const uint16_t* before, uint16_t* after) noexcept nogil:
    # Earlier cards move one place on.
    cdef int i, k
    for i in range(c.shared):
        k = c.shared_field[i]
        after[k] = c.field[k].map[before[c.field[k].link]]


cdef void advance_own(const Code* c, const uint16_t* before, int card, uint16_t* after) noexcept nogil:
    cdef int i, k, value
    cdef const Field* f
    for i in range(c.own):
        k = c.own_field[i]
        f = &c.field[k]
        value = f.of_card[card]
        if f.kind == SLOT:
            after[k] = value
        elif f.kind == COUNT:
            after[k] = _stopped(before[k] + value, f.arg)
        elif f.kind == COUNT_MOD:
            after[k] = <uint16_t>((before[k] + value) % f.arg)
        elif f.kind == RUN or f.kind == RUN_MOD:
            after[k] = _run(f, before[k], before[f.link], value)
        elif f.kind == FIRST:
            after[k] = before[k] if before[k] else value
        elif f.kind == SEEN:
            after[k] = before[k] | <uint16_t>(1 << value)
        elif f.kind == TALLY:
            _tally(f, before + k, value, after + k)
        elif f.kind == LOWEST:
            after[k] = value if before[k] == 0 or value < before[k] else before[k]
        elif f.kind == HIGHEST:
            after[k] = value if value > before[k] else before[k]


cdef void advance(const Code* c, const uint16_t* before, int card, uint16_t* after) noexcept nogil:
    advance_shared(c, before, after)
    advance_own(c, before, card, after)


cdef bint is_empty(const Code* c, const uint16_t* memory) noexcept nogil:
    cdef int k
    for k in range(c.fields):
        if memory[k]:
            return False
    return True


# Construction ---------------------------------------------------------------------------------------------

cdef class Program:
    """A rule ready to run.

    Args:
        fields: one tuple (kind, size, arg, link, of_card, map) for each number of the memory.
        code: one tuple (op, dst, a, b, imm) for each instruction.
        result: condition register that holds the verdict at the end.
        masks: constant masks.
        numbers: constant numbers.
        start: mask of the cards that may lie first.

    Raises:
        ValueError: if there are more fields, or higher registers, than the core has.
    """

    def __init__(self, fields, code, int result, masks, numbers, start):
        if len(fields) > MAX_FIELDS:
            raise ValueError(f"a rule remembers at most {MAX_FIELDS} numbers, not {len(fields)}")
        if any(not 0 <= register < MAX_REGISTERS for _, *three, _ in code for register in three[:1]):
            raise ValueError(f"a rule has at most {MAX_REGISTERS} registers")
        memset(&self.c, 0, sizeof(Code))
        self.c.code = <Instruction*>calloc(len(code) + 1, sizeof(Instruction))
        self.c.masks = <uint64_t*>calloc(len(masks) + 1, sizeof(uint64_t))
        self.c.numbers = <int32_t*>calloc(len(numbers) + 1, sizeof(int32_t))
        if self.c.code == NULL or self.c.masks == NULL or self.c.numbers == NULL:
            raise MemoryError
        self._fill(fields, code, masks, numbers)
        self.c.result = result
        self.c.start = start
        self._find_letters(fields)
        self.size_product = math.prod(field[1] for field in fields)

    def _fill(self, fields, code, masks, numbers):
        cdef int k, i
        self.c.fields = len(fields)
        for k, (kind, size, arg, link, of_card, mapped) in enumerate(fields):
            self.c.field[k].kind = FIELD_KINDS[kind]
            self.c.field[k].size = size
            self.c.field[k].arg = arg
            self.c.field[k].link = link
            for i in range(52):
                self.c.field[k].of_card[i] = of_card[i]
            for i in range(len(mapped)):
                self.c.field[k].map[i] = mapped[i]
            if self.c.field[k].kind == SLOT and link >= 0:
                self.c.shared_field[self.c.shared] = k
                self.c.shared += 1
            elif self.c.field[k].kind != TALLY_PART:
                self.c.own_field[self.c.own] = k
                self.c.own += 1
        self.c.length = len(code)
        for k, (op, dst, a, b, imm) in enumerate(code):
            self.c.code[k].op = OPS[op]
            self.c.code[k].dst = dst
            self.c.code[k].a = a
            self.c.code[k].b = b
            self.c.code[k].imm = imm
        for k in range(len(masks)):
            self.c.masks[k] = masks[k]
        for k in range(len(numbers)):
            self.c.numbers[k] = numbers[k]

    def _find_letters(self, fields):
        cdef int card
        kinds = {}
        for card in range(52):
            letter = kinds.setdefault(tuple(field[4][card] for field in fields), len(kinds))
            if letter == self.c.letters:
                self.c.letter_card[letter] = card
                self.c.letters += 1
            self.c.letter[card] = letter
            self.c.letter_mask[letter] |= <uint64_t>1 << card

    def __dealloc__(self):
        free(self.c.code)
        free(self.c.masks)
        free(self.c.numbers)

    @property
    def fields(self):
        """Number of numbers in the memory."""
        return self.c.fields

    @property
    def letters(self):
        """Number of classes of cards that the memory tells apart."""
        return self.c.letters

    @property
    def start(self):
        """Mask of the cards that may lie first."""
        return self.c.start

    def memory(self, cards):
        """The memory after some cards were accepted, as a list of numbers."""
        cdef uint16_t old[MAX_FIELDS]
        cdef uint16_t new[MAX_FIELDS]
        cdef int k
        memset(old, 0, sizeof(old))
        memset(new, 0, sizeof(new))
        for card in cards:
            if not 0 <= card < 52:
                raise ValueError(f"a card is a number from 0 to 51, not {card}")
            advance(&self.c, old, card, new)
            for k in range(self.c.fields):
                old[k] = new[k]
        return [old[k] for k in range(self.c.fields)]

    def masks(self, memory):
        """Masks of the cards surely right and surely wrong at a memory (the start condition apart)."""
        cdef uint16_t digits[MAX_FIELDS]
        cdef uint64_t yes, no
        cdef int k
        if len(memory) != self.c.fields:
            raise ValueError(f"this rule remembers {self.c.fields} numbers, not {len(memory)}")
        for k in range(self.c.fields):
            if not 0 <= memory[k] < self.c.field[k].size:
                raise ValueError(f"number {k} of the memory is below {self.c.field[k].size}, not {memory[k]}")
            digits[k] = memory[k]
        evaluate(&self.c, digits, &yes, &no)
        return yes, no

    def right(self, cards):
        """Mask of the cards that are right after these were accepted, by direct evaluation."""
        if not len(cards):
            return self.c.start
        _, no = self.masks(self.memory(cards))
        return ~no & <uint64_t>FULL_DECK
