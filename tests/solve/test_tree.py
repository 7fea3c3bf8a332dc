"""Counting, sequence forms, explicit trees, values and best responses, held against plain Python."""

import collections
import dataclasses
import doctest
import signal
import threading
import time

import pytest
import slow_tree

import cardgods
import cardgods.solve.explicit
import cardgods.solve.tree
from cardgods._core.search.explicit import ExplicitState
from cardgods._core.search.keys import information_key
from cardgods._core.search.tree import build
from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError, SolveError
from cardgods.solve.explicit import Chance, Decision, End, ExplicitGame
from cardgods.solve.tree import (
    Profile,
    best_response,
    best_response_value,
    best_responses,
    build_histories,
    build_tree,
    count_tree,
    expected_returns,
    histories_of_sets,
    profile_from_function,
    profile_from_table,
    table_from_profile,
    values,
)
from conftest import label, small_games

LIMIT = 30_000


def fits(state):
    try:
        return count_tree(state, LIMIT).histories > 0
    except SolveError:
        return False


def small_roots():
    """(name, turn-based state) of every small game of the registry that plain Python can walk, and others."""
    roots = []
    for name, options in small_games():
        state = cardgods.load_game(name, **options).new_initial_state(turn_based=True)
        if fits(state):
            roots.append((f"{name}-{label(options)}", state))
    roots += [
        ("kuhn2", slow_tree.kuhn(2).new_initial_state()),
        ("kuhn3", slow_tree.kuhn(3).new_initial_state()),
    ]
    for seed in range(6):
        game = slow_tree.random_game(1 + seed % 4, cardgods.Random(seed))
        roots.append((f"random{seed}", game.new_initial_state()))
    return roots


ROOTS = dict(small_roots())


@pytest.fixture(scope="module")
def grown():
    """Tree in plain Python, sequence form and counts, by name."""
    cache = {}

    def get(name):
        if name not in cache:
            size = count_tree(ROOTS[name], LIMIT)
            cache[name] = slow_tree.grown(ROOTS[name]), build_tree(ROOTS[name], size=size), size
        return cache[name]

    return get


@pytest.mark.parametrize("name", ROOTS)
def test_counts(grown, name):
    root, tree, size = grown(name)
    nodes = list(slow_tree.every(root))
    players = range(tree.players)
    assert size.histories == len(nodes) == tree.histories
    assert size.terminals == sum(n.actor == -4 for n in nodes) == tree.terminals
    assert size.chance_nodes == sum(n.actor == -1 for n in nodes)
    assert size.decisions == tuple(sum(n.actor == p for n in nodes) for p in players)
    assert size.information_sets == tuple(len({n.key for n in nodes if n.actor == p}) for p in players)
    choices = [slow_tree.choices(root, p) for p in players]
    assert size.choices == tuple(len(sets) for sets in choices)
    assert size.sequences == tuple(sum(sets.values()) for sets in choices)
    assert size.depth == max_depth(root)
    assert len(tree) == sum(size.choices)


def max_depth(node):
    return 1 + max(map(max_depth, node.children)) if node.children else 0


@pytest.mark.parametrize("name", ROOTS)
def test_information_sets_are_those_of_the_bytes(grown, name):
    root, tree, _ = grown(name)
    expected = {n.key: n.actions for n in slow_tree.every(root) if n.actor >= 0 and len(n.actions) > 1}
    found = {(tree.player(i), tree.information_state(i)): tree.actions(i) for i in range(len(tree))}
    assert found == expected
    assert all(tree.find(*key) in tree.sets_of(key[0]) for key in expected)
    assert len({information_key(*key) for key in expected}) == len(expected)


@pytest.mark.parametrize("name", ROOTS)
def test_every_information_set_has_a_history_that_leads_there(grown, name):
    _, tree, _ = grown(name)
    for number, history in enumerate(histories_of_sets(tree)):
        state = ROOTS[name].clone()
        for action in history:
            state.apply_action(action)
        assert state.current_player() == tree.player(number)
        assert state.information_state(tree.player(number)) == tree.information_state(number)


