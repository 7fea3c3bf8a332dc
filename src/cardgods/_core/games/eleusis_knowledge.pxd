from libc.stdint cimport int16_t, int32_t

cdef int eleusis_events(const void* rules, const void* before, int32_t action, const void* after, int player,
                        int16_t* out) noexcept nogil
cdef void eleusis_observe(const void* rules, const void* pos, int player, void* out) noexcept nogil
