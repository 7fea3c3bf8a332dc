/* The only file that names compiler builtins or processor features.
 *
 * The wheel is portable: popcnt is chosen at run time by one predictable branch, which costs less
 * than a call through an ifunc and works inside inlined code. */
#ifndef CARDGODS_BITS_H
#define CARDGODS_BITS_H

#include <stdint.h>

#if defined(__x86_64__) && !defined(__POPCNT__)
static inline int cg_popcount(uint64_t x) {
    if (__builtin_expect(__builtin_cpu_supports("popcnt"), 1)) {
        uint64_t n;
        __asm__("popcnt %1, %0" : "=r"(n) : "r"(x) : "cc");
        return (int)n;
    }
    return __builtin_popcountll(x);
}
#else
static inline int cg_popcount(uint64_t x) { return __builtin_popcountll(x); }
#endif

/* Index of the lowest set bit; x must not be 0. */
static inline int cg_lsb(uint64_t x) { return __builtin_ctzll(x); }

/* Index of the highest set bit; x must not be 0. */
static inline int cg_msb(uint64_t x) { return 63 - __builtin_clzll(x); }

/* x without its lowest set bit. */
static inline uint64_t cg_pop_lsb(uint64_t x) { return x & (x - 1); }

/* Index of the n-th set bit, counted from 0 at the low end; x must have more than n bits. */
static inline int cg_select(uint64_t x, int n) {
#if defined(__x86_64__)
    if (__builtin_expect(__builtin_cpu_supports("bmi2"), 1)) {
        uint64_t one;
        __asm__("pdep %2, %1, %0" : "=r"(one) : "r"((uint64_t)1 << n), "r"(x));
        return __builtin_ctzll(one);
    }
#endif
    while (n-- > 0) x &= x - 1;
    return __builtin_ctzll(x);
}

/* High half of a 64 x 64 bit product. */
static inline uint64_t cg_mulhi64(uint64_t a, uint64_t b) {
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
}

#define CG_LIKELY(x) __builtin_expect(!!(x), 1)
#define CG_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CG_PREFETCH(p) __builtin_prefetch(p)

#endif
