"""Planning and running the core's Encan solver: memory, threads, progress, level files and Ctrl-C."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from cardgods._core.solve.encan_floor import lend
from cardgods._core.solve.encan_hands import Hands
from cardgods._core.solve.encan_scores import Scores
from cardgods._core.solve.encan_sweep import Sweep
from cardgods._core.solve.matrix import ROUTE_NAMES
from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError, SolveError, shown
from cardgods.games.encan import EncanGame
from cardgods.solve.container import Container, write_container
from cardgods.solve.encan_position import EncanNode
from cardgods.solve.encan_table import EncanTable, fingerprint, new_hands, new_scores, new_vectors
from cardgods.work import run

Progress = Callable[[int, int], None]
"""Called now and then with the number of matrix games solved and of all."""

KEEP_BYTES = 64 << 20
"""Vectors near the root that stay after a solution, for strategies."""
SPLIT_BYTES = 512 << 20
"""From so many bytes on, levels whose triples take less room than their classes are kept as triples."""
FLOOR_BYTES = 48 << 20
"""A level below those that stays too, as triples: the game from later positions is solved down to it."""
FLOOR_TURNS = 10
"""From so many turns on; shorter games are solved in no time."""
INLINE_GAMES = 100_000
"""So many matrix games are solved within a blink, without a thread."""
UNIT_GAMES = 250_000
"""Matrix games in a unit of work, if a triple does not have more."""
MOST_SITUATIONS = 40_000_000
ROUNDING = 4e-15
"""Bound of the rounding of one turn, in units of the largest value: 14 products and a mean."""


@dataclass
class SweepReport:
    """What a run came to; gaps are in units of the core's value (a win is 2 wide)."""

    games: int = 0
    routes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ROUTE_NAMES, 0))
    largest_gap: float = 0.0
    error_bound: float = 0.0

    def add(self, games: int, routes: list[int], gap: float, scale: float) -> None:
        """Count a level.

        Args:
            games: matrix games.
            routes: how many of them went which way.
            gap: largest gap.
            scale: largest value.
        """
        self.games += games
        for name, count in zip(ROUTE_NAMES, routes, strict=True):
            self.routes[name] += count
        self.largest_gap = max(self.largest_gap, gap)
        self.error_bound += 0.5 * gap + ROUNDING * scale


