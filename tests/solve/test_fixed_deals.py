"""Large games with a few fixed deals, so that the whole tree fits: the tree algorithms on each of them.

A deal fixes the order in which chance gives the cards, as a shuffled pack would; which of the deals it is
nobody knows. What the players know is what the game itself tells them.
"""

import itertools

import pytest
import slow_tree

import cardgods
from cardgods.solve.cfr import CfrSolver
from cardgods.solve.explicit import Chance, Decision, End, ExplicitGame
from cardgods.solve.mccfr import SamplingSolver
from cardgods.solve.tree import best_response_value as slow_best_response
from cardgods.solve.tree import best_responses, build_histories, build_tree, expected_returns, values


def chosen(state, order):
    """The outcome of chance that comes first in an order."""
    return min(state.legal_actions(), key=lambda outcome: order.get(outcome, outcome))


def below(state, order):
    """The tree below a state whose chance outcomes an order fixes."""
    if state.is_terminal():
        return End(state.returns())
    if state.is_chance_node():
        return below(state.child(chosen(state, order)), order)
    player = state.current_player()
    children = [below(state.child(action), order) for action in state.legal_actions()]
    return Decision(player, state.information_state(player), children)


def dealt(games, packs):
    """A game in which chance picks one of some games and one of some packs, hidden from all."""
    orders = [{card: place for place, card in enumerate(pack)} for pack in packs]
    roots = [
        (1, below(game.new_initial_state(turn_based=True), order))
        for game, order in itertools.product(games, orders)
    ]
    return ExplicitGame(games[0].num_players(), Chance(roots))


def shuffled(cards, count):
    packs = []
    for number in range(count):
        pack = list(cards)
        cardgods.Random("packs", number).shuffle(pack)
        packs.append(pack)
    return packs


def small_commerce():
    game = cardgods.load_game("commerce", players=3, suits=2, ranks=5, deals=1, trade_cap=2)
    deck = game.new_initial_state()
    deck.apply_action(0)
    return dealt([game], shuffled(deck.legal_actions(), 12))


def toy_eleusis():
    """Two seekers, and a God whose rule is one of four; they play to find it, though nobody tells them."""
    rules = ("red", "black", "same(colour)", "not same(colour)")
    options = {
        "players": 3,
        "players_min": 3,
        "god": 0,
        "hand": 2,
        "rounds": 1,
        "turn_cap": 5,
        "max_sequence": 1,
    }
    games = [cardgods.load_game("eleusis", rules=(rule,), **options) for rule in rules]
    return dealt(games, shuffled(range(52), 4))


@pytest.fixture(scope="module", params=[small_commerce, toy_eleusis])
def tree(request):
    return build_tree(request.param().new_initial_state())


def test_the_tree_is_one_that_asks_something(tree):
    assert tree.players == 3
    assert 100 < len(tree) < tree.histories
    deciding = [player for player in range(3) if len(tree.sets_of(player))]
    assert len(deciding) >= 2


def test_gains_shrink_and_two_roads_measure_them(tree):
    solver = CfrSolver(tree, "cfr+")
    start = best_responses(solver.average_profile())
    solver.run(300)
    profile = solver.average_profile()
    found = best_responses(profile)
    assert max(found.gains) < 0.1 * max(start.gains)
    histories = build_histories(tree)
    assert values(histories, profile)[0] == pytest.approx(expected_returns(profile), abs=1e-9)
    for player in range(3):
        assert slow_best_response(histories, profile, player) == pytest.approx(found.best[player], abs=1e-9)


def test_samples_come_to_small_gains_too(tree):
    solver = SamplingSolver(tree.root, seed=1)
    solver.run(20)
    first = max(best_responses(solver.profile(tree)).gains)
    solver.run(6000)
    assert max(best_responses(solver.profile(tree)).gains) < 0.5 * first
    assert solver.information_sets <= len(tree)


def test_plain_python_gives_the_same_value(tree):
    root = slow_tree.grown(tree.root)
    assert expected_returns(CfrSolver(tree).average_profile()) == pytest.approx(
        slow_tree.expected(root, {}), abs=1e-9
    )
