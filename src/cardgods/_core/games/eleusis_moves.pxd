# What decisions and chance outcomes do.
from libc.stdint cimport int32_t

from cardgods._core.games.eleusis_position cimport EleusisPos, EleusisRules

cdef bint is_sudden_death(const EleusisRules* r, const EleusisPos* s) noexcept nogil
cdef void eleusis_apply(const void* rules, void* pos, int32_t action) noexcept nogil
