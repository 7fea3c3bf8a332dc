"""From program to minimal Moore machine: a breadth-first walk over the memories that can come up."""

from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from cardgods._core.bits cimport lsb
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.rule.minimise cimport minimise
from cardgods._core.rule.program cimport (
    MAX_FIELDS,
    Code,
    Program,
    advance_own,
    advance_shared,
)
from cardgods._core.rule.vm cimport right_cards

import hashlib

cdef enum:
    TOO_MANY = -1
    NO_MEMORY = -2
    DIRECT = 1 << 20      # up to this many possible memories a state is found by plain indexing

cdef struct Walk:
    const Code* c
    Moore raw
    int capacity
    int cap
    uint16_t* memory      # [capacity * fields]
    int32_t* table        # memory -> state + 1, by index or by open addressing
    uint64_t size         # entries of the table
    bint direct
    uint64_t radix[MAX_FIELDS]


cdef int moore_alloc(Moore* m, int states, int letters) noexcept nogil:
    m.states = states
    m.letters = letters
    m.right = <uint64_t*>malloc(states * sizeof(uint64_t))
    m.next = <int32_t*>malloc(<size_t>states * letters * sizeof(int32_t))
    return 0 if m.right != NULL and m.next != NULL else NO_MEMORY


cdef void moore_free(Moore* m) noexcept nogil:
    free(m.right)
    free(m.next)
    m.right = NULL
    m.next = NULL


# Memories as states ---------------------------------------------------------------------------------------

cdef inline uint64_t _place(const Walk* w, const uint16_t* memory) noexcept nogil:
    cdef int k
    cdef uint64_t at = 0
    if w.direct:
        for k in range(w.c.fields):
            at += w.radix[k] * memory[k]
        return at
    for k in range(w.c.fields):
        at = (at ^ memory[k]) * <uint64_t>0x9E3779B97F4A7C15
        at ^= at >> 32
    return at & (w.size - 1)


cdef void _choose_table(Walk* w) noexcept nogil:
    cdef int k
    cdef uint64_t product = 1
    w.direct = True
    for k in range(w.c.fields):
        w.radix[k] = product
        product *= <uint64_t>w.c.field[k].size
        if product > DIRECT:
            w.direct = False
            break
    w.size = product if w.direct else 1 << 12
    w.table = <int32_t*>calloc(w.size, sizeof(int32_t))


cdef int _grow(Walk* w) noexcept nogil:
    # Room for one more state; the states are kept when the arrays move.
    cdef int room = 2 * w.capacity
    cdef uint16_t* memory
    cdef uint64_t* right
    cdef int32_t* next
    if w.raw.states < w.capacity:
        return 0
    memory = <uint16_t*>realloc(w.memory, <size_t>room * (w.c.fields + 1) * sizeof(uint16_t))
    w.memory = memory if memory != NULL else w.memory
    right = <uint64_t*>realloc(w.raw.right, room * sizeof(uint64_t))
    w.raw.right = right if right != NULL else w.raw.right
    next = <int32_t*>realloc(w.raw.next, <size_t>room * w.c.letters * sizeof(int32_t))
    w.raw.next = next if next != NULL else w.raw.next
    if memory == NULL or right == NULL or next == NULL:
        return NO_MEMORY
    w.capacity = room
    return 0


cdef int _rehash(Walk* w) noexcept nogil:
    cdef int s
    cdef uint64_t at
    free(w.table)
    w.size *= 4
    w.table = <int32_t*>calloc(w.size, sizeof(int32_t))
    if w.table == NULL:
        return NO_MEMORY
    for s in range(1, w.raw.states):
        at = _place(w, &w.memory[s * w.c.fields])
        while w.table[at]:
            at = (at + 1) & (w.size - 1)
        w.table[at] = s + 1
    return 0


cdef int _state_of(Walk* w, const uint16_t* memory) noexcept nogil:
    cdef uint64_t at = _place(w, memory)
    cdef int fields = w.c.fields
    cdef int s
    while w.table[at]:
        s = w.table[at] - 1
        if w.direct or memcmp(&w.memory[s * fields], memory, fields * sizeof(uint16_t)) == 0:
            return s
        at = (at + 1) & (w.size - 1)
    if w.raw.states >= w.cap:
        return TOO_MANY
    if _grow(w):
        return NO_MEMORY
    s = w.raw.states
    memcpy(&w.memory[s * fields], memory, fields * sizeof(uint16_t))
    w.table[at] = s + 1
    w.raw.states += 1
    if not w.direct and <uint64_t>(2 * w.raw.states) > w.size and _rehash(w):
        return NO_MEMORY
    return s


