"""Value and optimal strategies of zero-sum matrix games, with a certificate.

A game without a saddle point goes through the simplex method on the column player's linear program, in a
condensed tableau (Tucker 1956) that begins with his minimax column and holds only differences of payoffs.
Rows are lanes of short vectors. Whatever comes out is certified: what both strategies guarantee is computed
again from the payoffs, and where the two differ by more than rounding, slower and safer ways take over.
"""

cimport cython
from libc.math cimport frexp, isfinite, ldexp
from libc.string cimport memcpy, memset

from cardgods._core.rng cimport Random, uniform01
from cardgods._core.solve.matrix_lanes cimport (
    certain,
    certify_lanes,
    formula,
    saddle,
    simplex,
    start,
    strategies,
    tolerance,
)
from cardgods._core.solve.matrix_wide cimport round_payoffs, solve_basis, solve_quad

from cardgods.errors import ParameterError, SolveError


cdef inline int settle(MatrixGame* g, int n) noexcept nogil:
    cdef double most[MAX_LANES]
    g.pivots = 0
    g.route = BY_SADDLE
    if saddle(g, most, n):
        return BY_SADDLE
    if n == 4 and g.rows == 2 and g.cols == 2:
        g.route = BY_FORMULA
        formula(g)
        certify_lanes(g, n)
        if certain(g):
            return BY_FORMULA
    g.route = BY_SIMPLEX
    start(g, most, n)
    if simplex(g, n):
        strategies(g, n)
        certify_lanes(g, n)
        if certain(g):
            return BY_SIMPLEX
    mend(g)
    return g.route


cdef int solve_game(MatrixGame* g) noexcept nogil:
    if g.lanes == 8:
        return settle(g, 8)
    if g.lanes == 12:
        return settle(g, 12)
    if g.lanes == 4:
        return settle(g, 4)
    return settle(g, 16)


# Safer ways ------------------------------------------------------------------------------------------------

cdef void certify(MatrixGame* g) noexcept nogil:
    if g.lanes == 8:
        certify_lanes(g, 8)
    elif g.lanes == 12:
        certify_lanes(g, 12)
    elif g.lanes == 4:
        certify_lanes(g, 4)
    else:
        certify_lanes(g, 16)


cdef void take_pure(MatrixGame* g, int row, int col) noexcept nogil:
    memset(g.x, 0, sizeof(g.x))
    memset(g.y, 0, sizeof(g.y))
    g.x[row] = 1.0
    g.y[col] = 1.0


cdef void pure_strategies(MatrixGame* g) noexcept nogil:
    # Of a game with a saddle point: the first maximin row and the first minimax column.
    cdef int row = 0, col = 0, i, j
    cdef double least, most, low = -1e300, high = 1e300
    for i in range(g.rows):
        least = 1e300
        for j in range(g.cols):
            least = min(least, g.a[j * g.lanes + i])
        if least > low:
            low = least
            row = i
    for j in range(g.cols):
        most = -1e300
        for i in range(g.rows):
            most = max(most, g.a[j * g.lanes + i])
        if most < high:
            high = most
            col = j
    take_pure(g, row, col)


cdef bint better(MatrixGame* g, int route, MatrixGame* best) noexcept nogil:
    # Certify a new pair of strategies and keep it in `best` if its gap is smaller; True if it is good enough.
    certify(g)
    if -tolerance() <= g.high - g.low < best.high - best.low:
        best.low = g.low
        best.high = g.high
        best.value = g.value
        best.route = route
        memcpy(best.x, g.x, sizeof(g.x))
        memcpy(best.y, g.y, sizeof(g.y))
    return certain(best)


cdef bint attempt(MatrixGame* g) noexcept nogil:
    # The fast way without its last step, at leisure.
    cdef double most[MAX_LANES]
    g.pivots = 0
    if saddle(g, most, g.lanes):
        pure_strategies(g)
        return True
    start(g, most, g.lanes)
    if not simplex(g, g.lanes):
        return False
    strategies(g, g.lanes)
    return True


cdef bint adopt(MatrixGame* trial, const MatrixGame* other, int route, MatrixGame* best) noexcept nogil:
    # The strategies of another game, tried on this one.
    memcpy(trial.x, other.x, sizeof(trial.x))
    memcpy(trial.y, other.y, sizeof(trial.y))
    return better(trial, route, best)


cdef void mend(MatrixGame* g) noexcept nogil:
    # Double precision has left a gap: the last basis again, then games that differ from this one by less than
    # the rounding of its payoffs, in double and at last in quad precision.
    cdef MatrixGame trial, other
    memcpy(&trial, g, sizeof(MatrixGame))
    take_pure(g, 0, 0)
    certify(g)
    if better(&trial, BY_SIMPLEX, g) or (solve_basis(&trial) and better(&trial, BY_BASIS, g)):
        return
    memcpy(&other, &trial, sizeof(MatrixGame))
    round_payoffs(&other)
    if attempt(&other) and adopt(&trial, &other, BY_SIMPLEX, g):
        return
    if solve_basis(&other) and adopt(&trial, &other, BY_BASIS, g):
        return
    if solve_quad(&other):
        adopt(&trial, &other, BY_QUAD, g)


# Python face -----------------------------------------------------------------------------------------------

ROUTE_NAMES = ("saddle", "formula", "simplex", "basis", "quad")