@pytest.mark.parametrize("name", ROOTS)
def test_sets_stand_depth_first_behind_the_sequence_that_leads_there(grown, name):
    _, tree, _ = grown(name)
    for player in range(tree.players):
        parents, first = tree.shape(player)
        assert first[0] == 1
        assert first[-1] == tree.sequences(player)
        stack = []
        for k, number in enumerate(tree.sets_of(player)):
            assert first[k + 1] - first[k] == len(tree.actions(number))
            before = tree.parent(number)
            if before is None:
                assert parents[k] == 0
                stack = [number]
                continue
            assert parents[k] == first[before[0] - tree.sets_of(player).start] + before[1]
            while stack[-1] != before[0]:
                stack.pop()
            stack.append(number)


@pytest.mark.parametrize("name", ROOTS)
def test_values_and_best_responses_by_three_roads(grown, name):
    root, tree, _ = grown(name)
    histories = build_histories(tree)
    for seed in range(3):
        policy = slow_tree.random_policy(root, cardgods.Random(seed)) if seed else {}
        profile = slow_tree.set_policy(Profile(tree), policy)
        exact = slow_tree.expected(root, policy)
        assert expected_returns(profile) == pytest.approx(exact, abs=1e-12)
        assert values(histories, profile)[0] == pytest.approx(exact, abs=1e-12)
        for player in range(tree.players):
            wanted = slow_tree.best_by_groups(root, policy, player)
            value, answer = best_response(profile, player)
            assert value == pytest.approx(wanted, abs=1e-12)
            assert best_response_value(histories, profile, player) == pytest.approx(wanted, abs=1e-12)
            assert expected_returns(answer)[player] == pytest.approx(wanted, abs=1e-12)


TINY = [
    *(slow_tree.random_game(1 + seed % 4, cardgods.Random(seed), depth=3) for seed in range(40)),
    cardgods.load_game("encan", cards=(1, 2), target=3),
    cardgods.load_game("encan", cards=(1, 2), target=None, obole=False, payoff="points"),
]


def test_best_responses_by_trying_every_pure_strategy():
    tried = 0
    for seed, game in enumerate(TINY):
        root = slow_tree.grown(game.new_initial_state(turn_based=True))
        tree = build_tree(game.new_initial_state())
        policy = slow_tree.random_policy(root, cardgods.Random(seed))
        profile = slow_tree.set_policy(Profile(tree), policy)
        for player in range(tree.players):
            if tree.sequences(player) <= 14:
                wanted = slow_tree.best_by_enumeration(root, policy, player)
                assert best_response(profile, player)[0] == pytest.approx(wanted, abs=1e-12)
                tried += 1
    assert tried > 50


def test_explicit_nodes(grown):
    root, tree, size = grown("kuhn3")
    histories = build_histories(tree)
    assert len(histories) == size.histories

    def same(node, number):
        actor, _, _, end, found, _ = histories.node(number)
        assert actor == node.actor
        children = histories.children(number)
        assert len(children) == len(node.children)
        assert histories.returns(number) == (node.returns or [])
        if node.key is not None:
            assert found == tree.find(*node.key)
            assert number in histories.members_of(found)
        for i, child in enumerate(children):
            step = histories.node(child)
            assert (step[1], step[2]) == (node.actions[i], number)
            assert step[5] == (node.chances[i] if node.actor == -1 else 1.0)
            same(node.children[i], child)
        assert end == (histories.node(children[-1])[3] if children else number + 1)

    same(root, 0)
    last = len(histories) - 1
    state = ROOTS["kuhn3"].clone()
    for action in histories.history(last):
        state.apply_action(action)
    assert state.returns() == histories.returns(last)
    for bad in (-1, len(histories)):
        with pytest.raises(IndexError):
            histories.node(bad)


def test_kuhn_has_its_known_value():
    """Kuhn 1950: the game is worth -1/18 to the first player."""
    tree = build_tree(slow_tree.kuhn(2).new_initial_state())
    profile = Profile(tree)
    told = {}  # information set -> (card, what was told), by playing the tree
    for number, history in enumerate(histories_of_sets(tree)):
        deal = [(a, b) for a in range(3) for b in range(3) if a != b][history[0]]
        told[number] = deal[tree.player(number)], "".join("pb"[a] for a in history[1:])
    alpha = 1 / 3
    bet = {
        (0, ""): alpha, (1, ""): 0.0, (2, ""): 3 * alpha,
        (0, "pb"): 0.0, (1, "pb"): alpha + 1 / 3, (2, "pb"): 1.0,
        (0, "p"): 1 / 3, (1, "p"): 0.0, (2, "p"): 1.0,
        (0, "b"): 0.0, (1, "b"): 1 / 3, (2, "b"): 1.0,
    }  # fmt: skip
    for number, key in told.items():
        profile.set(number, [1 - bet[key], bet[key]])
    found = best_responses(profile)
    assert found.values == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)
    assert found.gains == pytest.approx((0, 0), abs=1e-12)
    assert found.exploitability == found.nash_conv / 2


