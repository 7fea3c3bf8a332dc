from libc.stdint cimport uint64_t

cdef extern from "bits.h" nogil:
    int popcount "cg_popcount"(uint64_t x) noexcept
    int lsb "cg_lsb"(uint64_t x) noexcept
    int msb "cg_msb"(uint64_t x) noexcept
    uint64_t pop_lsb "cg_pop_lsb"(uint64_t x) noexcept
    int select_bit "cg_select"(uint64_t x, int n) noexcept
    uint64_t mulhi64 "cg_mulhi64"(uint64_t a, uint64_t b) noexcept
    bint likely "CG_LIKELY"(bint x) noexcept
    bint unlikely "CG_UNLIKELY"(bint x) noexcept
    void prefetch "CG_PREFETCH"(const void* p) noexcept
