# All hand patterns of the Encan family that a root leads to, level by level of turns to come.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

from cardgods._core.solve.encan_pattern cimport Pattern, PatternSet
from cardgods._core.solve.encan_reach cimport Reach

cdef enum:
    MAX_TURNS = 13

# All patterns with the same number of turns to come, sorted so that those which the same pasts lead to
# (a block) stand together; the patterns of turns' starts first, then those that only a call leads to.
cdef struct HandLevel:
    int32_t starts            # patterns in which a turn can start
    int32_t count             # and those that a call in this turn leads to
    uint64_t* keys
    int32_t* mirror           # pattern with the players exchanged; NULL if the root is not symmetric
    int32_t* calls            # 3 numbers a start: after a call by 0, by 1, by both; -1 if he may not call
    uint8_t* rows             # distinct bids of player 0: cards of one run are alike
    uint8_t* cols
    int64_t* cells            # where the table of a pattern begins
    # Per pair of bids, column after column of lanes_for(rows) entries: outcome * starts below + pattern
    # below; 3 * starts below in the lanes beyond the rows.
    uint32_t* table
    int32_t blocks, start_blocks
    int32_t* begins           # first pattern of each block, and the end
    Reach* start_reach        # pasts after which a turn starts with the patterns of a block
    Reach* reach              # and those after which they stand when the window closes


@cython.final
cdef class Hands:
    cdef HandLevel levels[MAX_TURNS + 1]
    cdef PatternSet sets[MAX_TURNS + 1]
    cdef int32_t* places[MAX_TURNS + 1]  # number of arrival in the set -> pattern of the level
    cdef readonly int turns
    cdef readonly int lowest             # the level at which the search ends; 0 to find all
    cdef readonly bint symmetric
    cdef readonly bint closed            # no call is possible any more before the first bids
    cdef Pattern root
    cdef Reach alive[MAX_TURNS + 1]      # pasts after which a turn is still played

    cdef int32_t find(self, int level, const Pattern* p) noexcept nogil
    cdef void release_level(self, int level) noexcept nogil
