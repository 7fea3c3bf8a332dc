"""Any variant of any game that fits, from its name to a measured profile: count, build, iterate, certify.

Example:
    >>> import cardgods
    >>> from cardgods.solve.general import solve
    >>> game = cardgods.load_game("encan", cards=(1, 2, 3), target=4, obole=False)
    >>> solution = solve(game, method="pcfr+", target=1e-6)
    >>> low, high = solution.bounds
    >>> low <= 2 * 17 / 72 - 1 <= high and high - low < 2e-6
    True
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgods._core.search.profile import Profile
from cardgods._core.search.tree import Tree
from cardgods.errors import ParameterError, SolveError
from cardgods.game import Game
from cardgods.solve import snapshot
from cardgods.solve.cfr import ALGORITHMS, CfrSolver, algorithm_named
from cardgods.solve.lp import solve_lp
from cardgods.solve.mccfr import SamplingSolver
from cardgods.solve.tree import (
    HISTORY_LIMIT,
    MEMORY_LIMIT,
    BestResponses,
    TreeSize,
    best_responses,
    build_tree,
    count_tree,
    histories_of_sets,
)

SAMPLING = "mccfr"
PROGRAM = "lp"
METHODS = (*ALGORITHMS, SAMPLING, PROGRAM)
"""Regret minimisation in four kinds, by samples, and linear programs."""

LIMIT = 1_000_000
"""Iterations after which to stop, unless told otherwise."""


@dataclass(frozen=True)
class TreeSolution:
    """A profile and its certificate.

    Attributes:
        game: what was solved.
        method: one of :data:`METHODS`.
        target: the largest gain of a player that was good enough.
        size: the whole tree.
        tree: its sequence form.
        iterations: how many led to the profile; 0 for a linear program.
        profile: the profile.
        best: exact values of the best responses to it, which do not depend on how it was found.
        seconds: wall time.
        cpu_seconds: processor time, of all threads.
    """

    game: Game
    method: str
    target: float
    size: TreeSize
    tree: Tree
    iterations: int
    profile: Profile
    best: BestResponses
    seconds: float
    cpu_seconds: float

    @property
    def reached(self) -> bool:
        """Whether nobody gains more than the target."""
        return max(self.best.gains) <= self.target

    @property
    def bounds(self) -> tuple[float, float] | None:
        """What the value of a two-player zero-sum game to player 0 lies between; None for other games."""
        if self.tree.players != 2 or self.tree.constant != 0.0:
            return None
        return -self.best.best[1], self.best.best[0]

    def rows(self) -> Iterator[dict[str, Any]]:
        """The profile: for each information set with a choice, player, a history and the probabilities."""
        for number, history in enumerate(histories_of_sets(self.tree)):
            actions = map(str, self.tree.actions(number))
            yield {
                "player": self.tree.player(number),
                "history": history,
                "actions": dict(zip(actions, self.profile.get(number), strict=True)),
            }


def forecast(size: TreeSize) -> int:
    """Bytes that building a tree and a regret solver on it take at most."""
    return size.memory() + size.solver_memory()


def solve(
    game: Game,
    method: str = "pcfr+",
    target: float = 1e-4,
    limit: int = LIMIT,
    *,
    histories: int = HISTORY_LIMIT,
    memory: int = MEMORY_LIMIT,
    seed: int | str | bytes = 0,
    threads: int = 1,
    checkpoint: str | Path | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> TreeSolution:
    """Count a game, build its tree if that fits, and look for a profile from which nobody gains much.

    In a two-player zero-sum game the profile found is an equilibrium up to the gains. With more players, or
    another sum, nothing promises that the gains shrink: they are a measurement.

    Args:
        game: any variant of any game.
        method: one of :data:`METHODS`.
        target: largest gain of a player that is good enough.
        limit: iterations after which to stop; the solution then says that the target was not reached.
        histories: histories after which to give up counting.
        memory: bytes that tree and solver may take.
        seed: of the samples, for the method that takes any.
        threads: how many to use, for the methods that can.
        checkpoint: file to go on from, if it is there, and to keep the state in before each measurement
            and when interrupted.
        progress: called after each measurement with the number of iterations and the largest gain.

    Raises:
        ParameterError: if there is no such method, or a number is out of range.
        SolveError: if the game does not fit, the message has the counts; if the method does not suit it; if
            the checkpoint belongs elsewhere.
        MissingExtraError: if the method needs a library that is not installed.
    """
    if method not in METHODS:
        raise ParameterError(f"unknown method '{method}': methods are {', '.join(METHODS)}")
    if not target >= 0.0 or limit < 1:
        raise ParameterError(f"target {target}, limit {limit}: 0 and 1 are the least")
    if method == PROGRAM and checkpoint is not None:
        raise ParameterError(f"the method {PROGRAM} has nothing to keep in a checkpoint")
    begin, cpu = time.monotonic(), _cpu_seconds()
    state = game.new_initial_state()
    size = count_tree(state, histories)
    if forecast(size) > memory:
        raise SolveError(
            f"{game} takes {forecast(size) / 1e6:,.1f} MB, the limit is {memory / 1e6:,.1f} MB: {size}"
        )
    tree = build_tree(state, memory=memory, size=size)
    if method == PROGRAM:
        found = solve_lp(tree)
        iterations, profile, best = 0, found.profile, found.best
    else:
        solver = _solver(tree, method, seed, memory, checkpoint)
        iterations, profile, best = _iterate(solver, tree, target, limit, threads, checkpoint, progress)
    times = time.monotonic() - begin, _cpu_seconds() - cpu
    return TreeSolution(game, method, target, size, tree, iterations, profile, best, *times)


def _cpu_seconds() -> float:
    used = os.times()
    return used.user + used.system


def _solver(
    tree: Tree, method: str, seed: int | str | bytes, memory: int, checkpoint: str | Path | None
) -> CfrSolver | SamplingSolver:
    kept = checkpoint is not None and Path(checkpoint).exists()
    if method == SAMPLING:
        return (
            SamplingSolver.load(checkpoint, tree.root, seed, memory)  # type: ignore[arg-type]
            if kept
            else SamplingSolver(tree.root, seed, memory=memory)
        )
    if not kept:
        return CfrSolver(tree, method)
    solver = CfrSolver.load(checkpoint, tree)  # type: ignore[arg-type]
    if solver.algorithm != algorithm_named(method):
        raise SolveError(f"{checkpoint} belongs elsewhere: its algorithm is {solver.algorithm}")
    return solver


def _iterate(
    solver: CfrSolver | SamplingSolver,
    tree: Tree,
    target: float,
    limit: int,
    threads: int,
    checkpoint: str | Path | None,
    progress: Callable[[int, float], None] | None,
) -> tuple[int, Profile, BestResponses]:
    def run(count: int) -> None:
        if isinstance(solver, CfrSolver):
            solver.run(count, threads)
        else:
            solver.run(count)

    while True:
        snapshot.advance(solver, run, limit, checkpoint)
        sampled = isinstance(solver, SamplingSolver)
        profile = solver.profile(tree) if sampled else solver.average_profile()  # type: ignore[union-attr]
        best = best_responses(profile)
        if progress is not None:
            progress(solver.iterations, max(best.gains))
        if max(best.gains) <= target or solver.iterations >= limit:
            return solver.iterations, profile, best


def share_done(first: float, gain: float, target: float) -> float:
    """How far a gain has come from its first value to a target, on a scale of logarithms, 0 to 1."""
    with suppress(ValueError, ZeroDivisionError):
        return min(1.0, max(0.0, math.log(first / gain) / math.log(first / target)))
    return 0.0
