"""Gambit reads the file of the three-card auction and finds our value; four cards run out of time."""

import time

import cardgods
from cardgods.adapters.gambit import efg_text
from cardgods.solve.lp import solve_lp
from cardgods.solve.tree import build_tree

pygambit = __import__("pygambit")


def test_gambit_solves_what_is_written(tmp_path):
    game = cardgods.load_game("encan", cards=(1, 2, 3), target=4, obole=False)
    tree = build_tree(game.new_initial_state())
    path = tmp_path / "game.efg"
    path.write_text(efg_text(tree))
    theirs = pygambit.read_efg(str(path))
    assert sum(len(theirs.get_infosets(player)) for player in theirs.players) == len(tree) == 114
    begin = time.process_time()
    found = pygambit.nash.lcp_solve(theirs, rational=False).equilibrium.payoffs["player 0"]
    middle = time.process_time()
    wanted = solve_lp(tree).value
    end = time.process_time()
    assert abs(found - wanted) < 1e-9
    print(
        f"\nThe three-card auction: Gambit {found:.12f} in {middle - begin:.2f} s, "
        f"ours by HiGHS {wanted:.12f} in {end - middle:.3f} s"
    )
