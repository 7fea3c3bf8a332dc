"""Trois Trônes with hidden hands: values, certificates by two roads, symmetry, refusals, snapshots."""

import doctest
import json
import signal
import threading

import pytest

import cardgods
import cardgods.solve.trones_hidden
from cardgods.errors import ParameterError, SolveError
from cardgods.games.trones import TRUMPS
from cardgods.solve.tree import best_responses, build_tree, count_tree, profile_from_function
from cardgods.solve.trones_hidden import HiddenSolver, hidden_size, solve_hidden
from conftest import TESTS

NASH = json.loads((TESTS / "data" / "trones.json").read_text())["nash"]


def small(ranks, hand, capacity=1):
    return cardgods.load_game("trones", ranks=tuple(range(15 - ranks, 15)), hand=hand, capacity=capacity)


def published(ranks, hand):
    return next(e["value"] for e in NASH if (e["ranks_count"], e["hand"], e["capacity"]) == (ranks, hand, 1))


@pytest.mark.parametrize(
    ("ranks", "hand", "target"), [(2, 1, 1e-6), (2, 2, 1e-4), (3, 1, 1e-4), (3, 2, 3e-3)]
)
def test_values_are_those_published(ranks, hand, target):
    solution = solve_hidden(small(ranks, hand), target)
    low, high = solution.bounds
    assert low - 2e-8 <= published(ranks, hand) <= high + 4e-7
    assert solution.reached
    assert solution.gap == high - low <= target


def test_the_generic_tree_measures_the_same_gains():
    """The tree of all histories tells the order of a player's draws and the names of the fronts apart."""
    game = small(2, 1)
    tree = build_tree(game.new_initial_state())
    solver = HiddenSolver(game)
    solver.run(7)
    found = best_responses(profile_from_function(tree, lambda state, player: solver.policy(state), checks=0))
    low, high = solver.bounds()
    assert high - low > 1e-3
    assert (1 + found.best[0]) / 2 == pytest.approx(high, abs=1e-9)
    assert (1 - found.best[1]) / 2 == pytest.approx(low, abs=1e-9)


def test_counting_by_hand():
    """A node with n cards left has n hands of one card, of as many actions as free fronts."""
    game = small(2, 1)
    size = hidden_size(game)
    nodes = nodes_by_depth(2)
    assert size.nodes == sum(nodes) < count_tree(game.new_initial_state()).histories
    assert size.information_sets == sum(n * left for n, left in zip(nodes, (8, 7, 6, 5), strict=True))
    assert size.actions == sum(
        n * left * fronts for n, left, fronts in zip(nodes, (8, 7, 6, 5), (3, 3, 2, 2), strict=True)
    )


def nodes_by_depth(ranks):
    """Sequences of cards laid, as sets of those that a renaming of the fronts turns into each other."""
    deck = [(suit, rank) for suit in range(4) for rank in range(ranks)]
    orders = [(a, b, 3 - a - b) for a in range(3) for b in range(3) if a != b]

    def turned(order, lays):
        suit = {TRUMPS[f]: TRUMPS[order[f]] for f in range(3)}
        return tuple(((suit.get(s, s), r), order[f]) for (s, r), f in lays)

    level, counts = {()}, []
    for depth in range(4):
        counts.append(len({min(turned(order, lays) for order in orders) for lays in level}))
        level = {
            (*lays, (card, front))
            for lays in level
            for card in set(deck) - {c for c, _ in lays}
            for front in {0, 1, 2} - {f for _, f in lays[depth % 2 :: 2]}
            if depth < 3
        }
    return counts


def test_names_of_the_fronts_change_nothing():
    """The strategy at a position is that of its image, card by card."""
    game = small(3, 2)
    solver = HiddenSolver(game)
    solver.run(6)
    rng = cardgods.Random("names")
    order = (1, 2, 0)
    suit = {TRUMPS[f]: TRUMPS[order[f]] for f in range(3)}

    def image(card):
        return 13 * suit.get(card // 13, card // 13) + card % 13

    compared = 0
    for _ in range(20):
        one, two = (game.new_initial_state(turn_based=True) for _ in range(2))
        while not one.is_terminal():
            if one.is_chance_node():
                action = one.sample_chance(rng)
                one.apply_action(action)
                two.apply_action(image(action))
                continue
            first, second = solver.policy(one), solver.policy(two)
            turn = {a: 3 * image(a // 3) + order[a % 3] for a in first}
            assert sum(first.values()) == pytest.approx(1)
            assert list(first) == one.legal_actions()
            # On the last place equal cards look alike in any order.
            if one.view()["turns_left"][one.current_player()] > 1:
                assert {turn[a]: x for a, x in first.items()} == pytest.approx(second, abs=1e-6)
                compared += 1
            action = rng.choice(one.legal_actions())
            one.apply_action(action)
            two.apply_action(turn[action])
    assert compared == 80


def test_threads_and_snapshots_change_nothing(tmp_path):
    game = small(2, 2)
    whole, halves = HiddenSolver(game), HiddenSolver(game)
    whole.run(9)
    halves.run(4, threads=2)
    halves.bounds()
    halves.save(tmp_path / "a")
    again = HiddenSolver.load(tmp_path / "a", game)
    again.run(5, threads=2)
    assert again.iterations == 9
    again.save(tmp_path / "b")
    whole.save(tmp_path / "c")
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()
    with pytest.raises(SolveError, match="belongs elsewhere"):
        HiddenSolver.load(tmp_path / "a", small(2, 1))


def test_ctrl_c_keeps_a_checkpoint(tmp_path):
    game = small(3, 1)
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        solve_hidden(game, 0.0, checkpoint=tmp_path / "a")
    taken = HiddenSolver.load(tmp_path / "a", game)
    done = taken.iterations + 3
    taken.run(3)
    whole = HiddenSolver(game)
    whole.run(done)
    assert taken.bounds() == whole.bounds()


def test_what_does_not_fit_is_refused_with_its_counts():
    with pytest.raises(SolveError, match=r"takes 1,776 MB, the limit is 1,000 MB: .* information sets"):
        HiddenSolver(small(8, 2), memory=10**9)
    with pytest.raises(SolveError, match="runs out too early, 10 are needed"):
        hidden_size(small(2, 3))
    with pytest.raises(SolveError, match=r"more than 1,000,000 sequences"):
        hidden_size(cardgods.load_game("trones", "express"))
    with pytest.raises(ParameterError, match="limit 0"):
        solve_hidden(small(2, 1), limit=0)
    with pytest.raises(ParameterError, match="-1 iterations"):
        HiddenSolver(small(2, 1)).run(-1)
    with pytest.raises(SolveError, match="the state is of"):
        HiddenSolver(small(2, 1)).policy(small(2, 2).new_initial_state())


def test_examples():
    result = doctest.testmod(cardgods.solve.trones_hidden)
    assert result.attempted > 0
    assert result.failed == 0
