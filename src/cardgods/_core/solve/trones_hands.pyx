"""Tables of hands; trones_hands.pxd says what they hold."""

from libc.stdint cimport int8_t, int32_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cardgods._core.bits cimport lsb, popcount


cdef int32_t hand_number(const Hands* h, uint32_t mask) noexcept nogil:
    cdef int32_t number = 0
    cdef int i = 0
    while mask:
        i += 1
        number += h.choose[lsb(mask)][i]
        mask &= mask - 1
    return number


cdef void fill_masks(const Hands* h, int size, uint32_t* out) noexcept nogil:
    # All subsets of so many cards, which are in colexicographic order as numbers go up.
    cdef uint32_t mask = (<uint32_t>1 << size) - 1
    cdef uint32_t low, high
    cdef int32_t i
    for i in range(h.choose[h.deck][size]):
        out[i] = mask
        if mask == 0:
            return
        low = mask & -mask
        high = mask + low
        mask = high | (((mask ^ high) >> 2) // low)


cdef inline uint32_t spaced(uint32_t mask, int card) noexcept nogil:
    # The same cards if the card joins the numbering.
    cdef uint32_t low = mask & ((<uint32_t>1 << card) - 1)
    return low | ((mask ^ low) << 1)


cdef void fill_moves(Hands* h, const uint32_t* rest) noexcept nogil:
    cdef int32_t others = h.choose[h.deck - 1][h.held]
    cdef uint32_t mask, bit
    cdef int32_t i
    cdef int c
    for c in range(h.deck):
        bit = <uint32_t>1 << c
        for i in range(others):
            h.gap[c * others + i] = hand_number(h, spaced(h.mask[i], c))
        for i in range(h.rests):
            mask = spaced(rest[i], c)
            h.joined[c * h.rests + i] = hand_number(h, mask | bit)
            h.slot[c * h.rests + i] = <int8_t>popcount(mask & (bit - 1))
    for i in range(h.rests):
        for c in range(h.deck):
            bit = <uint32_t>1 << c
            h.add[i * h.deck + c] = -1 if rest[i] & bit else hand_number(h, rest[i] | bit)


cdef void fill_subsets(Hands* h) noexcept nogil:
    cdef int32_t base[MOST_HELD + 1]
    cdef uint32_t left, part
    cdef int32_t i
    cdef int s, k, u, bits
    base[0] = 0
    for s in range(1, h.held + 1):
        base[s] = base[s - 1] + h.choose[h.deck][s - 1]
    h.width = base[h.held]
    for i in range(h.choose[h.deck][h.held]):
        u = 0
        for bits in range(h.subsets):
            left = h.mask[i]
            part = 0
            for k in range(h.held):
                if bits >> k & 1:
                    part |= left & -left
                left &= left - 1
            s = popcount(part)
            h.subset[i * h.subsets + u] = base[s] + hand_number(h, part)
            h.sign[u] = -1 if s & 1 else 1
            u += 1


cdef int hands_open(Hands* h, int deck, int held) noexcept nogil:
    # -1 if there is no memory.
    cdef int n, k
    cdef int32_t all_hands
    cdef uint32_t* rest
    memset(h, 0, sizeof(Hands))
    h.deck = deck
    h.held = held
    for n in range(MOST_DECK + 2):
        h.choose[n][0] = 1
        for k in range(1, MOST_HELD + 2):
            h.choose[n][k] = h.choose[n - 1][k - 1] + h.choose[n - 1][k] if n else 0
    h.rests = h.choose[deck - 1][held - 1]
    h.subsets = (1 << held) - 1
    all_hands = h.choose[deck][held]
    h.mask = <uint32_t*>malloc(all_hands * sizeof(uint32_t))
    h.gap = <int32_t*>malloc(deck * h.choose[deck - 1][held] * sizeof(int32_t))
    h.joined = <int32_t*>malloc(deck * h.rests * sizeof(int32_t))
    h.slot = <int8_t*>malloc(deck * h.rests)
    h.add = <int32_t*>malloc(deck * h.rests * sizeof(int32_t))
    h.subset = <int32_t*>malloc(all_hands * h.subsets * sizeof(int32_t))
    rest = <uint32_t*>calloc(h.choose[deck][held - 1], sizeof(uint32_t))
    if (h.mask == NULL or h.gap == NULL or h.joined == NULL or h.slot == NULL or h.add == NULL
            or h.subset == NULL or rest == NULL):
        free(rest)
        return -1
    fill_masks(h, held, h.mask)
    fill_masks(h, held - 1, rest)
    fill_moves(h, rest)
    fill_subsets(h)
    free(rest)
    return 0


cdef void hands_close(Hands* h) noexcept nogil:
    free(h.mask)
    free(h.gap)
    free(h.joined)
    free(h.slot)
    free(h.add)
    free(h.subset)
