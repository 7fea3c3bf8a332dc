"""Goofspiel solved exactly by OpenSpiel's two routes and by this engine, on one core in one run.

Its linear programs go to GLPK, with which its solvers finish; `make peers` prints seconds of process time.
"""

import time
from importlib import import_module

import pytest

import cardgods
from cardgods.solve.encan import EncanPosition, solve

pyspiel = import_module("pyspiel")
lp_solver = pytest.importorskip("open_spiel.python.algorithms.lp_solver", reason="needs cvxpy and cvxopt")

CARDS = 3
RULES = f"num_cards={CARDS},players=2,points_order=random,returns_type=win_loss"
SITUATIONS = 129
LOPSIDED = 32


@pytest.fixture
def glpk(monkeypatch):
    """Its matrix games take the default solver, which can not be named from outside."""
    program = lp_solver.LinearProgram.solve
    monkeypatch.setattr(
        lp_solver.LinearProgram, "solve", lambda self, solver="GLPK": program(self, "GLPK", {})
    )


def seconds(work):
    begin = time.process_time()
    result = work()
    return result, time.process_time() - begin


def ours():
    return solve(cardgods.load_game("encan", "goofspiel", cards=tuple(range(1, CARDS + 1))))


def report(title, our_time, their_time):
    print(
        f"\nGoofspiel {CARDS} solved, {title}: ours {our_time:.6f} s, OpenSpiel {their_time:.3f} s, "
        f"ratio {their_time / our_time:,.0f}"
    )


def position_of(situation):
    """Their text of a situation as a position of ours; None at the end of the game."""
    lines = [line.partition(":")[2].split() for line in situation.strip().split("\n")]
    own, other, revealed, points = ([int(number) for number in line] for line in lines)
    if not own:
        return None
    left = [card for card in range(1, CARDS + 1) if card not in revealed]
    return EncanPosition((own, other), left, treasure=revealed[-1], scores=tuple(points))


def test_backward_induction(glpk):
    value_iteration = import_module("open_spiel.python.algorithms.value_iteration").value_iteration
    game = pyspiel.load_game(f"goofspiel({RULES})")
    values, their_time = seconds(lambda: value_iteration(game, -1, 1e-9))
    ours()
    solution, our_time = seconds(ours)
    assert len(values) == SITUATIONS
    lopsided = 0
    for situation, value in values.items():
        position = position_of(situation)
        if position is not None:
            assert value == pytest.approx(2 * solution.strategy(position).value - 1, abs=1e-7)
            lopsided += abs(value) > 1e-3
    assert lopsided == LOPSIDED
    report("backward induction", our_time, their_time)


def test_sequence_form(glpk):
    solve_game = import_module("open_spiel.python.algorithms.sequence_form_lp").solve_zero_sum_game
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(f"goofspiel({RULES})"))
    (value, opposite, *_), their_time = seconds(lambda: solve_game(game, solver="GLPK"))
    ours()
    solution, our_time = seconds(ours)
    assert value == pytest.approx(2 * solution.value - 1, abs=1e-7)
    assert opposite == pytest.approx(-value, abs=1e-7)
    report("sequence form", our_time, their_time)
