"""Counterfactual regret minimisation on a tree: equilibria of two-player zero-sum games, by iteration.

The average profile of a two-player zero-sum game converges to a Nash equilibrium, and
:func:`cardgods.solve.tree.best_responses` says exactly how far it still is. With more players, or without a
constant sum, nothing of the kind is promised: there the gains of :class:`BestResponses` are a measurement,
not a bound that must shrink.

Example:
    >>> import cardgods
    >>> from cardgods.solve.cfr import solve
    >>> from cardgods.solve.tree import build_tree
    >>> game = cardgods.load_game("encan", cards=(1, 2, 3), target=4, obole=False)
    >>> solution = solve(build_tree(game.new_initial_state()), target=1e-6)
    >>> round((solution.best.values[0] + 1) / 2, 5)  # the probability that player 0 wins: 17/72
    0.23611
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from cardgods._core.search.cfr import PARTS, Crew, Minimiser
from cardgods._core.search.profile import Profile
from cardgods._core.search.tree import Tree
from cardgods.errors import ParameterError, SolveError
from cardgods.solve import snapshot
from cardgods.solve.tree import BestResponses, best_responses
from cardgods.work import interrupts, run

SLICE_SECONDS = 0.3
"""About how often progress is reported."""


@dataclass(frozen=True)
class Algorithm:
    """One member of the family; all are alternating.

    Attributes:
        alpha: at iteration t positive regrets are multiplied by t^alpha / (t^alpha + 1); inf for not at all.
        beta: negative ones by t^beta / (t^beta + 1); inf for not at all, -inf to drop them.
        gamma: an iteration has the weight t^gamma in the average.
        predictive: whether the next strategy counts on the last regrets once more.
    """

    alpha: float = math.inf
    beta: float = math.inf
    gamma: float = 0.0
    predictive: bool = False


ALGORITHMS = {
    "cfr": Algorithm(),
    "cfr+": Algorithm(beta=-math.inf, gamma=1.0),
    "dcfr": Algorithm(alpha=1.5, beta=0.0, gamma=2.0),
    "pcfr+": Algorithm(beta=-math.inf, gamma=2.0, predictive=True),
}
"""Zinkevich et al. 2007; Tammelin 2014; Brown and Sandholm 2019; Farina, Kroer and Sandholm 2021."""


def algorithm_named(
    name: str, alpha: float | None = None, beta: float | None = None, gamma: float | None = None
) -> Algorithm:
    """An algorithm by name, with some of its exponents replaced.

    Raises:
        ParameterError: if there is none of this name, or an exponent is not a number.
    """
    if name not in ALGORITHMS:
        raise ParameterError(f"unknown algorithm '{name}': algorithms are {', '.join(ALGORITHMS)}")
    given = {"alpha": alpha, "beta": beta, "gamma": gamma}
    changed = {key: float(value) for key, value in given.items() if value is not None}
    if any(math.isnan(value) for value in changed.values()):
        raise ParameterError("an exponent is not a number")
    if not 0.0 <= changed.get("gamma", 0.0) < math.inf:
        raise ParameterError(f"gamma {changed['gamma']}: it is 0 or more")
    return replace(ALGORITHMS[name], **changed)  # type: ignore[arg-type]


class CfrSolver:
    """A solver that can be run on, watched, saved and taken up again.

    Its results depend on nothing but the tree, the algorithm and the number of iterations: not on threads,
    interruptions or snapshots.

    Args:
        tree: the game.
        algorithm: one of :data:`ALGORITHMS` by name, or an :class:`Algorithm`.

    Raises:
        ParameterError: if there is no algorithm of this name.
    """

    def __init__(self, tree: Tree, algorithm: str | Algorithm = "pcfr+") -> None:
        rule = algorithm_named(algorithm) if isinstance(algorithm, str) else algorithm
        self.tree = tree
        self.algorithm = rule
        self._core = Minimiser(tree, rule.alpha, rule.beta, rule.gamma, rule.predictive)

    @property
    def iterations(self) -> int:
        """Finished iterations: passes of all players."""
        return self._core.passes // self.tree.players

    def run(self, iterations: int, threads: int = 1, progress: Callable[[int], None] | None = None) -> None:
        """Go on for a number of iterations.

        A KeyboardInterrupt is answered after the pass under way, and leaves a state from which this goes on
        as if nothing had been.

        Args:
            iterations: how many.
            threads: how many to use; worth it from some 100,000 sequences on.
            progress: called now and then with the number of finished iterations.

        Raises:
            ParameterError: if a number is too small.
        """
        if iterations < 0 or threads < 1:
            raise ParameterError(f"{iterations} iterations on {threads} threads: 0 and 1 are the least")
        target = (self.iterations + iterations) * self.tree.players
        step = self.tree.players
        with interrupts() as pressed:
            while self._core.passes < target and not pressed:
                begin = time.monotonic()
                crew = Crew(self._core, threads, min(step, target - self._core.passes))
                run(crew.run, range(threads), threads)
                if progress is not None:
                    progress(self.iterations)
                if time.monotonic() - begin < SLICE_SECONDS / 2:
                    step *= 2
        if pressed:
            raise KeyboardInterrupt

    def average_profile(self) -> Profile:
        """The average profile, which is the one that converges."""
        return self._core.average()

    def current_profile(self) -> Profile:
        """The profile of the last iteration."""
        return self._core.current()

    def save(self, path: str | Path) -> None:
        """Write the state to a file, whole or not at all.

        Raises:
            SolveError: if it cannot be written.
        """
        parts = [self._core.part(p, name) for p in range(self.tree.players) for name in PARTS]
        snapshot.write(path, {**self._identity(), "passes": self._core.passes}, parts)

    @classmethod
    def load(cls, path: str | Path, tree: Tree) -> Self:
        """Take up a solver from a file.

        Args:
            path: the file.
            tree: the tree that it was run on, built again.

        Raises:
            SolveError: if the file cannot be read, is damaged, or belongs to another tree.
        """
        header, parts = snapshot.read(path)
        snapshot.check_identity(path, header, {"kind": "cfr", **snapshot.tree_identity(tree)})
        solver = cls(tree, Algorithm(*header["algorithm"]))
        solver._core.restore(header["passes"], parts)
        return solver

    def _identity(self) -> dict[str, object]:
        rule = self.algorithm
        exponents = [rule.alpha, rule.beta, rule.gamma, rule.predictive]
        return {"kind": "cfr", **snapshot.tree_identity(self.tree), "algorithm": exponents}


@dataclass(frozen=True)
class Solution:
    """What a solver has come to, with its certificate.

    Attributes:
        profile: the average profile.
        iterations: how many led there.
        best: exact values of the best responses to it; in a two-player zero-sum game the value of the game
            lies between ``-best.best[1]`` and ``best.best[0]``.
    """

    profile: Profile
    iterations: int
    best: BestResponses


def solve(
    tree: Tree,
    target: float = 1e-4,
    algorithm: str | Algorithm = "pcfr+",
    limit: int = 1_000_000,
    threads: int = 1,
    progress: Callable[[int, float], None] | None = None,
    checkpoint: str | Path | None = None,
) -> Solution:
    """Iterate until no player can gain more than `target` by a deviation.

    Args:
        tree: the game.
        target: largest gain of a player that is good enough.
        algorithm: one of :data:`ALGORITHMS`, or an :class:`Algorithm`.
        limit: iterations after which to give up.
        threads: how many to use.
        progress: called after each check with the number of iterations and the largest gain.
        checkpoint: file to take the state up from, if it is there, and to keep it in before each check and
            when interrupted.

    Raises:
        SolveError: if the limit is reached first; the message has the gain that was reached.
        ParameterError: if there is no algorithm of this name.
    """
    if checkpoint is not None and Path(checkpoint).exists():
        solver = CfrSolver.load(checkpoint, tree)
        wanted = algorithm_named(algorithm) if isinstance(algorithm, str) else algorithm
        if solver.algorithm != wanted:
            raise SolveError(f"{checkpoint} belongs elsewhere: its algorithm is {solver.algorithm}")
    else:
        solver = CfrSolver(tree, algorithm)
    while True:
        snapshot.advance(solver, lambda count: solver.run(count, threads), limit, checkpoint)
        profile = solver.average_profile()
        best = best_responses(profile)
        if progress is not None:
            progress(solver.iterations, max(best.gains))
        if max(best.gains) <= target:
            return Solution(profile, solver.iterations, best)
        if solver.iterations >= limit:
            raise SolveError(
                f"{tree.root.game}: after {solver.iterations:,} iterations a player still gains "
                f"{max(best.gains):.3g}, the target was {target:.3g}"
            )
