"""Planning and running the core's Encan solver: memory, threads, progress and Ctrl-C."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from cardgods._core.games.encan import EncanRulesObject
from cardgods._core.solve.encan_hands import Hands
from cardgods._core.solve.encan_nodes import bid_matrix
from cardgods._core.solve.encan_scores import Scores
from cardgods._core.solve.encan_sweep import Sweep
from cardgods._core.solve.matrix import ROUTE_NAMES, MatrixSolution, solve_matrix
from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError, SolveError, shown
from cardgods.games.encan import EncanGame
from cardgods.solve.encan_position import EncanNode
from cardgods.work import run

KEEP_BYTES = 64 << 20
"""Vectors near the root that stay after a solution, for strategies."""
INLINE_GAMES = 100_000
"""So many matrix games are solved within a blink, without a thread."""
UNIT_GAMES = 250_000
"""Matrix games in a unit of work, if a triple does not have more."""
MOST_SITUATIONS = 40_000_000
ROUNDING = 4e-15
"""Bound of the rounding of one turn, in units of the largest value: 14 products and a mean."""
CARRY_LIMIT = 1 << 15
SCORE_LIMIT = 1 << 18


@dataclass
class SweepReport:
    """What a run came to; gaps are in units of the core's value (a win is 2 wide)."""

    games: int = 0
    routes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ROUTE_NAMES, 0))
    largest_gap: float = 0.0
    error_bound: float = 0.0


