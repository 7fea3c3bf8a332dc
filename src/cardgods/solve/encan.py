"""Exact solution of L'Encan d'Hermès and the Goofspiel family: value, strategies and certificate.

The method: hands are merged into ordinal patterns, score situations into classes, and one matrix game is
solved for every pattern and every triple of outcomes that can meet (``cardgods._core.solve.encan_*``).
"""

import operator
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from cardgods._core.games.encan import EncanState
from cardgods._core.solve.matrix import solve_matrix
from cardgods.errors import SolveError
from cardgods.games.encan import EncanGame
from cardgods.solve.container import Container
from cardgods.solve.encan_apart import Factory, executor_factory, run_apart
from cardgods.solve.encan_position import EncanNode, EncanPosition, node_of, position_of
from cardgods.solve.encan_stored import default_path, load_floor, load_table, save_table
from cardgods.solve.encan_sweep import EncanPlan, Progress, SweepReport, make_plan
from cardgods.solve.encan_table import EncanTable

__all__ = [
    "EncanCertificate",
    "EncanPlan",
    "EncanPosition",
    "EncanSolution",
    "EncanStrategy",
    "default_path",
    "load_solution",
    "plan",
    "position_of",
    "solve",
]

LIVE_SUBGAMES = 4
"""Subgames solved for a strategy that stay in memory."""
LIVE_THREADS = 2
"""Threads that solve them, if they take long enough to be shared out."""


@dataclass(frozen=True)
class EncanCertificate:
    """How far a solution can be from the truth.

    Attributes:
        largest_gap: largest difference between what the two players' strategies guarantee, over all matrix
            games, in units of the value.
        error_bound: the value at the root is exact to this: half the largest gap of every turn, and the
            rounding of one turn's mean, added up over the turns.
    """

    largest_gap: float
    error_bound: float


@dataclass(frozen=True)
class EncanStrategy:
    """Optimal play at one node.

    Attributes:
        kind: ``bid``, ``window`` (somebody may call the Obole) or ``reveal`` (a treasure is about to come).
        value: P(player 0 wins), draws counting half; or the expected final difference of scores.
        gap: difference between what the two players' strategies guarantee in this node's matrix game; 0 at
            other nodes.
        bids: at a bid, each player's probability of each card in his hand.
        worths: at a bid, the value of each of a player's cards against the other's probabilities.
        speaker: in a window, who speaks.
        action: in a window, the better action, ``call`` or ``pass``; pass if they are level.
        values: value after each action of a window, or after each treasure of a reveal.
    """

    kind: Literal["bid", "window", "reveal"]
    value: float
    gap: float = 0.0
    bids: tuple[dict[int, float], dict[int, float]] | None = None
    speaker: int | None = None
    action: Literal["call", "pass"] | None = None
    values: dict[int | str, float] | None = None
    worths: tuple[dict[int, float], dict[int, float]] | None = None