def test_a_subgame_keeps_the_information_states_of_the_game():
    state = cardgods.load_game("encan", cards=(1, 2, 3), target=4).new_initial_state(turn_based=True)
    for action in (1, 0, 0):
        state.apply_action(action)
    tree = build_tree(state)
    assert tree.information_state(0)[:6] == state.information_state(0)[:6]
    root = slow_tree.grown(state)
    assert {n.key for n in slow_tree.every(root) if len(n.actions) > 1 and n.actor >= 0} == {
        (tree.player(i), tree.information_state(i)) for i in range(len(tree))
    }


def test_a_game_without_decisions():
    game = ExplicitGame(2, Chance([(1, End([1, -1])), (3, End([-1, 1]))]))
    tree = build_tree(game.new_initial_state())
    assert len(tree) == 0
    assert expected_returns(Profile(tree)) == [-0.5, 0.5]
    assert best_responses(Profile(tree)).gains == (0.0, 0.0)


# Profiles -------------------------------------------------------------------------------------------------


def test_tables_and_functions_give_the_same_profile(grown):
    root, tree, _ = grown("kuhn3")
    policy = slow_tree.random_policy(root, cardgods.Random(5))
    profile = slow_tree.set_policy(Profile(tree), policy)
    table = table_from_profile(profile)
    assert table == {key: dict(enumerate(policy[key])) for key in policy if len(policy[key]) > 1}
    again = profile_from_table(tree, table)
    function = profile_from_function(tree, lambda state, p: table[p, state.information_state(p)], checks=3)
    assert [again.raw(p) for p in range(3)] == [function.raw(p) for p in range(3)]
    assert [again.raw(p) for p in range(3)] == [profile.raw(p) for p in range(3)]
    key = next(iter(table))
    assert profile.probabilities(*key) == table[key]


def test_a_pure_agent_is_measured_exactly(grown):
    name = next(name for name in ROOTS if name.startswith("encan"))
    root, tree, _ = grown(name)
    profile = profile_from_function(tree, lambda state, player: state.legal_actions()[0])
    policy = {n.key: [1.0] + [0.0] * (len(n.actions) - 1) for n in slow_tree.every(root) if n.key}
    found = best_responses(profile)
    assert found.values == pytest.approx(tuple(slow_tree.expected(root, policy)))
    assert found.best == pytest.approx(tuple(slow_tree.best_by_groups(root, policy, p) for p in (0, 1)))


def test_an_agent_who_looks_at_what_is_hidden_is_refused():
    tree = build_tree(slow_tree.kuhn(2).new_initial_state())
    with pytest.raises(SolveError, match="answers differently in worlds that he cannot tell apart"):
        profile_from_function(tree, lambda state, player: state.history()[0] % 2, checks=8)


def test_profiles_refuse_what_is_no_profile(grown):
    _, tree, _ = grown("kuhn2")
    _, other, _ = grown("kuhn3")
    profile = Profile(tree)
    for bad in ([1.0], [0.5, 0.6], [1.5, -0.5], [float("nan"), 1.0]):
        with pytest.raises(SolveError):
            profile.set(0, bad)
    with pytest.raises(SolveError, match=r"action 7 is not legal for player 0: \[0, 1\] are"):
        profile_from_function(tree, lambda state, player: 7)
    with pytest.raises(SolveError, match="has no choice at the information state 0900"):
        profile_from_table(tree, {(0, b"\x09\0"): 0})
    with pytest.raises(SolveError, match="has no choice at the information state"):
        profile.probabilities(0, b"")
    with pytest.raises(SolveError, match="different trees"):
        profile.with_player(0, Profile(other))
    with pytest.raises(SolveError, match="another tree"):
        best_response_value(build_histories(other), profile, 0)
    with pytest.raises(IndexError):
        tree.actions(len(tree))


