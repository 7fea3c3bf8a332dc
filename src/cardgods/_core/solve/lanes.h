/* Short vectors of doubles, two lanes to a register: the inner loops of the matrix-game kernel.
 *
 * `n` is a literal multiple of 4 wherever these are called, so that every loop unrolls. Least and largest
 * elements can carry their place along in the last four bits of the mantissa (a tag); that moves a number by
 * less than two parts in 10^15. */
#ifndef CARDGODS_LANES_H
#define CARDGODS_LANES_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef double cg_pair __attribute__((vector_size(16), aligned(8)));
typedef double cg_two __attribute__((vector_size(16)));
typedef int64_t cg_bits __attribute__((vector_size(16)));

#define CG_PAIR(p) (*(const cg_pair *)(p))
#define CG_LANES(k, n) _Pragma("GCC unroll 8") for (int k = 0; k < (n); k += 2)

static const int64_t cg_places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static inline cg_two cg_pick(cg_bits which, cg_two yes, cg_two no) {
    return (cg_two)((which & (cg_bits)yes) | (~which & (cg_bits)no));
}

static inline cg_two cg_min2(cg_two a, cg_two b) {
#ifdef __SSE2__
    return (cg_two)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return cg_pick(a < b, a, b);
#endif
}

static inline cg_two cg_max2(cg_two a, cg_two b) {
#ifdef __SSE2__
    return (cg_two)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return cg_pick(a > b, a, b);
#endif
}

/* Not zero if some lane of the mask is set. */
static inline int cg_any(cg_bits mask) {
#ifdef __SSE2__
    return _mm_movemask_pd((__m128d)mask);
#else
    return (mask[0] | mask[1]) != 0;
#endif
}

static inline double cg_tag(double x, int place) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    bits = (bits & ~(uint64_t)15) | (uint64_t)place;
    memcpy(&x, &bits, 8);
    return x;
}

static inline cg_two cg_tag2(cg_two x, int place) {
    const cg_bits keep = {~15, ~15};
    cg_bits tag;
    memcpy(&tag, &cg_places[place], 16);
    return (cg_two)(((cg_bits)x & keep) | tag);
}

static inline int cg_tagged(double x) {
    uint64_t bits;
    memcpy(&bits, &x, 8);
    return (int)(bits & 15);
}

static inline void cg_fill(double *out, double x, int n) {
    CG_LANES(k, n) { *(cg_pair *)(out + k) = (cg_two){x, x}; }
}

/* Lane k of the unit vector of place p is cg_unit[15 - p + k]. */
static const double cg_unit[32] = {[15] = 1.0};

/* out = unit vector of p, minus f */
static inline void cg_unit_less(double *out, int p, double f, int n) {
    const cg_two two = {f, f};
    CG_LANES(k, n) { *(cg_pair *)(out + k) = CG_PAIR(cg_unit + 15 - p + k) - two; }
}

static inline void cg_copy(double *out, const double *v, int n) {
    CG_LANES(k, n) { *(cg_pair *)(out + k) = CG_PAIR(v + k); }
}

/* out = f - v, plus the unit vector of p */
static inline void cg_from(double *out, double f, const double *v, int p, int n) {
    const cg_two two = {f, f};
    CG_LANES(k, n) { *(cg_pair *)(out + k) = (two - CG_PAIR(v + k)) + CG_PAIR(cg_unit + 15 - p + k); }
}

/* out = (v - f) + w */
static inline void cg_shift(double *out, const double *v, double f, const double *w, int n) {
    const cg_two two = {f, f};
    CG_LANES(k, n) { *(cg_pair *)(out + k) = (CG_PAIR(v + k) - two) + CG_PAIR(w + k); }
}

/* t -= f * v */
static inline void cg_subtract(double *t, double f, const double *v, int n) {
    const cg_two two = {f, f};
    CG_LANES(k, n) { *(cg_pair *)(t + k) = CG_PAIR(t + k) - two * CG_PAIR(v + k); }
}

/* t += f * v */
static inline void cg_add(double *t, double f, const double *v, int n) {
    const cg_two two = {f, f};
    CG_LANES(k, n) { *(cg_pair *)(t + k) = CG_PAIR(t + k) + two * CG_PAIR(v + k); }
}

/* least = min(least, v); returns the largest of v */
static inline double cg_extremes(double *least, const double *v, int n) {
    cg_two most = CG_PAIR(v);
    CG_LANES(k, n) {
        most = cg_max2(most, CG_PAIR(v + k));
        *(cg_pair *)(least + k) = cg_min2(CG_PAIR(least + k), CG_PAIR(v + k));
    }
    return most[0] > most[1] ? most[0] : most[1];
}

static inline double cg_largest(const double *v, int n) {
    cg_two most = CG_PAIR(v);
    CG_LANES(k, n) { most = cg_max2(most, CG_PAIR(v + k)); }
    return most[0] > most[1] ? most[0] : most[1];
}

/* The largest of v, tagged with its lane. */
static inline double cg_largest_tagged(const double *v, int n) {
    cg_two most = cg_tag2(CG_PAIR(v), 0);
    CG_LANES(k, n) { most = cg_max2(most, cg_tag2(CG_PAIR(v + k), k)); }
    return most[0] > most[1] ? most[0] : most[1];
}

/* Bit 0: some lane of a is below that of b; bit 1: some lane is above. */
static inline int cg_order(const double *a, const double *b, int n) {
    cg_bits below = CG_PAIR(a) < CG_PAIR(b), above = CG_PAIR(a) > CG_PAIR(b);
    CG_LANES(k, n) {
        below |= CG_PAIR(a + k) < CG_PAIR(b + k);
        above |= CG_PAIR(a + k) > CG_PAIR(b + k);
    }
    return (cg_any(below) != 0) | (cg_any(above) != 0) << 1;
}

/* The least of b / c over the lanes in which c is above `floor`, tagged with its lane; `none` if there is
 * none. Leaves 1 / c in inverse. */
static inline double cg_least_ratio(const double *b, const double *c, double *inverse, double floor,
                                    double none, int n) {
    const cg_two one = {1.0, 1.0}, low = {floor, floor}, far = {none, none};
    cg_two least = far;
    CG_LANES(k, n) {
        cg_two part = CG_PAIR(c + k), inv = one / part;
        *(cg_pair *)(inverse + k) = inv;
        least = cg_min2(least, cg_tag2(cg_pick(part > low, CG_PAIR(b + k) * inv, far), k));
    }
    return least[0] < least[1] ? least[0] : least[1];
}

/* x, or 0 if it is negative: without a branch, for signs that nobody can predict. */
static inline double cg_positive(double x) {
    const cg_two both = {x, x}, zero = {0.0, 0.0};
    return cg_max2(both, zero)[0];
}

static inline double cg_dot(const double *a, const double *b, int n) {
    cg_two sum = {0.0, 0.0};
    CG_LANES(k, n) { sum += CG_PAIR(a + k) * CG_PAIR(b + k); }
    return sum[0] + sum[1];
}

#endif
