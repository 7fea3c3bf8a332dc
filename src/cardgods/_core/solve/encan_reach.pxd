# How the turns played so far can have gone: the set of pairs (turns won by player 0, turns won by player 1).
#
# A hand pattern and a score situation can meet in one game only if they share such a pair (the number of
# tied turns follows from the depth). Bit 16 * wins0 + wins1 of 256 stands for a pair, both at most 13.
from libc.stdint cimport uint64_t

cdef struct Reach:
    uint64_t w[4]


cdef inline Reach reach_start() noexcept nogil:
    cdef Reach r
    r.w[0] = 1
    r.w[1] = r.w[2] = r.w[3] = 0
    return r


cdef inline void reach_add(Reach* to, const Reach* more) noexcept nogil:
    cdef int i
    for i in range(4):
        to.w[i] |= more.w[i]


cdef inline bint reach_meets(const Reach* a, const Reach* b) noexcept nogil:
    return ((a.w[0] & b.w[0]) | (a.w[1] & b.w[1]) | (a.w[2] & b.w[2]) | (a.w[3] & b.w[3])) != 0


cdef inline void reach_keep(Reach* r, const Reach* allowed) noexcept nogil:
    cdef int i
    for i in range(4):
        r.w[i] &= allowed.w[i]


cdef inline bint reach_none(const Reach* a) noexcept nogil:
    return (a.w[0] | a.w[1] | a.w[2] | a.w[3]) == 0


cdef inline Reach reach_after(const Reach* a, int outcome) noexcept nogil:
    # One more turn: won by player 0, won by player 1, tied.
    cdef Reach r = a[0]
    cdef int i
    if outcome == 0:
        for i in range(3, 0, -1):
            r.w[i] = (a.w[i] << 16) | (a.w[i - 1] >> 48)
        r.w[0] = a.w[0] << 16
    elif outcome == 1:
        for i in range(4):
            r.w[i] = a.w[i] << 1
    return r


cdef inline Reach reach_mirror(const Reach* a) noexcept nogil:
    # The players trade places.
    cdef Reach r
    cdef int i, j, bit
    r.w[0] = r.w[1] = r.w[2] = r.w[3] = 0
    for i in range(14):
        for j in range(14):
            bit = 16 * i + j
            if (a.w[bit >> 6] >> (bit & 63)) & 1:
                bit = 16 * j + i
                r.w[bit >> 6] |= <uint64_t>1 << (bit & 63)
    return r


cdef inline int reach_compare(const Reach* a, const Reach* b) noexcept nogil:
    cdef int i
    for i in range(4):
        if a.w[i] != b.w[i]:
            return -1 if a.w[i] < b.w[i] else 1
    return 0
