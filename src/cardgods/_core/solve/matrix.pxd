# Zero-sum matrix games up to 14 x 14: the kernel of every exact solver of simultaneous moves.
cdef enum:
    MAX_ORDER = 14
    MAX_LANES = 16

# In the lanes beyond the rows of a game: a row that nobody would choose.
cdef inline double no_row() noexcept nogil:
    return -1e300


cdef inline int lanes_for(int rows) noexcept nogil:
    return (rows + 3) & ~3

cdef enum Route:              # how a game was settled, cheapest first
    BY_SADDLE
    BY_FORMULA                # 2 x 2
    BY_SIMPLEX
    BY_BASIS                  # the final basis solved again in long double
    BY_QUAD                   # the whole simplex in quad precision
    ROUTES

cdef struct MatrixGame:
    int rows, cols
    int lanes                           # lanes_for(rows)
    # Payoff to the row player, who maximises, at most 1 in size: column after column of `lanes` numbers.
    double a[MAX_ORDER * MAX_LANES]
    # the solution
    double value
    double low, high                    # what x and y guarantee against every pure reply
    double x[MAX_LANES]                 # not set where there is a saddle point: see pure_strategies
    double y[MAX_LANES]
    int route
    int pivots
    # the simplex: column j of the game is labelled j, the slack of row i MAX_LANES + i
    int kept                            # columns in the tableau
    int basic[MAX_LANES]                # label of each lane
    int free[MAX_LANES]                 # label of each column of the tableau
    double rest[MAX_LANES]              # value of what is basic
    double cost[MAX_LANES]              # price of what is free
    double t[MAX_ORDER * MAX_LANES]     # the tableau, column after column

cdef void pure_strategies(MatrixGame* g) noexcept nogil
cdef int solve_game(MatrixGame* g) noexcept nogil
