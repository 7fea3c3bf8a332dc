"""cardgods solve encan, and the exact agent."""

import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from running import COMMAND, cardgods, refused

import cardgods as library
from cardgods.agents import make_agent
from cardgods.agents._hints import hints
from cardgods.play import play
from cardgods.solve.encan import plan, solve
from cardgods_cli.streams import GuardedStream

EXPRESS = 0.461681000467


def test_express():
    result = cardgods("solve", "encan", "--variant", "express")
    assert result.code == 0
    assert result.err == ""
    assert f"encan(express): P(player 0 wins) = {EXPRESS}" in result.out
    assert re.search(r"\d+ matrix games \(\d+ with a saddle point\), \d+ states, \d+\.\d{3} s", result.out)


def test_the_table_is_the_first_turn_s_strategies():
    out = cardgods("solve", "encan", "--cards", "2-4", "--no-obole").out
    solution = solve(library.load_game("encan", cards=(2, 3, 4), obole=False))
    rows = [line.split() for line in out.splitlines() if re.match(r" *(\d+ +\d\.\d{6} +)?[01]  ", line)]
    assert len(rows) == 6
    for place, treasure in enumerate((2, 3, 4)):
        state = solution.game.new_initial_state()
        state.apply_action(place)
        strategy = solution.strategy(state)
        for player in range(2):
            *lead, shown = rows[2 * place + player][: 3 if player == 0 else 1], rows[2 * place + player][-3:]
            if player == 0:
                assert lead[0] == [str(treasure), f"{strategy.value:.6f}", "0"]
            percents = [0.0 if cell == "·" else float(cell) for cell in shown]
            assert percents == pytest.approx([100 * p for p in strategy.bids[player].values()], abs=0.0501)


def test_json_is_one_object_with_everything():
    result = cardgods("solve", "encan", "--variant", "express", "--json")
    assert result.err == ""
    assert result.out.count("\n") == 1
    found = json.loads(result.out)
    assert found["value"] == pytest.approx(EXPRESS, abs=1e-9)
    assert list(found["by_first_treasure"]) == [str(card) for card in range(8, 15)]
    assert sum(found["by_first_treasure"].values()) / 7 == pytest.approx(EXPRESS, abs=1e-9)
    assert 0 < found["matrix_games"] <= 70300
    assert found["states"] > 0
    assert found["seconds"] > 0
    assert found["options"] == library.load_game("encan", "express").parameters()
    for sides in found["first_turn"].values():
        for side in sides:
            assert sum(side.values()) == pytest.approx(1)


def test_certify_proves_the_value():
    words = ("solve", "encan", "--variant", "express", "--certify")
    line = cardgods(*words).out.splitlines()[-1]
    assert line.startswith("Against the best replies over the whole tree player 0's strategy brings 0.461681")
    found = json.loads(cardgods(*words, "--json").out)
    assert found["guarantees"]["lower"] <= found["guarantees"]["upper"]
    for side in ("lower", "upper"):
        assert found["guarantees"][side] == pytest.approx(found["value"], abs=1e-12)
    assert "guarantees" not in json.loads(cardgods(*words[:-1], "--json").out)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("--cards 2-5 --target 20", {"cards": (2, 3, 4, 5)}),
        ("--cards 2-5 --target 7 --no-obole", {"cards": (2, 3, 4, 5), "target": 7, "obole": False}),
        ("--cards 1,3,9 --target none --obole", {"cards": (1, 3, 9), "target": None}),
        (
            "--cards 1-4 --tie discard --tie-break draw",
            {"cards": (1, 2, 3, 4), "tie": "discard", "tie_break": "draw"},
        ),
        ("--cards 1-4 --payoff points", {"cards": (1, 2, 3, 4), "payoff": "points"}),
        ("--cards 1-4 --treasure-order descending", {"cards": (1, 2, 3, 4), "treasure_order": "descending"}),
    ],
)
def test_any_member_of_the_family(words, options):
    found = json.loads(cardgods("solve", "encan", *words.split(), "--json").out)
    solution = solve(library.load_game("encan", **options))
    assert found["value"] == pytest.approx(solution.value, abs=1e-12)
    assert found["matrix_games"] == solution.matrix_games
    assert list(found["by_first_treasure"]) == [str(card) for card in solution.by_first_treasure]


