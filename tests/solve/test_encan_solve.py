"""The exact solver of the Encan family."""

import itertools
import json
import os
import signal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plainsolve import probability, start, value

import cardgods
from cardgods import ParameterError, SolveError
from cardgods._core.solve.encan_sweep import Sweep
from cardgods.solve import encan_sweep
from cardgods.solve.encan import EncanPosition, plan, position_of, solve
from cardgods.solve.encan_proof import guarantees
from conftest import TESTS, label

ENTRIES = json.loads((TESTS / "data" / "encan.json").read_text(encoding="utf-8"))["entries"]
EXPRESS = {"variant": "express"}


def game_of(options):
    return cardgods.load_game("encan", **options)


def solved(options, **position):
    return solve(game_of(options), position=EncanPosition(**position) if position else None)


@pytest.fixture(scope="module")
def express():
    return solve(game_of(EXPRESS))


# Values ----------------------------------------------------------------------------------------------------


def entry_label(entry):
    cards = entry["cards"]
    where = "position" if "position" in entry else "start"
    return f"{cards[0]}-{cards[-1]},T={entry['target']},{'obole' if entry['obole'] else 'plain'},{where}"


@pytest.mark.parametrize("entry", ENTRIES, ids=entry_label)
def test_reference_values(entry):
    options = {key: entry[key] for key in ("cards", "target", "obole")}
    solution = solved({**options, "cards": tuple(options["cards"])}, **entry.get("position", {}))
    assert solution.value == pytest.approx(float(entry["value"]), abs=1e-9)
    for card, expected in entry.get("by_treasure", {}).items():
        assert solution.by_first_treasure[int(card)] == pytest.approx(float(expected), abs=1e-9)
    assert solution.certificate.error_bound < 1e-12
    assert sum(solution.routes.values()) == solution.matrix_games


def test_express(express):
    assert express.value == pytest.approx(0.461681000467, abs=1e-11)
    assert express.matrix_games == 26_882
    assert express.states == 15_623
    assert 9_000 < express.saddle_points < 11_000
    assert express.certificate.largest_gap <= 1e-14


def test_goofspiel_with_carry_as_published():
    # 7 cards, tied treasures carried over, level totals to the second player
    solution = solved(
        {"variant": "goofspiel", "cards": tuple(range(1, 8)), "tie": "carry", "tie_break": "second"}
    )
    assert 2 * solution.value - 1 == pytest.approx(-0.162923265216, abs=1e-11)


def test_symmetric_goofspiel_is_even():
    for payoff, even in (("win", 0.5), ("points", 0.0)):
        solution = solved({"variant": "goofspiel", "cards": tuple(range(1, 7)), "payoff": payoff})
        assert solution.value == pytest.approx(even, abs=1e-13)


FAMILY = [
    dict(zip(("tie", "payoff", "treasure_order", "tie_break", "obole", "target"), choice, strict=True))
    for choice in itertools.product(
        ("carry", "discard", "split"),
        ("win", "points"),
        ("random", "descending", "ascending"),
        ("cascade", "draw", "second"),
        (False, True),
        (None, 4),
    )
]


@pytest.mark.parametrize("options", FAMILY, ids=label)
def test_every_option_against_plain_recursion(options):
    options = {**options, "cards": (1, 3, 4) if options["target"] else (2, 3, 7)}
    expected = probability(options, value(start(options)))
    assert solved(options).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        {
            **{"cards": (1, 2, 3, 4), "target": 6, "obole": True, "tie": "discard", "payoff": "points"},
            "treasure_order": "ascending",
        },
        {"cards": (1, 2, 4, 8), "target": 14, "obole": False, "tie": "split"},
        {"cards": (1, 2, 3, 5), "target": None, "obole": True, "treasure_order": "descending"},
    ],
    ids=label,
)
def test_four_cards_against_plain_recursion(options):
    expected = probability(options, value(start(options)))
    assert solved(options).value == pytest.approx(expected, abs=1e-12)


CARDS = (1, 2, 4, 7, 8)


@st.composite
def positions(draw):
    turns = draw(st.sampled_from((1, 2, 2, 3)))
    used = (draw(st.booleans()), draw(st.booleans()))
    hands = [draw(st.permutations(CARDS))[: turns + flag] for flag in used]
    return {
        "hands": (tuple(sorted(hands[0])), tuple(sorted(hands[1]))),
        "treasures_left": tuple(sorted(draw(st.permutations(CARDS))[:turns])),
        "scores": (draw(st.integers(0, 9)), draw(st.integers(0, 9))),
        "carry": draw(st.integers(0, 6)),
        "obole_used": used,
    }


@settings(max_examples=70)
@given(positions(), st.sampled_from(["win", "points"]), st.sampled_from([10, 15, None]))
def test_lopsided_positions_against_plain_recursion(position, payoff, target):
    options = {"cards": CARDS, "target": target, "obole": True, "payoff": payoff}
    if options["payoff"] == "points":
        options["tie_break"] = "draw"
    expected = probability(options, value(start(options, position)))
    assert solved(options, **position).value == pytest.approx(expected, abs=1e-12)


