"""Random matrix games, solved and certified on one core."""

import pytest

from cardgods._core.solve.matrix import bench_random

GAMES = 200_000

# order, pivots: the signature of the kernel
RANDOM = [(2, 0), (4, 307_817), (7, 802_329), (10, 1_351_601), (13, 1_935_944)]


@pytest.mark.parametrize(("order", "pivots"), RANDOM)
def test_random_games(rate, order, pivots):
    total, counted, routes, gap = rate(lambda: bench_random(order, GAMES, "bench"), GAMES)
    assert counted == pivots
    assert sum(routes) == GAMES
    assert gap <= 1e-14
    assert 0.4 < total / GAMES < 0.6
