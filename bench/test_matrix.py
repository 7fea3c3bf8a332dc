"""Random matrix games, solved and certified on one core."""

import pytest

from cardgods._core.solve.matrix import bench_random

GAMES = 200_000

# order, pivots: the signature of the kernel
RANDOM = [(2, 0), (4, 296_086), (7, 770_287), (10, 1_345_311), (13, 1_962_487)]


@pytest.mark.parametrize(("order", "pivots"), RANDOM)
def test_random_games(rate, order, pivots):
    total, counted, routes, gap = rate(lambda: bench_random(order, GAMES, "bench"), GAMES)
    assert counted == pivots
    assert sum(routes) == GAMES
    assert gap <= 1e-14
    assert 0.4 < total / GAMES < 0.6
