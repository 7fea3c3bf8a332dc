# Score situations of the Encan family, collapsed to what they mean for the rest of the game.
#
# A situation (treasures left, scores, carry) matters only through what each next treasure leads to when
# player 0 wins the turn, player 1 wins it, or it is tied: a triple. Situations with the same multiset of
# triples are one class. Classes and triples carry a sign, coded 2 * number + sign: the odd code is the same
# thing with the players exchanged, whose value is minus that of the exchanged pattern.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from cardgods._core.solve.encan_hands cimport MAX_TURNS
from cardgods._core.solve.encan_reach cimport Reach
from cardgods._core.solve.encan_situation cimport Situation, Terms
from cardgods._core.solve.table cimport KeySet, RowSet

cdef enum:
    TRIPLE_WIDTH = 5

# Classes with the same number of treasures left, numbered from `first`.
cdef struct ScoreLevel:
    int offers                # treasures that may come next
    int32_t first
    RowSet triples            # code after a win of 0, of 1, after a tie; reward; 1 if its own mirror image
    RowSet classes            # the signed triples, ascending; 1 if its own mirror image
    Reach* triple_reach       # pasts after which a triple is at stake
    Reach* class_reach


@cython.final
cdef class Scores:
    cdef Terms terms
    cdef readonly int turns
    cdef readonly bint symmetric             # exchange of the players may be used
    cdef readonly int32_t root               # code of the class of the root, after build
    cdef uint32_t opening                    # treasures that may come first; 0 = those of the order
    cdef Situation start
    cdef KeySet found[MAX_TURNS + 1]         # situations by number of treasures left
    cdef int32_t* codes[MAX_TURNS + 1]       # their classes
    cdef ScoreLevel levels[MAX_TURNS + 1]

    cdef int32_t code(self, const Situation* s) noexcept nogil