# Limits, faults and interrupts ----------------------------------------------------------------------------


def test_what_does_not_fit_is_refused_with_its_counts():
    state = slow_tree.goofspiel(4).new_initial_state()
    with pytest.raises(
        SolveError, match=r"more than 1,000 histories: at the limit there were 1,001 histories"
    ):
        count_tree(state, 1000)
    with pytest.raises(
        SolveError, match=r"takes \d+\.\d MB, the limit is 1\.0 MB: 68,245 histories, 13,824 ends"
    ):
        build_tree(state, memory=1_000_000)
    tree = build_tree(state)
    with pytest.raises(SolveError, match=r"takes 2\.5 MB for 68,245 histories, the limit is 1\.0 MB"):
        build_histories(tree, memory=1_000_000)


def test_the_forecast_covers_what_the_tree_takes():
    for cards in (3, 4):
        size = count_tree(slow_tree.goofspiel(cards).new_initial_state())
        tree = build_tree(slow_tree.goofspiel(cards).new_initial_state())
        assert 0 < tree.memory() <= size.memory()


def test_information_sets_with_different_actions_are_a_fault_of_the_game():
    first = Decision(1, "a", [End([0, 0]), End([1, 1])])
    second = Decision(1, "b", [End([0, 0])])
    game = ExplicitGame(2, Chance([(1, first), (1, second)]))
    game.options = dataclasses.replace(
        game.options, labels=tuple(int(actor == 1) for actor in game.options.actors)
    )
    with pytest.raises(
        SolveError, match="histories that a player cannot tell apart offer him different actions"
    ):
        count_tree(game.new_initial_state())
    with pytest.raises(ParameterError, match="decisions with different actions"):
        ExplicitGame(2, Chance([(1, first), (1, Decision(1, "a", [End([0, 0])]))]))


def test_a_stopped_walk_says_so():
    cancel = Cancel()
    cancel.set()
    state = slow_tree.kuhn(2).new_initial_state()
    size = count_tree(state)
    with pytest.raises(SolveError, match="stopped before its end"):
        build(state, size.histories, size.terminals, 12, 100, size.sequences, cancel)


@pytest.mark.parametrize("work", [count_tree, build_tree])
def test_ctrl_c_ends_it_soon(work):
    state = cardgods.load_game("encan").new_initial_state()
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work(state, limit=10**15)
    assert time.monotonic() - begin < 30


# Explicit games -------------------------------------------------------------------------------------------


def test_explicit_games_resample_uniformly():
    game = slow_tree.kuhn(3)
    state = game.new_initial_state()
    for action in (7, 0):
        state.apply_action(action)
    rng = cardgods.Random(1)
    seen = collections.Counter(tuple(state.resample(1, rng).history()) for _ in range(3000))
    assert len(seen) == 6
    assert min(seen.values()) > 400
    for history in seen:
        world = game.new_initial_state()
        for action in history:
            world.apply_action(action)
        assert world.information_state(1) == state.information_state(1)


@pytest.mark.parametrize(
    ("players", "root", "words"),
    [
        (0, End([]), "0 players"),
        (2, End([1]), "1 returns for 2 players"),
        (2, Chance([]), "0 children"),
        (2, Chance([(0, End([0, 0]))]), "weights"),
        (1, Decision(1, "a", [End([0])]), "player 1 decides, players are 0..0"),
        (1, Decision(0, "a", [End([0])] * 257), "257 children"),
    ],
)
def test_explicit_games_refuse_what_is_no_tree(players, root, words):
    with pytest.raises(ParameterError, match=words):
        ExplicitGame(players, root)


def test_explicit_games_say_what_they_are():
    game = slow_tree.kuhn(2)
    state = game.new_initial_state()
    assert isinstance(state, ExplicitState)
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-2, 2, 0)
    assert state.view(0) == {"node": None, "information_set": 0}
    assert state.view()["node"] == 0
    state.apply_action(0)
    assert state.view(0) == {"node": None, "information_set": 1}
    assert state.action_to_string(1) == "1"


@pytest.mark.parametrize("module", [cardgods.solve.tree, cardgods.solve.explicit])
def test_examples(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