class EncanSolution:
    """A solved game or position.

    Attributes:
        game: the game.
        value: P(player 0 wins) at the root, draws counting half; or for points the expected final difference
            of scores.
        by_first_treasure: value once this treasure has been revealed, before the Obole window; the revealed
            one alone at a position that has one.
        states: values found: one for each class of score situations and hand pattern that can meet.
        matrix_games: how many were solved.
        saddle_points: how many of them had a saddle point.
        routes: matrix games by the way they were settled.
        seconds: wall-clock time; 0 for a solution from a file.
        cpu_seconds: processor time of this process meanwhile.
        certificate: how exact the value is.
    """

    def __init__(
        self,
        table: EncanTable,
        report: SweepReport,
        states: int,
        seconds: float = 0.0,
        cpu_seconds: float = 0.0,
    ) -> None:
        self.game = table.game
        self._table = table
        self._report = report
        self._live: list[EncanTable] = []
        self._file: Container | None = None
        self._floor = 0
        self.states = states
        self.matrix_games = report.games
        self.routes = dict(report.routes)
        self.saddle_points = report.routes["saddle"]
        gap, bound = self._shared(report.largest_gap), self._shared(report.error_bound)
        self.certificate = EncanCertificate(gap, bound)
        root = self.strategy(table.root)
        self.value = root.value
        self.by_first_treasure = self._first_treasures(table.root, root)
        self.seconds = seconds
        self.cpu_seconds = cpu_seconds

    def save(self, path: str | Path) -> None:
        """Write what strategies near the root need to a file, for :func:`load_solution`.

        The values of the turns nearest the root are in it, some tens of megabytes at most; what lies below is
        solved again when it is asked for.

        Raises:
            SolveError: if the file cannot be written.
        """
        self._find_floor()
        save_table(Path(path), self._table, self._report, self.states)

    def strategy(self, position: EncanState | EncanPosition | EncanNode) -> EncanStrategy:
        """Optimal play of both players at any position of the game, however it came about.

        What was not kept of the solution is solved again from there, which takes time near the root of a
        large game only.

        Raises:
            ParameterError: if the position is impossible or belongs to another game.
            SolveError: if the game is over there.
        """
        node = node_of(self.game, position)
        if self._stored(node.first_bids) is None:
            # From here, so that whatever is revealed and called next is solved in one go.
            self._solve_from(node)
        if node.treasure is None:
            return self._reveal(node)
        if node.speaker is None:
            return self._bid(node)
        return self._window(node)

    def _first_treasures(self, node: EncanNode, root: EncanStrategy) -> dict[int, float]:
        if node.treasure is None:
            return {int(card): value for card, value in (root.values or {}).items()}
        return {self.game.options.cards[node.treasure]: root.value}

    def _reveal(self, node: EncanNode) -> EncanStrategy:
        cards = self.game.options.cards
        values: dict[int | str, float] = {}
        for place in node.may_come():
            values[cards[place]] = self.strategy(node.revealed(place)).value
        return EncanStrategy("reveal", sum(values.values()) / len(values), values=values)

    def _window(self, node: EncanNode) -> EncanStrategy:
        speaker = node.speaker
        assert speaker is not None
        call, stay = self.strategy(node.called()).value, self.strategy(node.passed_on()).value
        better = call > stay if speaker == 0 else call < stay
        values: dict[int | str, float] = {"call": call, "pass": stay}
        return EncanStrategy(
            "window",
            call if better else stay,
            speaker=speaker,
            action="call" if better else "pass",
            values=values,
        )

    def _bid(self, node: EncanNode) -> EncanStrategy:
        matrix = self._stored(node)
        if matrix is None:
            raise SolveError("the position could not be solved")
        solution = solve_matrix(matrix)
        cards = self.game.options.cards
        hands = [[card for place, card in enumerate(cards) if hand >> place & 1] for hand in node.hands]
        bids = (
            dict(zip(hands[0], solution.rows, strict=True)),
            dict(zip(hands[1], solution.columns, strict=True)),
        )
        rows = [sum(map(operator.mul, row, solution.columns)) for row in matrix]
        columns = [sum(map(operator.mul, column, solution.rows)) for column in zip(*matrix, strict=True)]
        sides = zip(hands, (rows, columns), strict=True)
        worths = [dict(zip(hand, (self._worth(node, x) for x in side), strict=True)) for hand, side in sides]
        value = self._worth(node, solution.value)
        return EncanStrategy("bid", value, self._shared(solution.gap), bids, worths=(worths[0], worths[1]))

    def _stored(self, node: EncanNode) -> list[list[float]] | None:
        for table in (self._table, *self._live):
            found = table.matrix(node)
            if found is not None:
                return found
        return None

    def stand_on(self, file: Container) -> None:
        """Let live solutions go no further down than a file's values, which are read when first needed."""
        self._file = file

    def _find_floor(self) -> None:
        if self._file is not None:
            self._floor, self._file = load_floor(self._file, self._table), None

    def _solve_from(self, node: EncanNode) -> None:
        self._find_floor()
        work = None
        if 0 < self._floor < node.turns:
            work = make_plan(self.game, node, lowest=self._floor)
        if work is None or not work.borrow(self._table):
            work = make_plan(self.game, node)
        work.run(threads=LIVE_THREADS)
        self._live = [work.table, *self._live[: LIVE_SUBGAMES - 1]]

    def _worth(self, node: EncanNode, value: float) -> float:
        if self.game.options.payoff == "win":
            return 0.5 + 0.5 * value
        return node.lead + value

    def _shared(self, difference: float) -> float:
        return 0.5 * difference if self.game.options.payoff == "win" else difference

    def __repr__(self) -> str:
        return f"<EncanSolution of {self.game}: value {self.value:.12f}>"