def test_points_and_draws_say_what_the_value_is():
    points = cardgods("solve", "encan", "--cards", "1-3", "--payoff", "points").out
    assert "expected score of player 0 less that of player 1 = " in points
    draws = cardgods("solve", "encan", "--cards", "1-3", "--tie-break", "draw", "--no-obole").out
    assert "P(player 0 wins, draws counting half) = 0.500000000000" in draws


def test_a_game_that_can_not_be_solved_is_refused_with_the_reason():
    line = refused(2, "solve", "encan", "--cards", "1-4", "--tie", "split", "--target", "1")
    assert "gold in hand" in line


def test_long_work_speaks_now_and_then_in_a_file(monkeypatch):
    monkeypatch.setattr("cardgods_cli.progress.LINE_SECONDS", 0.01)
    written = threading.Event()
    speak = GuardedStream.write

    def heard(stream, text):
        if "25% after" in text:
            written.set()
        return speak(stream, text)

    def slow(work, *, progress, **words):
        progress(1, 4)
        assert written.wait(10)
        return solve(work, progress=progress, **words)

    monkeypatch.setattr(GuardedStream, "write", heard)
    monkeypatch.setattr("cardgods.solve.encan.solve", slow)
    result = cardgods("solve", "encan", "--cards", "2-4", "--json")
    assert result.code == 0
    lines = result.err.splitlines()
    for line in lines:
        assert re.fullmatch(
            r"solving encan\(standard, cards=.*\): \d+% after \d+ s(, about \d+ s to go)?", line
        )
    assert len(lines) < 100
    json.loads(result.out)


def _cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_ends_a_long_solve_at_once():
    words = [*COMMAND, "solve", "encan", "--cards", "2-10"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while _cpu_seconds(process.pid) < 0.5:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=5)
    assert process.returncode == 130
    assert error.splitlines()[-1] == "cardgods: interrupted"
    assert out == ""


def test_long_work_is_announced_with_its_memory(monkeypatch):
    monkeypatch.setattr("cardgods_cli.solve.encan.TOLD_GAMES", 1)
    error = cardgods("solve", "encan", "--cards", "2-5", "--target", "8").err
    game = library.load_game("encan", cards=(2, 3, 4, 5), target=8)
    assert (
        error
        == f"solving {game}: {plan(game).matrix_games:,} matrix games to solve, 0.0 GB of memory at most\n"
    )


def test_the_exact_agent_gets_its_value_against_random_and_greedy():
    """In 600 games each, no less than the game's value, less four standard errors."""
    game = library.load_game("encan", variant="express")
    exact = make_agent("exact", game)
    for other in ("random", "greedy"):
        for seat, value in ((0, EXPRESS), (1, 1 - EXPRESS)):
            agents = [make_agent(other, game)] * 2
            agents[seat] = exact
            games = [play(game.new_initial_state(True), agents, library.Random(seed)) for seed in range(600)]
            wins = sum(state.returns()[seat] > 0 for state in games)
            assert wins / 600 > value - 0.08


def test_the_exact_agent_plays_the_obole_and_knows_no_sealed_bid():
    game = library.load_game("encan", cards=(2, 3, 4, 5, 6), target=14)
    exact = make_agent("exact", game)
    calls = set()
    for seed in range(30):
        rng = library.Random(seed)
        state = game.new_initial_state(turn_based=True)
        while not state.is_terminal():
            player = state.current_player()
            if player < 0:
                state.apply_action(state.sample_chance(rng))
                continue
            worlds = [state, *(state.resample(player, rng) for _ in range(2))]
            choices = {exact.choose(world, player, library.Random(seed, 5)) for world in worlds}
            assert len(choices) == 1
            calls |= choices & {5, 6}
            state.apply_action(choices.pop())
    assert calls == {5, 6}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ([], "encan(standard) takes two minutes to half an hour of processor time"),
        (["--cards", "2-9"], "14,404,641 matrix games to solve, 5,000,000 are allowed"),
    ],
)
def test_the_exact_agent_refuses_what_takes_too_long(words, part):
    line = refused(2, "play", "encan", "--seat", "exact", "--seat", "greedy", *words)
    assert part in line
    assert "exact:games=" in line


def test_the_exact_agent_takes_a_budget():
    words = ("play", "encan", "--cards", "2-4", "--seat", "greedy", "--seed", "1", "--seat")
    assert "1 are allowed" in refused(2, *words, "exact:games=1")
    assert cardgods(*words, "exact:games=1000").code == 0


