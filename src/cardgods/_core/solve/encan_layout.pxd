# The plan of a level of the Encan sweep.
from libc.stdint cimport int32_t, int64_t

from cardgods._core.solve.encan_hands cimport HandLevel
from cardgods._core.solve.encan_scores cimport ScoreLevel

# A class that a triple belongs to: how often, and with which sign.
cdef struct Member:
    int32_t klass             # counted from the first of its level
    int32_t times             # negative if the class holds the exchanged triple

cdef struct SweepLevel:
    int32_t* order            # triples, those with equal successors together
    int64_t* work             # matrix games before each of them, and the end
    int64_t* member_begins    # per triple, and the end
    Member* members
    int32_t* holders          # per triple: classes that hold it and are still needed
    int32_t* awaited          # per class: triples still to come
    int32_t* wanted           # per class: triples of the level above that still need it
    int64_t** sums            # per class: fixed-point sums while its triples come in

cdef bint certain(const int32_t* row) noexcept nogil
cdef int lay_out(SweepLevel* level, SweepLevel* below, const HandLevel* hands, const ScoreLevel* scores,
                 const ScoreLevel* scores_below) noexcept nogil
cdef void level_free(SweepLevel* level, int32_t classes) noexcept nogil
