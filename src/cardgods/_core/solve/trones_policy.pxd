# Ways of playing Trois Trônes: the heuristic, or the average strategy of a table.
from libc.stdint cimport int32_t

from cardgods._core.games.trones cimport TronesRules
from cardgods._core.rng cimport Rng
from cardgods._core.solve.trones_regrets cimport Table
from cardgods._core.solve.trones_sets cimport Grain, Spot, View

# The heuristic where there is no table.
cdef struct Policy:
    const Table* table
    const Grain* grain
    double least              # shares below this are not played

cdef void before_any(const Grain* grain, int count, double* shares) noexcept nogil
cdef void shares_of(const TronesRules* r, const Policy* policy, const Spot* s, View* view,
                    double* shares) noexcept nogil
cdef int drawn_from(Rng* rng, const double* shares, int count) noexcept nogil
cdef int32_t drawn_move(const TronesRules* r, const Policy* policy, const Spot* s, Rng* rng) noexcept nogil
