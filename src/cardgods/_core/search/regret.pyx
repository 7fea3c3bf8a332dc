"""The arithmetic of counterfactual regret minimisation; regret.pxd tells how it is cut up.

Sources: Zinkevich et al., "Regret minimization in games with incomplete information" (2007); Tammelin,
"Solving large imperfect information games using CFR+" (2014); Brown and Sandholm, "Solving
imperfect-information games via discounted regret minimization" (2019), of which the others are members: no
discount (alpha = beta = inf), negative regrets dropped (beta = -inf); Farina, Kroer, Sandholm, "Faster game
solving via predictive Blackwell approachability" (2021) for the prediction.
"""

from libc.math cimport INFINITY, pow
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cardgods._core.search.tree cimport row_value

cdef enum:
    UNIT = 1 << 15            # entries and sequences of a unit, at most


cdef void learner_close(Learner* one) noexcept nogil:
    free(one.regret)
    free(one.average)
    free(one.strategy)
    free(one.reach)
    free(one.value)
    free(one.unit)
    free(one.unit_value)
    free(one.top)
    memset(one, 0, sizeof(Learner))


cdef int64_t weight_of(const Seat* seat, int32_t k) noexcept nogil:
    # Work of an information set and all below it.
    cdef int32_t first = seat.first[k], last = seat.first[seat.end[k]]
    return seat.row[last] - seat.row[first] + last - first


cdef int cut(Learner* one, const Seat* seat) noexcept nogil:
    # Into units and what lies above them.
    cdef int32_t k = 0
    one.unit = <int32_t*>malloc((seat.sets + 1) * sizeof(int32_t))
    one.top = <int32_t*>malloc((seat.sets + 1) * sizeof(int32_t))
    if one.unit == NULL or one.top == NULL:
        return -1
    while k < seat.sets:
        if weight_of(seat, k) <= UNIT:
            one.unit[one.units] = k
            one.units += 1
            k = seat.end[k]
        else:
            one.top[one.tops] = k
            one.tops += 1
            k += 1
    one.unit_value = <double*>calloc(one.units + 1, sizeof(double))
    return -(one.unit_value == NULL)


cdef int learner_open(Learner* one, const Seat* seat) noexcept nogil:
    # Before the first pass: no regrets, uniform strategy; -1 if there is no memory.
    cdef int32_t k, s
    memset(one, 0, sizeof(Learner))
    one.regret = <double*>calloc(seat.sequences, sizeof(double))
    one.average = <double*>calloc(seat.sequences, sizeof(double))
    one.strategy = <double*>malloc(seat.sequences * sizeof(double))
    one.reach = <double*>malloc(seat.sequences * sizeof(double))
    one.value = <double*>calloc(seat.sequences, sizeof(double))
    if (one.regret == NULL or one.average == NULL or one.strategy == NULL or one.reach == NULL
            or one.value == NULL or cut(one, seat)):
        return -1
    one.strategy[0] = 1.0
    for k in range(seat.sets):
        for s in range(seat.first[k], seat.first[k + 1]):
            one.strategy[s] = 1.0 / (seat.first[k + 1] - seat.first[k])
    return 0


cdef inline double kept(double exponent, int64_t t) noexcept nogil:
    # t^x / (t^x + 1), its limits included.
    cdef double power
    if exponent == INFINITY:
        return 1.0
    if exponent == -INFINITY:
        return 0.0
    power = pow(<double>t, exponent)
    return power / (power + 1.0)


cdef struct Factors:
    double positive           # what is left of a positive regret
    double negative
    double prediction         # how often the last regret is counted once more
    double weight             # of the iteration in the average


cdef Factors factors(const Rule* rule, int64_t t) noexcept nogil:
    cdef Factors f
    f.positive = kept(rule.alpha, t)
    f.negative = kept(rule.beta, t)
    f.prediction = 1.0 if rule.predictive else 0.0
    f.weight = pow(<double>t, rule.gamma)
    return f


cdef inline double learn_set(Learner* one, const Seat* seat, int players, int player, double** reach,
                             int32_t k, const Factors* f) noexcept nogil:
    # The average, regrets and next strategy of one information set; its value under the strategy so far.
    cdef int32_t first = seat.first[k], last = seat.first[k + 1], s
    cdef double here = 0.0, total = 0.0, regret, gain
    for s in range(first, last):
        one.value[s] += row_value(seat, players, player, s, reach)
        here += one.strategy[s] * one.value[s]
        one.average[s] += f.weight * one.reach[s]
    for s in range(first, last):
        gain = one.value[s] - here
        regret = one.regret[s] + gain
        regret *= f.positive if regret > 0.0 else f.negative
        one.regret[s] = regret
        one.value[s] = 0.0
        regret += f.prediction * gain
        one.strategy[s] = regret if regret > 0.0 else 0.0
        total += one.strategy[s]
    if total > 0.0:
        total = 1.0 / total
        for s in range(first, last):
            one.strategy[s] *= total
    else:
        for s in range(first, last):
            one.strategy[s] = 1.0 / (last - first)
    return here


cdef void learn_units(Learner* one, const Seat* seat, int players, int player, double** reach,
                      const Rule* rule, int64_t t, int32_t first, int32_t last) noexcept nogil:
    # The way up through some units.
    cdef Factors f = factors(rule, t)
    cdef double here
    cdef int32_t u, k, low
    for u in range(first, last):
        low = one.unit[u]
        k = seat.end[low]
        while k > low:
            k -= 1
            here = learn_set(one, seat, players, player, reach, k, &f)
            if k > low:
                one.value[seat.parent[k]] += here
            else:
                one.unit_value[u] = here


cdef inline void spread_set(Learner* one, const Seat* seat, int32_t k) noexcept nogil:
    cdef double before = one.reach[seat.parent[k]]
    cdef int32_t s
    for s in range(seat.first[k], seat.first[k + 1]):
        one.reach[s] = before * one.strategy[s]


cdef void learn_top(Learner* one, const Seat* seat, int players, int player, double** reach, const Rule* rule,
                    int64_t t) noexcept nogil:
    # The rest of the way up, and the beginning of the way down.
    cdef Factors f = factors(rule, t)
    cdef int32_t u, i = one.tops, k
    for u in range(one.units):
        one.value[seat.parent[one.unit[u]]] += one.unit_value[u]
    while i:
        i -= 1
        k = one.top[i]
        one.value[seat.parent[k]] += learn_set(one, seat, players, player, reach, k, &f)
    one.value[0] = 0.0
    one.reach[0] = 1.0
    for i in range(one.tops):
        spread_set(one, seat, one.top[i])


cdef void spread_units(Learner* one, const Seat* seat, int32_t first, int32_t last) noexcept nogil:
    # The way down through some units.
    cdef int32_t u, k
    for u in range(first, last):
        for k in range(one.unit[u], seat.end[one.unit[u]]):
            spread_set(one, seat, k)


cdef void normalised(const Seat* seat, const double* weights, double* probability) noexcept nogil:
    # Weights of sequences as probabilities; uniform where there are none.
    cdef int32_t k, s
    cdef double total
    probability[0] = 1.0
    for k in range(seat.sets):
        total = 0.0
        for s in range(seat.first[k], seat.first[k + 1]):
            total += weights[s]
        for s in range(seat.first[k], seat.first[k + 1]):
            if total > 0.0:
                probability[s] = weights[s] / total
            else:
                probability[s] = 1.0 / (seat.first[k + 1] - seat.first[k])
