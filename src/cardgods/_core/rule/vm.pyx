"""Evaluation of a rule's program: a memory in, two masks out."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from cardgods._core.bits cimport lsb
from cardgods._core.rule.program cimport FULL_DECK, LANES, MAX_REGISTERS, Code, Instruction

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


cdef inline void _numbers(
    const Code* c, const Instruction* i, const uint16_t* memory, Registers* r
) noexcept nogil:
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


cdef inline void _history(
    const Code* c, const Instruction* i, const uint16_t* memory, Registers* r
) noexcept nogil:
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
