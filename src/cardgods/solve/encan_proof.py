"""Best replies over the whole tree of an Encan game: what each player's strategy guarantees."""

from dataclasses import dataclass
from pathlib import Path

from cardgods._core.games.encan import EncanState
from cardgods._core.solve.encan_nodes import root_value
from cardgods.games.encan import EncanGame
from cardgods.solve.encan_position import EncanNode, EncanPosition, node_of
from cardgods.solve.encan_sweep import EncanPlan, Progress, make_plan


@dataclass(frozen=True)
class EncanGuarantees:
    """What a pair of strategies is worth against the best replies to each.

    Attributes:
        lower: what player 0's strategy brings him at least, in the units of ``EncanSolution.value``.
        upper: what player 1's strategy lets player 0 have at most.
        matrix_games: how many were solved, for both together.
    """

    lower: float
    upper: float
    matrix_games: int

    @property
    def gap(self) -> float:
        """The value lies between the two, which are so far apart."""
        return self.upper - self.lower


def guarantees(
    game: EncanGame,
    *,
    position: EncanState | EncanPosition | None = None,
    progress: Progress | None = None,
    threads: int = 1,
    max_bytes: int | None = None,
    folder: str | Path | None = None,
) -> EncanGuarantees:
    """Prove the value of a game by two passes of best replies over its whole tree.

    In the pass for a player every matrix game is solved for a strategy of his, and what that strategy
    guarantees against each reply, not the value of the game, is what the turn before is played for. At the
    root this is what his strategies of all turns together bring against an opponent who knows them. Mirror
    images, which would exchange the players, are not folded, so each pass takes up to twice the work and
    memory of a solution.

    Args:
        game: any member of the family.
        position: where to begin; the start of the game by default.
        progress: called from this thread, now and then, with the number of matrix games solved and of all.
        threads: how many threads work.
        max_bytes: memory that may be used; nine tenths of the machine's by default.
        folder: where finished levels of each pass are written, in folders of its own.

    Raises:
        ParameterError: if the position is impossible or the number of threads is not 1 or more.
        SolveError: as :func:`cardgods.solve.encan.plan`, or if the folder cannot be used.
        KeyboardInterrupt: within a second of Ctrl-C.
    """
    root = node_of(game, game.new_initial_state() if position is None else position)
    found, games = [], 0
    for number, (side, name) in enumerate([(-1, "lower"), (1, "upper")]):
        work = make_plan(game, root, max_bytes, side)
        tell = None if progress is None else _part(progress, number, work.matrix_games)
        report = work.run(tell, threads, None if folder is None else Path(folder) / name)
        found.append(_worth(game, root, work))
        games += report.games
    return EncanGuarantees(found[0], found[1], games)


def _part(progress: Progress, number: int, games: int) -> Progress:
    return lambda done, total: progress(number * games + done, 2 * games)


def _worth(game: EncanGame, root: EncanNode, work: EncanPlan) -> float:
    value = root_value(work.table.vectors, work.table.vectors.scores)
    return 0.5 + 0.5 * value if game.options.payoff == "win" else root.lead + value
