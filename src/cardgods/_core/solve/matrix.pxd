# Zero-sum matrix games up to 14 x 14: the kernel of every exact solver of simultaneous moves.
from libc.stdint cimport int64_t

cdef enum:
    MAX_ORDER = 14
    STRIDE = 16               # doubles from one row to the next, in payoffs and tableau

cdef enum Route:              # how a game was settled, cheapest first
    BY_SADDLE
    BY_FORMULA                # 2 x 2
    BY_SIMPLEX
    BY_BASIS                  # the final basis solved again in long double
    BY_QUAD                   # the whole simplex in quad precision
    ROUTES

cdef struct MatrixGame:
    int rows, cols
    double a[MAX_ORDER * STRIDE]        # payoff to the row player; he maximises
    # the solution
    double value
    double low, high                    # what x and y guarantee against every pure reply
    double x[STRIDE]
    double y[STRIDE]
    int pure[2]                         # the row and column of a saddle point; x and y are not set then
    int route
    int pivots
    # scratch of the simplex: tableau with the objective as last row and the right-hand side as last column
    double t[(MAX_ORDER + 1) * STRIDE]
    int basic[STRIDE]                   # column j of the game as j, slack of row i as STRIDE + i
    int free[STRIDE]

cdef int solve_game(MatrixGame* g) noexcept nogil
