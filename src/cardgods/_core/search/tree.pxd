# A game in sequence form, in flat arrays.
#
# A sequence is what one player has done at his own decisions on a path; with perfect recall every
# information set has exactly one sequence leading to it. Sequence 0 is the empty one; the actions of an
# information set are neighbours, and information sets stand in depth-first order of the player's own tree,
# so that what lies below one is a contiguous range and a backward loop over all is bottom-up.
#
# The rows of a player hold the outcomes: for each of his sequences the sequences of the others with which
# the game ends, and his return times the probability of chance, added up over all such ends.
# (Koller, Megiddo, von Stengel, "Fast algorithms for finding randomized strategies in game trees", STOC
# 1994.)
#
# An information set with one action leaves nothing to decide; it is counted and not stored.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t

from cardgods._core.ops cimport MAX_PLAYERS
from cardgods._core.search.keys cimport KeyMap
from cardgods._core.state cimport State

cdef struct Seat:
    int32_t sets              # information sets
    int32_t sequences         # with the empty one
    int32_t* first            # [sets + 1] first action of an information set
    int32_t* parent           # [sets] sequence that leads to it
    int32_t* end              # [sets] first information set behind those below it
    int32_t* node             # [sets] its number among those of all players
    int32_t* action           # [sequences] what is done, -1 for the empty one
    int64_t entries           # in all rows
    int64_t* row              # [sequences + 1] first entry of each
    int32_t* others           # [entries * (players - 1)] sequences of the others, ascending players
    double* weight            # [entries] return times probability of chance

cdef class Tree:
    cdef readonly State root
    cdef readonly int players
    cdef readonly int64_t histories   # nodes of the game tree
    cdef readonly int64_t terminals   # of them where the game ends
    cdef readonly tuple bases         # information state of each player at the root
    cdef Seat seats[MAX_PLAYERS]
    cdef KeyMap map                   # key -> information set, numbered over all players, seat by seat
    cdef int32_t sets                 # information sets of all players
    cdef int32_t offset[MAX_PLAYERS + 1]   # number of the first information set of each player
    cdef int64_t* learnt              # [sets + 1] where the events begin that the owner learnt ...
    cdef int16_t* events              # ... since his decision before
    cdef readonly double constant     # sum of the returns if it is the same at every end, else NaN

    cdef int owner(self, int32_t number) noexcept nogil

cdef inline double row_value(const Seat* seat, int players, int player, int32_t sequence,
                             double** reach) noexcept nogil:
    # What a sequence earns at the ends that follow it at once, weighted by what the others do.
    cdef int64_t k = seat.row[sequence], last = seat.row[sequence + 1]
    cdef double value = 0.0, product
    cdef const double* other
    cdef const int32_t* at
    cdef int q
    if players == 2:
        other = reach[1 - player]
        while k < last:
            value += seat.weight[k] * other[seat.others[k]]
            k += 1
        return value
    while k < last:
        product = seat.weight[k]
        at = seat.others + k * (players - 1)
        for q in range(player):
            product *= reach[q][at[q]]
        for q in range(player + 1, players):
            product *= reach[q][at[q - 1]]
        value += product
        k += 1
    return value
