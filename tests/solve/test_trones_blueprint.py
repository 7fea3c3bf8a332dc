"""Blueprints of Trois Trônes: what they converge to, the same bytes again, files, what the agent may know."""

import doctest
import json
import signal
import threading
import time

import pytest

import cardgods
import cardgods.solve.trones_blueprint
from cardgods import Random
from cardgods.agents import make_agent
from cardgods.agents._hints import hints
from cardgods.errors import ParameterError, SolveError
from cardgods.solve.trones_blueprint import (
    BlueprintSolver,
    default_path,
    forecast,
    load_blueprint,
    run_blueprint,
    take_up,
)
from cardgods.solve.trones_hidden import HiddenSolver
from conftest import TESTS, random_states

NASH = json.loads((TESTS / "data" / "trones.json").read_text())["nash"]
EXPRESS = cardgods.load_game("trones", "express")
DEALS = 60_000


def small(ranks, hand):
    return cardgods.load_game("trones", ranks=tuple(range(15 - ranks, 15)), hand=hand, capacity=1)


@pytest.fixture(scope="module")
def express(tmp_path_factory):
    path = tmp_path_factory.mktemp("blueprint") / "express.cgb"
    return computed(EXPRESS, DEALS, path, seed=1), path


def computed(game, iterations, path, **how):
    solver = take_up(game, path, **how)
    run_blueprint(solver, iterations, path)
    return solver


# What is learnt


@pytest.mark.parametrize("hand", [1, 2])
def test_told_apart_exactly_it_converges_to_the_published_value(hand):
    value = next(e["value"] for e in NASH if (e["ranks_count"], e["hand"], e["capacity"]) == (2, hand, 1))
    solver = BlueprintSolver(small(2, hand), "exact", seed=1)
    gaps = []
    for iterations in (4_000, 36_000):
        solver.run(iterations)
        low, high = solver.bounds()
        assert low <= value <= high
        gaps.append(high - low)
    assert gaps[0] > 3 * gaps[1]
    assert gaps[1] < 0.006


def test_the_bounds_are_those_of_the_solver_itself_for_its_own_strategy():
    game = small(2, 1)
    solver = HiddenSolver(game)
    solver.run(12)
    bounds = solver.bounds()
    other = HiddenSolver(game)
    other.adopt(lambda laid, hand: own_policy(solver, laid, hand))
    assert other.bounds() == pytest.approx(bounds, abs=1e-6)


