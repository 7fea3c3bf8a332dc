# One hand pattern of the Encan family: all that matters of two hands is the order of their cards.
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t

# The values that somebody holds or may call back are the columns, ascending; bit c of a hand says that the
# player holds the card of column c. The mark is the column of the smallest card he has burnt, while he may
# still call it back; -1 if there is none.
cdef struct Pattern:
    uint16_t hand[2]
    int8_t mark[2]
    uint8_t used              # bit p: player p has used his Obole, or there is none

cdef uint64_t pattern_key(const Pattern* p) noexcept nogil
cdef Pattern pattern_of(uint64_t key) noexcept nogil
cdef Pattern pattern_after(const Pattern* p, int bid0, int bid1) noexcept nogil
cdef Pattern pattern_called(const Pattern* p, int player) noexcept nogil
cdef void pattern_settle(Pattern* p) noexcept nogil
cdef Pattern pattern_mirror(const Pattern* p) noexcept nogil
cdef Pattern pattern_ended(const Pattern* p) noexcept nogil
cdef int run_starts(const Pattern* p, int player) noexcept nogil
