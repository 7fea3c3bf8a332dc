"""What the players of Eleusis know.

Secret are the cards of other hands and of the stock, the refused starters, and the rule. The rule shows only
in God's verdicts, which are events of their own, so no event depends on it.
"""

from libc.stdint cimport int16_t, int32_t
from libc.string cimport memcpy, memset

from cardgods._core.games.eleusis_position cimport (
    CLAIM,
    DRAW,
    FORCED,
    GOD_CLAIM,
    GOD_PICK,
    GOD_PICK_JUDGE,
    GOD_STARTER,
    JUDGE_CLAIM,
    KINDS,
    MAX_SEATS,
    NEXT_ROUND,
    PICK,
    RIGHT,
    STARTER,
    EleusisPos,
    EleusisRules,
)

cdef enum:
    TURNED = 60               # a starter was turned and is not (or not yet) accepted: only God has seen it
    JUDGED = 64               # + verdict: God's word on the move


# Events ----------------------------------------------------------------------------------------------------

cdef inline int starter_event(const EleusisPos* s, const EleusisPos* t, int card, int player,
                              int16_t* out) noexcept nogil:
    if t.line == s.line:
        out[0] = TURNED
        out[1] = <int16_t>card
        return 2 if player == s.god else 1
    out[0] = <int16_t>card
    return 1


cdef int eleusis_events(const void* rules, const void* before, int32_t action, const void* after, int player,
                        int16_t* out) noexcept nogil:
    cdef const EleusisPos* s = <const EleusisPos*>before
    cdef const EleusisPos* t = <const EleusisPos*>after
    cdef const EleusisRules* r = <const EleusisRules*>rules
    cdef int k
    cdef int n = 1
    out[0] = <int16_t>action
    if s.phase == DRAW:
        return s.draw_seat[0] == player
    if s.phase == NEXT_ROUND:
        return (t.god + 1) % r.players == player
    if s.phase == STARTER:
        return starter_event(s, t, action, player, out)
    if s.phase == GOD_STARTER and action == RIGHT:
        out[1] = s.turned
        return 2
    if action == CLAIM and player != s.turn:
        for k in range(KINDS):
            out[1 + k] = s.hand[s.turn][k]
        n += KINDS
    if s.verdicts != t.verdicts:
        out[n] = JUDGED + t.verdict
        n += 1
    return n


cdef inline bint hand_is_shown(const EleusisPos* s) noexcept nogil:
    return s.phase in (JUDGE_CLAIM, PICK, GOD_CLAIM, GOD_PICK_JUDGE, GOD_PICK, FORCED)


cdef void eleusis_observe(const void* rules, const void* pos, int player, void* out) noexcept nogil:
    cdef EleusisPos* s = <EleusisPos*>out
    cdef int k
    memcpy(out, pos, sizeof(EleusisPos))
    for k in range(MAX_SEATS):
        if k != player and not (k == s.turn and hand_is_shown(s)):
            memset(s.hand[k], 0, KINDS)
            s.held[k] = 0
    memset(s.stock, 0, KINDS)
    if player != s.god:
        memset(s.bottom, 0, KINDS)
        memset(s.memory, 0, sizeof(s.memory))
        s.turned = -1
        s.rule_state = 0
        s.rule_known = 0
