# One score situation of the Encan family.
from libc.stdint cimport int32_t, uint32_t, uint64_t

from cardgods._core.games.encan cimport EncanRules

cdef enum:
    # the leaves: player 0 has won (and, odd, player 1), a level end, an end that the gold in hand decides
    LEAF_WON = 0
    LEAF_LEVEL = 2
    LEAF_GOLD = 4
    LEAVES = 3                # numbers 0..2

cdef struct Situation:
    uint32_t pile             # treasures left, one bit a place
    int32_t score[2]          # in units of score; only their difference counts if there is no target
    int32_t carry

cdef struct Step:             # what a turn's outcome leads to
    int32_t leaf              # code of a leaf, -1 if the game goes on
    int32_t reward            # units of score for player 0, when points are played for
    Situation next

cdef struct Terms:
    EncanRules rules
    bint gold                 # hands may end unlike, so that gold in hand can decide

cdef enum:
    UNORDERED_GOLD = -4       # in place of a leaf: the sum of the gold in unlike hands would decide

cdef uint64_t situation_key(const Situation* s) noexcept nogil
cdef Situation situation_of(uint64_t key) noexcept nogil
cdef Step situation_step(const Terms* z, const Situation* s, int treasure, int outcome) noexcept nogil
cdef void situation_reduce(const Terms* z, Situation* s) noexcept nogil