def own_policy(solver, laid, hand):
    deck = solver._deck
    rows = solver._core.average([(deck.index(a // 3), a % 3) for a in laid], [deck.index(c) for c in hand])
    return [(3 * c + f, share) for c, row in zip(hand, rows, strict=True) for f, share in row.items()]


def test_a_uniform_player_is_measured_as_one():
    game = small(2, 1)
    solver = HiddenSolver(game)
    uniform = solver.bounds()  # nothing is learnt yet
    solver.run(3)
    solver.adopt(lambda laid, hand: even(game, laid, hand))
    assert solver.bounds() == pytest.approx(uniform, abs=1e-6)


def even(game, laid, hand):
    mine = [a % 3 for a in laid[len(laid) % 2 :: 2]]
    moves = [3 * card + f for card in hand for f in range(3) if f not in mine]
    return [(move, 1 / len(moves)) for move in moves]


def test_it_beats_the_heuristic(express):
    solver, _ = express
    found = solver.duel(120_000, least=0.3)
    assert found.deals == 120_000
    assert found.interval[0] > 0.5
    assert found.interval[1] - found.interval[0] < 0.005


def test_shares_are_a_distribution_over_legal_moves(express, rng):
    solver, _ = express
    mixed = 0
    for state in random_states(EXPRESS, rng):
        if state.current_player() >= 0:
            shares = solver.policy(state)
            assert set(shares) <= set(state.legal_actions())
            assert sum(shares.values()) == pytest.approx(1)
            pure = solver.policy(state, least=0.5)
            assert sum(pure.values()) == pytest.approx(1)
            assert all(share == 0 or share >= 0.5 for share in pure.values())
            mixed += len(shares) > 1
    assert mixed


# The same again


def contents(solver, path):
    solver.save(path)
    return path.read_bytes()


@pytest.mark.parametrize(("game", "abstraction"), [(EXPRESS, "moves"), (small(2, 2), "exact")])
def test_bytes_follow_from_seed_and_iterations_alone(game, abstraction, tmp_path):
    one = BlueprintSolver(game, abstraction, seed=5)
    one.run(3000)
    whole = contents(one, tmp_path / "one")
    two = BlueprintSolver(game, abstraction, seed=5)
    two.run(3000, threads=3)
    assert contents(two, tmp_path / "two") == whole
    other = BlueprintSolver(game, abstraction, seed=6)
    other.run(3000)
    assert contents(other, tmp_path / "other") != whole
    # in pieces, each from the file of the one before
    path = tmp_path / "pieces"
    for iterations in (1, 1500, 3000):
        computed(game, iterations, path, abstraction=abstraction, seed=5)
    assert path.read_bytes() == whole


def test_an_interrupt_loses_nothing(tmp_path):
    path = tmp_path / "file"
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        computed(EXPRESS, 10**9, path, seed=5)
    assert time.monotonic() - begun < 3
    kept = BlueprintSolver.load(path, EXPRESS, seed=5)
    assert kept.iterations > 0
    straight = BlueprintSolver(EXPRESS, seed=5)
    straight.run(kept.iterations + 2000)
    computed(EXPRESS, kept.iterations + 2000, path, seed=5)
    assert contents(straight, tmp_path / "straight") == path.read_bytes()


# Limits, files


def test_what_it_takes_is_told_first():
    exact = forecast(small(2, 2), "exact")
    assert exact.information_sets == 11_584
    solver = BlueprintSolver(small(2, 2), "exact")
    solver.run(20_000)
    assert 10_000 < len(solver) <= exact.information_sets
    assert solver.memory <= exact.memory
    with pytest.raises(SolveError, match=r"takes 1 MB, the limit is 0 MB: 11,584 information sets"):
        BlueprintSolver(small(2, 2), "exact", memory=300_000)
    with pytest.raises(SolveError, match="too large"):
        BlueprintSolver(EXPRESS, "exact")
    assert forecast(EXPRESS).memory < 200e6


def test_a_full_table_can_still_be_kept(tmp_path):
    path = tmp_path / "file"
    with pytest.raises(SolveError, match=r"information sets after .* deals fill the 0\.[78] MB"):
        computed(cardgods.load_game("trones"), 10**6, path, memory=750_000)
    assert load_blueprint(path).iterations > 0


def test_a_damaged_file_is_refused(express, tmp_path):
    _, good = express
    data = good.read_bytes()
    path = tmp_path / "bad.cgb"
    for at in (3, 100, len(data) // 2, len(data) - 30, len(data) - 3):
        path.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        with pytest.raises(SolveError):
            BlueprintSolver.load(path, EXPRESS, seed=1)
        path.write_bytes(data[:at])
        with pytest.raises(SolveError):
            load_blueprint(path)
    path.write_bytes(b"")
    with pytest.raises(SolveError, match="it is empty"):
        load_blueprint(path)
    with pytest.raises(SolveError, match="cannot read"):
        load_blueprint(tmp_path / "none")


def test_a_file_of_something_else_is_refused(express, tmp_path):
    _, path = express
    standard = cardgods.load_game("trones")
    with pytest.raises(SolveError, match="belongs elsewhere: its rules is another"):
        BlueprintSolver.load(path, standard, seed=1)
    with pytest.raises(SolveError, match="belongs elsewhere: its seed is another"):
        BlueprintSolver.load(path, EXPRESS, seed=2)
    with pytest.raises(ParameterError, match=r"blueprint of trones\(express\), not of trones\(standard\)"):
        make_agent(f"blueprint:file={path}", standard)
    other = tmp_path / "encan.cgs"
    cardgods.solve.container.write_container(other, {"kind": "encan solution"}, {})
    with pytest.raises(SolveError, match="holds no blueprint of Trois Trônes"):
        load_blueprint(other)


@pytest.mark.parametrize("numbers", [(-1, 1), (1, 0)])
def test_impossible_numbers_are_refused(numbers):
    with pytest.raises(ParameterError, match="0 and 1 are the least"):
        BlueprintSolver(EXPRESS).run(*numbers)


def test_an_unknown_abstraction_is_refused():
    with pytest.raises(ParameterError, match="unknown abstraction 'coarse': abstractions are moves, exact"):
        BlueprintSolver(EXPRESS, "coarse")


# The agent


@pytest.mark.parametrize("parameters", ["", ",least=0", ",worlds=20", ",worlds=20,depth=0"])
def test_choices_depend_on_nothing_hidden(express, rng, parameters):
    agent = make_agent(f"blueprint:file={express[1]}{parameters}", EXPRESS)
    seen = set()
    for state in random_states(EXPRESS, rng):
        player = state.current_player()
        if player < 0:
            continue
        choice = agent.choose(state, player, Random(len(state)))
        assert choice in state.legal_actions()
        for _ in range(4):
            world = state.resample(player, rng)
            assert agent.choose(world, player, Random(len(state))) == choice
            seen.add(str(world.view()))
    assert len(seen) > 30


def test_the_agent_looks_where_store_puts_it(express, monkeypatch, tmp_path):
    monkeypatch.setenv("CARDGODS_SOLUTIONS", str(tmp_path))
    with pytest.raises(ParameterError, match=r"no blueprint of trones\(express\)"):
        make_agent("blueprint", EXPRESS)
    default_path(EXPRESS).write_bytes(express[1].read_bytes())
    make_agent("blueprint", EXPRESS)
    with pytest.raises(ParameterError, match=r"parameter least: 1\.0 is not from 0 to below 1"):
        make_agent("blueprint:least=1", EXPRESS)
    with pytest.raises(ParameterError, match="parameter depth: 19 is not from 0 to 18"):
        make_agent("blueprint:depth=19", EXPRESS)
    with pytest.raises(ParameterError, match="give worlds or seconds, not both"):
        make_agent("blueprint:worlds=5,seconds=1", EXPRESS)
    with pytest.raises(ParameterError, match="parameter worlds: -1 is not from 1"):
        make_agent("blueprint:worlds=-1", EXPRESS)


def test_hints_use_a_stored_blueprint(express, monkeypatch, tmp_path, rng):
    monkeypatch.setenv("CARDGODS_SOLUTIONS", str(tmp_path))
    state = next(s.clone() for s in random_states(EXPRESS, rng) if len(s) > 12 and s.current_player() >= 0)
    player = state.current_player()
    plain = hints(state, player)
    assert "that fit the moves seen" not in plain[0].detail
    default_path(EXPRESS).write_bytes(express[1].read_bytes())
    found = hints(state, player)
    assert "that fit the moves seen" in found[0].detail
    assert sorted(hint.action for hint in found) == state.legal_actions()
    assert [hint.estimate for hint in found] == sorted((hint.estimate for hint in found), reverse=True)
    assert hints(state.resample(player, rng), player) == found


def test_a_search_of_some_time_gives_a_move(express, rng):
    agent = make_agent(f"blueprint:file={express[1]},seconds=0.01", EXPRESS)
    state = next(s.clone() for s in random_states(EXPRESS, rng) if len(s) > 12 and s.current_player() >= 0)
    assert agent.choose(state, state.current_player(), rng) in state.legal_actions()


def test_the_example_of_the_module():
    failed, tried = doctest.testmod(cardgods.solve.trones_blueprint)
    assert tried > 3
    assert failed == 0
