# The first pass over a game: information sets in the order in which they are met, and the ends.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t

from cardgods._core.ops cimport MAX_PLAYERS
from cardgods._core.search.keys cimport KeyMap
from cardgods._core.search.path cimport Path

cdef enum:
    RECENT = 16384            # ends remembered, to add up those that lead to the same sequences

cdef struct Draft:
    Path path
    const int* cancel
    KeyMap map
    int32_t sets
    int8_t* player            # [sets]
    int32_t* parent           # [sets] the owner's sequence that leads there
    int32_t* first            # [sets] the owner's first sequence of the set
    int16_t* count            # [sets] actions
    int64_t* learnt           # [sets + 1] into events
    int16_t* events
    int32_t sequences[MAX_PLAYERS]        # so far, with the empty one
    int32_t* action[MAX_PLAYERS]          # [sequences]
    int64_t ends
    int32_t* sequence         # [ends * players] of each player at an end
    double* weight            # [ends * players] return times probability of chance
    int64_t recent[RECENT]
    double constant           # sum of returns of the first end
    bint constant_sum

cdef int draft_open(Draft* d, int64_t sets, int64_t ends, int64_t events,
                    const int64_t* sequences) noexcept nogil
cdef void draft_close(Draft* d) noexcept nogil
cdef int draft_walk(Draft* d) noexcept nogil
