"""Every command against every kind of stream and terminal: a command without a row here fails.

One line runs each command quickly. What it answers to a pipe of UTF-8 is what the other streams have to
carry, or else it ends in one line and with the documented exit code.
"""

import io
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from running import COMMAND, cardgods, recorded, shell

import cardgods as library
from cardgods_cli.__main__ import run
from cardgods_cli.main import cli

CARDS = ("A♥", "K♥", "4♠")
ROWS = {
    ("analyze",): ("LOG",),
    ("completion",): ("bash",),
    ("config",): (),
    ("config", "init"): (),
    ("export",): ("LOG", "--text", "-"),
    ("games",): (),
    ("log", "info"): ("LOG",),
    ("log", "recover"): ("LOG",),
    ("log", "verify"): ("LOG",),
    ("log", "view"): ("LOG", "--as", "0"),
    ("odds", "commerce"): (*CARDS, "--sampled", "--samples", "100"),
    ("replay",): ("LOG",),
    ("rule", "check"): ("up",),
    ("rule", "compare"): ("red", "same(colour)"),
    ("rule", "list"): ("--level", "1"),
    ("rules",): ("encan",),
    ("solve", "commerce"): (
        "--variant",
        "mini",
        "--suits",
        "2",
        "--ranks",
        "5",
        "--trade-cap",
        "1",
        "--rounds",
        "1",
    ),
    ("solve", "eleusis"): ("ELEUSIS", "--at", "2"),
    ("solve", "encan"): ("--cards", "2-4"),
    ("solve", "tree", "encan"): ("--cards", "1-3", "--target", "none", "--no-obole"),
    ("solve", "tree", "trones"): ("--ranks", "7", "--capacity", "1", "--hand", "1", "--count"),
    ("solve", "trones"): ("--seed", "1"),
}
OF_GAMES = {
    ("play",): "{seats} --seed 3",
    ("perft",): "--depth 2",
    ("arena",): "{seats} --games 1 --seed 3",
    ("solve", "tree"): "--count --histories 500",
}
"""Groups with a command for each game, whatever games there are."""
"""Groups with a command for each game, whatever games there are. A tree that is too large is refused."""


