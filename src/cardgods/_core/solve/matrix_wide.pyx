"""Matrix games that the fast simplex has left with a gap: their basis in long double, or all in quad."""

from libc.math cimport rint
from libc.string cimport memset

from cardgods._core.solve.matrix cimport MAX_LANES, MAX_ORDER, MatrixGame

cdef extern from "solve/quad.h" nogil:
    ctypedef long double quad "cg_quad"

cdef enum:
    SIDE = MAX_ORDER + 1       # unknowns of a basis: one side's probabilities and the value
    MOST_PIVOTS = 1000

# Payoffs, at most 1, are doubles: what moves the value by less than this need not be told apart.
cdef double GRID = 281474976710656.0       # 2 ** 48 steps in 1
cdef double SLACK = 1e-18
cdef double LEAST_PIVOT = 1e-14


cdef inline long double size_of(long double x) noexcept nogil:
    return -x if x < 0 else x


cdef void round_payoffs(MatrixGame* g) noexcept nogil:
    # What should be equal is so again, where the rounding of earlier values has made it different by parts in
    # 10^16 and pivots of that size possible, whose errors no precision survives twice.
    cdef int i, j
    for j in range(g.cols):
        for i in range(g.rows):
            g.a[j * g.lanes + i] = rint(g.a[j * g.lanes + i] * GRID) / GRID


# The last basis again --------------------------------------------------------------------------------------

cdef bint factorise(long double* a, int* order, int n) noexcept nogil:
    # LU factors in place, partial pivoting; rows of SIDE numbers. False if singular.
    cdef int i, j, k, best
    cdef long double f
    for k in range(n):
        order[k] = k
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if size_of(a[i * SIDE + k]) > size_of(a[best * SIDE + k]):
                best = i
        if a[best * SIDE + k] == 0:
            return False
        if best != k:
            i = order[k]
            order[k] = order[best]
            order[best] = i
            for j in range(n):
                f = a[k * SIDE + j]
                a[k * SIDE + j] = a[best * SIDE + j]
                a[best * SIDE + j] = f
        for i in range(k + 1, n):
            f = a[i * SIDE + k] / a[k * SIDE + k]
            a[i * SIDE + k] = f
            for j in range(k + 1, n):
                a[i * SIDE + j] -= f * a[k * SIDE + j]
    return True