def plan(
    game: EncanGame, *, position: EncanState | EncanPosition | None = None, max_bytes: int | None = None
) -> EncanPlan:
    """Prepare a solution: find all hand patterns and score situations and count the work.

    Args:
        game: any member of the family.
        position: where to begin; the start of the game by default.
        max_bytes: memory that may be used; nine tenths of the machine's by default.

    Raises:
        ParameterError: if the position is impossible.
        SolveError: if the game is over there, the work does not fit the memory, or the rules are such that
            the gold in two unlike hands of several cards can decide.
    """
    return make_plan(
        game, node_of(game, game.new_initial_state() if position is None else position), max_bytes
    )


def solve(
    game: EncanGame | EncanPlan,
    *,
    position: EncanState | EncanPosition | None = None,
    progress: Progress | None = None,
    threads: int = 1,
    max_bytes: int | None = None,
    folder: str | Path | None = None,
    executor: str | Factory | None = None,
) -> EncanSolution:
    """Solve a game, or a position of it, exactly.

    The result does not depend, to the last bit, on who does the work and in how many parts.

    Args:
        game: any member of the family, or a plan, which is then carried out.
        position: where to begin; the start of the game by default.
        progress: called from this thread, now and then, with the number of matrix games solved and of all.
        threads: how many threads, or processes, solve matrix games.
        max_bytes: memory that may be used; nine tenths of the machine's by default.
        folder: where finished levels are written; a run that was interrupted goes on from there.
        executor: ``threads`` (or None), ``processes``, ``dask:ADDRESS``, or a function that makes a
            ``concurrent.futures.Executor``, called again if that breaks down; all workers must see the folder
            under the same name, and without one a temporary folder of this machine is used.

    Raises:
        ParameterError: if the position is impossible, the number of threads is not 1 or more, or there is no
            such executor.
        SolveError: as :func:`plan`; or if the folder cannot be used.
        MissingExtraError: if Dask is asked for and not installed.
        KeyboardInterrupt: within a second of Ctrl-C.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    work = game if isinstance(game, EncanPlan) else plan(game, position=position, max_bytes=max_bytes)
    where = None if folder is None else Path(folder)
    if executor is None or executor == "threads":
        report = work.run(progress, threads, where)
    else:
        report = _run_apart(work, executor, threads, where, progress)
    spent = (time.perf_counter() - wall, time.process_time() - cpu)
    return EncanSolution(work.table, report, work.states, *spent)


def _run_apart(
    work: EncanPlan, executor: str | Factory, workers: int, folder: Path | None, progress: Progress | None
) -> SweepReport:
    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="cardgods-")))
        if isinstance(executor, str):
            executor = stack.enter_context(executor_factory(executor, workers))
        return run_apart(work, executor, folder, progress)


def load_solution(path: str | Path) -> EncanSolution:
    """A solution that :meth:`EncanSolution.save` has written; its values are read as they are needed.

    Raises:
        SolveError: if the file is damaged, of another kind, or of another version of the solver or rules.
    """
    table, file = load_table(Path(path))
    solution = EncanSolution(table, SweepReport(**file.meta["report"]), file.meta["states"])
    solution.stand_on(file)
    return solution
