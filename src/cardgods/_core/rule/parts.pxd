# The transitions of a machine by state, merged: how many of the 52 cards lead from a state to another.
from libc.stdint cimport int32_t, uint8_t, uint64_t

from cardgods._core.rule.machine cimport Moore

cdef struct Edges:
    int32_t states
    int32_t* start        # [states + 1]
    int32_t* target
    uint8_t* cards        # how many of the 52 lead there
    uint8_t* single       # [states] every way out of the state is one card
    double* leave         # [states] probability that a uniform card is right and changes the state
    double* accept        # [states] probability that a uniform card is right

cdef struct Report:
    double mean                # acceptance over the first plays after the starter
    double far                 # the limit of the rate
    bint settled               # whether the limit was reached
    int least                  # fewest cards right in a state after the starter
    int most
    uint64_t playable          # cards that are right in some state after the starter
    int dead                   # a state without right cards, nearest to the start, or -1
    int closing                # a state of the smallest closed part of the play, nearest to the start, or -1
    uint64_t closing_mask      # all cards that are ever right there

cdef struct Parts:
    int closed             # parts of the play after the starter that are never left
    int32_t* number        # [states] closed part of each state, -1 = play passes through or never comes
    int32_t* order         # states that play passes through, then the states of each closed part, ascending
    int32_t* start         # [closed + 1] where each closed part begins in `order`, and the end
    double* gains          # [closed] probability to end there

# Add `mass` to what a state leads to, once for each card.
cdef inline void spread(const Edges* e, int s, double mass, double* to) noexcept nogil:
    cdef int k
    if e.single[s]:
        for k in range(e.start[s], e.start[s + 1]):
            to[e.target[k]] += mass
    else:
        for k in range(e.start[s], e.start[s + 1]):
            to[e.target[k]] += mass * e.cards[k]

cdef int edges_build(const Moore* m, Edges* e) noexcept nogil
cdef void edges_free(Edges* e) noexcept nogil
cdef int find_parts(const Moore* m, const Edges* e, Parts* p, Report* out) noexcept nogil