# Strategies ------------------------------------------------------------------------------------------------


def guarantee(solution, state, player, known):
    """What `player`'s strategy earns player 0 against the best reply, over the whole tree below."""
    if state.is_terminal():
        return state.returns()[0]
    key = repr(state.view())
    if key not in known:
        known[key] = _guarantee(solution, state, player, known)
    return known[key]


def _guarantee(solution, state, player, known):
    best = min if player == 0 else max
    if state.is_chance_node():
        return sum(p * guarantee(solution, state.child(a), player, known) for a, p in state.chance_outcomes())
    plan_here = solution.strategy(state)
    cards = list(state.game.options.cards)
    if plan_here.kind == "window":
        if plan_here.speaker == player:
            action = len(cards) + (plan_here.action == "call")
            return guarantee(solution, state.child(action), player, known)
        return best(guarantee(solution, state.child(a), player, known) for a in state.legal_actions())
    own, other = plan_here.bids[player], plan_here.bids[1 - player]
    assert sum(own.values()) == pytest.approx(1)
    replies = []
    for reply in other:
        total = 0.0
        for card, weight in own.items():
            if weight:
                child = state.clone()
                bids = (card, reply) if player == 0 else (reply, card)
                child.apply_actions([cards.index(bid) for bid in bids])
                total += weight * guarantee(solution, child, player, known)
        replies.append(total)
    return best(replies)


@pytest.mark.parametrize(
    "options",
    [
        {"cards": (1, 2, 3, 4), "target": 6, "obole": False},
        {"cards": (1, 2, 4), "target": 5, "obole": True},
        {"cards": (2, 3, 5), "target": None, "obole": True, "tie": "split", "treasure_order": "ascending"},
        {"cards": (1, 2, 3), "target": None, "obole": True, "payoff": "points", "tie": "discard"},
    ],
    ids=label,
)
def test_strategies_guarantee_the_value_against_the_best_reply(options):
    game = game_of(options)
    solution = solve(game)
    for player in range(2):
        found = guarantee(solution, game.new_initial_state(), player, {})
        assert probability(options, found) == pytest.approx(solution.value, abs=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        {"variant": "express"},
        {"variant": "express", "obole": True},
        {"cards": (2, 3, 4, 5, 6, 7), "target": 12},
        {"variant": "goofspiel", "cards": (1, 2, 3, 4, 5, 6), "payoff": "points"},
        {"cards": (2, 3, 5), "target": None, "obole": True, "tie": "split", "treasure_order": "ascending"},
    ],
    ids=str,
)
def test_both_guarantees_meet_at_the_root(options):
    game = cardgods.load_game("encan", **options)
    found = guarantees(game, threads=2)
    assert found.lower <= found.upper
    assert found.gap <= 4e-15
    assert found.lower - 1e-14 <= solve(game).value <= found.upper + 1e-14
    assert found.matrix_games > solve(game).matrix_games


def test_guarantees_of_positions_are_those_of_plain_recursion(express):
    game = express.game
    state = game.new_initial_state()
    for actions in ((3,), (4, 2), (0,), (6, 6), (1,)):
        state.apply_actions(list(actions)) if len(actions) == 2 else state.apply_action(actions[0])
    found = guarantees(game, position=state)
    assert found.lower == pytest.approx(express.strategy(state).value, abs=1e-13)
    assert found.upper == pytest.approx(express.strategy(state).value, abs=1e-13)


def test_one_side_is_refused_where_mirror_images_share_their_values(express):
    vectors = plan(express.game).table.vectors
    assert vectors.hands.symmetric
    with pytest.raises(ValueError, match="not folded"):
        Sweep(vectors, 0, 0, -1)


def test_a_strategy_at_every_node_of_a_game(express):
    game = express.game
    state = game.new_initial_state()
    rng = cardgods.Random("walk")
    while not state.is_terminal():
        here = express.strategy(state)
        if state.is_chance_node():
            assert here.kind == "reveal"
            assert here.value == pytest.approx(sum(here.values.values()) / len(here.values))
            state.apply_action(state.sample_chance(rng))
            assert express.strategy(state).value == here.values[state.view()["treasure"]]
        else:
            assert here.kind == "bid"
            assert list(here.bids[0]) == state.view()["hands"][0]
            assert list(here.bids[1]) == state.view()["hands"][1]
            assert here.gap <= 1e-14
            state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(2)])


def test_a_sealed_bid_does_not_show(express):
    state = express.game.new_initial_state(turn_based=True)
    state.apply_action(3)
    before = express.strategy(state)
    for bid in state.legal_actions():
        assert express.strategy(state.child(bid)) == before