class EncanPlan:
    """A game whose situations are found and whose work is counted, ready to run.

    Attributes:
        game: the game.
        root: where it begins.
        table: the values, once the plan has been run.
        matrix_games: how many are to be solved.
        states: values to be stored.
        bytes_needed: most memory that the values will take at one time, and the tables.
        bytes_with_files: the same if finished levels are written to files and read from there.
        bytes_allowed: memory that may be used.
        levels: per number of turns to come: (hand patterns, classes of score situations, triples, games).
    """

    def __init__(
        self,
        game: EncanGame,
        root: EncanNode,
        hands: Hands,
        scores: Scores,
        max_bytes: int | None,
        side: int = 0,
    ) -> None:
        self.game = game
        self.root = root
        self.table = EncanTable(game, root, new_vectors(game, root, hands, scores))
        floor = FLOOR_BYTES if root.turns >= FLOOR_TURNS and not side and not hands.lowest else 0
        self._sweep = sweep = Sweep(self.table.vectors, KEEP_BYTES, SPLIT_BYTES, side, floor)
        self._begun = False
        self._lent = 0
        self._report: SweepReport | None = None
        turns = range(1, hands.turns + 1)
        self.matrix_games = sum(sweep.work(k) for k in turns)
        self.states = sum(self.table.vectors.counts())
        patterns, situations = hands.counts(), scores.counts()
        self.levels = {k: (patterns[k][1], *situations[k][1:], sweep.work(k)) for k in turns}
        self.bytes_needed = sweep.table_bytes() + self._most_values()
        self.bytes_with_files = sweep.table_bytes() + max(map(self.table.vectors.level_bytes, turns))
        self.bytes_allowed = _memory() if max_bytes is None else max_bytes
        if self.bytes_with_files > self.bytes_allowed:
            raise SolveError(
                f"this solution needs {self.bytes_with_files / 1e9:.1f} GB of memory at least and "
                f"{self.matrix_games:.2e} matrix games, {self.bytes_allowed / 1e9:.1f} GB may be used"
            )

    @property
    def sweep(self) -> Sweep:
        """The core's side of the work."""
        return self._sweep

    def _most_values(self) -> int:
        """Most bytes of vectors at one time: two neighbouring levels and what is kept."""
        vectors, most, kept = self.table.vectors, 0, 0
        for k in range(1, vectors.hands.turns + 1):
            most = max(most, kept + vectors.level_bytes(k) + vectors.level_bytes(k - 1))
            kept += vectors.level_bytes(k - 1) if self._stays(k - 1) else 0
        return most

    def _stays(self, k: int) -> bool:
        return k >= self._sweep.kept or 0 < k == self._sweep.floor

    def borrow(self, whole: EncanTable) -> bool:
        """Take the level down to which patterns were found from the solution of a whole game.

        Args:
            whole: has that level.

        Returns:
            False if the position is none of that game's; the plan is of no use then.
        """
        self._lent = self._sweep.hands.lowest
        return lend(whole.vectors, self.table.vectors, self._lent)

    def run(
        self, progress: Progress | None = None, threads: int = 1, folder: Path | None = None
    ) -> SweepReport:
        """Solve all matrix games; a second time it only returns the report again.

        Args:
            progress: called from this thread with the number of games solved and of all.
            threads: how many threads work; the result does not depend on it.
            folder: where every finished level is written, so that a run which was interrupted goes on there.

        Raises:
            ParameterError: if the number of threads is not 1 or more.
            SolveError: if a run was interrupted before, or the folder cannot be used.
            KeyboardInterrupt: within a second of Ctrl-C.
        """
        if type(threads) is not int or threads < 1:
            raise ParameterError(f"{shown(threads)} threads: at least one is needed")
        return self.run_levels(
            lambda k, report: self._run_level(k, report, progress, threads), progress, folder
        )

    def run_levels(
        self,
        run_level: Callable[[int, SweepReport], None],
        progress: Progress | None = None,
        folder: Path | None = None,
    ) -> SweepReport:
        """Go through the levels that are not in the folder yet; see :meth:`run`."""
        if self._report is not None:
            return self._report
        if self._begun:
            raise SolveError("this plan was interrupted: make a new one")
        if folder is None and self.bytes_needed > self.bytes_allowed:
            raise SolveError(
                f"this solution needs {self.bytes_needed / 1e9:.1f} GB of memory, or with a folder for "
                f"finished levels (--resume) {self.bytes_with_files / 1e9:.1f} GB; "
                f"{self.bytes_allowed / 1e9:.1f} GB may be used"
            )
        self._begun = True
        done, report = (self._lent, SweepReport()) if folder is None else self._resume(folder)
        for k in range(done + 1, self._sweep.hands.turns + 1):
            run_level(k, report)
            self._sweep.close(k)
            if folder is not None:
                self._save(folder, k, report)
            if progress is not None:
                progress(report.games, self.matrix_games)
        self._report = report
        return report

    def _run_level(self, k: int, report: SweepReport, progress: Progress | None, threads: int) -> None:
        sweep = self._sweep
        if self.matrix_games <= INLINE_GAMES:
            for first, end in sweep.units(k, INLINE_GAMES):
                sweep.run(k, first, end, Cancel())
        else:
            units = sweep.units(k, UNIT_GAMES)

            def tell(done: int) -> None:
                if progress is not None:
                    progress(report.games + done * sweep.work(k) // len(units), self.matrix_games)

            run(lambda unit, cancel: sweep.run(k, *unit, cancel), units, threads, tell)
        report.add(*sweep.tally(), self.table.vectors.scale)

    # Level files ------------------------------------------------------------------------------------------

    def _resume(self, folder: Path) -> tuple[int, SweepReport]:
        """Take over what the folder holds: the last finished level, and the report up to it."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SolveError(f"cannot use {folder}: {error.strerror}") from None
        turns = self._sweep.hands.turns
        done = next((k for k in range(turns, 0, -1) if level_path(folder, k).exists()), 0)
        for k in range(1, done + 1):
            if k == done or (self._stays(k) and level_path(folder, k).exists()):
                self.table.vectors.attach(k, open_level(folder, k, self.key).section("values"))
        if done == 0:
            return 0, SweepReport()
        return done, SweepReport(**open_level(folder, done, self.key).meta["report"])

    def _save(self, folder: Path, k: int, report: SweepReport) -> None:
        meta = {"kind": "level", "key": self.key, "turns": k, "report": asdict(report)}
        write_container(level_path(folder, k), meta, {"values": self.table.vectors.views(k)})
        # From here on the level is read from its file: pages that can be taken back, not memory of our own.
        self.table.vectors.drop(k)
        self.table.vectors.attach(k, open_level(folder, k, self.key).section("values"))
        if not self._stays(k - 1):
            with contextlib.suppress(OSError):
                level_path(folder, k - 1).unlink(missing_ok=True)

    @property
    def key(self) -> str:
        """What files of this work carry, so that no other's are taken for it."""
        split = [k for k in self.levels if self.table.vectors.is_split(k)]
        return fingerprint(self.game, self.root, [split, self._sweep.side] if self._sweep.side else split)


def level_path(folder: Path, k: int) -> Path:
    """The file of the values with `k` turns to come."""
    return folder / f"level-{k:02}.cgv"


def open_level(folder: Path, k: int, key: str) -> Container:
    """The file of a level, made sure to be of this solution.

    Raises:
        SolveError: if it is damaged or of another game.
    """
    file = Container(level_path(folder, k))
    if file.meta.get("kind") != "level" or file.meta.get("key") != key or file.meta.get("turns") != k:
        raise SolveError(f"{file.path} belongs to another game, position or version: use another folder")
    return file


def make_plan(
    game: EncanGame, root: EncanNode, max_bytes: int | None = None, side: int = 0, lowest: int = 0
) -> EncanPlan:
    """Find everything below a root.

    Args:
        game: any member of the family.
        root: where to begin.
        max_bytes: see ``cardgods.solve.encan.plan``.
        side: see ``Sweep``.
        lowest: number of turns to come at which a solution that is there already takes over
            (:meth:`EncanPlan.borrow`); 0 for none.

    Raises:
        SolveError: as ``cardgods.solve.encan.plan`` does.
    """
    hands = new_hands(root, lowest, fold=not side)
    scores = new_scores(game, root, hands.symmetric)
    small = root.turns <= (5 if root.used != 3 else 8)
    try:
        _guarded(lambda cancel: scores.build(cancel, MOST_SITUATIONS), small)
    except OverflowError as error:
        raise SolveError(f"this game is too large to solve: {error}") from None
    except ValueError:
        raise SolveError(
            "with tie=split both players can reach the target at once, and the sum of the gold in hand would "
            "decide, which this solver does not know: choose another tie_break, or no target"
        ) from None
    _guarded(lambda cancel: hands.build(cancel, scores.alive()), small)
    return EncanPlan(game, root, hands, scores, max_bytes, side)


def _guarded(task: Callable[[Cancel], object], small: bool) -> None:
    """Run a task so that Ctrl-C is answered; one that takes milliseconds, here and now."""
    if small:
        task(Cancel())
    else:
        run(lambda _, cancel: task(cancel), [None])


def _memory() -> int:
    return int(0.9 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
