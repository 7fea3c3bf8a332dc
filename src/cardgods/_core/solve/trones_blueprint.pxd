# The table of a blueprint, for those who play from it.
from libc.stdint cimport int64_t

from cardgods._core.games.trones cimport TronesRulesObject, TronesState
from cardgods._core.rng cimport Random
from cardgods._core.solve.trones_regrets cimport Table
from cardgods._core.solve.trones_sets cimport Grain, Spot

cdef enum:
    SHARDS = 8                # of a round
    WIDE_DEALS = 16           # of a shard, where all own moves are followed
    NARROW_DEALS = 128        # where one is followed and the others are played out

cdef int spot_of(TronesState state, Spot* out) except -1

cdef class Blueprint:
    cdef Table table
    cdef Grain grain
    cdef void* desks          # struct Shard, of each
    cdef readonly TronesRulesObject rules
    cdef readonly Random random
    cdef readonly int shards
    cdef readonly int parts
    cdef readonly int64_t round
    cdef readonly int64_t passes
    cdef readonly int64_t nodes
    cdef readonly int64_t memory
