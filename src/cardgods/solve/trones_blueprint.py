"""La Guerre des Trois Trônes with hidden hands where no exact method reaches: a blueprint by sampling.

Every sample deals the cards and lets one player learn against the other's present strategy. What is learnt is
kept for information sets, either exactly (small members of the family: the average strategies then converge
to an equilibrium) or for classes of them that look alike. Nothing is promised of the latter; what such a
blueprint is worth is measured.

Example:
    >>> import cardgods
    >>> from cardgods.solve.trones_blueprint import BlueprintSolver
    >>> game = cardgods.load_game("trones", ranks=(13, 14), capacity=1, hand=1)
    >>> solver = BlueprintSolver(game, "exact", seed=1)
    >>> solver.run(20_000)
    >>> low, high = solver.bounds()  # P(player 0 wins) in equilibrium is 0.50228
    >>> low < 0.50228 < high < low + 0.03
    True
"""

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from cardgods._core.games.trones import TronesRulesObject, TronesState
from cardgods._core.rng import Random
from cardgods._core.solve.trones_blueprint import Blueprint
from cardgods._core.state import State
from cardgods.errors import ParameterError, SolveError
from cardgods.game import load_game
from cardgods.games.trones import FRONTS, TronesGame
from cardgods.interval import Z95
from cardgods.solve.container import Chunk, Container, write_container
from cardgods.solve.shelf import on_shelf
from cardgods.solve.trones_hidden import HiddenSolver, hidden_size
from cardgods.work import interrupts, run

KIND = "trones blueprint"
EXACT, MOVES = "exact", "moves"
ABSTRACTIONS = (MOVES, EXACT)
MEMORY_LIMIT = 2 << 30
"""Bytes that a table may take, unless told otherwise."""
SAVE_SECONDS = 60.0
"""Between two copies of the table in its file."""
WIDTH, STEPS, GAPS, GROUPS = 2, 2, 6, 1
"""Of the abstraction "moves": moves that are looked at, steps of the chance of an open front, steps of what a
move is worse than the heuristic's, groups of ranks."""
LEAST = 0.3
"""What a strategy does less often than that is mostly noise of the sampling; agents leave it out."""


@dataclass(frozen=True)
class Forecast:
    """What a table can grow to.

    Attributes:
        information_sets: at most so many.
        memory: bytes that they take.
    """

    information_sets: int
    memory: int


@dataclass(frozen=True)
class Duel:
    """Games against the heuristic, each deal played with both seats.

    Attributes:
        deals: how many.
        share: of the games won.
        interval: 95 % interval of the share, from the deals.
    """

    deals: int
    share: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class PlayedTable:
    """A table as an agent plays it.

    Attributes:
        core: the table.
        least: what is less probable is not played.
    """

    core: Blueprint
    least: float


def forecast(game: TronesGame, abstraction: str = MOVES) -> Forecast:
    """The most that a table can take, before anything is sampled.

    Args:
        game: any member of the family; for "exact" one that can be counted.
        abstraction: one of :data:`ABSTRACTIONS`.

    Raises:
        ParameterError: if there is no such abstraction.
        SolveError: if the game is too large to be counted exactly.
    """
    width, _ = _grain(game, abstraction)[1:3]
    sets = hidden_size(game).information_sets if abstraction == EXACT else _moves_bound(game)
    # Rooms double, in eight parts that are full at different times.
    return Forecast(sets, 2 * sets * (16 + 8 * width))


def _moves_bound(game: TronesGame) -> int:
    """Classes of "moves": seats, moves laid, chances of the fronts, looks of two moves and their gap."""
    places = game.options.capacity
    chances = (STEPS + 2) * (STEPS + 3) * (STEPS + 4) // 6
    looks = places * (places + 1) * 3 * GROUPS
    return 6 * places * chances * looks * looks * 3 * GAPS


def _grain(game: TronesGame, abstraction: str) -> tuple[int, int, int, int, int]:
    if abstraction not in ABSTRACTIONS:
        raise ParameterError(
            f"unknown abstraction '{abstraction}': abstractions are {', '.join(ABSTRACTIONS)}"
        )
    if abstraction == EXACT:
        return 0, FRONTS * game.options.hand, 0, 0, 0
    return 1, WIDTH, STEPS, GAPS, GROUPS


