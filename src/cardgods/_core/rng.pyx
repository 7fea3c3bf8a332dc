"""The specified random generator (see docs/log-format.md, "Random numbers").

ChaCha with 8 rounds (D. J. Bernstein, "ChaCha, a variant of Salsa20", 2008). The key is the SHA-256 digest
of the text "cardgods-rng-v1" and the seed; the 64-bit block counter and the 64-bit stream number take the
last four words of the state, low word first.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import hashlib


cdef inline uint32_t _rotl(uint32_t x, int n) noexcept nogil:
    return (x << n) | (x >> (32 - n))


cdef inline void _quarter(uint32_t* a, uint32_t* b, uint32_t* c, uint32_t* d) noexcept nogil:
    a[0] += b[0]
    d[0] = _rotl(d[0] ^ a[0], 16)
    c[0] += d[0]
    b[0] = _rotl(b[0] ^ c[0], 12)
    a[0] += b[0]
    d[0] = _rotl(d[0] ^ a[0], 8)
    c[0] += d[0]
    b[0] = _rotl(b[0] ^ c[0], 7)


cdef void _chacha(uint32_t* out, const uint32_t* start, int rounds) noexcept nogil:
    cdef uint32_t x[16]
    cdef int i, _
    memcpy(x, start, 64)
    for _ in range(rounds // 2):
        _quarter(&x[0], &x[4], &x[8], &x[12])
        _quarter(&x[1], &x[5], &x[9], &x[13])
        _quarter(&x[2], &x[6], &x[10], &x[14])
        _quarter(&x[3], &x[7], &x[11], &x[15])
        _quarter(&x[0], &x[5], &x[10], &x[15])
        _quarter(&x[1], &x[6], &x[11], &x[12])
        _quarter(&x[2], &x[7], &x[8], &x[13])
        _quarter(&x[3], &x[4], &x[9], &x[14])
    for i in range(16):
        out[i] = x[i] + start[i]


cdef void _constants(uint32_t* x) noexcept nogil:
    x[0] = 0x61707865
    x[1] = 0x3320646e
    x[2] = 0x79622d32
    x[3] = 0x6b206574


cdef void rng_refill(Rng* rng) noexcept nogil:
    cdef uint32_t start[16]
    _constants(start)
    memcpy(&start[4], rng.key, 32)
    start[12] = <uint32_t>rng.block
    start[13] = <uint32_t>(rng.block >> 32)
    start[14] = <uint32_t>rng.stream
    start[15] = <uint32_t>(rng.stream >> 32)
    _chacha(rng.words, start, 8)
    rng.block += 1
    rng.used = 0


cdef void rng_init(Rng* rng, const uint8_t* key32, uint64_t stream) noexcept nogil:
    cdef int i
    for i in range(8):
        rng.key[i] = (
            <uint32_t>key32[4 * i]
            | <uint32_t>key32[4 * i + 1] << 8
            | <uint32_t>key32[4 * i + 2] << 16
            | <uint32_t>key32[4 * i + 3] << 24
        )
    rng.stream = stream
    rng.block = 0
    rng.used = 16


cdef void shuffle(Rng* rng, int32_t* items, int n) noexcept nogil:
    # Fisher-Yates from the top: position i trades places with a uniform position in 0..i.
    cdef int i, j
    cdef int32_t item
    for i in range(n - 1, 0, -1):
        j = <int>bounded(rng, <uint32_t>i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


def chacha_block(words, int rounds):
    """One ChaCha block from its sixteen start words; for the published test vectors."""
    cdef uint32_t start[16]
    cdef uint32_t out[16]
    cdef int i
    if len(words) != 16:
        raise ValueError(f"a ChaCha state has 16 words, not {len(words)}")
    for i in range(16):
        start[i] = words[i]
    _chacha(out, start, rounds)
    return [out[i] for i in range(16)]


def seed_key(seed):
    """The 32-byte key of a seed: SHA-256 of "cardgods-rng-v1", a kind letter and the seed's bytes.

    Args:
        seed: an integer (its decimal digits count), a str (its UTF-8 bytes) or bytes.

    Raises:
        TypeError: for any other type, bool included.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, str, bytes)):
        raise TypeError(f"a seed is an int, a str or bytes, not {type(seed).__name__}")
    if isinstance(seed, int):
        body = b"i" + str(seed).encode("ascii")
    elif isinstance(seed, str):
        body = b"s" + seed.encode("utf-8")
    else:
        body = b"b" + seed
    return hashlib.sha256(b"cardgods-rng-v1" + body).digest()


cdef class Random:
    """A stream of the specified generator: same seed and stream, same numbers, on every platform.

    Args:
        seed: int, str or bytes (see :func:`seed_key`).
        stream: number of the stream, 0..2**64-1; streams of one seed are independent.

    Raises:
        TypeError: if the seed is of another type.
        OverflowError: if the stream does not fit 64 bits.
    """

    def __init__(self, seed=0, stream=0):
        self.key = seed_key(seed)
        self.stream = stream
        rng_init(&self.rng, <const uint8_t*><const char*>self.key, self.stream)

    def bits32(self):
        """The next 32-bit word of the stream."""
        return next32(&self.rng)

    def below(self, n):
        """A uniform integer in 0..n-1, 1 <= n < 2**32, without bias.

        Raises:
            ValueError: if n is out of that range.
        """
        if not 1 <= n < 4294967296:
            raise ValueError(f"below() takes 1..2**32-1, not {n}")
        return bounded(&self.rng, n)

    def random(self):
        """A float in [0, 1) with 53 random bits."""
        return uniform01(&self.rng)

    def choice(self, items):
        """A uniform element of a non-empty sequence."""
        return items[self.below(len(items))]

    def weighted(self, weights):
        """An index drawn with probability weight / total; weights are integers >= 0 with a positive total."""
        cdef long long rest = self.below(sum(weights))
        for index, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                return index

    def shuffle(self, list items):
        """Shuffle a list in place, Fisher-Yates from the top."""
        for i in range(len(items) - 1, 0, -1):
            j = bounded(&self.rng, <uint32_t>i + 1)
            items[i], items[j] = items[j], items[i]

    def spawn(self, stream):
        """Another stream under the same key."""
        cdef Random other = Random.__new__(Random)
        other.key = self.key
        other.stream = stream
        rng_init(&other.rng, <const uint8_t*><const char*>other.key, other.stream)
        return other
