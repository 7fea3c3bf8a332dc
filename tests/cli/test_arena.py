"""cardgods arena: what it prints, in which language, and how it ends."""

import csv
import io
import json
import re
import shlex
import signal
import subprocess
import time

import pytest
from running import COMMAND, cardgods, refused

from cardgods import load_game
from cardgods.arena import resume_match, run_match
from cardgods.log import archive_entries, verify_bytes
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


def test_a_round_robin_shows_a_cross_table():
    line = (*EXPRESS, *TWO, "--seat", "random", "--round-robin", "--games", 24, "--seed", 5)
    out = cardgods(*line).out
    assert "24 games, 4 whole deals" in out
    duels = json.loads(cardgods(*line, "--json").out)["duels"]
    assert [(duel["first"], duel["second"]) for duel in duels] == [(0, 1), (0, 2), (1, 2)]
    rows = out.splitlines()
    at = rows.index("Score % against each other:")
    score = {(d["first"], d["second"]): f"{100 * d['score']:.2f}" for d in duels}
    back = {(d["second"], d["first"]): f"{100 - 100 * d['score']:.2f}" for d in duels}
    cells = [row.split()[-2:] for row in rows[at + 2 : at + 5]]
    assert cells == [[({**score, **back})[a, b] for b in range(3) if b != a] for a in range(3)]


@pytest.mark.parametrize(
    ("agents", "found"), [(TWO, "50"), (TWO[2:] + TWO[:2], "0"), (TWO[:2] * 2, "undecided")]
)
def test_a_sequential_test_ends_the_match(agents, found):
    games = 40 if found == "undecided" else 300
    out = cardgods(*EXPRESS, *agents, "--games", games, "--seed", 5, "--sprt", "0,50").out
    assert f"Test of 0 against 50 Elo: {found} (log ratio " in out
    assert (f"{games} games" in out) == (found == "undecided")


def test_french():
    with words.speaking("fr"):
        out = cardgods(*EXPRESS, *TWO, "--games", 4, "--seed", 5).out
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
        (2, ("eleusis", "--rules", "ask", *["--seat", "greedy"] * 5), "rules"),
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


def interrupted(process, ready, blow=signal.SIGINT, within=15.0):
    """Press Ctrl-C once `ready` says so, or worse; (standard error, seconds until the program had ended)."""
    deadline = time.monotonic() + within
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(blow)
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
    assert seconds < 5  # a tenth of a second where nothing else runs


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_match_goes_on_to_the_same_log_and_table(threads, blow, tmp_path):
    path, undisturbed = tmp_path / "it's a match", tmp_path / "other"
    words = (*EXPRESS, *TWO, "--games", 1500, "--seed", "x y", "--threads", threads, "--log")
    process = started(*words, path)
    err, _ = interrupted(process, lambda: path.exists() and path.stat().st_size > 20_000, blow)
    if blow == signal.SIGINT:
        assert process.returncode == 130
        assert re.search(r"interrupted; \d+ of 1500 games are in ", err)
        resume = shlex.split(err.strip().partition("to go on: cardgods ")[2])
    else:
        resume = ["arena", "--resume", path]
    assert path.stat().st_size < 1_000_000
    gone_on = cardgods(*resume)
    assert gone_on.code == 0
    assert "Going on behind game" in gone_on.err
    assert gone_on.out == cardgods(*words, undisturbed).out
    assert path.read_bytes() == undisturbed.read_bytes()
    over = cardgods("arena", "--resume", path)
    assert (over.out, over.err) == (gone_on.out, "")


def test_before_the_first_game_is_over_the_match_begins_again(tmp_path):
    path = tmp_path / "match"
    slow = ("arena", "trones", "--variant", "express", "--capacity", "3", "--seat", "ismcts:seconds=5")
    process = started(*slow, "--seat", "random", "--games", "2", "--log", path)
    err, seconds = interrupted(process, path.exists)
    assert process.returncode == 130
    assert seconds < 5
    again = shlex.split(err.strip().partition("no game was over yet; to begin again: cardgods ")[2])
    again = ["random" if word == "ismcts:seconds=5" else word for word in again]
    assert cardgods(*again).code == 0
    assert resume_match(path).game == load_game("trones", "express", capacity=3)
    assert str(resume_match(path).seed) in again


