from libc.stdint cimport int32_t

from cardgods._core.rng cimport Rng

cdef void eleusis_resample(const void* rules, const void* start, const int32_t* history, int length,
                           int player, Rng* rng, int32_t* out) noexcept nogil