FOUR = ("solve", "encan", "--cards", "2-5", "--target", "8")


def test_a_stored_solution_is_played_from(tmp_path, monkeypatch):
    path = tmp_path / "four.cgs"
    shown = cardgods(*FOUR, "--out", path)
    assert (shown.code, shown.err) == (0, "")
    assert path.exists()
    monkeypatch.setattr("cardgods.agents.encan.exact.solve", None)
    rules = ("--cards", "2-5", "--target", "8")
    words = ("play", "encan", *rules, "--seat", f"exact:file={path}", "--seat", "greedy", "--seed", 5)
    assert cardgods(*words).code == 0
    line = refused(2, "play", "encan", "--seat", f"exact:file={path}", "--seat", "greedy")
    assert (
        "holds the solution of encan(standard, cards=[2, 3, 4, 5], target=8), not of encan(standard)" in line
    )


def test_a_solution_is_stored_where_it_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDGODS_SOLUTIONS", str(tmp_path / "deep" / "er"))
    assert cardgods(*FOUR, "--store").code == 0
    (path,) = (tmp_path / "deep" / "er").iterdir()
    assert path.name.startswith("encan-")
    monkeypatch.setattr("cardgods.agents.encan.exact.solve", None)
    words = ("play", "encan", "--cards", "2-5", "--target", "8", "--seat", "exact", "--seat", "random")
    assert cardgods(*words, "--seed", 5).code == 0
    path.write_bytes(path.read_bytes()[:-5])
    assert "is damaged" in refused(2, *words)


def test_without_a_stored_solution_the_exact_agent_says_what_it_costs(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDGODS_SOLUTIONS", str(tmp_path))
    line = refused(2, "play", "encan", "--seat", "exact", "--seat", "greedy")
    assert "cardgods solve encan --store does it once" in line
    assert "GB of memory" in line


@pytest.mark.parametrize("folder", ["none", "file", "."])
def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path, folder, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("cardgods.solve.encan.plan", None)
    target = tmp_path if folder == "." else tmp_path / folder / "x.cgs"
    assert "cannot write" in refused(2, *FOUR, "--out", target)


def test_levels_are_kept_and_taken_up(tmp_path):
    first = cardgods(*FOUR, "--resume", tmp_path, "--json")
    levels = sorted(path.name for path in tmp_path.iterdir())
    assert levels[-1] == "level-04.cgv"
    again = cardgods(*FOUR, "--resume", tmp_path, "--json", "--executor", "processes")
    timed = ("seconds", "cpu_seconds")
    one, two = ({k: v for k, v in json.loads(r.out).items() if k not in timed} for r in (first, again))
    assert one == two
    line = refused(2, "solve", "encan", "--cards", "2-5", "--target", "9", "--resume", tmp_path)
    assert "belongs to another game" in line


@pytest.mark.parametrize("name", ["cloud", "dask:nonsense", ""])
def test_executors_that_are_none_are_refused(name):
    refused(2, *FOUR, "--executor", name)


def test_hints_are_optimal_where_the_game_is_small():
    out = cardgods("play", "encan", "--variant", "express", "--seed", 3, stdin="hint\n").out
    lines = [line.strip() for line in out.splitlines() if line.startswith("  ")]
    assert len(lines) == 7
    assert all(re.fullmatch(r"\w+: 4[45]\.\d % \(bid in \d+\.\d % of cases\)", line) for line in lines)
    assert sum(float(line.split("bid in ")[1].split(" %")[0]) for line in lines) == pytest.approx(
        100, abs=0.4
    )


def test_a_hint_in_the_window_compares_both_answers():
    rules = ("--cards", "2-5", "--target", "none", "--seat", "greedy", "--seat", "human", "--seed", 1)
    out = cardgods("play", "encan", *rules, stdin="2\nhint\n").out
    lines = [line.strip() for line in out.splitlines() if "with optimal play from there" in line]
    assert sorted(line.split(":")[0] for line in lines) == ["obole", "pass"]


def test_optimal_hints_do_not_depend_on_a_sealed_bid(rng):
    state = library.load_game("encan", "express").new_initial_state(True)
    state.apply_action(4)
    told = set()
    for bid in state.legal_actions():
        world = state.child(bid)
        told.add(repr(hints(world, 1)))
    assert len(told) == 1