def leaves(group=cli, before=()):
    """The paths of all commands that do something, and of groups that do something by themselves."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if not isinstance(command, click.Group):
            yield (*before, name)
            continue
        if command.invoke_without_command and not command.no_args_is_help:
            yield (*before, name)
        yield from leaves(command, (*before, name))


def rows():
    found = {}
    for group, line in OF_GAMES.items():
        for name in library.registered_names():
            seats = " ".join(["--seat random"] * library.load_game(name).num_players())
            found[(*group, name)] = tuple(line.format(seats=seats).split())
    return found | ROWS


LINES = [(*path, *words) for path, words in rows().items()]


def test_every_command_has_a_row():
    assert set(leaves()) == set(rows())


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    recorded(folder / "LOG")
    seats = ["--seat", "random"] * 5
    assert cardgods("play", "eleusis", *seats, "--seed", "3", "--log", folder / "ELEUSIS").code == 0
    return folder


@pytest.fixture(params=LINES, ids=lambda line: " ".join(line[:3]))
def line(request, logs, monkeypatch):
    if request.param[0] == "config":
        monkeypatch.setenv("CARDGODS_CONFIG", str(logs / "config.toml"))
        (logs / "config.toml").unlink(missing_ok=True)
    return [str(logs / word) if word in ("LOG", "ELEUSIS") else word for word in request.param]


BASELINES = {}


@pytest.fixture
def answer(line, logs):
    """What the command answers to a pipe of UTF-8; it either answers or is refused."""
    key = " ".join(line[:3])
    if key not in BASELINES:
        BASELINES[key] = cardgods(*line)
        (logs / "config.toml").unlink(missing_ok=True)
    result = BASELINES[key]
    assert result.code == (2 if result.err else 0), result
    assert bool(result.out) != bool(result.err)
    assert (result.out + result.err).endswith("\n")
    return result


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_any_encoding_carries_it(line, answer, encoding):
    told = cardgods(*line, encoding=encoding)
    assert (told.code, told.err) == (answer.code, answer.err)
    assert told.out.count("\n") == answer.out.count("\n")
    assert "\\x" not in told.out


FULL = "cardgods: error: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize(("full", "code", "complaint"), [(True, 1, FULL), (False, 141, "")])
def test_a_full_disk_and_a_closed_pipe_end_it(line, answer, full, code, complaint, monkeypatch):
    error = io.StringIO()
    with open("/dev/full", "w") if full else closed_pipe() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "stderr", error)
        assert run(line) == (code if answer.out else answer.code)
    assert error.getvalue() == (complaint if answer.out else answer.err)


def closed_pipe():
    read, write = os.pipe()
    os.close(read)
    return open(write, "w")


TERMINALS = [
    {"COLUMNS": "20", "TERM": "dumb", "FORCE_COLOR": "1"},
    {"COLUMNS": "400", "TERM": "xterm-256color", "FORCE_COLOR": "1", "NO_COLOR": "1"},
    {"TERM": "xterm-256color", "CLICOLOR_FORCE": "1", "COLORTERM": "truecolor"},
]


def test_a_pipe_gets_the_same_whatever_the_terminal_is_like(line, answer, logs, monkeypatch):
    for environment in TERMINALS:
        with monkeypatch.context() as patch:
            for name, value in environment.items():
                patch.setenv(name, value)
            told = cardgods(*line)
        (logs / "config.toml").unlink(missing_ok=True)
        assert steady(told.out + told.err) == steady(answer.out + answer.err), environment
        assert "…" not in told.out
        assert "\x1b" not in told.out


def steady(text):
    """What a command answers without what each run has anew, times, and the setting that NO_COLOR is."""
    text = re.sub(r"^color .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"[\d.,]+ ?(m?s|µs|(cpu-)?seconds?|million/s)\b|[\d.,]+ [a-z]+/s|[\d.]+ (MB|GB)", "", text)
    return re.sub(r" in +\S*$", "", text, flags=re.MULTILINE)


def test_output_to_nowhere_and_a_reader_that_goes_away(line, answer):
    """In processes of their own: descriptor 1 closed; no input, and a pipe of which one line is read."""
    words = " ".join(f"'{word}'" for word in line)
    done = shell(f"$CARDGODS {words} >&-; echo $? >&2; $CARDGODS {words} 2>&1 <&- | head -1")
    complaint, code = done.stderr.splitlines()
    assert code == "1"
    assert complaint == "cardgods: error: standard output is closed"
    first = (answer.out or answer.err).splitlines()[0]
    assert steady(done.stdout) == steady(f"{first}\n")


# Ctrl-C ----------------------------------------------------------------------------------------------------

LONG = [
    ("perft", "encan", "--depth", "40"),
    ("arena", "encan", "--seat", "greedy", "--seat", "random", "--games", "1000000", "--seed", "1"),
    ("solve", "encan", "--no-obole", "--threads", "2"),
    ("solve", "trones", "--deals", "100000000", "--seed", "1"),
    ("solve", "trones", "--hidden", "--ranks", "7-10", "--capacity", "1", "--hand", "2"),
    ("solve", "tree", "eleusis", "--count", "--histories", "1000000000"),
    ("solve", "commerce", "--variant", "mini", "--rounds", "100000"),
    ("odds", "commerce", *CARDS, "--players", "9", "--sampled", "--samples", "1000000000"),
]


def at_work(process, seconds=0.6):
    """Wait until a process has taken more processor time than it takes to start."""
    ticks = seconds * os.sysconf("SC_CLK_TCK")
    end = time.monotonic() + 30
    while True:
        assert process.poll() is None, (process.communicate(), "this was no long work")
        assert time.monotonic() < end
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        if int(fields[11]) + int(fields[12]) >= ticks:
            return
        time.sleep(0.02)


@pytest.mark.parametrize("line", LONG, ids=" ".join)
def test_ctrl_c_ends_long_work_at_once(line, tmp_path):
    with subprocess.Popen(
        [*COMMAND, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        at_work(process)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=15)
        taken = time.monotonic() - begun
    assert process.returncode == 130
    assert "cardgods: interrupted" in err.splitlines()[-1]
    assert "Traceback" not in out + err
    # A second alone on a machine; the suite shares it.
    assert taken < 6, taken


def test_ctrl_c_while_an_agent_thinks_leaves_a_log_to_go_on_with(tmp_path):
    path = tmp_path / "log"
    words = ("play", "encan", "--seat", "ismcts:seconds=1000", "--seat", "greedy", "--log", str(path))
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        at_work(process)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=15)[1]
        assert time.monotonic() - begun < 6
    assert process.returncode == 130
    assert err.endswith(f"to go on: cardgods play --resume {path}\n")
    assert cardgods("replay", path, "--verify").code == 4


# Names -----------------------------------------------------------------------------------------------------

NAMES = ["[/]", "[red]x", "\ufeffBOM", "\u202eRTL", "new\nline", "nul\0", "x" * 4096, "😀👩‍🚀", "\x1b[2J"]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:12])
def test_a_name_is_data_wherever_it_is_shown(name, tmp_path):
    """It comes back whole from the log, and does nothing to a terminal or to the tables."""
    path = tmp_path / "[WIP].cglog"
    moves = "8\n9\n10\nJ\nQ\nK\nA\n"
    game = ("play", "encan", "--variant", "express", "--target", "none", "--seed", "5")
    result = cardgods(*game, "--seat", f"human:{name}", "--log", path, stdin=moves)
    assert result.code == 0, result
    assert library.log.read_log(path).header.seats[0].name == name.strip()
    told = [result.out]
    for line in (
        ("replay", path),
        ("replay", path, "--verify"),
        ("log", "info", path),
        ("log", "verify", path),
        ("log", "view", path, "--as", "0"),
        ("analyze", path),
    ):
        for more in ((), ("--json",)):
            shown = cardgods(*line, *more)
            told.append(shown.out)
            assert shown.code == 0 or (more and "--json" in shown.err), (line, shown)
    for text in told:
        bare = text.replace("\n", "").replace("\N{ZERO WIDTH JOINER}", "")
        assert bare.replace("\xa0", "").isprintable()
    if name.isascii() and name.isprintable():
        assert name in told[0]
    assert "[WIP].cglog" in cardgods("log", "info", path).out