def test_an_agent_that_fails_ends_the_match_with_a_valid_log(tmp_path):
    path, script = tmp_path / "match", tmp_path / "script"
    script.write_text("A\nnonsense\n")
    words = (*EXPRESS, "--seat", f"scripted:file={script}", "--seat", "random", "--seed", 1, "--log", path)
    complaint = refused(7, *words)
    assert "game 0 (deal 0, seed 1/0), seat 0 (scripted:file=" in complaint
    assert f"; the games up to it are in {path}" in complaint
    (entry,) = archive_entries(path)
    found = verify_bytes(entry.data)
    assert not found.complete
    assert found.header.free["_stopped"] in complaint
    assert cardgods("log", "verify", path).code == 4
    assert "ended with a failure: game 0" in refused(7, "arena", "--resume", path)


def test_csv_has_a_line_for_every_seat_of_every_game(tmp_path):
    path = tmp_path / "match.csv"
    words = ("arena", "commerce", *TWO, "--seat", "random", "--games", 5, "--seed", 1)
    result = cardgods(*words, "--csv", path)
    assert result.out == cardgods(*words).out
    assert path.read_text() == cardgods(*words, "--csv", "-").out
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert [(row["game"], row["seat"]) for row in rows] == [
        (str(g), str(s)) for g in range(5) for s in range(3)
    ]
    found = run_match(load_game("commerce"), ["greedy", "random", "random"], 5, seed=1)
    for standing in found.standings:
        own = [row for row in rows if row["agent"] == standing.name]
        assert sum(float(row["points"]) for row in own) == pytest.approx(5 * standing.points)
        assert sum(float(row["score"]) for row in own) == pytest.approx(5 * standing.score)


def test_csv_of_a_resumed_match_has_the_games_before_too(tmp_path):
    path = tmp_path / "match"
    words = (*EXPRESS, *TWO, "--games", 6, "--seed", 1)
    assert cardgods(*words, "--log", path).code == 0
    path.write_bytes(path.read_bytes()[:3000])
    assert cardgods("arena", "--resume", path, "--csv", "-").out == cardgods(*words, "--csv", "-").out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ((), "Usage: cardgods arena"),
        (("--json", "encan", *TWO), "options stand behind the game"),
        (("--resume", "no such file", "encan", *TWO), "options stand behind the game"),
        (("--threads", "1"), "there has to be a GAME, or --resume FILE"),
        (("--resume", "no such file"), "no such file"),
        (("encan", *TWO, "--json", "--csv", "-"), "cannot both"),
        (("encan", *TWO, "--sprt", "5"), "--sprt takes two numbers"),
        (("encan", *TWO, "--sprt", "a,b"), "--sprt takes two numbers"),
        (("encan", *TWO, "--sprt", "5,0"), "the lower first"),
        (("encan", *TWO, "--sprt", "nan,inf"), "the lower first"),
        (("commerce", *TWO, "--round-robin"), "a round robin takes two agents or more"),
        (("encan", "--seat", "greedy", "--round-robin"), "a round robin takes two agents or more"),
        (("encan", *TWO, "--csv", "/no/such/folder/x"), "cannot write /no/such/folder/x"),
        (("encan", *TWO, "--log", "/dev/null"), "cannot write /dev/null"),
    ],
)
def test_wrong_command_lines(line, words):
    result = cardgods("arena", *line)
    assert result.code == 2
    assert words in result.err


def test_a_log_that_is_there_is_not_replaced_unasked(tmp_path):
    path = tmp_path / "match"
    assert cardgods(*EXPRESS, *TWO, "--games", 2, "--seed", 1, "--log", path).code == 0
    before = path.read_bytes()
    assert "exists" in refused(2, *EXPRESS, *TWO, "--games", 2, "--log", path)
    assert path.read_bytes() == before
    assert cardgods(*EXPRESS, *TWO, "--games", 2, "--seed", 2, "--log", path, "--overwrite").code == 0
    assert path.read_bytes() != before
