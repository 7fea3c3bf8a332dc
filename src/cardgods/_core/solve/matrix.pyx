"""Value and optimal strategies of zero-sum matrix games, with a certificate."""

cimport cython
from libc.math cimport frexp, isfinite, ldexp
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from cardgods._core.rng cimport Random, uniform01
from cardgods._core.solve.matrix_wide cimport solve_basis, solve_quad

from cardgods.errors import ParameterError, SolveError

cdef double TOLERANCE = 1e-14      # accepted gap of the guarantees, where the largest payoff is 0.5 to 1
cdef double PRICE = 2e-15          # a reduced cost above minus this is taken for zero
cdef double PIVOT = 1e-11          # smallest pivot of the fast simplex


cdef union Tagged:
    double real
    uint64_t bits


cdef inline double tag(double x, uint64_t index) noexcept nogil:
    # The index replaces the last four bits of the mantissa, so that a minimum carries its place along.
    cdef Tagged u
    u.real = x
    u.bits = (u.bits & ~<uint64_t>15) | index
    return u.real


cdef inline int tagged(double x) noexcept nogil:
    cdef Tagged u
    u.real = x
    return <int>(u.bits & 15)


cdef inline bint saddle(MatrixGame* g, int* row, int* col) noexcept nogil:
    cdef double most[STRIDE]
    cdef double least, x
    cdef const double* a
    cdef int m = g.rows, n = g.cols, i, j
    cdef double low = -1e300, high = 1e300
    for j in range(STRIDE):
        most[j] = -1e300
    for i in range(m):
        a = &g.a[i * STRIDE]
        least = 1e300
        for j in range(n):
            x = a[j]
            least = x if x < least else least
            most[j] = x if x > most[j] else most[j]
        if least > low:
            low = least
            row[0] = i
    for j in range(n):
        if most[j] < high:
            high = most[j]
            col[0] = j
    g.low = low
    g.high = high
    return low >= high


cdef inline void start(MatrixGame* g, int row, int col, int width) noexcept nogil:
    # The basis in which the column player plays `col`: only differences of payoffs enter.
    cdef const double* best = &g.a[row * STRIDE]
    cdef const double* a
    cdef double* t
    cdef double shift, corner = best[col]
    cdef int m = g.rows, n = g.cols, i, j
    for i in range(m):
        a = &g.a[i * STRIDE]
        t = &g.t[i * STRIDE]
        shift = corner - a[col]
        for j in range(width):
            t[j] = (a[j] - best[j]) + shift
        t[col] = -1.0
        t[n] = shift
        for j in range(n + 1, width):
            t[j] = 0.0
        g.basic[i] = STRIDE + i
    t = &g.t[row * STRIDE]
    for j in range(n + 1):
        t[j] = 1.0
    t[col] = 0.0
    g.basic[row] = col
    t = &g.t[m * STRIDE]
    for j in range(n):
        t[j] = best[j] - corner
        g.free[j] = j
    t[col] = 1.0
    t[n] = corner
    for j in range(n + 1, width):
        t[j] = 0.0
    g.free[col] = STRIDE + row


cdef inline int entering(const MatrixGame* g, int n) noexcept nogil:
    cdef const double* t = &g.t[g.rows * STRIDE]
    cdef double best = -PRICE, x
    cdef int j
    for j in range(n):
        x = tag(t[j], j)
        best = x if x < best else best
    if best >= -PRICE:
        return -1
    return tagged(best)


cdef inline int leaving(const MatrixGame* g, int q) noexcept nogil:
    cdef double best = 1e300, x, c
    cdef int i
    cdef const double* t = &g.t[0]
    for i in range(g.rows):
        c = t[i * STRIDE + q]
        x = t[i * STRIDE + g.cols] / c
        x = tag(x if c > PIVOT else 1e300, i)
        best = x if x < best else best
    if best > 1e299:
        return -1
    return tagged(best)


cdef inline void pivot(MatrixGame* g, int p, int q, int width) noexcept nogil:
    cdef double row[STRIDE]
    cdef double* t = &g.t[p * STRIDE]
    cdef double inverse = 1.0 / t[q], f
    cdef int i, j
    for j in range(width):
        row[j] = t[j] * inverse
    for i in range(g.rows + 1):
        t = &g.t[i * STRIDE]
        f = t[q]
        for j in range(width):
            t[j] -= f * row[j]
        t[q] = -f * inverse
    t = &g.t[p * STRIDE]
    for j in range(width):
        t[j] = row[j]
    t[q] = inverse
    i = g.basic[p]
    g.basic[p] = g.free[q]
    g.free[q] = i


cdef inline bint simplex(MatrixGame* g, int row, int col, int width) noexcept nogil:
    cdef int limit = 4 * (g.rows + g.cols), p, q
    start(g, row, col, width)
    while g.pivots < limit:
        q = entering(g, g.cols)
        if q < 0:
            return True
        p = leaving(g, q)
        if p < 0:
            return False
        pivot(g, p, q, width)
        g.pivots += 1
    return False


cdef inline void strategies(MatrixGame* g) noexcept nogil:
    cdef int i, j
    cdef double sx = 0.0, sy = 0.0, v
    for i in range(g.rows):
        g.x[i] = 0.0
    for j in range(g.cols):
        g.y[j] = 0.0
    for i in range(g.rows):
        if g.basic[i] < STRIDE:
            v = g.t[i * STRIDE + g.cols]
            v = v if v > 0.0 else 0.0
            g.y[g.basic[i]] = v
            sy += v
    for j in range(g.cols):
        if g.free[j] >= STRIDE:
            v = g.t[g.rows * STRIDE + j]
            v = v if v > 0.0 else 0.0
            g.x[g.free[j] - STRIDE] = v
            sx += v
    sx = 1.0 / sx
    sy = 1.0 / sy
    for i in range(g.rows):
        g.x[i] *= sx
    for j in range(g.cols):
        g.y[j] *= sy


