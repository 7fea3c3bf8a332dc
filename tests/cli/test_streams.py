"""Streams: closed descriptors, the end of input, Ctrl-C, people at one terminal.

What every command does with encodings, pipes and full disks is in test_every_command.py.
"""

import fcntl
import io
import os
import pty
import signal
import subprocess
import termios
import time

import pytest
from running import AGENTS, COMMAND, cardgods, program, recorded, refused, shell

from cardgods_cli.streams import GuardedStream, clean, fold

PLAY = ("play", "encan", "--variant", "express", *AGENTS)


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_names_beyond_the_encoding_are_replaced(encoding):
    result = cardgods("play", "encan", "--seat", "human:Zoé ♠ 😀", stdin="2\n", encoding=encoding)
    assert result.code == 4
    zoe = "Zoe" if encoding == "ascii" else "Zoé"
    assert f"{zoe} s ?" in result.out


def test_the_program_carries_its_output_in_ascii():
    done = program("play", "encan", "--seat", "human:Zoé", env={"PYTHONIOENCODING": "ascii:strict"})
    assert done.returncode == 4
    assert "Zoe, your bid" in done.stdout


def test_head_ends_the_program(tmp_path):
    recorded(tmp_path / "log", "--variant", "standard", "--target", "none")
    done = shell(f"$CARDGODS replay --json {tmp_path}/log | head -1; exit ${{PIPESTATUS[0]}}")
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
    assert done.returncode in (0, 141)


@pytest.mark.parametrize("redirect", [">&-", "> /dev/full"])
def test_output_that_goes_nowhere_is_an_error(redirect):
    done = shell(f"$CARDGODS games {redirect}")
    assert done.returncode == 1
    assert done.stderr.startswith("cardgods: error: ")
    assert done.stderr.count("\n") == 1


def test_closed_input_and_closed_errors_do_no_harm():
    done = shell("$CARDGODS play encan <&- 2>&-")
    assert done.returncode == 4
    assert done.stderr == ""


def test_a_log_never_takes_the_place_of_a_closed_stream(tmp_path):
    log = tmp_path / "log"
    done = shell(f"$CARDGODS {' '.join(PLAY)} --log {log} <&- 2>&- && $CARDGODS replay --verify {log}")
    assert done.returncode == 0
    assert "complete" in done.stdout.splitlines()[-1]


def test_the_end_of_input_at_a_prompt_ends_the_program():
    done = program("play", "encan")
    assert done.returncode == 4
    assert done.stderr == "cardgods: error: standard input ended before the game was over\n"


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, *words):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, words)],
            stdin=slave,
            stdout=slave,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            text=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
        )
        os.close(slave)

    def until(self, text):
        """What the terminal shows up to a text."""
        seen = b""
        end = time.monotonic() + 10
        while text.encode() not in seen:
            assert time.monotonic() < end, seen
            seen += os.read(self.master, 4096)
        return seen.decode()

    def type(self, text):
        os.write(self.master, text.encode())

    def interrupt(self):
        """Ctrl-C, once the program waits: one that comes just before a read would be seen only after it."""
        time.sleep(0.2)
        self.process.send_signal(signal.SIGINT)

    def end(self):
        """Exit code and standard error."""
        error = self.process.communicate(timeout=10)[1]
        os.close(self.master)
        return self.process.returncode, error


def test_ctrl_c_at_a_prompt_says_where_the_game_is(tmp_path):
    log = tmp_path / "my game.cglog"
    terminal = Terminal("play", "encan", "--log", log)
    terminal.until("? for help)")
    terminal.type("2\n")
    terminal.until("call your Obole")
    time.sleep(0.2)
    terminal.type("\x03")
    error = f"cardgods: interrupted; the game so far is in {log}; to go on: cardgods play --resume '{log}'\n"
    assert terminal.end() == (130, error)
    assert cardgods("replay", log).code == 4


def test_ctrl_d_at_a_prompt_is_the_end_of_input():
    terminal = Terminal("play", "encan")
    terminal.until("? for help)")
    terminal.type("\x04")
    assert terminal.end()[0] == 4


def test_a_terminal_that_is_closed_ends_the_program():
    terminal = Terminal("play", "encan")
    terminal.until("? for help)")
    os.close(terminal.master)
    # The end of input, or the signal that a terminal sends to its programs.
    assert terminal.process.wait(5) in (4, -signal.SIGHUP)
    terminal.process.communicate()


def test_the_screen_is_wiped_between_two_people():
    terminal = Terminal("play", "encan", "--seat", "human:Ana", "--seat", "human:Bob")
    wiped = "\x1b[2J\x1b[3J\x1b[H"
    assert wiped in terminal.until("Pass the keyboard to Ana, who presses Enter: ")
    terminal.type("\n")
    seen = terminal.until("? for help)")
    assert "The deal is committed to: SHA-256" in seen.rpartition(wiped)[2]
    terminal.type("7\n")
    # After Ana's line nothing but the wiped screen and the request to pass the keyboard.
    seen = terminal.until("Pass the keyboard to Bob, who presses Enter: ").partition("7\r\n")[2]
    assert seen.replace(wiped, "") == "Pass the keyboard to Bob, who presses Enter: "
    assert seen.startswith(wiped)
    terminal.type("\n")
    shown = terminal.until("Bob, your bid")
    assert shown.startswith("\r\n" + wiped)
    # The screen was wiped of what everybody has to have seen; he sees it now.
    assert "The deal is committed to: SHA-256" in shown
    terminal.interrupt()
    assert terminal.end()[0] == 130


def test_nothing_writes_round_the_guard():
    """click would, for ASCII, if the stream seemed to take bytes."""
    stream = GuardedStream(io.StringIO(), "standard output")
    assert not hasattr(stream, "buffer")
    with pytest.raises(TypeError):
        stream.write(b"")


def test_fold_and_clean():
    assert fold("♣♦♥♠ é … ─│┌┼ 😀") == "cdhs e ... -|++ ?"
    assert clean("Ana [red]é 😀 👩‍🚀") == "Ana [red]é 😀 👩‍🚀"
    assert clean("a\x1b[31m\n\r\t\x00\u202e\u2028b\udc80") == r"a\x1b[31m\n\r\t\x00\u202e\u2028b\udc80"


def test_a_line_without_an_end_is_not_read_for_ever():
    """/dev/zero at a prompt would fill the memory."""
    done = shell("$CARDGODS play encan < /dev/zero")
    assert done.returncode == 6
    assert done.stderr.startswith("cardgods: error: line 1 of the input has more than 65536 characters")


def test_a_complaint_does_not_quote_a_book():
    line = refused(2, "perft", "encan", "--depth", "x" * 100_000)
    assert len(line) < 1300
    assert line.startswith("cardgods: error: Invalid value for '--depth': 'xxx")
    assert line.endswith("(see 'cardgods perft encan --help')")


def test_a_log_may_come_through_a_pipe(tmp_path):
    recorded(tmp_path / "log")
    for words in ("log verify", "log info", "log view", "replay"):
        straight = shell(f"$CARDGODS {words} /dev/stdin < {tmp_path}/log")
        piped = shell(f"cat {tmp_path}/log | $CARDGODS {words} /dev/stdin")
        assert (piped.returncode, piped.stdout) == (0, straight.stdout)
        assert piped.stdout
