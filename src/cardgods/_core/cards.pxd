# Layout of a 52-bit card mask: card = 13 * suit + rank, rank 0..12 = 2..A, suit 0..3 = clubs, diamonds,
# hearts, spades. A suit is thirteen neighbouring bits, so "the ranks held in a suit" is a shift and a mask.
from libc.stdint cimport uint64_t

cdef enum:
    RANKS = 13
    SUITS = 4
    CARDS = 52
    SUIT_BITS = 0x1FFF

cdef inline int card_of(int rank, int suit) noexcept nogil:
    return 13 * suit + rank

cdef inline int rank_of(int card) noexcept nogil:
    return card % 13

cdef inline int suit_of(int card) noexcept nogil:
    return card // 13

cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card

cdef inline unsigned int suit_ranks(uint64_t mask, int suit) noexcept nogil:
    return <unsigned int>(mask >> (13 * suit)) & SUIT_BITS
