"""Tree algorithms on Goofspiel (win, loss or draw; random order); rates are histories or iterations."""

import pytest

import cardgods
from cardgods.solve.cfr import ALGORITHMS, CfrSolver
from cardgods.solve.mccfr import SamplingSolver
from cardgods.solve.tree import (
    Profile,
    best_response_value,
    best_responses,
    build_histories,
    build_tree,
    count_tree,
)

HISTORIES = {4: 68_245, 5: 8_530_656}
SETS = {4: 7_304, 5: 913_010}

# exploitability of the average after this many iterations: the signature of the arithmetic
ITERATIONS = 200
REACHED = {"cfr": 1.03551e-2, "cfr+": 1.24204e-3, "dcfr": 1.38854e-3, "pcfr+": 1.87779e-5}


def root(cards):
    game = cardgods.load_game("encan", "goofspiel", cards=tuple(range(1, cards + 1)))
    return game.new_initial_state()


@pytest.fixture(scope="module")
def trees():
    return {cards: build_tree(root(cards)) for cards in (4, 5)}


@pytest.mark.parametrize("cards", [4, 5])
def test_count(rate, cards):
    state = root(cards)
    size = rate(lambda: count_tree(state), HISTORIES[cards], rounds=3)
    assert size.histories == HISTORIES[cards]
    assert sum(size.choices) == SETS[cards]


@pytest.mark.parametrize("cards", [4, 5])
def test_build(rate, cards):
    state, size = root(cards), count_tree(root(cards))
    tree = rate(lambda: build_tree(state, size=size), HISTORIES[cards], rounds=3)
    assert len(tree) == SETS[cards]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_iterations_of_four_cards(rate, trees, algorithm):
    def iterate():
        solver = CfrSolver(trees[4], algorithm)
        solver.run(ITERATIONS)
        return solver

    solver = rate(iterate, ITERATIONS)
    reached = best_responses(solver.average_profile()).exploitability
    assert reached == pytest.approx(REACHED[algorithm], rel=1e-4)


@pytest.mark.parametrize("threads", [1, 2])
def test_iterations_of_five_cards(rate, trees, threads):
    def iterate():
        solver = CfrSolver(trees[5])
        solver.run(10, threads=threads)
        return solver

    solver = rate(iterate, 10, rounds=3)
    assert solver.iterations == 10
    assert best_responses(solver.average_profile()).exploitability == pytest.approx(0.318606, rel=1e-5)


@pytest.mark.parametrize("cards", [4, 5])
def test_best_responses(rate, trees, cards):
    profile = Profile(trees[cards])
    found = rate(lambda: best_responses(profile), HISTORIES[cards])
    assert found.nash_conv == pytest.approx({4: 1.4930555556, 5: 1.6030555556}[cards], abs=1e-9)


def test_best_response_by_histories(rate, trees):
    histories = build_histories(trees[5])
    profile = Profile(trees[5])
    value = rate(lambda: best_response_value(histories, profile, 0), HISTORIES[5], rounds=3)
    assert len(histories) == HISTORIES[5]
    assert value == pytest.approx(1.6030555556 / 2, abs=1e-9)


def test_samples(rate):
    state = root(4)

    def sample():
        solver = SamplingSolver(state, seed=1)
        solver.run(5_000)
        return solver

    solver = rate(sample, 1_585_000)
    assert solver.nodes == 1_585_000