cdef void solve_last(const long double* lu, const int* order, int n, long double* out) noexcept nogil:
    # The solution for a right-hand side of 1 in the last row and 0 elsewhere.
    cdef int i, j
    for i in range(n):
        out[i] = 1 if order[i] == n - 1 else 0
        for j in range(i):
            out[i] -= lu[i * SIDE + j] * out[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            out[i] -= lu[i * SIDE + j] * out[j]
        out[i] /= lu[i * SIDE + i]


cdef void solve_last_turned(const long double* lu, const int* order, int n,
                            long double* out) noexcept nogil:
    # The same for the transposed matrix.
    cdef long double z[SIDE]
    cdef int i, j
    for i in range(n):
        z[i] = 1 if i == n - 1 else 0
        for j in range(i):
            z[i] -= lu[j * SIDE + i] * z[j]
        z[i] /= lu[i * SIDE + i]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            z[i] -= lu[j * SIDE + i] * z[j]
        out[order[i]] = z[i]


cdef bint share_out(const long double* weights, double sign, const int* where, int n,
                    double* out) noexcept nogil:
    # Weights as probabilities; False if they are none.
    cdef long double total = 0, x
    cdef int i
    for i in range(n):
        x = sign * weights[i]
        total += x if x > 0 else 0
    if not 0.5 < total < 2:
        return False
    for i in range(n):
        x = sign * weights[i]
        out[where[i]] = <double>(x / total) if x > 0 else 0.0
    return True


cdef bint equalise(MatrixGame* g, const int* rows, const int* cols, int n) noexcept nogil:
    # Probabilities of `cols` that make all `rows` worth the same, and the reverse: one system and its
    # transpose. False if there are none.
    cdef long double m[SIDE * SIDE]
    cdef long double z[SIDE]
    cdef int order[SIDE]
    cdef double base = g.a[cols[0] * g.lanes + rows[0]]
    cdef int i, j
    for i in range(n):
        for j in range(n):
            m[i * SIDE + j] = <long double>g.a[cols[j] * g.lanes + rows[i]] - base
        m[i * SIDE + n] = -1
        m[n * SIDE + i] = 1
    m[n * SIDE + n] = 0
    if not factorise(m, order, n + 1):
        return False
    solve_last(m, order, n + 1, z)
    if not share_out(z, 1.0, cols, n, g.y):
        return False
    solve_last_turned(m, order, n + 1, z)
    return share_out(z, -1.0, rows, n, g.x)


cdef bint solve_basis(MatrixGame* g) noexcept nogil:
    # The supports that the simplex ended with, solved from the payoffs themselves.
    cdef int rows[MAX_LANES]
    cdef int cols[MAX_LANES]
    cdef int n = 0, c = 0, i
    for i in range(g.kept):
        if g.free[i] >= MAX_LANES:
            rows[n] = g.free[i] - MAX_LANES
            n += 1
    for i in range(g.lanes):
        if g.basic[i] < MAX_LANES:
            cols[c] = g.basic[i]
            c += 1
    memset(g.x, 0, sizeof(g.x))
    memset(g.y, 0, sizeof(g.y))
    return n == c and n > 0 and equalise(g, rows, cols, n)


# The whole simplex again -----------------------------------------------------------------------------------
#
# The same tableau as in matrix.pyx; pivots are chosen for their size.

cdef inline quad at(const MatrixGame* g, int row, int col) noexcept nogil:
    return g.a[col * g.lanes + row]


cdef void quad_start(MatrixGame* g, quad* t, int row, int col) noexcept nogil:
    cdef quad corner = at(g, row, col)
    cdef int m = g.rows, n = g.cols, i, j
    for i in range(m):
        for j in range(n):
            t[i * MAX_LANES + j] = at(g, i, j) - at(g, row, j)
            t[i * MAX_LANES + j] += corner - at(g, i, col)
        t[i * MAX_LANES + col] = -1
        t[i * MAX_LANES + n] = corner - at(g, i, col)
        g.basic[i] = MAX_LANES + i
    for j in range(n):
        t[row * MAX_LANES + j] = 1
        t[m * MAX_LANES + j] = at(g, row, j) - corner
        g.free[j] = j
    t[row * MAX_LANES + col] = 0
    t[row * MAX_LANES + n] = 1
    t[m * MAX_LANES + col] = 1
    t[m * MAX_LANES + n] = corner
    g.basic[row] = col
    g.free[col] = MAX_LANES + row


cdef int quad_row(const MatrixGame* g, const quad* t, int q) noexcept nogil:
    # The row that bounds column q; of those that bound it alike (to SLACK) the one with the largest pivot
    # (Harris 1973); -1 if there is none.
    cdef int m = g.rows, n = g.cols, i, p = -1
    cdef quad bound = 0, ratio
    for i in range(m):
        if t[i * MAX_LANES + q] > LEAST_PIVOT:
            ratio = (t[i * MAX_LANES + n] + SLACK) / t[i * MAX_LANES + q]
            if p < 0 or ratio < bound:
                bound = ratio
                p = i
    for i in range(m):
        if (t[i * MAX_LANES + q] > t[p * MAX_LANES + q] if p >= 0 else False):
            if t[i * MAX_LANES + n] <= bound * t[i * MAX_LANES + q]:
                p = i
    return p


cdef bint quad_choice(const MatrixGame* g, const quad* t, int* p, int* q) noexcept nogil:
    # The pivot with the most negative cost that some row bounds; False at the optimum.
    cdef int m = g.rows, n = g.cols, j, row
    q[0] = -1
    for j in range(n):
        if t[m * MAX_LANES + j] < -SLACK and (q[0] < 0 or t[m * MAX_LANES + j] < t[m * MAX_LANES + q[0]]):
            row = quad_row(g, t, j)
            if row >= 0:
                p[0] = row
                q[0] = j
    return q[0] >= 0


cdef void quad_pivot(MatrixGame* g, quad* t, int p, int q) noexcept nogil:
    cdef quad inverse = 1 / t[p * MAX_LANES + q], f
    cdef int i, j
    t[p * MAX_LANES + q] = 1
    for j in range(g.cols + 1):
        t[p * MAX_LANES + j] *= inverse
    for i in range(g.rows + 1):
        if i == p:
            continue
        f = t[i * MAX_LANES + q]
        t[i * MAX_LANES + q] = 0
        for j in range(g.cols + 1):
            t[i * MAX_LANES + j] -= f * t[p * MAX_LANES + j]
    i = g.basic[p]
    g.basic[p] = g.free[q]
    g.free[q] = i


cdef void quad_strategies(MatrixGame* g, const quad* t) noexcept nogil:
    cdef quad sx = 0, sy = 0
    cdef int m = g.rows, n = g.cols, i, j
    memset(g.x, 0, sizeof(g.x))
    memset(g.y, 0, sizeof(g.y))
    for i in range(m):
        if g.basic[i] < MAX_LANES and t[i * MAX_LANES + n] > 0:
            sy += t[i * MAX_LANES + n]
    for j in range(n):
        if g.free[j] >= MAX_LANES and t[m * MAX_LANES + j] > 0:
            sx += t[m * MAX_LANES + j]
    for i in range(m):
        if g.basic[i] < MAX_LANES and t[i * MAX_LANES + n] > 0:
            g.y[g.basic[i]] = <double>(t[i * MAX_LANES + n] / sy)
    for j in range(n):
        if g.free[j] >= MAX_LANES and t[m * MAX_LANES + j] > 0:
            g.x[g.free[j] - MAX_LANES] = <double>(t[m * MAX_LANES + j] / sx)


cdef bint solve_quad(MatrixGame* g) noexcept nogil:
    cdef quad t[(MAX_ORDER + 1) * MAX_LANES]
    cdef int p = 0, q = 0, i
    for i in range(g.rows):
        if at(g, i, 0) > at(g, p, 0):
            p = i
    quad_start(g, t, p, 0)
    for _ in range(MOST_PIVOTS):
        if not quad_choice(g, t, &p, &q):
            quad_strategies(g, t)
            return True
        quad_pivot(g, t, p, q)
    return False
