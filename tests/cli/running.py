"""Runs the command line in this process, with streams of any encoding, or as a program of its own."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from cardgods_cli.__main__ import run

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "cardgods_cli"]
AGENTS = ("--seat", "greedy", "--seat", "random", "--seed", "7")


@dataclass
class Result:
    code: int
    out: str
    err: str


class _KeptBytes(io.BytesIO):
    """Bytes that outlive the stream around them."""

    def close(self):
        pass


def cardgods(*words, stdin="", encoding="utf-8"):
    """Run a command line in this process."""
    out, err = _KeptBytes(), _KeptBytes()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogateescape")), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding=encoding)
    sys.stderr = io.TextIOWrapper(err, encoding=encoding)
    try:
        code = run([str(word) for word in words])
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    return Result(code, out.getvalue().decode(encoding), err.getvalue().decode(encoding))


def refused(code, *words, stdin=""):
    """Run a command line that is refused with an exit code; the one line of the complaint."""
    result = cardgods(*words, stdin=stdin)
    assert result.code == code, result
    lines = result.err.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("cardgods: error: ")
    return lines[0]


def program(*words, env=None, **arguments):
    """Run a command line in a process of its own, without input unless given, for 20 s at most."""
    arguments.setdefault("stdin", subprocess.DEVNULL)
    environment = {**os.environ, **(env or {})}
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        timeout=20,
        check=False,
        text=True,
        capture_output=True,
        env=environment,
        **arguments,
    )


def shell(text):
    """Run a line of bash in which $CARDGODS stands for the program."""
    environment = {**os.environ, "CARDGODS": " ".join(COMMAND)}
    return subprocess.run(
        ["bash", "-c", text], capture_output=True, text=True, check=False, timeout=20, env=environment
    )


def recorded(path, *words):
    """A finished game of express between two agents, recorded at `path`."""
    result = cardgods("play", "encan", "--variant", "express", *AGENTS, "--log", path, *words)
    assert result.code == 0, result
    return path
