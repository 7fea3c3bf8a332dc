# Information sets of Trois Trônes as keys: exactly, or put together by what the heuristic's moves look like.
#
# Positions that renaming the fronts with their trumps turns into each other have the same key.
from libc.stdint cimport int16_t, int32_t, uint64_t

from cardgods._core.games.trones cimport TronesPos, TronesRules
from cardgods._core.rng cimport Rng

cdef enum:
    MOST_LAID = 18            # 3 places a front, 3 fronts, 2 players

cdef enum Kind:
    EXACT                     # all that was laid, in order, and the hand
    MOVES                     # the best moves by the heuristic, and its chances on the fronts

# How much is told apart.
cdef struct Grain:
    int kind
    int width                 # most moves of an information set
    int steps                 # of the chance of a front that is open
    int gaps                  # steps of what a move is worse than the heuristic's
    int groups                # of ranks

# A position with the way to it.
cdef struct Spot:
    TronesPos pos
    int count
    int16_t laid[MOST_LAID]   # actions, in order

cdef struct View:
    uint64_t key
    int count
    int32_t action[12]

cdef void view_of(const TronesRules* r, const Grain* grain, const Spot* s, View* out) noexcept nogil
cdef void lay_and_draw(const TronesRules* r, Spot* s, int32_t action, const int32_t* deck) noexcept nogil
cdef void deal_hands(const TronesRules* r, const int32_t* deck, Spot* out) noexcept nogil
cdef void draw_deck(const TronesRules* r, Rng* rng, int32_t* deck) noexcept nogil
