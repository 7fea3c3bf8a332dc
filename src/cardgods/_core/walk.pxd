from libc.stdint cimport int32_t, uint64_t

from cardgods._core.ops cimport GameOps
from cardgods._core.rng cimport Rng

cdef class Cancel:
    cdef int flag

cdef int moves(const GameOps* ops, const void* rules, const void* pos, int32_t* out) noexcept nogil
cdef uint64_t perft_walk(const GameOps* ops, const void* rules, unsigned char* pos, int depth,
                         const int* cancel) noexcept nogil
cdef int random_playout(const GameOps* ops, const void* rules, void* pos, Rng* rng,
                        bint quick) noexcept nogil
