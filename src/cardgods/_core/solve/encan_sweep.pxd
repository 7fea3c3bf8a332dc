# The backward pass of the Encan solver: one matrix game per (triple of outcomes, hand pattern).
cimport cython
from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport int32_t, int64_t

from cardgods._core.solve.encan_hands cimport MAX_TURNS, Hands
from cardgods._core.solve.encan_layout cimport SweepLevel
from cardgods._core.solve.encan_scores cimport Scores
from cardgods._core.solve.encan_vectors cimport Vectors
from cardgods._core.solve.matrix cimport ROUTES, MatrixGame

cdef enum:
    LOCKS = 64


@cython.final
cdef class Worker:
    # The scratch memory and the tallies of one thread at a time.
    cdef MatrixGame game
    cdef double* below        # values after a win of 0, of 1, after a tie: three dense vectors
    cdef double* bids         # value of every pattern once the window is closed
    cdef int64_t* fixed       # value of every pattern at the start of a turn, in fixed point
    cdef int level
    cdef int64_t loaded[3]    # which code and reward each part of `below` holds; -1 for none
    cdef int64_t games
    cdef int64_t routes[ROUTES]
    cdef double gap


@cython.final
cdef class Sweep:
    cdef readonly Hands hands
    cdef readonly Scores scores
    cdef readonly Vectors vectors
    cdef readonly int kept            # lowest level whose vectors stay
    cdef readonly int floor           # a split level below that stays too, 0 for none
    cdef SweepLevel levels[MAX_TURNS + 1]
    cdef PyThread_type_lock locks[LOCKS]
    cdef list idle                    # workers
    # Whose guarantee becomes the value of a matrix game: -1 player 0's, 1 player 1's; 0 for the value itself.
    cdef readonly int side
    cdef double reward_unit           # a unit of score, in the vectors

    cdef Worker worker(self)
    cdef object take(self, Worker w)