cdef void certify(MatrixGame* g) noexcept nogil:
    cdef double gain[STRIDE]
    cdef double w, x, low = 1e300, high = -1e300
    cdef const double* a
    cdef int i, j
    for j in range(g.cols):
        gain[j] = 0.0
    for i in range(g.rows):
        a = &g.a[i * STRIDE]
        x = g.x[i]
        w = 0.0
        for j in range(g.cols):
            w += a[j] * g.y[j]
            gain[j] += x * a[j]
        high = w if w > high else high
    for j in range(g.cols):
        low = gain[j] if gain[j] < low else low
    g.low = low
    g.high = high
    g.value = 0.5 * (low + high)


cdef inline void take_pure(MatrixGame* g, int row, int col) noexcept nogil:
    cdef int i
    for i in range(g.rows):
        g.x[i] = 0.0
    for i in range(g.cols):
        g.y[i] = 0.0
    g.x[row] = 1.0
    g.y[col] = 1.0


cdef inline void formula(MatrixGame* g) noexcept nogil:
    # 2 x 2 without a saddle point, shifted so that no large value hides a small difference.
    cdef double b = g.a[1] - g.a[0], c = g.a[STRIDE] - g.a[0], d = g.a[STRIDE + 1] - g.a[0]
    cdef double whole = 1.0 / (d - b - c)
    g.x[0] = (d - c) * whole
    g.x[1] = -b * whole
    g.y[0] = (d - b) * whole
    g.y[1] = -c * whole


cdef bint better(MatrixGame* g, int route, double* x, double* y) noexcept nogil:
    # Certify a new pair of strategies and keep it if its gap is smaller; True if that is good enough.
    cdef double low = g.low, high = g.high
    certify(g)
    if g.high - g.low < high - low:
        g.route = route
        memcpy(x, g.x, sizeof(g.x))
        memcpy(y, g.y, sizeof(g.y))
    else:
        memcpy(g.x, x, sizeof(g.x))
        memcpy(g.y, y, sizeof(g.y))
        certify(g)
    return g.high - g.low <= TOLERANCE


cdef void mend(MatrixGame* g) noexcept nogil:
    # Double precision has left a gap: a quick way to close it, then a safe one.
    cdef double x[STRIDE]
    cdef double y[STRIDE]
    memcpy(x, g.x, sizeof(g.x))
    memcpy(y, g.y, sizeof(g.y))
    if solve_basis(g) and better(g, BY_BASIS, x, y):
        return
    if solve_quad(g):
        better(g, BY_QUAD, x, y)
    else:
        memcpy(g.x, x, sizeof(g.x))
        memcpy(g.y, y, sizeof(g.y))
        certify(g)


cdef int solve_game(MatrixGame* g) noexcept nogil:
    cdef int row = 0, col = 0, i, width
    cdef double best = -1e300
    cdef bint done = True
    g.pivots = 0
    if saddle(g, &row, &col):
        g.value = g.low
        g.route = BY_SADDLE
        g.pure[0] = row
        g.pure[1] = col
        return BY_SADDLE
    g.route = BY_SIMPLEX
    if g.rows == 2 and g.cols == 2:
        g.route = BY_FORMULA
        formula(g)
    else:
        for i in range(g.rows):
            if g.a[i * STRIDE + col] > best:
                best = g.a[i * STRIDE + col]
                row = i
        width = g.cols + 1
        if width <= 4:
            done = simplex(g, row, col, 4)
        elif width <= 8:
            done = simplex(g, row, col, 8)
        elif width <= 12:
            done = simplex(g, row, col, 12)
        else:
            done = simplex(g, row, col, 16)
        if done:
            strategies(g)
        else:
            take_pure(g, row, col)
    certify(g)
    if g.high - g.low > TOLERANCE:
        mend(g)
    return g.route


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
    most = max(abs(x) for row in table for x in row)
    if most > 0.0:
        frexp(most, &exponent)
    for i in range(g.rows):
        for j in range(g.cols):
            g.a[i * STRIDE + j] = ldexp(table[i][j], -exponent)
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
    cdef MatrixGame g
    cdef MatrixSolution out = MatrixSolution()
    if method not in ("auto", "basis", "quad"):
        raise ParameterError(f"unknown method '{method}': methods are auto, basis, quad")
    cdef int exponent = read_matrix(&g, rows)
    solve_game(&g)
    if g.route == BY_SADDLE:
        take_pure(&g, g.pure[0], g.pure[1])
    elif method != "auto" and g.route != BY_FORMULA:
        if not (solve_basis(&g) if method == "basis" else solve_quad(&g)):
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
    cdef double pool[256][MAX_ORDER * STRIDE]
    cdef int i, j
    cdef long k, pivots = 0
    cdef long routes[ROUTES]
    cdef double total = 0.0, gap = 0.0
    if not 1 <= n <= MAX_ORDER:
        raise ParameterError(f"a matrix game has 1 to {MAX_ORDER} rows and 1 to {MAX_ORDER} columns")
    for k in range(256):
        for i in range(n):
            for j in range(n):
                pool[k][i * STRIDE + j] = uniform01(&rng.rng)
    memset(routes, 0, sizeof(routes))
    with nogil:
        for k in range(count):
            g.rows = g.cols = n
            memcpy(g.a, pool[k & 255], n * STRIDE * sizeof(double))
            routes[solve_game(&g)] += 1
            pivots += g.pivots
            total += g.value
            gap = max(gap, g.high - g.low)
    return total, pivots, [routes[i] for i in range(<int>ROUTES)], gap
