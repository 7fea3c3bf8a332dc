"""CFR+ on the same four-card Goofspiel by OpenSpiel's C++ solver and by this engine, on one core in one run.

`make peers` prints iterations per second of process time and their ratio. Each is measured by its own exact
best responses.
"""

import time

import cardgods
from cardgods.solve.cfr import CfrSolver
from cardgods.solve.tree import best_responses, build_tree

pyspiel = __import__("pyspiel")

CARDS = 4
HISTORIES = 68_245
RULES = f"num_cards={CARDS},players=2,points_order=random,returns_type=win_loss"


def their_game():
    return pyspiel.load_game(f"turn_based_simultaneous_game(game=goofspiel({RULES}))")


def histories_below(state):
    return 1 + sum(histories_below(state.child(action)) for action in state.legal_actions())


def seconds(work, repeats):
    """Process time of one repeat, best of some rounds."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        for _ in range(repeats):
            work()
        best = min(best, (time.process_time() - begin) / repeats)
    return best


def test_the_trees_are_the_same():
    tree = build_tree(cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3, 4)).new_initial_state())
    theirs = histories_below(their_game().new_initial_state())
    assert tree.histories == HISTORIES
    # their last turn, which is forced, is played at once: three nodes fewer above every end
    assert theirs == HISTORIES - 3 * tree.terminals


def test_iterations():
    tree = build_tree(cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3, 4)).new_initial_state())
    ours = CfrSolver(tree, "cfr+")
    game = their_game()
    theirs = pyspiel.CFRPlusSolver(game)
    our_time = seconds(lambda: ours.run(100), 1) / 100
    calls = []
    their_time = seconds(lambda: calls.append(theirs.evaluate_and_update_policy()), 10)
    assert ours.iterations == 500
    assert len(calls) == 50
    gap = best_responses(ours.average_profile()).exploitability
    their_gap = pyspiel.exploitability(game, theirs.average_policy())
    print(
        f"\nCFR+ on Goofspiel {CARDS}: ours {1 / our_time:,.0f} iterations/s, OpenSpiel "
        f"{1 / their_time:,.0f}/s, ratio {their_time / our_time:,.0f}; exploitability "
        f"{gap:.2g} after {ours.iterations} and {their_gap:.2g} after {len(calls)}"
    )


def test_best_responses():
    tree = build_tree(cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3, 4)).new_initial_state())
    game = their_game()
    solver = CfrSolver(tree, "cfr+")
    solver.run(10)
    profile = solver.average_profile()
    uniform = pyspiel.UniformRandomPolicy(game)
    found = best_responses(cardgods.solve.tree.Profile(tree)).nash_conv
    assert abs(found - pyspiel.nash_conv(game, uniform)) < 1e-9
    our_time = seconds(lambda: best_responses(profile), 10)
    their_time = seconds(lambda: pyspiel.nash_conv(game, uniform), 1)
    print(
        f"\nNashConv on Goofspiel {CARDS}: ours {1 / our_time:,.0f}/s, OpenSpiel {1 / their_time:,.1f}/s, "
        f"ratio {their_time / our_time:,.0f}"
    )
