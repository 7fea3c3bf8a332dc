# A rule as a Moore machine: one 52-bit mask of right cards per state, the next state by letter.
#
# State 0 is the empty table; its mask is the legal starters. A machine built by `build` is minimal and its
# states are numbered in the order of a breadth-first walk by ascending card, so two rules behave alike from
# the start exactly if their machines are equal card by card.
from libc.stdint cimport int32_t, uint8_t, uint64_t

from cardgods._core.rule.program cimport Code, Program

cdef struct Moore:
    int32_t states
    int32_t letters
    uint8_t letter[52]        # letter of each card: cards of a letter lead to the same states
    uint64_t letter_mask[52]
    uint64_t* right           # [states] cards that are right
    int32_t* next             # [states * letters] -1 where no card of the letter is right

cdef inline uint64_t moore_right(const Moore* m, int state) noexcept nogil:
    return m.right[state]

cdef inline int moore_step(const Moore* m, int state, int card) noexcept nogil:
    return m.next[state * m.letters + m.letter[card]]

cdef int moore_alloc(Moore* m, int states, int letters) noexcept nogil
cdef void moore_free(Moore* m) noexcept nogil
cdef int build(const Code* c, int cap, Moore* out, int* raw_states) noexcept nogil

cdef class Machine:
    cdef Moore m
    cdef readonly int raw_states
    cdef object _digest

    cdef int _state(self, state) except -1
