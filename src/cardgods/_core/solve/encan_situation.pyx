"""One score situation of the Encan family and what a turn makes of it."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from cardgods._core.games.encan cimport (
    BREAK_CASCADE,
    BREAK_DRAW,
    PAYOFF_POINTS,
    TIE_CARRY,
    TIE_SPLIT,
    EncanRules,
)


cdef uint64_t situation_key(const Situation* s) noexcept nogil:
    return (
        <uint64_t>s.pile
        | <uint64_t>s.score[0] << 13
        | <uint64_t>s.score[1] << 31
        | <uint64_t>s.carry << 49
    )


cdef Situation situation_of(uint64_t key) noexcept nogil:
    cdef Situation s
    s.pile = <uint32_t>(key & 0x1fff)
    s.score[0] = <int32_t>((key >> 13) & 0x3ffff)
    s.score[1] = <int32_t>((key >> 31) & 0x3ffff)
    s.carry = <int32_t>(key >> 49)
    return s


cdef void situation_reduce(const Terms* z, Situation* s) noexcept nogil:
    # Without a target only the lead counts, and played for points not even that.
    cdef const EncanRules* r = &z.rules
    cdef int32_t least
    if r.target == 0:
        if r.payoff == PAYOFF_POINTS:
            s.score[0] = s.score[1] = 0
        else:
            least = min(s.score[0], s.score[1])
            s.score[0] -= least
            s.score[1] -= least


cdef inline int32_t ending(const Terms* z, const Situation* s, int outcome) noexcept nogil:
    # The leaf of a finished game; `outcome` is that of its last turn.
    cdef const EncanRules* r = &z.rules
    if r.payoff == PAYOFF_POINTS:
        return LEAF_LEVEL
    if s.score[0] != s.score[1]:
        return LEAF_WON + (s.score[1] > s.score[0])
    if r.tie_break == BREAK_DRAW:
        return LEAF_LEVEL
    if r.tie_break != BREAK_CASCADE:
        return LEAF_WON + 1
    if outcome < 2:
        return LEAF_WON + outcome
    if s.pile:
        return UNORDERED_GOLD
    return LEAF_GOLD if z.gold else LEAF_WON + 1


cdef Step situation_step(const Terms* z, const Situation* s, int treasure, int outcome) noexcept nogil:
    cdef const EncanRules* r = &z.rules
    cdef int32_t lot = r.values[treasure] * r.scale + s.carry
    cdef Step out
    out.next = s[0]
    out.next.pile ^= 1u << treasure
    out.reward = lot if r.payoff == PAYOFF_POINTS else 0
    if outcome < 2:
        out.next.score[outcome] += lot
        out.next.carry = 0
    elif r.tie == TIE_CARRY:
        out.next.carry = lot
    elif r.tie == TIE_SPLIT:
        out.next.score[0] += lot // 2
        out.next.score[1] += lot // 2
    out.leaf = -1
    if out.next.pile == 0 or r.target and (out.next.score[0] >= r.target or out.next.score[1] >= r.target):
        out.leaf = ending(z, &out.next, outcome)
    else:
        situation_reduce(z, &out.next)
    return out
