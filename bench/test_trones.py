"""Trois Trônes on one core: open-hand deals, sampled worlds, tree search, heuristic games."""

import pytest

from cardgods import Random, load_game
from cardgods._core.search.ismcts import Ismcts
from cardgods._core.solve.trones import OpenSolver
from cardgods._core.solve.trones_beliefs import Beliefs
from cardgods._core.solve.trones_lookahead import Lookahead
from cardgods._core.solve.trones_pimc import Pimc
from cardgods._core.walk import Cancel
from cardgods.solve.trones_blueprint import BlueprintSolver
from cardgods.walk import playouts

DECK = sum(0x1FE0 << (13 * suit) for suit in range(4))

# deals, how many player 0 wins and the nodes that all take: the signature of the solver
OPEN_HAND = [("express", 2, 3, 100_000, 50_011, 168_933), ("standard", 3, 4, 20_000, 10_093, 112_381)]


@pytest.mark.parametrize(("variant", "capacity", "hand", "deals", "wins", "nodes"), OPEN_HAND)
def test_open_hand_deals(rate, variant, capacity, hand, deals, wins, nodes):
    def solve():
        solver = OpenSolver()
        return solver.first_wins(DECK, capacity, hand, Random(1), 0, deals, Cancel()), solver.nodes

    assert rate(solve, deals) == (wins, nodes)


def opening(variant):
    state = load_game("trones", variant).new_initial_state(turn_based=True)
    rng = Random(variant)
    while state.is_chance_node():
        state.apply_action(state.sample_chance(rng))
    return state


@pytest.mark.parametrize(("variant", "wins"), [("express", 16_186), ("standard", 11_074)])
def test_sampled_worlds(rate, variant, wins):
    state = opening(variant)

    def search():
        pimc = Pimc(state, 0, Random(1))
        pimc.run(10_000, Cancel())
        return sum(count for _, count in pimc.moves())

    assert rate(search, 10_000) == wins


@pytest.mark.parametrize(("variant", "nodes"), [("express", 30_646), ("standard", 35_086)])
def test_tree_search(rate, variant, nodes):
    state = opening(variant)

    def search():
        tree = Ismcts(state, 0, Random(1), 1.0, True, -1.0, 1.0)
        tree.run(10_000, Cancel())
        return tree.nodes

    assert rate(search, 10_000) == nodes


@pytest.mark.parametrize(("variant", "first_wins"), [("express", 100_842), ("standard", 100_478)])
def test_playouts(rate, variant, first_wins):
    state = load_game("trones", variant).new_initial_state()
    assert rate(lambda: playouts(state, 200_000, seed=1), 200_000).wins[0] == first_wins


# deals for both players, information sets met and positions walked through: the signature of the sampling
BLUEPRINTS = [
    ("moves", {"variant": "express"}, 20_480, 7_381, 1_828_485),
    ("exact", {"ranks": (13, 14), "capacity": 1, "hand": 2}, 5_120, 10_660, 998_400),
]


@pytest.mark.parametrize(("abstraction", "rules", "deals", "sets", "nodes"), BLUEPRINTS)
def test_blueprints(rate, abstraction, rules, deals, sets, nodes):
    game = load_game("trones", **rules)

    def sample():
        solver = BlueprintSolver(game, abstraction, seed=1)
        solver.run(deals)
        return len(solver), solver.nodes

    assert rate(sample, deals) == (sets, nodes)


# hands that the other may hold, and worlds won by all moves together
SEEN = [("express", 2_300, 9_979), ("standard", 10_626, 1_053)]


@pytest.mark.parametrize(("variant", "hands", "wins"), SEEN)
def test_worlds_that_fit_the_moves_seen(rate, variant, hands, wins):
    state = opening(variant)
    rng = Random("moves")
    for _ in range(4):
        state.apply_action(rng.choice(state.legal_actions()))
        state.apply_action(state.sample_chance(rng))

    def search():
        beliefs = Beliefs(state, 0)
        beliefs.advance(state)
        ahead = Lookahead(beliefs, Random(1))
        ahead.run(2000, Cancel(), 1)
        return len(beliefs.weights()), sum(count for _, count in ahead.moves())

    assert rate(search, 2000) == (hands, wins)
