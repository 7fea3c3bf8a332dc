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

SITUATIONS = {3: (129, 32), 4: (3988, 2448)}
"""By number of cards: how many situations its backward induction values, and how many of them are not even.

Five cards are out of its reach: backward induction was not done after four minutes, the sequence form asks
for terabytes.
"""


def rules(cards):
    return f"num_cards={cards},players=2,points_order=random,returns_type=win_loss"


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


def ours(cards):
    return solve(cardgods.load_game("encan", "goofspiel", cards=tuple(range(1, cards + 1))))


def report(cards, title, our_time, their_time):
    print(
        f"\nGoofspiel {cards} solved, {title}: ours {our_time:.6f} s, OpenSpiel {their_time:.3f} s, "
        f"ratio {their_time / our_time:,.0f}"
    )


def position_of(situation, cards):
    """Their text of a situation as a position of ours; None at the end of the game."""
    lines = [line.partition(":")[2].split() for line in situation.strip().split("\n")]
    own, other, revealed, points = ([int(number) for number in line] for line in lines)
    if not own:
        return None
    left = [card for card in range(1, cards + 1) if card not in revealed]
    return EncanPosition((own, other), left, treasure=revealed[-1], scores=tuple(points))


@pytest.mark.parametrize("cards", SITUATIONS)
def test_backward_induction(glpk, cards):
    value_iteration = import_module("open_spiel.python.algorithms.value_iteration").value_iteration
    game = pyspiel.load_game(f"goofspiel({rules(cards)})")
    values, their_time = seconds(lambda: value_iteration(game, -1, 1e-9))
    ours(cards)
    solution, our_time = seconds(lambda: ours(cards))
    lopsided = 0
    for situation, value in values.items():
        position = position_of(situation, cards)
        if position is not None:
            assert value == pytest.approx(2 * solution.strategy(position).value - 1, abs=1e-7)
            lopsided += abs(value) > 1e-3
    assert (len(values), lopsided) == SITUATIONS[cards]
    report(cards, "backward induction", our_time, their_time)


@pytest.mark.parametrize("cards", SITUATIONS)
def test_sequence_form(glpk, cards):
    solve_game = import_module("open_spiel.python.algorithms.sequence_form_lp").solve_zero_sum_game
    game = pyspiel.convert_to_turn_based(pyspiel.load_game(f"goofspiel({rules(cards)})"))
    (value, opposite, *_), their_time = seconds(lambda: solve_game(game, solver="GLPK"))
    ours(cards)
    solution, our_time = seconds(lambda: ours(cards))
    assert value == pytest.approx(2 * solution.value - 1, abs=1e-7)
    assert opposite == pytest.approx(-value, abs=1e-7)
    report(cards, "sequence form", our_time, their_time)
