"""The program of a rule: its memory, and the constructor from plain lists."""

from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from cardgods._core.rule cimport vm
from cardgods._core.rule.vm cimport evaluate, right_cards

import math

OPS = {
    "n.const": vm.N_CONST, "n.card": vm.N_CARD, "n.field": vm.N_FIELD, "n.range": vm.N_RANGE,
    "n.+": vm.N_ADD, "n.-": vm.N_SUB, "n.*": vm.N_MUL, "n.%": vm.N_MOD, "n.min": vm.N_MIN, "n.max": vm.N_MAX,
    "n.gcd": vm.N_GCD, "n.dist": vm.N_DIST, "n.abs": vm.N_ABS,
    "v.rank": vm.V_RANK, "v.points": vm.V_POINTS, "v.splat": vm.V_SPLAT,
    "v.+": vm.V_ADD, "v.-": vm.V_SUB, "v.*": vm.V_MUL, "v.%": vm.V_MOD, "v.min": vm.V_MIN, "v.max": vm.V_MAX,
    "v.gcd": vm.V_GCD, "v.dist": vm.V_DIST, "v.abs": vm.V_ABS,
    "c.mask": vm.C_MASK, "c.table": vm.C_TABLE, "c.seen": vm.C_SEEN,
    "c.least": vm.C_LEAST, "c.most": vm.C_MOST,
    "c.attribute": vm.C_ATTRIBUTE, "c.n=": vm.C_N_EQ,
    "c.n<": vm.C_N_LT, "c.n<=": vm.C_N_LE,
    "c.v=": vm.C_V_EQ, "c.v<": vm.C_V_LT, "c.v<=": vm.C_V_LE,
    "c.nin": vm.C_N_IN, "c.vin": vm.C_V_IN,
    "c.not": vm.C_NOT, "c.and": vm.C_AND, "c.or": vm.C_OR, "c.xor": vm.C_XOR,
    "c.if": vm.C_IF, "c.pick": vm.C_PICK,
}
FIELD_KINDS = {
    "slot": SLOT, "first": FIRST, "count": COUNT, "count%": COUNT_MOD, "run": RUN, "run%": RUN_MOD,
    "seen": SEEN, "tally": TALLY, "tally+": TALLY_PART, "lowest": LOWEST, "highest": HIGHEST,
}


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


cdef class Runner:
    """A rule followed card by card, by direct evaluation: for rules with more states than a machine may have.

    Args:
        program: the rule.
        cards: right cards that lie already.
    """

    def __init__(self, Program program, cards=()):
        self.program = program
        self.length = 0
        memset(self.memory, 0, sizeof(self.memory))
        for card in cards:
            self.play(card)

    def right(self):
        """Mask of the cards that are right now."""
        if self.length == 0:
            return self.program.c.start
        return right_cards(&self.program.c, self.memory)

    def play(self, card):
        """Lay a card, which is taken to be right."""
        cdef uint16_t after[MAX_FIELDS]
        cdef int number = card
        if not 0 <= number < 52:
            raise ValueError(f"a card is a number from 0 to 51, not {card}")
        memcpy(after, self.memory, sizeof(after))
        advance(&self.program.c, self.memory, number, after)
        memcpy(self.memory, after, sizeof(after))
        self.length += 1

    def copy(self):
        """An independent copy."""
        cdef Runner other = Runner.__new__(Runner)
        other.program = self.program
        other.length = self.length
        memcpy(other.memory, self.memory, sizeof(self.memory))
        return other
