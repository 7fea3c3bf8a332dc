# What a player of Trois Trônes may think the other holds, from the moves that he has seen.
from libc.stdint cimport int32_t, uint32_t, uint64_t

from cardgods._core.games.trones cimport TronesRulesObject
from cardgods._core.rng cimport Random, Rng
from cardgods._core.solve.trones_blueprint cimport Blueprint
from cardgods._core.solve.trones_sets cimport Spot

cdef enum:
    MOST_CARDS = 32
    MOST_HELD = 4

cdef class Beliefs:
    cdef readonly TronesRulesObject rules
    cdef readonly int player
    cdef Spot spot                # as it is; what the player may not know of it is never read
    cdef int seen                 # actions of the state's history taken in
    cdef int held                 # cards of the other
    cdef int card[32]             # of each place in the deck
    cdef int place[52]            # of each card of the deck
    cdef int32_t choose[33][5]
    cdef uint32_t* masks[5]       # places in the hand of each number, by size
    cdef double* weight           # of the hands of so many cards, by number
    cdef double* spare
    cdef int32_t* likely          # numbers of the hands that count, once they are ready to be drawn
    cdef double* sums             # their weights added up
    cdef int likelies

    cdef int32_t number_of(self, uint32_t mask) noexcept nogil
    cdef uint64_t cards_of(self, uint32_t mask) noexcept nogil
    cdef uint32_t possible(self) noexcept nogil
    cdef void drop_impossible(self) noexcept nogil
    cdef void lay_one(self, int card, const double* chances) noexcept nogil
    cdef void draw_one(self) noexcept nogil
    cdef void ready(self) noexcept nogil
    cdef uint64_t drawn(self, Rng* rng) noexcept nogil
    cdef int _list_hands(self, int k) except -1
    cdef int _apply(self, int32_t action) except -1
    cdef int _legal(self) noexcept
    cdef int _weigh(self, int32_t action, Blueprint model, double least, double slip) except -1
    cdef int _ask(self, int32_t action, ask, double slip, int most, Random rng) except -1
    cdef list _drawn_few(self, list numbers, int most, Random rng)