cdef int _expand(Walk* w, int s) noexcept nogil:
    cdef uint16_t after[MAX_FIELDS]
    cdef int letter, t
    cdef uint64_t right = w.c.start
    if s > 0:
        right = right_cards(w.c, &w.memory[s * w.c.fields])
    w.raw.right[s] = right
    advance_shared(w.c, &w.memory[s * w.c.fields], after)
    for letter in range(w.c.letters):
        t = -1
        if right & w.c.letter_mask[letter]:
            advance_own(w.c, &w.memory[s * w.c.fields], w.c.letter_card[letter], after)
            t = _state_of(w, after)
            if t < 0:
                return t
        w.raw.next[s * w.c.letters + letter] = t
    return 0


cdef int _walk(Walk* w) noexcept nogil:
    # The empty table is a state of its own, even where a rule remembers nothing.
    cdef int s = 0
    cdef int failed = 0
    w.capacity = 64
    w.raw.states = 1
    w.raw.letters = w.c.letters
    _choose_table(w)
    w.memory = <uint16_t*>calloc(64 * (w.c.fields + 1), sizeof(uint16_t))
    w.raw.right = <uint64_t*>malloc(64 * sizeof(uint64_t))
    w.raw.next = <int32_t*>malloc(64 * w.c.letters * sizeof(int32_t))
    if w.table == NULL or w.memory == NULL or w.raw.right == NULL or w.raw.next == NULL:
        return NO_MEMORY
    while s < w.raw.states and not failed:
        failed = _expand(w, s)
        s += 1
    return failed


# The minimal machine --------------------------------------------------------------------------------------

cdef int _number_blocks(
    const Moore* raw, const int32_t* block, int32_t* number, int32_t* order
) noexcept nogil:
    # Blocks in the order of a breadth-first walk by ascending card; `order` has one raw state of each.
    cdef int found = 1
    cdef int at = 0
    cdef int s, t
    cdef uint64_t rest
    number[block[0]] = 0
    order[0] = 0
    while at < found:
        s = order[at]
        rest = raw.right[s]
        while rest:
            t = raw.next[s * raw.letters + raw.letter[lsb(rest)]]
            rest &= ~raw.letter_mask[raw.letter[lsb(rest)]]
            if number[block[t]] < 0:
                number[block[t]] = found
                order[found] = t
                found += 1
        at += 1
    return found


cdef int _quotient(const Moore* raw, Moore* out) noexcept nogil:
    cdef int32_t* pool = <int32_t*>malloc(3 * raw.states * sizeof(int32_t))
    cdef int32_t* number = pool + raw.states
    cdef int32_t* order = number + raw.states
    cdef int blocks, k, s, t
    if pool == NULL:
        return NO_MEMORY
    blocks = minimise(raw, pool)
    if blocks < 0 or moore_alloc(out, blocks, raw.letters):
        free(pool)
        return NO_MEMORY
    memset(number, 255, raw.states * sizeof(int32_t))
    _number_blocks(raw, pool, number, order)
    memcpy(out.letter, raw.letter, sizeof(raw.letter))
    memcpy(out.letter_mask, raw.letter_mask, sizeof(raw.letter_mask))
    for s in range(blocks):
        out.right[s] = raw.right[order[s]]
        for k in range(raw.letters):
            t = raw.next[order[s] * raw.letters + k]
            out.next[s * raw.letters + k] = number[pool[t]] if t >= 0 else -1
    free(pool)
    return 0


cdef int build(const Code* c, int cap, Moore* out, int* raw_states) noexcept nogil:
    """The minimal machine of a program: 0, TOO_MANY states (more than `cap`) or NO_MEMORY."""
    cdef Walk w
    cdef int failed
    memset(&w, 0, sizeof(w))
    w.c = c
    w.cap = cap
    memcpy(w.raw.letter, c.letter, sizeof(c.letter))
    memcpy(w.raw.letter_mask, c.letter_mask, sizeof(c.letter_mask))
    failed = _walk(&w)
    raw_states[0] = w.raw.states
    if not failed:
        failed = _quotient(&w.raw, out)
    moore_free(&w.raw)
    free(w.memory)
    free(w.table)
    return failed


