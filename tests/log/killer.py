"""Kills the command line at random moments and lets it go on, until the game is over; run by hand as

    python tests/log/killer.py 200

The log must then be, byte for byte, the one that an undisturbed game gives. On the way it may only grow, and
only by what belongs to it. Some kills leave a part of the next record behind, as a dying machine might.
"""

import itertools
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import cardgods
from cardgods.log import parse_log, verify
from cardgods_cli.__main__ import run

SCRIPT = "A\nK\nQ\nJ\n10\n9\n8\n"


def seatings(folder):
    """Command lines of games between agents, for each registered game and each way of dealing."""
    script = Path(folder, "script.txt")
    script.write_text(SCRIPT)
    yield [
        "encan",
        "--variant",
        "express",
        "--target",
        "none",
        "--seat",
        f"scripted:file={script}",
        "--seed",
        "3",
    ]
    for name in cardgods.registered_names():
        seats = ["--seat", "random:seed=5"] + ["--seat", "random"] * (
            cardgods.load_game(name).num_players() - 1
        )
        yield [name, *seats, "--seed", "1"]
        yield [name, *seats]


def in_child(words):
    """A process that runs a command line; forked, so that it starts at once."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        os._exit(run(words))
    return pid


def wait(pid):
    """Exit code, negative if it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def undisturbed(words, path):
    """The bytes of the log of the whole game, and the seconds it took."""
    start = time.perf_counter()
    code = wait(in_child(["play", *words, "--log", str(path)]))
    assert code == 0, (code, words)
    return path.read_bytes(), time.perf_counter() - start


def opening(data):
    """Bytes up to the first event of the game."""
    log = parse_log(data)
    return log.offset(1 if log.header.deal is None else 2)


def broken_off(words, reference, seconds, path, rng):
    """Play the game with kills; how many there were."""
    kills = 0
    edges = parse_log(reference).offsets
    if b"commit" in reference:
        # The secret is another one each time, so the game begins with the log's own.
        path.write_bytes(reference[: opening(reference)])
    kept = 0
    while True:
        resume = path.exists() and path.stat().st_size >= opening(reference)
        command = ["play", "--resume", str(path)] if resume else ["play", *words, "--log", str(path)]
        if path.exists() and not resume:
            path.unlink()
        pid = in_child(command)
        time.sleep(rng.random() * seconds)
        os.kill(pid, signal.SIGKILL)
        code = wait(pid)
        held = path.read_bytes() if path.exists() else b""
        assert reference.startswith(held), (words, len(held))
        assert len(held) >= kept, (words, len(held), kept)
        held = held[: max((edge for edge in edges if edge <= len(held)), default=0)]
        if held == reference:
            return kills
        assert code == -signal.SIGKILL, (code, words)
        kills += 1
        kept = len(held)
        if kept >= opening(reference) and rng.below(4) == 0:
            torn = reference[kept : kept + rng.below(23)]
            path.write_bytes(held + torn)


def main(wanted):
    rng = cardgods.Random("kill -9")
    games = 0
    with tempfile.TemporaryDirectory() as folder:
        lines = list(seatings(folder))
        kills = {words[0]: 0 for words in lines}
        turns = {name: itertools.cycle([words for words in lines if words[0] == name]) for name in kills}
        while min(kills.values()) < wanted / len(kills):
            words = next(turns[min(kills, key=kills.get)])
            whole, path = Path(folder, f"{games}.whole"), Path(folder, f"{games}.cglog")
            reference, seconds = undisturbed(words, whole)
            kills[words[0]] += broken_off(words, reference, seconds, path, rng)
            assert path.read_bytes() == reference
            assert verify(path).complete
            games += 1
    count = ", ".join(f"{name} {number}" for name, number in kills.items())
    print(
        f"{sum(kills.values())} kills in {games} games ({count}): every log is that of the undisturbed game"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