class BlueprintSolver:
    """Monte Carlo regret minimisation over a table of information sets.

    The table depends on the game, the abstraction, the seed and the number of iterations alone, not on
    threads or interruptions.

    Args:
        game: any member of the family.
        abstraction: "exact" tells everything apart; "moves" knows the best two moves by the heuristic's
            lights, what they look like, and roughly how the fronts stand.
        seed: of the samples.
        memory: bytes that the table may take.

    Raises:
        ParameterError: if there is no such abstraction.
        SolveError: if the exact information sets are too many to be counted, or for the memory.
    """

    def __init__(
        self,
        game: TronesGame,
        abstraction: str = MOVES,
        seed: int | str | bytes = 0,
        memory: int = MEMORY_LIMIT,
    ) -> None:
        self.game = game
        self.abstraction = abstraction
        self.forecast = forecast(game, abstraction)
        if abstraction == EXACT and self.forecast.memory > memory:
            need, limit = self.forecast.memory / 1e6, memory / 1e6
            raise SolveError(
                f"{game} takes {need:,.0f} MB, the limit is {limit:,.0f} MB: "
                f"{self.forecast.information_sets:,} information sets"
            )
        rules = game.rules
        assert isinstance(rules, TronesRulesObject)
        self._core = Blueprint(rules, _grain(game, abstraction), seed, memory)

    def __len__(self) -> int:
        """Information sets met until now."""
        return len(self._core)

    @property
    def core(self) -> Blueprint:
        """The table itself."""
        return self._core

    @property
    def iterations(self) -> int:
        """Deals from which both players have learnt."""
        return self._core.passes // 2 * self._core.round

    @property
    def nodes(self) -> int:
        """Positions that the samples have walked through."""
        return self._core.nodes

    @property
    def memory(self) -> int:
        """Bytes that the table takes."""
        return self._core.bytes_taken()

    def run(self, iterations: int, threads: int = 1, progress: Callable[[int], None] | None = None) -> None:
        """Go on until so many iterations more are done, rounded up to whole rounds.

        A KeyboardInterrupt is answered within a fraction of a second and leaves a state from which this goes
        on as if nothing had been.

        Args:
            iterations: how many.
            threads: how many to use.
            progress: called with the number of finished iterations now and then.

        Raises:
            ParameterError: if a number is too small.
            SolveError: if the table would outgrow its memory; what is there can still be used.
        """
        if iterations < 0 or threads < 1:
            raise ParameterError(f"{iterations} iterations on {threads} threads: 0 and 1 are the least")
        target = self.iterations + iterations
        while self.iterations < target:
            self._pass(threads)
            if progress is not None:
                progress(self.iterations)

    def _pass(self, threads: int) -> None:
        core = self._core
        core.begin()
        run(core.walk, range(core.shards), threads)
        with interrupts() as pressed:
            core.reserve()
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(core.take, range(core.parts)))
            core.end()
        if pressed:
            raise KeyboardInterrupt

    def policy(self, state: State, least: float = 0.0) -> dict[int, float]:
        """Action -> probability of the average strategy of the player on turn.

        Args:
            state: a state of this game where a player decides; only what he knows counts.
            least: what is less probable is not played.

        Raises:
            SolveError: if the state is of another game.
        """
        if state.game != self.game:
            raise SolveError(f"the state is of {state.game}, the blueprint of {self.game}")
        assert isinstance(state, TronesState)
        return dict(self._core.shares(state, least))

    def bounds(self, threads: int = 1) -> tuple[float, float]:
        """What the average strategies guarantee: P(player 0 wins) in equilibrium lies between.

        Both are exact; half their distance is the exploitability, in games won.

        Raises:
            SolveError: if the game is too large for that.
        """
        solver = HiddenSolver(self.game)
        solver.adopt(self._core.shares_at)
        return solver.bounds(threads)

    def duel(self, deals: int, least: float = 0.0) -> Duel:
        """Play against the heuristic, with numbers that no sample has used.

        Args:
            deals: how many, each played twice.
            least: what is less probable is not played.
        """
        both, one, none = run(lambda count, cancel: self._core.duel(0, count, least, cancel), [deals])[0]
        share = (both + one / 2) / deals
        spread = both * (1 - share) ** 2 + one * (0.5 - share) ** 2 + none * share**2
        error = Z95 * math.sqrt(spread) / deals
        return Duel(deals, share, (share - error, share + error))

    def save(self, path: str | Path) -> None:
        """Write the table to a file, whole or not at all.

        Raises:
            SolveError: if it cannot be written.
        """
        core = self._core
        meta = {**_identity(self.game, self.abstraction, core.random.key)}
        meta |= {"passes": core.passes, "nodes": core.nodes}
        sections: dict[str, Iterator[Chunk]] = {}
        for part in range(core.parts):
            sections[f"keys-{part}"] = _later(core.keys, part)
            sections[f"regrets-{part}"] = _later(core.numbers, part, 0)
            sections[f"averages-{part}"] = _later(core.numbers, part, 1)
        write_container(Path(path), meta, sections)

    @classmethod
    def load(
        cls,
        path: str | Path,
        game: TronesGame,
        abstraction: str = MOVES,
        seed: int | str | bytes = 0,
        memory: int = MEMORY_LIMIT,
    ) -> Self:
        """Take up a solver from a file.

        Raises:
            SolveError: if the file cannot be read, is damaged, or is of another game, abstraction or seed.
        """
        file = _opened(path)
        for name, value in _identity(game, abstraction, Random(seed).key).items():
            if file.meta.get(name) != value:
                raise SolveError(f"{path} belongs elsewhere: its {name} is another")
        solver = cls(game, abstraction, seed, memory)
        solver._restore(file, learning=True)
        return solver

    def _restore(self, file: Container, *, learning: bool) -> None:
        parts = [
            (
                file.section(f"keys-{part}"),
                file.section(f"regrets-{part}") if learning else b"",
                file.section(f"averages-{part}"),
            )
            for part in range(self._core.parts)
        ]
        self._core.restore(file.meta["passes"], file.meta["nodes"], parts)


