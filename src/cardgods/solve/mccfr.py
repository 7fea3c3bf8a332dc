"""Regret minimisation by sampling, straight over a game, where the tree is too large to be built.

Example:
    >>> import cardgods
    >>> from cardgods.solve.mccfr import SamplingSolver
    >>> from cardgods.solve.tree import best_responses, build_tree
    >>> state = cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3)).new_initial_state()
    >>> solver = SamplingSolver(state, seed=1)
    >>> solver.run(20_000)
    >>> best_responses(solver.profile(build_tree(state))).exploitability < 0.01
    True
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from cardgods._core.search.mccfr import Sampler
from cardgods._core.search.profile import Profile
from cardgods._core.search.tree import Tree
from cardgods._core.state import State
from cardgods.errors import ParameterError, SolveError
from cardgods.solve import snapshot
from cardgods.walk import turn_based
from cardgods.work import run

MEMORY_LIMIT = 2 << 30
"""Bytes that a table may take, unless told otherwise."""

SLICE_SECONDS = 0.3


class SamplingSolver:
    """External-sampling Monte Carlo CFR (Lanctot et al. 2009); see :class:`cardgods.solve.cfr.CfrSolver`.

    In two-player zero-sum games the average converges to an equilibrium at a rate of one over the square
    root of the iterations. It works on one thread: the state depends on the root, the seed and the number
    of iterations alone. With three players or more the average of a player is kept while the one before
    him learns, as is usual, and promises nothing.

    Args:
        state: the root; its position counts as known to all.
        seed: of the samples.
        gamma: the t-th iteration has the weight t^gamma in the average.
        memory: bytes that the table may take.

    Raises:
        ParameterError: if gamma is negative.
    """

    def __init__(
        self, state: State, seed: int | str | bytes = 0, gamma: float = 0.0, memory: int = MEMORY_LIMIT
    ) -> None:
        if not 0.0 <= gamma <= 100.0:
            raise ParameterError(f"gamma {gamma}: it is between 0 and 100")
        self.root = turn_based(state)
        self._core = Sampler(self.root, seed, gamma, memory)

    @property
    def iterations(self) -> int:
        """Finished iterations: one sample for every player."""
        return self._core.passes // self.root.num_players()

    @property
    def information_sets(self) -> int:
        """Information sets met until now, those with one action left out."""
        return len(self._core)

    @property
    def nodes(self) -> int:
        """Nodes that the samples have walked through."""
        return self._core.nodes

    def run(self, iterations: int, progress: Callable[[int], None] | None = None) -> None:
        """Go on for a number of iterations.

        A KeyboardInterrupt is answered after the sample under way, and leaves a state from which this goes on
        as if nothing had been.

        Args:
            iterations: how many.
            progress: called now and then with the number of finished iterations.

        Raises:
            ParameterError: if the number is negative.
            SolveError: if the table would outgrow its memory; the averages can still be read.
        """
        if iterations < 0:
            raise ParameterError(f"{iterations} iterations: 0 are the least")
        players = self.root.num_players()
        target = (self.iterations + iterations) * players
        step = 64 * players
        while self._core.passes < target:
            begin = time.monotonic()
            run(self._core.run, [min(step, target - self._core.passes)])
            if progress is not None:
                progress(self.iterations)
            if time.monotonic() - begin < SLICE_SECONDS / 2:
                step *= 2

    def probabilities(self, state: State) -> dict[int, float]:
        """Action -> probability of the average strategy of the player to act; uniform if he was never met.

        Args:
            state: a turn-based state below the root, where a player acts.
        """
        player, actions = state.current_player(), state.legal_actions()
        weights = self._core.weights(player, state.information_state(player)) if len(actions) > 1 else None
        if weights is None or sum(weights) <= 0.0:
            weights = [1.0] * len(actions)
        return {action: weight / sum(weights) for action, weight in zip(actions, weights, strict=True)}

    def regrets(self, state: State) -> dict[int, float] | None:
        """Action -> summed sampled regret of the player to act; None if he was never met there."""
        player = state.current_player()
        regrets = self._core.regrets(player, state.information_state(player))
        return None if regrets is None else dict(zip(state.legal_actions(), regrets, strict=True))

    def profile(self, tree: Tree) -> Profile:
        """The average profile on the built tree of the same root, for exact measurement.

        Raises:
            SolveError: if the tree is of another game.
        """
        if snapshot.state_identity(tree.root) != snapshot.state_identity(self.root):
            raise SolveError(f"the tree is of {tree.root}, the samples are of {self.root}")
        return self._core.profile(tree)

    def save(self, path: str | Path) -> None:
        """Write the state to a file, whole or not at all.

        Raises:
            SolveError: if it cannot be written.
        """
        core = self._core
        header = {
            "kind": "mccfr",
            **snapshot.state_identity(self.root),
            "key": core.random.key,
            "gamma": core.gamma,
            "passes": core.passes,
            "nodes": core.nodes,
        }
        snapshot.write(path, header, core.dump())

    @classmethod
    def load(
        cls, path: str | Path, state: State, seed: int | str | bytes = 0, memory: int = MEMORY_LIMIT
    ) -> Self:
        """Take up a solver from a file.

        Args:
            path: the file.
            state: the root that it was run on.
            seed: the seed that it was given.
            memory: bytes that the table may take.

        Raises:
            SolveError: if the file cannot be read, is damaged, or belongs to another root or seed.
        """
        header, parts = snapshot.read(path)
        identity = snapshot.state_identity(turn_based(state))
        snapshot.check_identity(path, header, {"kind": "mccfr", **identity})
        solver = cls(state, seed, header["gamma"], memory)
        snapshot.check_identity(path, header, {"key": solver._core.random.key})
        solver._core.restore(header["passes"], header["nodes"], parts)
        return solver
