"""Ways of playing Trois Trônes that give each move a probability."""

from libc.stdint cimport int32_t

from cardgods._core.games.trones cimport TronesRules
from cardgods._core.games.trones_greedy cimport greedy_move
from cardgods._core.rng cimport Rng, uniform01
from cardgods._core.solve.trones_regrets cimport matched, table_find
from cardgods._core.solve.trones_sets cimport EXACT, Grain, Spot, View, view_of


cdef void before_any(const Grain* grain, int count, double* shares) noexcept nogil:
    # The strategy where nothing was learnt. Alike sets list the heuristic's move first.
    cdef int i
    for i in range(count):
        shares[i] = 1.0 / count if grain.kind == EXACT else 0.0
    if grain.kind != EXACT:
        shares[0] = 1.0


cdef void without_least(double* shares, int count, double least) noexcept nogil:
    cdef double kept = 0.0
    cdef int i, most = 0
    for i in range(1, count):
        if shares[i] > shares[most]:
            most = i
    for i in range(count):
        if shares[i] < least and i != most:
            shares[i] = 0.0
        kept += shares[i]
    for i in range(count):
        shares[i] /= kept


cdef void shares_of(const TronesRules* r, const Policy* policy, const Spot* s, View* view,
                    double* shares) noexcept nogil:
    # The moves of the player on turn and their probabilities.
    cdef const float* numbers
    cdef double total = 0.0
    cdef int i
    shares[0] = 1.0
    if policy.table == NULL:
        view.count = 1
        view.action[0] = greedy_move(r, &s.pos)
        return
    view_of(r, policy.grain, s, view)
    if view.count == 1:
        return
    numbers = table_find(policy.table, view.key)
    if numbers != NULL:
        numbers += policy.table.width
        for i in range(view.count):
            total += numbers[i]
    if total <= 0.0:
        before_any(policy.grain, view.count, shares)
        return
    matched(numbers, view.count, shares)
    if policy.least > 0.0:
        without_least(shares, view.count, policy.least)


cdef int drawn_from(Rng* rng, const double* shares, int count) noexcept nogil:
    # Never one of probability 0, whatever is lost in the sums.
    cdef double rest = uniform01(rng)
    cdef int i, last = 0
    for i in range(count):
        if shares[i] > 0.0:
            last = i
            rest -= shares[i]
            if rest < 0.0:
                break
    return last


cdef int32_t drawn_move(const TronesRules* r, const Policy* policy, const Spot* s, Rng* rng) noexcept nogil:
    cdef View view
    cdef double shares[12]
    shares_of(r, policy, s, &view, shares)
    return view.action[drawn_from(rng, shares, view.count) if view.count > 1 else 0]