@cython.final
cdef class MatrixSolution:
    """Solution of a matrix game.

    Attributes:
        value: what the game is worth to the row player: the middle of what both guarantee.
        rows: probability of each row in an optimal strategy of the row player.
        columns: the same for the column player.
        low: what `rows` guarantees against every column, recomputed from the payoffs.
        high: what `columns` guarantees against every row.
        route: how it was found: saddle, formula (2 x 2), simplex, basis (the simplex' last basis in long
            double) or quad (the simplex in quad precision).
        pivots: pivots of the double precision simplex.
    """
    cdef readonly double value, low, high
    cdef readonly tuple rows, columns
    cdef readonly str route
    cdef readonly int pivots

    @property
    def gap(self):
        """How far the two guarantees are apart; the value is exact to half of it."""
        return self.high - self.low

    def __repr__(self):
        return f"<MatrixSolution value={self.value!r} gap={self.gap:.1e} {self.route}>"


cdef int read_matrix(MatrixGame* g, rows) except? -99999:
    # Copy payoffs, divided by a power of two that brings them to at most 1; returns its exponent.
    cdef int i, j, exponent = 0
    cdef double most = 0.0
    try:
        table = [[float(x) for x in row] for row in rows]
    except (TypeError, ValueError, OverflowError):
        raise ParameterError("a matrix game is a list of rows of numbers") from None
    if not 1 <= len(table) <= MAX_ORDER or not 1 <= len(table[0]) <= MAX_ORDER:
        raise ParameterError(f"a matrix game has 1 to {MAX_ORDER} rows and 1 to {MAX_ORDER} columns")
    if any(len(row) != len(table[0]) for row in table):
        raise ParameterError("the rows of a matrix game must be of the same length")
    if not all(isfinite(x) for row in table for x in row):
        raise ParameterError("the payoffs of a matrix game must be finite numbers")
    g.rows = len(table)
    g.cols = len(table[0])
    g.lanes = lanes_for(g.rows)
    most = max(abs(x) for row in table for x in row)
    if most > 0.0:
        frexp(most, &exponent)
    for j in range(g.cols):
        for i in range(g.lanes):
            g.a[j * g.lanes + i] = ldexp(table[i][j], -exponent) if i < g.rows else no_row()
    return exponent


def solve_matrix(rows, method="auto"):
    """Solve a zero-sum matrix game.

    Args:
        rows: payoffs to the row player, who maximises: 1 to 14 rows of 1 to 14 finite numbers.
        method: ``auto``; or ``basis`` or ``quad`` to begin with what else is done only when double precision
            leaves a gap of more than 2e-14 of the largest payoff.

    Raises:
        ParameterError: if the matrix has another form, or there is no such method.
    """
    cdef MatrixGame g, rounded
    cdef MatrixSolution out = MatrixSolution()
    if method not in ("auto", "basis", "quad"):
        raise ParameterError(f"unknown method '{method}': methods are auto, basis, quad")
    cdef int exponent = read_matrix(&g, rows)
    solve_game(&g)
    if g.route == BY_SADDLE:
        pure_strategies(&g)
    elif method != "auto" and g.route != BY_FORMULA:
        if method == "quad":
            memcpy(&rounded, &g, sizeof(MatrixGame))
            round_payoffs(&rounded)
            found = solve_quad(&rounded)
            memcpy(g.x, rounded.x, sizeof(g.x))
            memcpy(g.y, rounded.y, sizeof(g.y))
        else:
            found = solve_basis(&g)
        if not found:
            raise SolveError(f"method {method} finds no solution of this matrix")
        certify(&g)
        g.route = BY_BASIS if method == "basis" else BY_QUAD
    out.value = ldexp(g.value, exponent)
    out.low = ldexp(g.low, exponent)
    out.high = ldexp(g.high, exponent)
    out.rows = tuple([g.x[i] for i in range(g.rows)])
    out.columns = tuple([g.y[i] for i in range(g.cols)])
    out.route = ROUTE_NAMES[g.route]
    out.pivots = g.pivots
    return out


def bench_random(int n, long count, seed=0):
    """Solve random n x n games, payoffs uniform on 0..1, without the GIL; a pool of 256 is gone round.

    Returns:
        (sum of the values, pivots, games by route, largest gap).
    """
    cdef Random rng = Random(seed)
    cdef MatrixGame g
    cdef double pool[256][MAX_ORDER * MAX_LANES]
    cdef int i, j
    cdef long k, pivots = 0
    cdef long routes[ROUTES]
    cdef double total = 0.0, gap = 0.0
    if not 1 <= n <= MAX_ORDER:
        raise ParameterError(f"a matrix game has 1 to {MAX_ORDER} rows and 1 to {MAX_ORDER} columns")
    g.rows = g.cols = n
    g.lanes = lanes_for(n)
    for k in range(256):
        for j in range(n):
            for i in range(g.lanes):
                pool[k][j * g.lanes + i] = uniform01(&rng.rng) if i < n else no_row()
    memset(routes, 0, sizeof(routes))
    with nogil:
        for k in range(count):
            memcpy(g.a, pool[k & 255], n * g.lanes * sizeof(double))
            routes[solve_game(&g)] += 1
            pivots += g.pivots
            total += g.value
            gap = max(gap, g.high - g.low)
    return total, pivots, [routes[i] for i in range(<int>ROUTES)], gap
