"""Optimal play of L'Encan d'Hermès, from the exact solution of the whole game."""

from pathlib import Path

from cardgods._core.games.encan import EncanState
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.games.encan import EncanGame
from cardgods.solve.encan import EncanSolution, default_path, load_solution, plan, solve

MANY_CARDS = 12
"""From so many cards on, even counting the work takes seconds, and it is always too much."""
COSTS = "two minutes to half an hour of processor time and up to 15 GB of memory"
RESOLUTION = 1 << 30
"""Probabilities are drawn in units of one part in this many."""


class ExactAgent:
    """Draws each bid from the optimal mixture; nobody can win more often against it than the game's value.

    Args:
        solution: the solved game.
    """

    def __init__(self, solution: EncanSolution) -> None:
        self._solution = solution
        self._cards: tuple[int, ...] = solution.game.options.cards

    def choose(self, state: State, player: int, rng: Random) -> int:
        """A bid of the optimal mixture, or the better answer in the Obole window."""
        assert isinstance(state, EncanState)
        strategy = self._solution.strategy(state)
        if strategy.bids is None:
            return len(self._cards) + (strategy.action == "call")
        bids = strategy.bids[player]
        weights = [round(share * RESOLUTION) for share in bids.values()]
        return self._cards.index(list(bids)[rng.weighted(weights)])


def make(game: Game, *, games: int = 5_000_000, file: str = "") -> Agent:
    """The agent, from a stored solution or after solving the game.

    Args:
        game: the game to play.
        games: most matrix games that may be solved for it.
        file: a stored solution; without one, the one that ``cardgods solve encan --store`` has written.

    Raises:
        ParameterError: if there is no stored solution and the game needs more, or the file is another game's.
        SolveError: if it cannot be solved at all, or the file is damaged.
    """
    assert isinstance(game, EncanGame)
    path = Path(file) if file else default_path(game)
    if file or path.exists():
        solution = load_solution(path)
        if solution.game != game:
            raise ParameterError(
                f"agent 'exact': {path} holds the solution of {solution.game}, not of {game}"
            )
        return ExactAgent(solution)
    hopeless = len(game.options.cards) >= MANY_CARDS and games < 10**9
    needed = None if hopeless else plan(game).matrix_games
    if needed is None or needed > games:
        work = COSTS if needed is None else f"{needed:,} matrix games"
        raise ParameterError(
            f"agent 'exact': {game} takes {work} to solve, {games:,} are allowed. "
            "cardgods solve encan --store does it once; "
            "or play --variant express or fewer cards, or allow more with exact:games=..."
        )
    return ExactAgent(solve(game))
