"""The games of a match on several processors, their outcomes in order.

Agents with a spec play in processes of their own, one for each thread that was asked for: much of what they
do is Python, which runs one thread at a time, and a process can be ended at any moment. Agents that a factory
makes are known to this process alone and play on threads of it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator
from typing import IO, Any, Protocol

from cardgods.arena.plan import Plan
from cardgods.arena.record import Outcome
from cardgods.arena.referee import Referee
from cardgods.errors import AgentError, ParameterError, shown

BLOCK_SECONDS = 0.1
"""Time that a block of games should take: longer ones delay news, shorter ones cost time."""
MOST_IN_BLOCK = 4096
AHEAD = 4
"""Blocks for each worker that may be finished or begun before the next one that is due."""


def outcomes(referee: Referee, first: int, threads: int) -> Generator[Outcome, None, None]:
    """Play the games of a match from number `first` on; the outcomes in their order.

    What comes out does not depend on the number of threads. It ends behind the last game, or behind one in
    which an agent failed. Close it to stop the work.

    Args:
        referee: of the match; it plays itself if there is one thread.
        first: the first game to play.
        threads: how many play at once.
    """
    if threads == 1:
        for number in range(first, referee.plan.games):
            outcome = referee.play(number)
            yield outcome
            if outcome.failure is not None:
                return
        return
    pool = _Pool(referee.plan, first, threads, referee.scribe is not None)
    try:
        yield from pool
    finally:
        pool.close()


def check_threads(threads: int) -> None:
    """Refuse what is no number of threads.

    Raises:
        ParameterError: if it is not 1 or more.
    """
    if type(threads) is not int or threads < 1:
        raise ParameterError(f"{shown(threads)} threads: at least one is needed")


class _Worker(Protocol):
    """Plays blocks of games."""

    def play(self, first: int, last: int) -> list[Outcome]:
        """The games first..last-1, or up to one in which an agent failed."""

    def close(self) -> None:
        """Stop, in the midst of a game if need be; called from another thread."""


class _Inside:
    """A worker on a thread of this process."""

    def __init__(self, plan: Plan, logged: bool) -> None:
        self._referee = Referee(plan, logged=logged)
        self._closed = False

    def play(self, first: int, last: int) -> list[Outcome]:
        """Play a block."""
        played: list[Outcome] = []
        for number in range(first, last):
            if self._closed or (played and played[-1].failure is not None):
                break
            played.append(self._referee.play(number))
        return played

    def close(self) -> None:
        """Stop after the game that is being played."""
        self._closed = True


class _Outside:
    """A worker in a process of its own."""

    def __init__(self, plan: Plan, logged: bool) -> None:
        command = [sys.executable, "-m", "cardgods.arena.worker"]
        # The same modules as here, whatever the way they were found; Ctrl-C is the parent's business.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, env=environment
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to: IO[bytes] = self._process.stdin
        self._from: IO[bytes] = self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            send(self._to, (plan, logged))

    def play(self, first: int, last: int) -> list[Outcome]:
        """Play a block.

        Raises:
            AgentError: if the process has died.
        """
        try:
            send(self._to, (first, last))
            answer = receive(self._from)
        except (OSError, EOFError):
            code = self._process.wait()
            raise AgentError(
                f"a process that played games {first} to {last - 1} has died (exit code {code})"
            ) from None
        if isinstance(answer, BaseException):
            raise answer
        played: list[Outcome] = answer
        return played

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._to, self._from):
            with contextlib.suppress(OSError, ValueError):
                pipe.close()


def send(pipe: IO[bytes], thing: Any) -> None:  # noqa: ANN401
    """Write a thing to a process of this program."""
    pickle.dump(thing, pipe)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:  # noqa: ANN401
    """Read what :func:`send` has written; only ever from a process that was started here."""
    return pickle.load(pipe)


class _Pool:
    """Workers that take blocks of games in order, one thread of this process waiting for each."""

    def __init__(self, plan: Plan, first: int, threads: int, logged: bool) -> None:
        self._plan = plan
        self._due = self._next = first
        self._size = 1
        self._lock = threading.Lock()
        self._room = threading.Semaphore(AHEAD * threads)
        self._results: queue.SimpleQueue[tuple[int, list[Outcome] | BaseException]] = queue.SimpleQueue()
        self._closed = False
        inside = any(entrant.factory is not None for entrant in plan.entrants)
        threads = min(threads, plan.games - first)
        self._workers: list[_Worker] = []
        try:
            for _ in range(threads):
                self._workers.append((_Inside if inside else _Outside)(plan, logged))
        except BaseException:
            self.close()
            raise
        for worker in self._workers:
            threading.Thread(target=self._drive, args=(worker,), daemon=True).start()

    def __iter__(self) -> Iterator[Outcome]:
        """The outcomes in their order."""
        waiting: dict[int, list[Outcome] | BaseException] = {}
        while self._due < self._plan.games:
            if self._due not in waiting:
                first, played = self._results.get()
                waiting[first] = played
                continue
            played = waiting.pop(self._due)
            if isinstance(played, BaseException):
                raise played
            self._room.release()
            self._due += len(played)
            yield from played
            if played[-1].failure is not None:
                return

    def _drive(self, worker: _Worker) -> None:
        """Give a worker one block after the other."""
        while not self._closed:
            self._room.acquire()
            first, last = self._block()
            if first == last:
                return
            begun = time.monotonic()
            try:
                played: list[Outcome] | BaseException = worker.play(first, last)
            except BaseException as error:
                played = error
            self._results.put((first, played))
            if isinstance(played, BaseException):
                return
            self._adapt(last - first, time.monotonic() - begun)

    def _block(self) -> tuple[int, int]:
        with self._lock:
            first = self._next
            self._next = min(first + self._size, self._plan.games)
            return first, self._next

    def _adapt(self, games: int, seconds: float) -> None:
        """Let blocks grow or shrink towards the time they should take."""
        wanted = games * BLOCK_SECONDS / max(seconds, 1e-6)
        with self._lock:
            self._size = max(1, min(MOST_IN_BLOCK, round(wanted), 2 * self._size))

    def close(self) -> None:
        """Stop all work."""
        self._closed = True
        for worker in self._workers:
            worker.close()
        for _ in self._workers:
            self._room.release()
