# The fast way through a matrix game, on short vectors: one lane for each row, `n` lanes in all.
#
# Everything is inlined into callers for whom `n` is a literal, so that loops over lanes unroll.
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb
from cardgods._core.solve.matrix cimport MAX_LANES, MatrixGame

cdef extern from "solve/lanes.h" nogil:
    void lanes_fill "cg_fill"(double* out, double x, int n) noexcept
    void lanes_unit_less "cg_unit_less"(double* out, int p, double f, int n) noexcept
    void lanes_copy "cg_copy"(double* out, const double* v, int n) noexcept
    void lanes_from "cg_from"(double* out, double f, const double* v, int p, int n) noexcept
    void lanes_shift "cg_shift"(double* out, const double* v, double f, const double* w, int n) noexcept
    void lanes_subtract "cg_subtract"(double* t, double f, const double* v, int n) noexcept
    void lanes_add "cg_add"(double* t, double f, const double* v, int n) noexcept
    double lanes_extremes "cg_extremes"(double* least, const double* v, int n) noexcept
    double lanes_largest "cg_largest"(const double* v, int n) noexcept
    double lanes_largest_tagged "cg_largest_tagged"(const double* v, int n) noexcept
    int lanes_order "cg_order"(const double* a, const double* b, int n) noexcept
    double lanes_least_ratio "cg_least_ratio"(const double* b, const double* c, double* inverse, double floor,
                                              double none, int n) noexcept
    double lanes_dot "cg_dot"(const double* a, const double* b, int n) noexcept
    double positive "cg_positive"(double x) noexcept
    double tag "cg_tag"(double x, int place) noexcept
    int tagged "cg_tagged"(double x) noexcept


cdef inline double tolerance() noexcept nogil:
    # Accepted gap of the guarantees, where the largest payoff is 0.5 to 1.
    return 1e-14


cdef inline double smallest_price() noexcept nogil:
    # A cost above minus this is taken for zero.
    return 2e-15


cdef inline double smallest_pivot() noexcept nogil:
    return 1e-11


cdef inline double far() noexcept nogil:
    return 1e300


cdef inline bint saddle(MatrixGame* g, double* most, int n) noexcept nogil:
    # Pure guarantees of both players, and the largest payoff of each column.
    cdef double least[MAX_LANES]
    cdef int j
    lanes_fill(least, far(), n)
    g.high = far()
    for j in range(g.cols):
        most[j] = lanes_extremes(least, &g.a[j * n], n)
        g.high = most[j] if most[j] < g.high else g.high
    g.low = lanes_largest(least, n)
    if g.low < g.high:
        return False
    g.value = g.low
    return True


cdef inline unsigned int worth_playing(const MatrixGame* g, int n) noexcept nogil:
    # The columns that no neighbour dominates: cards next in order are the likeliest to be alike.
    cdef unsigned int kept = (1u << g.cols) - 1
    cdef int j, order
    for j in range(g.cols - 1):
        order = lanes_order(&g.a[j * n], &g.a[(j + 1) * n], n)
        if not order & 1:
            kept &= ~(1u << j)
        elif not order & 2:
            kept &= ~(2u << j)
    return kept


cdef inline void start(MatrixGame* g, const double* most, int n) noexcept nogil:
    # The basis in which the column player plays his minimax column: only differences of payoffs enter.
    cdef unsigned int kept = worth_playing(g, n)
    cdef const double* best
    cdef const double* a
    cdef double* t = g.t
    cdef double least = far(), corner
    cdef int k = 0, q = 0, p, j
    while kept:
        j = lsb(kept)
        kept &= kept - 1
        q = k if most[j] < least else q
        least = most[j] if most[j] < least else least
        g.free[k] = j
        k += 1
    g.kept = k
    best = &g.a[g.free[q] * n]
    p = tagged(lanes_largest_tagged(best, n))
    corner = best[p]
    lanes_from(g.rest, corner, best, p, n)
    for k in range(g.kept):
        a = &g.a[g.free[k] * n]
        lanes_shift(t, a, a[p], g.rest, n)
        g.cost[k] = a[p] - corner
        t += n
    lanes_unit_less(&g.t[q * n], p, 1.0, n)
    g.cost[q] = 1.0
    for k in range(n):
        g.basic[k] = MAX_LANES + k
    g.basic[p] = g.free[q]
    g.free[q] = MAX_LANES + p


