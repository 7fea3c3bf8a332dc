# One pass over the public tree: regrets of one player, or the best answer to the other's average.
#
# A hand's reach is what its holder contributed: his draws and choices. Both reaches count any two hands; that
# they cannot share a card is seen to at the leaves, by inclusion and exclusion.
from libc.stdint cimport int64_t

from cardgods._core.solve.trones_public cimport Board, Node, Setting

cdef enum:
    MOST_LEVELS = 18

cdef enum Mode:
    LEARN
    ANSWER

cdef struct Level:
    double* own               # reach of the hands of the player whose pass it is
    double* other             # of his opponent
    double* value             # of his hands: what they win against the opponent's reach
    double* action            # value of each of his actions
    double* share             # the mover's strategy

cdef struct Pass:
    const Setting* setting
    const Node* nodes
    float* regret             # by entry: positive regrets
    float* coming             # what the next strategy is in proportion to
    float* average
    int player
    Mode mode
    double weight             # of this iteration in the average

cdef struct Desk:
    Level level[MOST_LEVELS]
    int levels
    double* sums              # at the leaves: by level of strength and subset

cdef int desk_open(Desk* desk, const Setting* s) noexcept nogil
cdef void desk_close(Desk* desk) noexcept nogil
cdef void read_shares(const Pass* x, const Board* b, int64_t node, Level* here) noexcept nogil
cdef void send(const Pass* x, const Board* b, const Level* here, Level* below, int place, int front,
               bint leaf) noexcept nogil
cdef void take(const Pass* x, const Board* b, Level* here, const double* value, int place,
               int front) noexcept nogil
cdef void conclude(const Pass* x, const Board* b, int64_t node, Level* here) noexcept nogil
cdef void walk(const Pass* x, Desk* desk, const Board* b, int64_t node) noexcept nogil