def _later(make: Callable[..., bytes], *arguments: int) -> Iterator[Chunk]:
    yield make(*arguments)


def _identity(game: TronesGame, abstraction: str, key: bytes) -> dict[str, Any]:
    return {
        "kind": KIND,
        "rules": game.ruleset_digest(),
        "parameters": game.parameters(),
        "abstraction": abstraction,
        "grain": list(_grain(game, abstraction)),
        "seed": key,
    }


def _opened(path: str | Path) -> Container:
    file = Container(Path(path))
    if file.meta.get("kind") != KIND:
        raise SolveError(f"{path} holds no blueprint of Trois Trônes")
    return file


def load_blueprint(path: str | Path) -> BlueprintSolver:
    """A blueprint to play from; it has no regrets and cannot learn any more.

    Raises:
        SolveError: if the file cannot be read, is damaged, or was written under other rules.
    """
    file = _opened(path)
    game = load_game("trones", **file.meta["parameters"])
    assert isinstance(game, TronesGame)
    abstraction = file.meta["abstraction"]
    if file.meta["rules"] != game.ruleset_digest() or file.meta["grain"] != list(_grain(game, abstraction)):
        raise SolveError(f"{path} was written by another version: compute the blueprint again")
    solver = BlueprintSolver(game, abstraction, file.meta["seed"])
    solver._restore(file, learning=False)
    return solver


def default_path(game: TronesGame) -> Path:
    """Where the blueprint of a game is looked for."""
    return on_shelf(f"trones-{game.ruleset_digest()[:16]}.cgb")


def take_up(
    game: TronesGame,
    path: str | Path | None,
    *,
    abstraction: str = MOVES,
    seed: int | str | bytes = 0,
    memory: int = MEMORY_LIMIT,
) -> BlueprintSolver:
    """The solver of a file, if it is there, else a new one.

    Raises:
        ParameterError: if there is no such abstraction.
        SolveError: if the table does not fit the memory, or the file belongs elsewhere or is damaged.
    """
    if path is not None and Path(path).exists():
        return BlueprintSolver.load(path, game, abstraction, seed, memory)
    return BlueprintSolver(game, abstraction, seed, memory)


def run_blueprint(
    solver: BlueprintSolver,
    iterations: int,
    path: str | Path | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Sample until a number of iterations is reached, and keep the table in a file.

    Args:
        solver: which goes on.
        iterations: deals for both players, those done before included, rounded up to whole rounds.
        path: where the table is kept, now and then and when interrupted too.
        threads: how many to use.
        progress: called with the iterations done and wanted.

    Raises:
        ParameterError: if a number is out of range.
        SolveError: if the table would outgrow its memory, or the file cannot be written.
    """
    saved = time.monotonic()

    def report(done: int) -> None:
        nonlocal saved
        if progress is not None:
            progress(done, iterations)
        if path is not None and time.monotonic() - saved > SAVE_SECONDS:
            solver.save(path)
            saved = time.monotonic()

    try:
        solver.run(max(0, iterations - solver.iterations), threads, report)
    finally:
        if path is not None:
            solver.save(path)
