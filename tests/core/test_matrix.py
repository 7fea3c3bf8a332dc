"""The matrix-game kernel: against exact rational arithmetic, and by its own certificate."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgods import ParameterError, Random
from cardgods._core.solve.matrix import ROUTE_NAMES, bench_random, solve_matrix
from conftest import TESTS, reference

EXACT = reference("matrix")
HARD = json.loads((TESTS / "data" / "hard-matrices.json").read_text(encoding="utf-8"))["games"]
METHODS = ("auto", "basis", "quad")

DEGENERATE = {
    "one": [[3]],
    "row": [[3, 1, 2]],
    "column": [[3], [1], [2]],
    "constant": [[5] * 4] * 3,
    "zero": [[0] * 14] * 14,
    "saddle": [[4, 2, 5], [3, 1, 0], [6, 2, 9]],
    "pennies": [[1, -1], [-1, 1]],
    "rock": [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
    "duplicates": [[1, -1, -1, 1], [1, -1, -1, 1], [-1, 1, 1, -1]],
    "dominated row": [[2, -1, 0], [-1, 1, 0], [-2, -2, -1]],
    "dominated column": [[2, -1, 3], [-1, 1, 2]],
    "identity": [[int(i == j) for j in range(14)] for i in range(14)],
    "wide": [[1, 0, 3, -2, 5, 0, 1, 2, -1, 4, 1, 1, 2, 0], [0, 1, -3, 2, -5, 1, 0, 3, 2, -4, 0, 2, 1, 1]],
    "tall": [[i % 5 - j * (i % 3) for j in range(2)] for i in range(14)],
    "skew": [[(i * j + i - j) % 7 - 3 for j in range(6)] for i in range(6)],
    "all or nothing": [[1, 1, 0], [0, 1, 1], [1, 0, 1], [0, 0, 1]],
    "huge": [[1e300, -1e300], [-1e300, 5e299]],
    "tiny": [[1e-300, 3e-300, 0], [2e-300, 0, 1e-300], [0, 1e-300, 2e-300]],
    "offset": [[1e6 + 1, 1e6, 1e6], [1e6, 1e6 + 2, 1e6], [1e6, 1e6, 1e6 + 3]],
}


def check(rows, solution, slack=1e-13):
    """The strategies are probabilities, guarantee what the solution says, and the value is right."""
    m, n = len(rows), len(rows[0])
    scale = max(abs(x) for row in rows for x in row)
    assert len(solution.rows) == m
    assert len(solution.columns) == n
    for side in (solution.rows, solution.columns):
        assert min(side) >= 0
        assert math.isclose(sum(side), 1, abs_tol=1e-14)
    low = min(math.fsum(solution.rows[i] * rows[i][j] for i in range(m)) for j in range(n))
    high = max(math.fsum(rows[i][j] * solution.columns[j] for j in range(n)) for i in range(m))
    assert low == pytest.approx(solution.low, abs=slack * scale)
    assert high == pytest.approx(solution.high, abs=slack * scale)
    assert solution.low - 1e-15 * scale <= solution.value <= solution.high + 1e-15 * scale
    assert -1e-15 * scale <= solution.gap <= 2e-14 * scale
    value = float(EXACT.solve(rows)[0])
    assert value == pytest.approx(solution.value, abs=slack * scale)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_games(name, method):
    check(DEGENERATE[name], solve_matrix(DEGENERATE[name], method))


@pytest.mark.parametrize(
    ("name", "route"), [("saddle", "saddle"), ("pennies", "formula"), ("rock", "simplex")]
)
def test_the_cheapest_route_is_taken(name, route):
    assert solve_matrix(DEGENERATE[name]).route == route


def test_known_strategies():
    solution = solve_matrix([[3, -1], [-2, 1]])
    assert solution.value == pytest.approx(1 / 7)
    assert solution.rows == pytest.approx((3 / 7, 4 / 7))
    assert solution.columns == pytest.approx((2 / 7, 5 / 7))
    assert solve_matrix([[4, 2], [3, 1]]).rows == (1, 0)
    assert solve_matrix([[4, 2], [3, 1]]).columns == (0, 1)


entries = st.integers(-3, 3) | st.sampled_from([Fraction(1, 3), Fraction(1, 7), Fraction(22, 7)]).map(float)
matrices = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: st.lists(
        st.lists(entries, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
    )
)


@given(matrices, st.sampled_from(METHODS))
def test_small_games_against_exact_arithmetic(rows, method):
    check(rows, solve_matrix(rows, method))


@given(matrices)
def test_exchanging_the_players_turns_the_value_round(rows):
    turned = [[-row[j] for row in rows] for j in range(len(rows[0]))]
    assert solve_matrix(turned).value == pytest.approx(-solve_matrix(rows).value, abs=1e-13)


@given(st.integers(2, 7), st.integers(0, 10**6), st.integers(20, 52))
def test_nearly_singular_games(n, seed, bits):
    # rows differ from one another by a few units of 2**-bits only
    rng = Random(seed)
    base = [rng.below(1 << 20) / 2**20 for _ in range(n)]
    rows = [[x + rng.below(8) / 2**bits for x in base] for _ in range(n)]
    check(rows, solve_matrix(rows), slack=3e-14)


@pytest.mark.parametrize("rows", HARD, ids=range(len(HARD)))
def test_games_that_double_precision_does_not_settle(rows):
    check(rows, solve_matrix(rows), slack=3e-14)
    assert solve_matrix(rows, "quad").gap <= 2e-14


def test_large_random_games_certify_themselves():
    for n in range(2, 15):
        value, pivots, routes, gap = bench_random(n, 256, "certificate")
        assert sum(routes) == 256
        assert dict(zip(ROUTE_NAMES, routes, strict=True))["quad"] == 0
        assert gap <= 2e-14
        assert 0 < value / 256 < 1
        assert pivots > 0 or n == 2


def test_the_same_game_has_the_same_solution():
    rows = [[((7 * i + 3 * j) * 2654435761 % 1000) / 999 for j in range(13)] for i in range(13)]
    first, second = solve_matrix(rows), solve_matrix([list(row) for row in rows])
    assert (first.value, first.rows, first.columns) == (second.value, second.rows, second.columns)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[]],
        [[1, 2], [3]],
        [[1] * 15],
        [[1]] * 15,
        [[1, math.nan]],
        [[math.inf, 1]],
        [["x"]],
        [[None]],
        5,
        [5],
        [[10**400]],
    ],
)
def test_bad_matrices_are_refused(rows):
    with pytest.raises(ParameterError, match="matrix game"):
        solve_matrix(rows)


def test_unknown_method_is_refused():
    with pytest.raises(ParameterError, match="auto, basis, quad"):
        solve_matrix([[1]], "magic")
    with pytest.raises(ParameterError, match="1 to 14"):
        bench_random(15, 1)
