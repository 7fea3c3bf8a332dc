"""Open-hand Trois Trônes: whole deals dealt and solved, on one core."""

import pytest

from cardgods import Random
from cardgods._core.solve.trones import OpenSolver
from cardgods._core.walk import Cancel

DECK = sum(0x1FE0 << (13 * suit) for suit in range(4))

# deals, how many player 0 wins and the nodes that all take: the signature of the solver
OPEN_HAND = [("express", 2, 3, 100_000, 50_011, 168_933), ("standard", 3, 4, 20_000, 10_093, 112_381)]


@pytest.mark.parametrize(("variant", "capacity", "hand", "deals", "wins", "nodes"), OPEN_HAND)
def test_open_hand_deals(rate, variant, capacity, hand, deals, wins, nodes):
    def solve():
        solver = OpenSolver()
        return solver.first_wins(DECK, capacity, hand, Random(1), 0, deals, Cancel()), solver.nodes

    assert rate(solve, deals) == (wins, nodes)