cdef inline double cheapest(const MatrixGame* g) noexcept nogil:
    cdef double least = far(), x
    cdef int k
    for k in range(g.kept):
        x = tag(g.cost[k], k)
        least = x if x < least else least
    return least


cdef inline double pivot(MatrixGame* g, int p, int q, double inverse, int n) noexcept nogil:
    # Exchange lane p with column q; returns the least of the new costs, tagged.
    cdef double column[MAX_LANES]
    cdef double* t = &g.t[q * n]
    cdef double price = g.cost[q], least = far(), f, x
    cdef int k
    lanes_copy(column, t, n)
    lanes_unit_less(t, p, 0.0, n)
    g.cost[q] = 0.0
    f = g.rest[p] * inverse
    lanes_subtract(g.rest, f, column, n)
    g.rest[p] = f
    t = g.t
    for k in range(g.kept):
        f = t[p] * inverse
        lanes_subtract(t, f, column, n)
        t[p] = f
        x = g.cost[k] - f * price
        g.cost[k] = x
        x = tag(x, k)
        least = x if x < least else least
        t += n
    k = g.basic[p]
    g.basic[p] = g.free[q]
    g.free[q] = k
    return least


cdef inline bint simplex(MatrixGame* g, int n) noexcept nogil:
    cdef double inverse[MAX_LANES]
    cdef double least = cheapest(g), ratio
    cdef int limit = 4 * (g.rows + g.cols), p, q
    while least < -smallest_price():
        q = tagged(least)
        ratio = lanes_least_ratio(g.rest, &g.t[q * n], inverse, smallest_pivot(), far(), n)
        if ratio > 0.5 * far() or g.pivots == limit:
            return False
        p = tagged(ratio)
        least = pivot(g, p, q, inverse[p], n)
        g.pivots += 1
    return True


cdef inline void strategies(MatrixGame* g, int n) noexcept nogil:
    # Unscaled probabilities: what is basic and a column, what is free and a slack.
    cdef double both[2 * MAX_LANES]
    cdef int k
    lanes_fill(both, 0.0, MAX_LANES)
    for k in range(n):
        both[g.basic[k]] = positive(g.rest[k])
    memcpy(g.y, both, sizeof(g.y))
    lanes_fill(&both[MAX_LANES], 0.0, n)
    for k in range(g.kept):
        both[g.free[k]] = positive(g.cost[k])
    memcpy(g.x, &both[MAX_LANES], n * sizeof(double))


cdef inline void certify_lanes(MatrixGame* g, int n) noexcept nogil:
    # Scale the strategies to 1 and compute what they guarantee.
    cdef double earned[MAX_LANES]
    cdef double sx = 0.0, sy = 0.0, low = far(), x
    cdef int j
    lanes_fill(earned, 0.0, n)
    for j in range(n):
        sx += g.x[j]
    for j in range(g.cols):
        sy += g.y[j]
    sx = 1.0 / sx
    sy = 1.0 / sy
    for j in range(n):
        g.x[j] *= sx
    for j in range(g.cols):
        g.y[j] *= sy
        lanes_add(earned, g.y[j], &g.a[j * n], n)
        x = lanes_dot(g.x, &g.a[j * n], n)
        low = x if x < low else low
    g.low = low
    g.high = lanes_largest(earned, n)
    g.value = 0.5 * (g.low + g.high)


cdef inline void formula(MatrixGame* g) noexcept nogil:
    # 2 x 2 without a saddle point, shifted so that no large value hides a small difference.
    cdef const double* a = g.a
    cdef const double* b = &g.a[g.lanes]
    cdef double right = b[0] - a[0], down = a[1] - a[0], across = b[1] - a[0]
    memset(g.x, 0, sizeof(g.x))
    g.x[0] = positive((across - down) / (across - right - down))
    g.x[1] = positive(-right / (across - right - down))
    g.y[0] = positive((across - right) / (across - right - down))
    g.y[1] = positive(-down / (across - right - down))


cdef inline bint certain(const MatrixGame* g) noexcept nogil:
    # Good strategies and sound ones: with anything that is no number in them, the guarantees come out as far
    # apart as possible or the wrong way round.
    return -tolerance() <= g.high - g.low <= tolerance()
