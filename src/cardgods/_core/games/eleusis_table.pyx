"""Hands, stock and table of Eleusis, and what the rule says of them."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from cardgods._core.games.eleusis_position cimport (
    ENTRY_HAND,
    KINDS,
    MAX_PACKS,
    EleusisPos,
    EleusisRules,
    RoundRule,
)
from cardgods._core.rule.machine cimport moore_right, moore_step
from cardgods._core.rule.program cimport FULL_DECK, MAX_FIELDS, advance
from cardgods._core.rule.vm cimport right_cards


cdef void enter_hand(EleusisPos* s, int seat) noexcept nogil:
    # The hand of a right claim stays on the table.
    cdef uint8_t cards[KINDS * MAX_PACKS]
    cdef int k, i, _
    cdef int n = 0
    for k in range(KINDS):
        for _ in range(s.hand[seat][k]):
            cards[n] = <uint8_t>k
            n += 1
        s.hand[seat][k] = 0
    s.held[seat] = 0
    s.size[seat] = 0
    # one entry has at most 255 cards
    for i in range(0, n, 255):
        enter(s, ENTRY_HAND, seat, cards + i, n - i if n - i < 255 else 255)


cdef uint64_t right_now(const EleusisRules* r, const EleusisPos* s) noexcept nogil:
    # The cards that are right now; all of them if a human God judges.
    cdef const RoundRule* rule = &r.rule[s.round]
    if rule.machine != NULL:
        return moore_right(rule.machine, s.rule_state)
    if rule.code == NULL:
        return FULL_DECK
    if s.line == 0:
        return rule.code.start
    return right_cards(rule.code, s.memory)


cdef void extend_line(const EleusisRules* r, EleusisPos* s, int card) noexcept nogil:
    cdef const RoundRule* rule = &r.rule[s.round]
    cdef uint16_t after[MAX_FIELDS]
    if rule.machine != NULL:
        s.rule_state = moore_step(rule.machine, s.rule_state, card)
    elif rule.code != NULL:
        memset(after, 0, sizeof(after))
        advance(rule.code, s.memory, card, after)
        memcpy(s.memory, after, sizeof(after))
    s.line += 1


cdef bint sequence_is_right(const EleusisRules* r, const EleusisPos* s) noexcept nogil:
    # All cards laid, in their order; the position itself is not touched.
    cdef const RoundRule* rule = &r.rule[s.round]
    cdef uint16_t memory[MAX_FIELDS]
    cdef uint16_t after[MAX_FIELDS]
    cdef uint64_t right = right_now(r, s)
    cdef int state = s.rule_state
    cdef int i
    memcpy(memory, s.memory, sizeof(memory))
    for i in range(s.laid):
        if not (right >> s.card[i]) & 1:
            return False
        if rule.machine != NULL:
            state = moore_step(rule.machine, state, s.card[i])
            right = moore_right(rule.machine, state)
        else:
            memcpy(after, memory, sizeof(after))
            advance(rule.code, memory, s.card[i], after)
            memcpy(memory, after, sizeof(after))
            right = right_cards(rule.code, memory)
    return True
