from cardgods._core.solve.commerce_mini_game cimport MiniGame

cdef class Learner:
    cdef readonly MiniGame game
    cdef readonly int shards
    cdef readonly long iteration       # done
    cdef object key                    # of the random numbers
    cdef double* regret                # [sets][WIDTH]
    cdef double* total                 # [sets][WIDTH] weighted sum of the strategies so far
    cdef double* now                   # [sets][WIDTH] the present strategy
    cdef double* change                # [shards][sets][WIDTH] regrets of the present iteration

    cdef void rematch(self) noexcept
