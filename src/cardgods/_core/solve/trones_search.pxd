# Proof search over open-hand positions of Trois Trônes.
from libc.stdint cimport uint32_t, uint64_t

from cardgods._core.solve.trones_bounds cimport OpenDeal, Side, Stream

cdef enum:
    WAYS = 4                  # entries of one cache line, newest first

# What was proved of a position: the side that wins and the least standings for which the proof holds.
cdef struct Entry:
    uint64_t key              # generation, places, cards not yet laid; lowest bit: player 0 wins
    uint64_t proof            # three demands of 18 bits, in the winner's view

cdef struct Search:
    Stream streams[2]
    Side sides[2]             # the root
    int mover
    Entry* table
    int bits                  # the table has 2**bits lines
    uint32_t generation       # so that a new deal needs no clearing
    uint64_t nodes

cdef Entry* table_new(int bits) noexcept nogil
cdef void table_free(Entry* table) noexcept nogil
cdef void begin(Search* search, const OpenDeal* deal) noexcept nogil
cdef int winner(Search* search) noexcept nogil
cdef int winner_after(Search* search, int index, int front) noexcept nogil
cdef void advance(Search* search, int index, int front) noexcept nogil
cdef bint dominated(const Search* search, int index, int front) noexcept nogil
