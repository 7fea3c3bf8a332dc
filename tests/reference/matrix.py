"""Matrix games in exact rational arithmetic: the textbook simplex with Bland's rule, proved on the spot."""

from fractions import Fraction


def solve(rows):
    """Value and optimal strategies (value, x, y) of a zero-sum game; the row player maximises."""
    a = [[Fraction(x) for x in row] for row in rows]
    low = [min(row) for row in a]
    high = [max(column) for column in zip(*a, strict=True)]
    if max(low) == min(high):
        pure = lambda n, k: [Fraction(int(i == k)) for i in range(n)]  # noqa: E731
        return max(low), pure(len(a), low.index(max(low))), pure(len(high), high.index(min(high)))
    shift = 1 - min(min(row) for row in a)
    m, n = len(a), len(a[0])
    # maximise sum(y) with (a + shift) y <= 1: slack i is variable n + i
    table = [
        [x + shift for x in row] + [Fraction(int(i == k)) for k in range(m)] + [Fraction(1)]
        for i, row in enumerate(a)
    ]
    table.append([Fraction(-1)] * n + [Fraction(0)] * (m + 1))
    basis = [n + i for i in range(m)]
    while True:
        column = next((j for j in range(n + m) if table[m][j] < 0), None)
        if column is None:
            break
        bounds = [(table[i][-1] / table[i][column], basis[i], i) for i in range(m) if table[i][column] > 0]
        pivot(table, min(bounds)[2], column)
        basis[min(bounds)[2]] = column
    total = table[m][-1]
    y = [Fraction(0)] * n
    for i, variable in enumerate(basis):
        if variable < n:
            y[variable] = table[i][-1] / total
    x = [table[m][n + i] / total for i in range(m)]
    value = 1 / total - shift
    assert sum(x) == sum(y) == 1
    assert min(*x, *y) >= 0
    assert min(sum(x[i] * a[i][j] for i in range(m)) for j in range(n)) == value
    assert max(sum(a[i][j] * y[j] for j in range(n)) for i in range(m)) == value
    return value, x, y


def pivot(table, row, column):
    factor = table[row][column]
    table[row] = [x / factor for x in table[row]]
    for i, other in enumerate(table):
        if i != row and other[column]:
            table[i] = [x - other[column] * p for x, p in zip(other, table[row], strict=True)]
