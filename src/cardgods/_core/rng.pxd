# One specified generator for everything that is drawn: ChaCha with 8 rounds, keyed and counter-based.
# Word i of stream s under key k depends on (k, s, i) alone, so shards and threads need no shared state.
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

cdef struct Rng:
    uint32_t key[8]
    uint64_t stream
    uint64_t block        # number of the next block of 16 words
    uint32_t words[16]
    int used              # words of the current block already handed out; 16 = none left

cdef void rng_init(Rng* rng, const uint8_t* key32, uint64_t stream) noexcept nogil
cdef void rng_refill(Rng* rng) noexcept nogil
cdef void shuffle(Rng* rng, int32_t* items, int n) noexcept nogil

cdef inline uint32_t next32(Rng* rng) noexcept nogil:
    cdef uint32_t word
    if rng.used == 16:
        rng_refill(rng)
    word = rng.words[rng.used]
    rng.used += 1
    return word

cdef inline uint32_t bounded(Rng* rng, uint32_t n) noexcept nogil:
    # Lemire, "Fast Random Integer Generation in an Interval" (2019): exactly uniform on 0..n-1.
    cdef uint64_t product = <uint64_t>next32(rng) * n
    cdef uint32_t low = <uint32_t>product
    cdef uint32_t threshold
    if low < n:
        threshold = (<uint32_t>(-n)) % n
        while low < threshold:
            product = <uint64_t>next32(rng) * n
            low = <uint32_t>product
    return <uint32_t>(product >> 32)

cdef inline double uniform01(Rng* rng) noexcept nogil:
    # 53 bits, high word first.
    cdef uint64_t high = next32(rng)
    cdef uint64_t low = next32(rng)
    return <double>(((high << 32) | low) >> 11) * (1.0 / 9007199254740992.0)

cdef class Random:
    cdef Rng rng
    cdef readonly bytes key
    cdef readonly unsigned long long stream
