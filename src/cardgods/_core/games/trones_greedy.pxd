# A quick heuristic for Trois Trônes.
from libc.stdint cimport int32_t

from cardgods._core.games.trones cimport TronesPos, TronesRules

cdef int32_t greedy_move(const TronesRules* r, const TronesPos* s) noexcept nogil