class EncanPlan:
    """A game whose situations are found and whose work is counted, ready to run.

    Attributes:
        game: the game.
        matrix_games: how many are to be solved.
        states: values to be stored.
        bytes_needed: most memory that the values will take at one time, and the tables.
        levels: per number of turns to come: (hand patterns, classes of score situations, triples, games).
    """

    def __init__(self, game: EncanGame, root: EncanNode, sweep: Sweep) -> None:
        self.game = game
        self.root = root
        self._sweep = sweep
        self._begun = False
        self._report: SweepReport | None = None
        turns = range(1, sweep.hands.turns + 1)
        self.matrix_games = sum(sweep.work(k) for k in turns)
        self.states = sum(sweep.counts())
        patterns, scores = sweep.hands.counts(), sweep.scores.counts()
        self.levels = {k: (patterns[k][1], scores[k][1], scores[k][2], sweep.work(k)) for k in turns}
        self.bytes_needed = sweep.table_bytes() + self._most_values()

    def _most_values(self) -> int:
        """Bytes of two neighbouring levels, and of those kept above them... the widest moment."""
        sweep = self._sweep
        sizes = [sweep.level_bytes(k) for k in range(sweep.hands.turns + 1)]
        most = 0
        for k in range(1, len(sizes)):
            kept = sum(sizes[j] for j in range(sweep.kept, k - 1)) if k - 1 > sweep.kept else 0
            most = max(most, sizes[k] + sizes[k - 1] + kept)
        return most

    def run(self, progress: Callable[[int, int], None] | None = None, threads: int = 1) -> SweepReport:
        """Solve all matrix games; a second time it only returns the report again.

        Args:
            progress: called from this thread with the number of games solved and of all.
            threads: how many threads work; the result does not depend on it.

        Raises:
            ParameterError: if the number of threads is not 1 or more.
            SolveError: if a run was interrupted before.
            KeyboardInterrupt: within a second of Ctrl-C.
        """
        if type(threads) is not int or threads < 1:
            raise ParameterError(f"{shown(threads)} threads: at least one is needed")
        if self._report is not None:
            return self._report
        if self._begun:
            raise SolveError("this plan was interrupted: make a new one")
        self._begun = True
        report = SweepReport()
        for k in range(1, self._sweep.hands.turns + 1):
            self._run_level(k, report.games, progress, threads)
            self._sweep.close(k)
            games, routes, gap = self._sweep.tally()
            report.games += games
            for name, count in zip(ROUTE_NAMES, routes, strict=True):
                report.routes[name] += count
            report.largest_gap = max(report.largest_gap, gap)
            report.error_bound += 0.5 * gap + ROUNDING * self._sweep.scale
            if progress is not None:
                progress(report.games, self.matrix_games)
        self._report = report
        return report

    def _run_level(
        self, k: int, before: int, progress: Callable[[int, int], None] | None, threads: int
    ) -> None:
        sweep = self._sweep
        if self.matrix_games <= INLINE_GAMES:
            for first, end in sweep.units(k, INLINE_GAMES):
                sweep.run(k, first, end, Cancel())
            return
        units = sweep.units(k, UNIT_GAMES)

        def report(done: int) -> None:
            if progress is not None:
                progress(before + done * sweep.work(k) // len(units), self.matrix_games)

        run(lambda unit, cancel: sweep.run(k, *unit, cancel), units, threads, report)

    def bid(self, node: EncanNode) -> MatrixSolution | None:
        """The matrix game of a bid node, in units of the core's value; None if its values were not kept."""
        if node.treasure is None or node.turns > self._sweep.hands.turns:
            return None
        matrix = bid_matrix(
            self._sweep,
            node.hands,
            node.burnt,
            node.used,
            node.pile,
            node.treasure,
            node.scores,
            node.carry,
        )
        return None if matrix is None else solve_matrix(matrix)


def make_plan(game: EncanGame, root: EncanNode, max_bytes: int | None = None) -> EncanPlan:
    """Find everything below a root; see ``cardgods.solve.encan.plan``."""
    gold = _gold_in_hand(game, root)
    hands = Hands(root.hands, [_mark(root, player) for player in range(2)], root.used, root.turns)
    small = root.turns <= (5 if root.used != 3 else 8)
    _guarded(hands.build, small)
    opening = 0 if root.treasure is None else 1 << root.treasure
    rules = game.rules
    assert isinstance(rules, EncanRulesObject)
    _check_numbers(game, root)
    scores = Scores(rules, root.pile | opening, opening, root.scores, root.carry, gold, hands.symmetric)
    try:
        _guarded(lambda cancel: scores.build(cancel, MOST_SITUATIONS), small)
    except OverflowError as error:
        raise SolveError(f"this game is too large to solve: {error}") from None
    except ValueError:
        raise SolveError(
            "with tie=split both players can reach the target at once, and the sum of the gold in hand would "
            "decide, which this solver does not know: choose another tie_break, or no target"
        ) from None
    most = sum(game.options.cards) + root.carry / root.scale if game.options.payoff == "points" else 1.0
    plan = EncanPlan(game, root, Sweep(hands, scores, KEEP_BYTES, most))
    limit = _memory() if max_bytes is None else max_bytes
    if plan.bytes_needed > limit:
        raise SolveError(
            f"this solution needs {plan.bytes_needed / 1e9:.1f} GB of memory and {plan.matrix_games:.2e} "
            f"matrix games, {limit / 1e9:.1f} GB may be used"
        )
    return plan


def _guarded(task: Callable[[Cancel], object], small: bool) -> None:
    """Run a task so that Ctrl-C is answered; one that takes milliseconds, here and now."""
    if small:
        task(Cancel())
    else:
        run(lambda _, cancel: task(cancel), [None])


def _mark(node: EncanNode, player: int) -> int:
    burnt = node.burnt[player]
    return -1 if node.used >> player & 1 or not burnt else (burnt & -burnt).bit_length() - 1


def _gold_in_hand(game: EncanGame, root: EncanNode) -> bool:
    """True if hands may end with a card, whose order then decides."""
    left = [
        root.hands[player].bit_count() - root.turns + (not root.used >> player & 1) for player in range(2)
    ]
    options = game.options
    if max(left) > 1 and options.payoff == "win" and options.tie_break == "cascade":
        raise SolveError("players may end with several cards here, and the sum of their gold would decide")
    return max(left) > 0


def _check_numbers(game: EncanGame, root: EncanNode) -> None:
    rest = root.carry + sum(game.options.cards) * root.scale
    if rest >= CARRY_LIMIT or max(root.scores) + rest >= SCORE_LIMIT:
        raise SolveError("the carry and scores of this position are too large to solve")


def _memory() -> int:
    return int(0.9 * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
