"""Small variants of Commerce: sizes, exact best responses, learning, and the profile as a policy."""

import math
from array import array
from itertools import combinations

import pytest

import cardgods
from cardgods._core.solve.commerce_mini_exact import Response
from cardgods._core.solve.commerce_mini_game import MiniGame
from cardgods._core.solve.commerce_mini_learn import Learner
from cardgods._core.walk import Cancel
from cardgods.solve.commerce_count import deal_size
from cardgods.solve.commerce_mini import MiniSolution, solve_mini
from cardgods.solve.commerce_tables import hand_classes
from cardgods.solve.reached import reached_best_response, reached_values
from conftest import step

KNOCK = 54
TINY = {"suits": 2, "ranks": 5, "trade_cap": 2}


def mini(**options):
    return cardgods.load_game("commerce", "mini", **options)


def dealt(game, hands, dealer=2):
    """The first turn with these hands, told in the order of play."""
    state = game.new_initial_state(True).child(dealer)
    for i in range(9):
        state.apply_action(hands[i % 3][i // 3])
    return state


# Sizes


def test_size_of_mini():
    size = deal_size(mini())
    assert size.deals == 369_600 == math.factorial(12) // 6**4
    assert size.ends == 226_097_604_902_400
    assert size.information_sets == (661_716_660, 13_425_945_280, 4_070_184_800)


def counted_by_walking(game, seat):
    """Information sets of a seat at which it decides, its first hand given, and ends over all deals."""
    pack = game.pack
    own = pack[:3]
    sets, ends = set(), 0

    def walk(state):
        nonlocal ends
        if state.is_terminal():
            ends += 1
            return
        if state.current_player() == seat:
            sets.add(state.information_state(seat))
        for action in state.legal_actions():
            walk(state.child(action))

    for a in combinations(pack[3:], 3):
        for b in combinations([c for c in pack[3:] if c not in a], 3):
            hands = [a, b]
            hands.insert(seat, own)
            walk(dealt(game, hands))
    return len(sets) * math.comb(len(pack), 3), ends * math.comb(len(pack), 3)


@pytest.mark.parametrize(
    ("options", "seat"),
    [
        ({"suits": 2, "ranks": 5, "trade_cap": 1}, 0),
        ({"suits": 2, "ranks": 5, "trade_cap": 2}, 1),
        ({"suits": 2, "ranks": 5, "trade_cap": 2}, 2),
        ({"suits": 1, "ranks": 11, "trade_cap": 1}, 0),
    ],
)
def test_sizes_agree_with_a_walk_over_the_whole_tree(options, seat):
    game = mini(**options)
    size = deal_size(game)
    assert counted_by_walking(game, seat) == (size.information_sets[seat], size.ends)


def test_a_tree_without_a_cap_is_not_counted():
    with pytest.raises(cardgods.SolveError, match="no cap on trades"):
        deal_size(mini(trade_cap=0))


# Values and best responses


def random_profile(core, rng, most):
    """Rows with up to `most` random actions each."""
    numbers = array("d", bytes(8 * 8 * core.sets))
    for first, last, width in node_ranges(core):
        for row in range(first, last):
            weights = [0.0] * 8
            for _ in range(most):
                weights[rng.below(width)] += rng.random()
            numbers[8 * row : 8 * row + 8] = array("d", [w / sum(weights) for w in weights])
    return numbers.tobytes()


def node_ranges(core):
    """(first row, end, actions) of each decision: found by looking rows up."""
    pack = core.pack
    starts = []
    for node in range(12):
        trades = {4: 1, 8: 1, 9: 1, 7: 1, 10: 1, 11: 2}.get(node, 0)
        pairs = [(pack[0], pack[3]), (pack[1], pack[4])][:trades]
        starts.append(core.lookup(node, pack[:3], pairs)[0])
    # the first hand and trades of the least numbers name the first class of each decision
    ends = [*starts[1:], core.sets]
    return [(a, b, 7 if node % 4 == 0 else 4) for node, (a, b) in enumerate(zip(starts, ends, strict=True))]


def best_by_walking(policy, seat, positions):
    """Expected points of a best response of a player (perfect recall), over the core's own states.

    Args:
        policy: function of a state to the others' probabilities.
        seat: who deviates; None = nobody, then the points of `positions[0]`'s player 0 are of no use.
        positions: pairs (state, weight) that he cannot tell apart so far.
    """
    total, groups = 0.0, {}
    stack = list(positions)
    while stack:
        state, weight = stack.pop()
        if state.is_terminal():
            total += weight * state.returns()[seat]
        elif state.is_chance_node():
            stack += [(state.child(a), weight * p) for a, p in state.chance_outcomes()]
        elif state.current_player() != seat:
            stack += [(state.child(a), weight * p) for a, p in policy(state).items()]
        else:
            groups.setdefault(state.information_state(seat), []).append((state, weight))
    for group in groups.values():
        actions = group[0][0].legal_actions()
        total += max(
            best_by_walking(policy, seat, [(state.child(a), w) for state, w in group]) for a in actions
        )
    return total


def value_by_walking(policy, seat, positions):
    total = 0.0
    stack = list(positions)
    while stack:
        state, weight = stack.pop()
        if state.is_terminal():
            total += weight * state.returns()[seat]
        else:
            moves = state.chance_outcomes() if state.is_chance_node() else policy(state).items()
            stack += [(state.child(a), weight * p) for a, p in moves]
    return total


@pytest.mark.parametrize(
    ("options", "most"),
    [({}, 2), ({"suits": 2, "ranks": 5, "trade_cap": 3}, 3), ({"suits": 1, "ranks": 11}, 2)],
)
def test_values_and_best_responses_agree_with_a_walk_over_the_cores_states(options, most, rng):
    """Every action of the deviator, trades after a buy too, against a random profile, on a few deals."""
    game = mini(**options)
    n = len(game.pack)
    # hands that one seat cannot tell apart, so that a best response has to weigh them
    deals = [
        ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        ((0, 1, 2), (3, 4, n - 1), (5, 7, 8)),
        ((0, 1, n - 1), (3, 4, 5), (2, 6, 7)),
    ]
    core = MiniGame(game.pack, game.options.suits, game.trade_cap, deals)
    solution = MiniSolution(game, core, random_profile(core, rng, most), 0, 0)
    starts = [
        (dealt(game, [[game.pack[c] for c in hand] for hand in deal]), 1 / len(deals)) for deal in deals
    ]
    for seat, deviation in enumerate(solution.deviations):
        value = value_by_walking(solution.policy, seat, starts)
        best = best_by_walking(solution.policy, seat, starts)
        assert deviation.value == pytest.approx(value, abs=1e-9)
        assert deviation.best == pytest.approx(best, abs=1e-9)
    assert sum(deviation.gain for deviation in solution.deviations) > 1


def test_classes_of_suits_change_nothing():
    """The same profile measured with all deals one by one and with one of each class."""
    game = mini(**TINY)
    solution = solve_mini(game, rounds=5)
    raw = [
        (a, b, c)
        for a in combinations(range(10), 3)
        for b in combinations([x for x in range(10) if x not in a], 3)
        for c in combinations([x for x in range(10) if x not in a and x not in b], 3)
    ]
    core = MiniGame(game.pack, 2, 2, raw)
    assert core.deal_count() == 16_800
    numbers = array("d", bytes(8 * 8 * core.sets))
    for node in range(12):
        trades = {4: 1, 8: 1, 9: 1, 7: 1, 10: 1, 11: 2}.get(node, 0)
        for hand in combinations(game.pack, 3):
            for pairs in all_trades(game.pack, set(hand), trades):
                row, slots = core.lookup(node, hand, pairs)
                values = solution.policy_at(node, hand, pairs)
                numbers[8 * row] = values[0]
                for base, start in ((1, 1), (4, 4))[: 2 if node % 4 == 0 else 1]:
                    for slot in range(3):
                        numbers[8 * row + base + slots[slot]] = values[start + slot]
    other = MiniSolution(game, core, numbers.tobytes(), 5, 0)
    for one, two in zip(solution.deviations, other.deviations, strict=True):
        assert one.value == pytest.approx(two.value, abs=1e-9)
        assert one.best == pytest.approx(two.best, abs=1e-9)


def all_starts(game, seat, own, weight):
    rest = [card for card in game.pack if card not in own]
    for one in combinations(rest, 3):
        for other in combinations([card for card in rest if card not in one], 3):
            hands = [one, other]
            hands.insert(seat, own)
            yield dealt(game, hands), weight


def best_by_tree(solution, seat):
    """The best response over all deals, by code that knows nothing of Commerce or of suits that are alike."""
    starts = [
        start
        for own, count in hand_classes(solution.game.pack)
        for start in all_starts(solution.game, seat, own, count / solution.size.deals)
    ]
    return reached_best_response(starts, lambda state, player: solution.policy(state), seat).value


def test_the_generic_tree_code_says_the_same_over_all_deals():
    solution = solve_mini(mini(**TINY), rounds=20, floor=0.02)
    starts = [
        start
        for own in combinations(solution.game.pack, 3)
        for start in all_starts(solution.game, 0, own, 1 / solution.size.deals)
    ]
    values = reached_values(starts, lambda state, player: solution.policy(state)).values
    assert values == pytest.approx([d.value for d in solution.deviations], abs=1e-9)


@pytest.mark.parametrize(("options", "rounds", "seats"), [({"trade_cap": 1}, 3, (0,)), (TINY, 20, (1,))])
def test_a_card_does_not_stand_for_another_that_a_renaming_of_the_suits_puts_in_its_place(
    options, rounds, seats
):
    solution = solve_mini(mini(**options), rounds=rounds, floor=0.1)
    for seat in seats:
        assert best_by_tree(solution, seat) == pytest.approx(solution.deviations[seat].best, abs=1e-9)


def all_trades(pack, hand, count):
    if count == 0:
        yield []
        return
    for gone in sorted(hand):
        for come in pack:
            if come not in hand:
                for rest in all_trades(pack, hand - {gone} | {come}, count - 1):
                    yield [(gone, come), *rest]


# Learning


def test_learning_brings_the_gains_down():
    few, many = (solve_mini(mini(**TINY), rounds=rounds, floor=0.0) for rounds in (3, 80))
    assert many.largest_gain < 0.02 < few.largest_gain
    assert sum(d.value for d in many.deviations) == pytest.approx(0, abs=1e-9)
    assert all(d.gain >= -1e-12 for d in many.deviations)


def test_no_seat_of_mini_gains_more_than_two_hundredths():
    solution = solve_mini(mini(), rounds=12, floor=0.05, threads=2)
    assert solution.largest_gain <= 0.02
    assert sum(d.value for d in solution.deviations) == pytest.approx(0, abs=1e-9)
    assert [d.seat for d in solution.deviations] == ["first", "second", "dealer"]


def same(one, two):
    return one._bytes == two._bytes


def test_the_number_of_threads_changes_nothing():
    game = mini(**TINY)
    assert same(solve_mini(game, rounds=8), solve_mini(game, rounds=8, threads=2))
    assert not same(solve_mini(game, rounds=8), solve_mini(game, rounds=8, seed=1))


def test_an_interrupted_run_goes_on_to_the_same_result(tmp_path):
    game = mini(**TINY)
    path = tmp_path / "run"

    def interrupt(done, rounds):
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_mini(game, rounds=12, checkpoint=path, progress=interrupt)
    resumed = solve_mini(game, rounds=12, checkpoint=path)
    assert same(resumed, solve_mini(game, rounds=12))
    # a finished run can be carried further
    assert same(solve_mini(game, rounds=14, checkpoint=path), solve_mini(game, rounds=14))
    with pytest.raises(cardgods.SolveError, match="holds 14 rounds already, more than 12"):
        solve_mini(game, rounds=12, checkpoint=path)


def test_foreign_checkpoints_are_refused(tmp_path):
    path = tmp_path / "run"
    solve_mini(mini(**TINY), rounds=1, checkpoint=path)
    with pytest.raises(cardgods.SolveError, match="another variant or seed"):
        solve_mini(mini(**TINY), rounds=2, seed=5, checkpoint=path)
    with pytest.raises(cardgods.SolveError, match="another variant or seed"):
        solve_mini(mini(suits=2, ranks=5, trade_cap=1), rounds=2, checkpoint=path)
    path.write_bytes(b"nonsense")
    with pytest.raises(cardgods.SolveError, match="is no checkpoint"):
        solve_mini(mini(**TINY), rounds=2, checkpoint=path)


@pytest.mark.parametrize(
    "options", [{"suits": 4}, {"deals": 2}, {"trade_cap": 4}, {"trade_cap": 0}, {"suits": 4, "players": 4}]
)
def test_larger_variants_are_refused(options):
    with pytest.raises(cardgods.SolveError, match="is too large to solve"):
        solve_mini(mini(**options))


def test_impossible_numbers_are_refused():
    for arguments in ({"rounds": 0}, {"floor": 0.5}, {"floor": -0.1}):
        with pytest.raises(cardgods.ParameterError, match="at least 1, and from 0 to 1/7"):
            solve_mini(mini(), **arguments)
    core = MiniGame(mini().pack, 3, 3)
    with pytest.raises(ValueError, match="a profile of this variant has"):
        Response(core, b"", 0)
    with pytest.raises(ValueError, match="this variant has"):
        Learner(core).load(1, b"", b"")
    with pytest.raises(ValueError, match="no decision 4 with 0 trades"):
        core.lookup(4, mini().pack[:3], [])


# The profile as a policy


def test_the_policy_is_legal_everywhere_and_depends_on_nothing_hidden(rng):
    game = mini()
    solution = solve_mini(game, rounds=2, floor=0.0)
    decisions = 0
    for _ in range(150):
        state = game.new_initial_state(True)
        while not state.is_terminal():
            if not state.is_chance_node():
                policy = solution.policy(state)
                assert sum(policy.values()) == pytest.approx(1)
                assert set(policy) <= set(state.legal_actions())
                assert policy == solution.policy(state.resample(state.current_player(), rng))
                decisions += 1
            if not state.is_chance_node() and rng.below(2):
                quiet = [a for a in state.legal_actions() if a != KNOCK]
                state.apply_action(rng.choice(quiet))
            else:
                step(state, rng)
    assert decisions > 500


def test_the_policy_does_not_depend_on_who_deals():
    game = mini()
    solution = solve_mini(game, rounds=2)
    hands = [(9, 22, 36), (10, 23, 37), (11, 24, 38)]
    first = dealt(game, hands, dealer=2)
    # the same hands by place, the dealer being player 0
    turned = dealt(game, hands, dealer=0)
    assert first.current_player() == 0
    assert turned.current_player() == 1
    assert solution.policy(first) == solution.policy(turned)


def test_the_policy_is_asked_at_decisions_of_its_game_only():
    solution = solve_mini(mini(**TINY), rounds=1)
    for state in (mini(**TINY).new_initial_state(), dealt(mini(), [(9, 10, 11), (22, 23, 24), (35, 36, 37)])):
        with pytest.raises(cardgods.ParameterError, match="the profile is for decisions of"):
            solution.policy(state)


def test_a_cancelled_walk_ends_early():
    core = MiniGame(mini().pack, 3, 3)
    cancel = Cancel()
    cancel.set()
    learner = Learner(core)
    learner.run_shard(0, cancel)
    assert Response(core, learner.profile(), 0).compare(0, 0, cancel) == 0
