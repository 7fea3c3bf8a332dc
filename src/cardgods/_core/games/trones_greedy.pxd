# A quick heuristic for Trois Trônes.
from libc.stdint cimport int32_t

from cardgods._core.games.trones cimport TronesPos, TronesRules

cdef enum:
    CERTAIN = 1024            # unit of probability
    MOST_MOVES = 12

# The fronts as the heuristic sees them, and its moves.
cdef struct Judgement:
    int chance[3]             # that the player on turn wins each front, as things stand
    int count
    int32_t action[12]        # moves that no other is sure to equal
    int32_t worth[12]       # of each: the chance of two fronts after it

cdef void judge(const TronesRules* r, const TronesPos* s, Judgement* out) noexcept nogil
cdef int32_t greedy_move(const TronesRules* r, const TronesPos* s) noexcept nogil