cdef long _random_plays(const Moore* m, long plays, Rng* rng) noexcept nogil:
    cdef long _k
    cdef long right = 0
    cdef int state = 0
    cdef int card
    for _k in range(plays):
        card = <int>bounded(rng, 52)
        if (moore_right(m, state) >> card) & 1:
            state = moore_step(m, state, card)
            right += 1
    return right


# The Python face ------------------------------------------------------------------------------------------

cdef class Machine:
    """The minimal Moore machine of a rule.

    Args:
        program: the rule.
        cap: give up beyond this many states before minimisation.

    Raises:
        OverflowError: if there are more.
    """

    def __init__(self, Program program, int cap):
        cdef int raw = 0, failed
        moore_free(&self.m)
        with nogil:
            failed = build(&program.c, cap, &self.m, &raw)
        if failed == NO_MEMORY:
            raise MemoryError
        if failed:
            raise OverflowError(f"more than {cap} states")
        self.raw_states = raw

    def __dealloc__(self):
        moore_free(&self.m)

    @property
    def states(self):
        """Number of states."""
        return self.m.states

    @property
    def letters(self):
        """Number of classes of cards that lead to the same states."""
        return self.m.letters

    cdef int _state(self, state) except -1:
        if not 0 <= state < self.m.states:
            raise IndexError(f"states are 0..{self.m.states - 1}, not {state}")
        return state

    def right(self, state=0):
        """Mask of the cards that are right in a state."""
        return self.m.right[self._state(state)]

    def step(self, state, card):
        """The state after a right card, or -1 if the card is wrong."""
        cdef int s = self._state(state)
        if not 0 <= card < 52:
            raise ValueError(f"a card is a number from 0 to 51, not {card}")
        if not (self.m.right[s] >> <int>card) & 1:
            return -1
        return moore_step(&self.m, s, card)

    def run(self, cards, state=0):
        """The state after right cards played in order, or -1 if one of them is wrong."""
        for card in cards:
            state = self.step(state, card)
            if state < 0:
                return -1
        return state

    def random_plays(self, plays, Random rng):
        """Lay random cards from the empty table on; how many of them were right."""
        cdef long count = plays, right
        with nogil:
            right = _random_plays(&self.m, count, &rng.rng)
        return right

    def table(self):
        """Pairs (mask, next state for each card, -1 where it is wrong) for each state."""
        return [
            (self.m.right[s], [self.step(s, card) for card in range(52)]) for s in range(self.m.states)
        ]

    def digest(self):
        """SHA-256, in hex, of the behaviour: equal exactly for rules that behave alike from the start."""
        cdef int32_t row[52]
        cdef int s, card
        if self._digest is None:
            whole = hashlib.sha256(b"cardgods-rule-behaviour-1")
            for s in range(self.m.states):
                for card in range(52):
                    row[card] = moore_step(&self.m, s, card) if (self.m.right[s] >> card) & 1 else -1
                whole.update((<const unsigned char*>row)[:sizeof(row)])
            self._digest = whole.hexdigest()
        return self._digest

    def future(self, state):
        """A digest of what can happen from a state on: equal exactly for states that behave alike."""
        cdef int s, card, k
        cdef int found = 1
        cdef int32_t row[52]
        cdef int32_t* pool
        self._state(state)
        pool = <int32_t*>calloc(2 * self.m.states, sizeof(int32_t))
        if pool == NULL:
            raise MemoryError
        pool[self.m.states] = state
        pool[state] = 1
        whole = hashlib.blake2b(digest_size=16)
        k = 0
        while k < found:
            s = pool[self.m.states + k]
            for card in range(52):
                row[card] = -1
                if (self.m.right[s] >> card) & 1:
                    s = moore_step(&self.m, s, card)
                    if not pool[s]:
                        pool[self.m.states + found] = s
                        found += 1
                        pool[s] = found
                    row[card] = pool[s]
                    s = pool[self.m.states + k]
            whole.update((<const unsigned char*>row)[:sizeof(row)])
            k += 1
        free(pool)
        return whole.digest()
