"""Matrix games that the fast simplex has left with a gap: their basis in long double, or all in quad."""

from cardgods._core.solve.matrix cimport MAX_ORDER, STRIDE, MatrixGame

cdef extern from "solve/quad.h" nogil:
    ctypedef long double quad "cg_quad"

cdef enum:
    SIDE = MAX_ORDER + 1       # unknowns of a basis: one side's probabilities and the value
    MOST_PIVOTS = 1000

# Payoffs, at most 1, are doubles: what moves the value by less than this need not be told apart.
cdef double SLACK = 1e-18
cdef double LEAST_PIVOT = 1e-14


cdef inline long double size_of(long double x) noexcept nogil:
    return -x if x < 0 else x


# The last basis again --------------------------------------------------------------------------------------

cdef bint solve_linear(long double* a, long double* b, int n) noexcept nogil:
    # Gaussian elimination with partial pivoting, in place; rows of SIDE numbers. False if singular.
    cdef int i, j, k, best
    cdef long double f
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if size_of(a[i * SIDE + k]) > size_of(a[best * SIDE + k]):
                best = i
        if a[best * SIDE + k] == 0:
            return False
        if best != k:
            for j in range(k, n):
                f = a[k * SIDE + j]
                a[k * SIDE + j] = a[best * SIDE + j]
                a[best * SIDE + j] = f
            f = b[k]
            b[k] = b[best]
            b[best] = f
        for i in range(k + 1, n):
            f = a[i * SIDE + k] / a[k * SIDE + k]
            for j in range(k + 1, n):
                a[i * SIDE + j] -= f * a[k * SIDE + j]
            b[i] -= f * b[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            b[k] -= a[k * SIDE + j] * b[j]
        b[k] /= a[k * SIDE + k]
    return True


cdef bint equalise(const double* a, int row_step, int col_step, const int* rows, const int* cols, int n,
                   double* out) noexcept nogil:
    # Probabilities of `cols` that make all `rows` worth the same, into out[cols]; False if there are none.
    cdef long double m[SIDE * SIDE]
    cdef long double b[SIDE]
    cdef double base = a[rows[0] * row_step + cols[0] * col_step]
    cdef long double total = 0
    cdef int i, j
    for i in range(n):
        for j in range(n):
            m[i * SIDE + j] = <long double>a[rows[i] * row_step + cols[j] * col_step] - base
        m[i * SIDE + n] = -1
        m[n * SIDE + i] = 1
        b[i] = 0
    m[n * SIDE + n] = 0
    b[n] = 1
    if not solve_linear(m, b, n + 1):
        return False
    for j in range(n):
        if b[j] < 0:
            b[j] = 0
        total += b[j]
    for j in range(n):
        out[cols[j]] = <double>(b[j] / total)
    return True


cdef bint solve_basis(MatrixGame* g) noexcept nogil:
    # The supports that the simplex ended with, solved from the payoffs themselves.
    cdef int rows[STRIDE]
    cdef int cols[STRIDE]
    cdef int n = 0, c = 0, i
    for i in range(g.cols):
        g.y[i] = 0.0
        if g.free[i] >= STRIDE:
            rows[n] = g.free[i] - STRIDE
            n += 1
    for i in range(g.rows):
        g.x[i] = 0.0
        if g.basic[i] < STRIDE:
            cols[c] = g.basic[i]
            c += 1
    if n != c or n == 0:
        return False
    return (equalise(g.a, STRIDE, 1, rows, cols, n, g.y)
            and equalise(g.a, 1, STRIDE, cols, rows, n, g.x))


# The whole simplex again -----------------------------------------------------------------------------------
#
# The same tableau as in matrix.pyx. Payoffs that are nearly singular in double precision make pivots as small
# as 1e-16 possible, whose errors no precision survives twice; so pivots are chosen for their size.

cdef void quad_start(MatrixGame* g, quad* t, int row, int col) noexcept nogil:
    cdef quad corner = g.a[row * STRIDE + col]
    cdef int m = g.rows, n = g.cols, i, j
    for i in range(m):
        for j in range(n):
            t[i * STRIDE + j] = g.a[i * STRIDE + j] - <quad>g.a[row * STRIDE + j]
            t[i * STRIDE + j] += corner - g.a[i * STRIDE + col]
        t[i * STRIDE + col] = -1
        t[i * STRIDE + n] = corner - g.a[i * STRIDE + col]
        g.basic[i] = STRIDE + i
    for j in range(n):
        t[row * STRIDE + j] = 1
        t[m * STRIDE + j] = g.a[row * STRIDE + j] - corner
        g.free[j] = j
    t[row * STRIDE + col] = 0
    t[row * STRIDE + n] = 1
    t[m * STRIDE + col] = 1
    t[m * STRIDE + n] = corner
    g.basic[row] = col
    g.free[col] = STRIDE + row


cdef int quad_row(const MatrixGame* g, const quad* t, int q) noexcept nogil:
    # The row that bounds column q; of those that bound it alike (to SLACK) the one with the largest pivot
    # (Harris 1973); -1 if there is none.
    cdef int m = g.rows, n = g.cols, i, p = -1
    cdef quad bound = 0, ratio
    for i in range(m):
        if t[i * STRIDE + q] > LEAST_PIVOT:
            ratio = (t[i * STRIDE + n] + SLACK) / t[i * STRIDE + q]
            if p < 0 or ratio < bound:
                bound = ratio
                p = i
    for i in range(m):
        if (t[i * STRIDE + q] > t[p * STRIDE + q] if p >= 0 else False):
            if t[i * STRIDE + n] <= bound * t[i * STRIDE + q]:
                p = i
    return p


cdef bint quad_choice(const MatrixGame* g, const quad* t, int* p, int* q) noexcept nogil:
    # The pivot with the most negative cost that some row bounds; False at the optimum.
    cdef int m = g.rows, n = g.cols, j, row
    q[0] = -1
    for j in range(n):
        if t[m * STRIDE + j] < -SLACK and (q[0] < 0 or t[m * STRIDE + j] < t[m * STRIDE + q[0]]):
            row = quad_row(g, t, j)
            if row >= 0:
                p[0] = row
                q[0] = j
    return q[0] >= 0


cdef void quad_pivot(MatrixGame* g, quad* t, int p, int q) noexcept nogil:
    cdef quad inverse = 1 / t[p * STRIDE + q], f
    cdef int i, j
    t[p * STRIDE + q] = 1
    for j in range(g.cols + 1):
        t[p * STRIDE + j] *= inverse
    for i in range(g.rows + 1):
        if i == p:
            continue
        f = t[i * STRIDE + q]
        t[i * STRIDE + q] = 0
        for j in range(g.cols + 1):
            t[i * STRIDE + j] -= f * t[p * STRIDE + j]
    i = g.basic[p]
    g.basic[p] = g.free[q]
    g.free[q] = i


cdef void quad_strategies(MatrixGame* g, const quad* t) noexcept nogil:
    cdef quad sx = 0, sy = 0
    cdef int m = g.rows, n = g.cols, i, j
    for i in range(m):
        g.x[i] = 0.0
        if g.basic[i] < STRIDE and t[i * STRIDE + n] > 0:
            sy += t[i * STRIDE + n]
    for j in range(n):
        g.y[j] = 0.0
        if g.free[j] >= STRIDE and t[m * STRIDE + j] > 0:
            sx += t[m * STRIDE + j]
    for i in range(m):
        if g.basic[i] < STRIDE and t[i * STRIDE + n] > 0:
            g.y[g.basic[i]] = <double>(t[i * STRIDE + n] / sy)
    for j in range(n):
        if g.free[j] >= STRIDE and t[m * STRIDE + j] > 0:
            g.x[g.free[j] - STRIDE] = <double>(t[m * STRIDE + j] / sx)


cdef bint solve_quad(MatrixGame* g) noexcept nogil:
    cdef quad t[(MAX_ORDER + 1) * STRIDE]
    cdef int p = 0, q = 0, i
    for i in range(g.rows):
        if g.a[i * STRIDE] > g.a[p * STRIDE]:
            p = i
    quad_start(g, t, p, 0)
    for _ in range(MOST_PIVOTS):
        if not quad_choice(g, t, &p, &q):
            quad_strategies(g, t)
            return True
        quad_pivot(g, t, p, q)
    return False