def test_what_was_not_kept_is_solved_again(monkeypatch):
    options = {"cards": (2, 3, 4, 6, 7), "target": 12, "obole": True}
    game = game_of(options)
    whole = solve(game)
    monkeypatch.setattr(encan_sweep, "KEEP_BYTES", 0)
    bare = solve(game)
    assert bare.value == whole.value
    state = game.new_initial_state()
    for actions in ([2], [1, 3], [0], [5], [6]):
        if len(actions) == 2:
            state.apply_actions(actions)
        else:
            state.apply_action(actions[0])
        assert bare.strategy(state).value == pytest.approx(whole.strategy(state).value, abs=1e-13)
        assert bare.strategy(state).kind == whole.strategy(state).kind


def test_positions_no_game_leads_to_are_solved_too(express):
    # both have won nothing in three turns without a tie: outside the tree of the start
    odd = EncanPosition(hands=((8, 9, 10), (8, 9, 14)), treasures_left=(8, 9), treasure=14, scores=(3, 5))
    alone = solve(express.game, position=odd)
    assert express.strategy(odd).value == pytest.approx(alone.value, abs=1e-14)
    assert list(alone.by_first_treasure) == [14]


# Windows ---------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(positions(), st.data())
def test_windows_against_plain_recursion(position, data):
    options = {"cards": CARDS, "target": 15, "obole": True}
    game = game_of(options)
    model = start(options, position)
    state = game.new_position(**position)
    solution = None
    while not state.is_terminal():
        if not state.is_chance_node():
            here = solve(game, position=state) if solution is None else solution.strategy(state)
            solution = solution or here
            assert here.value == pytest.approx(probability(options, value(model)), abs=1e-12)
        if state.is_simultaneous_node():
            break
        action = data.draw(st.sampled_from(state.legal_actions()))
        state.apply_action(action)
        model.apply(action)


def test_position_of_a_state_comes_back():
    game = game_of({"cards": (1, 2, 3, 4), "target": 6, "obole": True})
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_actions([1, 2])
    state.apply_action(2)
    state.apply_action(4)  # player 0 passes
    position = position_of(state)
    assert position.passed == (True, False)
    again = game.new_position(**{**vars(position), "last_winner": 1})
    assert again.current_player() == 1
    assert again.view() == state.view()
    assert position_of(again) == position


# Threads, progress, interrupts -----------------------------------------------------------------------------

LARGER = {"cards": tuple(range(2, 10)), "target": 20, "obole": False}


def test_the_result_does_not_depend_on_the_number_of_threads():
    game = game_of(LARGER)
    one, two = solve(game, threads=1), solve(game, threads=2)
    assert one.value == two.value
    assert one.by_first_treasure == two.by_first_treasure
    assert one.routes == two.routes
    assert one.certificate == two.certificate


def test_progress_runs_to_the_end():
    seen = []
    solution = solve(game_of(LARGER), progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (solution.matrix_games, solution.matrix_games)
    assert len(seen) > 8


def interrupt(*_):
    os.kill(os.getpid(), signal.SIGINT)


def test_interrupt_while_matrix_games_are_solved():
    # hours of work: this returns only if the interrupt is answered
    work = plan(game_of({"cards": tuple(range(2, 12)), "target": 20, "obole": False}))
    with pytest.raises(KeyboardInterrupt):
        solve(work, progress=interrupt)
    with pytest.raises(SolveError, match="interrupted"):
        solve(work)


def test_interrupt_while_positions_are_counted():
    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            plan(game_of({"cards": tuple(range(1, 14)), "target": None, "obole": True}))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def test_a_plan_tells_the_work_before_it_is_done():
    work = plan(game_of(EXPRESS))
    assert work.matrix_games == 26_882
    assert work.states == 15_623
    assert sum(games for *_, games in work.levels.values()) == work.matrix_games
    assert solve(work).value == solve(work).value == pytest.approx(0.461681000467, abs=1e-11)


# Refusals --------------------------------------------------------------------------------------------------


def test_what_can_not_be_solved_is_refused():
    game = game_of(EXPRESS)
    with pytest.raises(SolveError, match="memory"):
        solve(game, max_bytes=1000)
    with pytest.raises(ParameterError, match="at least one"):
        solve(game, threads=0)
    with pytest.raises(ParameterError, match="neither a state nor"):
        solve(game, position=(1, 2))
    with pytest.raises(ParameterError, match="not of"):
        solve(game, position=game_of({}).new_initial_state())
    with pytest.raises(ParameterError, match="impossible position"):
        solve(game, position=EncanPosition(hands=((8,), (9,)), treasures_left=(8, 9)))
    with pytest.raises(SolveError, match="several cards"):
        solve(game, position=EncanPosition(hands=((8, 9, 10), (9,)), treasures_left=(8,)))
    with pytest.raises(SolveError, match="too large"):
        solve(game, position=EncanPosition(hands=((8,), (9,)), treasures_left=(8,), carry=99999))
    with pytest.raises(SolveError, match="gold in hand"):
        solved({"cards": (1, 2, 3, 4), "target": 2, "obole": False, "tie": "split"})
    over = game.new_position(hands=[[8], [9]], treasures_left=[8], scores=[30, 0])
    with pytest.raises(SolveError, match="over"):
        solve(game, position=over)
