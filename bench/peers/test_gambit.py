"""Gambit reads the files that we write and finds our values, where its solvers reach.

`lcp_solve` is right on the two-card auction; three cards and up run out of time.
"""

import pytest

import cardgods
from cardgods.adapters.gambit import efg_text
from cardgods.solve.lp import solve_lp
from cardgods.solve.tree import build_tree

pygambit = __import__("pygambit")

GAMES = [
    {"cards": (1, 2), "target": 3},
    {"cards": (1, 3), "target": None, "obole": False, "payoff": "points", "tie": "split"},
    {"cards": (1, 2), "target": None, "obole": False, "tie": "carry", "tie_break": "second"},
]


@pytest.mark.parametrize("options", GAMES)
def test_gambit_solves_what_is_written(options, tmp_path):
    tree = build_tree(cardgods.load_game("encan", **options).new_initial_state())
    path = tmp_path / "game.efg"
    path.write_text(efg_text(tree))
    game = pygambit.read_efg(str(path))
    assert len(game.players) == 2
    assert sum(len(player.infosets) for player in game.players) == len(tree)
    found = pygambit.nash.lcp_solve(game, rational=False).equilibria[0]
    wanted = solve_lp(tree).value
    assert float(found.payoff(game.players[0])) == pytest.approx(wanted, abs=1e-9)
    print(f"\nGambit on the two-card auction: {float(found.payoff(game.players[0])):.9f}, ours {wanted:.9f}")
