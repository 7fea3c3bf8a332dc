# Hands, stock and table, and what the rule says of them.
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from cardgods._core.games.eleusis_position cimport KINDS, EleusisPos, EleusisRules

cdef void enter_hand(EleusisPos* s, int seat) noexcept nogil
cdef uint64_t right_now(const EleusisRules* r, const EleusisPos* s) noexcept nogil
cdef void extend_line(const EleusisRules* r, EleusisPos* s, int card) noexcept nogil
cdef bint sequence_is_right(const EleusisRules* r, const EleusisPos* s) noexcept nogil

cdef inline void take_up(EleusisPos* s, int seat, int card) noexcept nogil:
    s.hand[seat][card] += 1
    s.held[seat] |= <uint64_t>1 << card
    s.size[seat] += 1

cdef inline void put_down(EleusisPos* s, int seat, int card) noexcept nogil:
    s.hand[seat][card] -= 1
    if s.hand[seat][card] == 0:
        s.held[seat] &= ~(<uint64_t>1 << card)
    s.size[seat] -= 1

cdef inline void shuffle_in(EleusisPos* s) noexcept nogil:
    # A further pack; the refused starters are shuffled in with it.
    cdef int k
    for k in range(KINDS):
        s.stock[k] += 1 + s.bottom[k]
        s.bottom[k] = 0
    s.stock_size += KINDS + s.bottom_size
    s.bottom_size = 0
    s.packs += 1

cdef inline void take_stock(const EleusisRules* r, EleusisPos* s, int card) noexcept nogil:
    # The card under the hand of chance leaves the stock; a low stock gets another pack.
    if s.stock_size:
        s.stock[card] -= 1
        s.stock_size -= 1
    else:
        s.bottom[card] -= 1
        s.bottom_size -= 1
    if s.stock_size + s.bottom_size <= r.refill_at and s.packs < r.packs_max:
        shuffle_in(s)

cdef inline void enter(EleusisPos* s, int kind, int seat, const uint8_t* cards, int n) noexcept nogil:
    cdef uint8_t* at = &s.table[s.table_used]
    at[0] = <uint8_t>(kind << 4 | seat)
    at[1] = <uint8_t>n
    memcpy(at + 2, cards, n)
    s.table_used += <uint16_t>(n + 2)

cdef inline bint is_human(const EleusisRules* r, const EleusisPos* s) noexcept nogil:
    return r.rule[s.round].code == NULL

cdef inline void pronounce(EleusisPos* s, int verdict) noexcept nogil:
    s.verdict = <uint8_t>verdict
    s.verdicts += 1
