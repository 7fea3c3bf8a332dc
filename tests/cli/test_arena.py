"""cardgods arena: what it prints, in which language, and how it ends."""

import json
import re
import signal
import subprocess
import time

import pytest
from running import COMMAND, cardgods, refused

from cardgods import load_game
from cardgods.arena import run_match
from cardgods_cli import words

EXPRESS = ("arena", "encan", "--variant", "express")
TWO = ("--seat", "greedy", "--seat", "random")


@pytest.mark.parametrize("threads", [1, 2])
def test_json_is_the_library_s_result(threads):
    out = cardgods(*EXPRESS, *TWO, "--games", 21, "--seed", 5, "--threads", threads, "--json").out
    game = load_game("encan", "express")
    assert (
        json.loads(out, parse_constant=pytest.fail)
        == run_match(game, ["greedy", "random"], 21, seed=5).to_dict()
    )


def test_a_duel_on_the_screen():
    result = cardgods(*EXPRESS, *TWO, "--games", 40, "--seed", 5)
    assert result.code == 0
    found = run_match(load_game("encan", "express"), ["greedy", "random"], 40, seed=5)
    lines = result.out.splitlines()
    assert lines[0] == "encan(express), seed 5: 40 games, 20 whole deals."
    assert re.match(rf"greedy +{found.standings[0].wins} +{found.standings[0].shared} ", lines[2])
    assert f"{100 * found.standings[0].score:.2f}" in lines[2]
    counts = ", ".join(
        f"{s}: {n}" for s, n in zip(["0", "1/2", "1", "3/2", "2"], found.duels[0].pairs, strict=True)
    )
    assert f"deals by score {counts}." in result.out
    assert "points" not in result.out
    assert "How the games ended: finished 40." in result.out
    assert result.err == ""


def test_points_are_told_where_there_are_points():
    out = cardgods(
        "arena", "commerce", "--variant", "mini", *TWO, "--seat", "random", "--games", 3, "--seed", 1
    ).out
    assert "points" in out
    assert "1 whole deal." in out


def test_french():
    with words.speaking("fr"):
        out = cardgods(*EXPRESS, *TWO, "--games", 4, "--seed", 5).out.replace("\\xa0", "\u00a0")
    assert "encan(express), graine 5\u00a0: 4 parties, 2 donnes entières." in out
    assert "greedy contre random\u00a0: victoires, nulles, défaites" in out
    assert "Fins de partie\u00a0: finished 4." in out


def test_a_drawn_seed_is_told():
    out = cardgods(*EXPRESS, "--seat", "random", "--seat", "random", "--games", 10).out
    seed = re.match(r"encan\(express\), seed (\d+):", out)[1]
    assert (
        cardgods(*EXPRESS, "--seat", "random", "--seat", "random", "--games", 10, "--seed", seed).out == out
    )


@pytest.mark.parametrize(
    ("code", "line", "words"),
    [
        (2, ("encan",), "Missing option '--seat'"),
        (2, ("encan", "--seat", "greedy"), "encan(standard) has 2 players, 1 agents are given"),
        (2, ("commerce", *TWO), "commerce(standard) has 3 players, 2 agents are given"),
        (2, ("encan", *TWO, "--games", "0"), "--games"),
        (2, ("encan", "--seat", "human", "--seat", "greedy"), "unknown agent 'human'"),
        (2, ("encan", "--seat", "a\x1b[2J", "--seat", "greedy"), "unknown agent"),
        (2, ("encan", *TWO, "--seed", "\ud800"), "Unicode"),
        (2, ("chess", *TWO), "unknown game"),
        (2, ("eleusis", "--rules", "ai", *["--seat", "greedy"] * 5), "rules"),
    ],
)
def test_what_is_refused(code, line, words):
    complaint = refused(code, "arena", *line)
    assert words in complaint
    assert complaint.isprintable()


def test_control_characters_of_a_seed_are_shown_harmless():
    result = cardgods(*EXPRESS, *TWO, "--games", 1, "--seed", "\x1b[2J\u202e")
    assert result.code == 0
    assert "seed \\x1b[2J\\u202e: 1 game, 0 whole deals." in result.out


def started(*arguments):
    line = [*COMMAND, *map(str, arguments)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def interrupted(process, ready, within=15.0):
    """Press Ctrl-C once `ready` says so; (standard error, seconds until the program had ended)."""
    deadline = time.monotonic() + within
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    err = process.communicate(timeout=10)[1]
    return err, time.monotonic() - begun


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_match(threads):
    process = started("arena", "trones", *TWO, "--games", 10**7, "--seed", 4, "--threads", threads)
    begun = time.monotonic()
    err, seconds = interrupted(process, lambda: time.monotonic() > begun + 1.0)
    assert process.returncode == 130
    assert re.search(r"interrupted; \d+ of 10000000 games were played and not recorded \(seed 4\)", err)
    assert len(err.splitlines()) == 1
    assert seconds < 5  # a second where nothing else runs
