# Regret minimisation on a tree in sequence form, one player's pass at a time.
#
# One pass walks a player's own tree once up (values against the reach of the others, the average, regrets,
# the next strategy) and once down (his reach). Subtrees below a fixed size are units that share nothing
# with each other, so threads may take them in any order and the numbers come out the same.
from libc.stdint cimport int32_t, int64_t

from cardgods._core.search.tree cimport Seat

cdef struct Rule:
    double alpha              # positive regrets of iteration t are kept with t^alpha / (t^alpha + 1)
    double beta               # negative ones with t^beta / (t^beta + 1)
    double gamma              # iteration t weighs t^gamma in the average
    bint predictive           # act as if the last regrets came once more

cdef struct Learner:
    double* regret            # [sequences]
    double* average           # weighted sum of the reach
    double* strategy
    double* reach
    double* value             # 0 between passes
    int32_t units
    int32_t* unit             # [units] information set at the top of each
    double* unit_value        # [units]
    int32_t tops
    int32_t* top              # [tops] information sets above the units, ascending

cdef int learner_open(Learner* one, const Seat* seat) noexcept nogil
cdef void learner_close(Learner* one) noexcept nogil
cdef void learn_units(Learner* one, const Seat* seat, int players, int player, double** reach,
                      const Rule* rule, int64_t t, int32_t first, int32_t last) noexcept nogil
cdef void learn_top(Learner* one, const Seat* seat, int players, int player, double** reach, const Rule* rule,
                    int64_t t) noexcept nogil
cdef void spread_units(Learner* one, const Seat* seat, int32_t first, int32_t last) noexcept nogil
cdef void normalised(const Seat* seat, const double* weights, double* probability) noexcept nogil
