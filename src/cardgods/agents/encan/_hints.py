"""Hints for L'Encan d'Hermès: optimal play where it is stored or quickly solved, else a search."""

from functools import lru_cache

from cardgods._core.games.encan import EncanState
from cardgods._core.state import State
from cardgods.agents._hints import Hint, searched
from cardgods.errors import SolveError
from cardgods.games.encan import EncanGame
from cardgods.solve.encan import EncanSolution, EncanStrategy, default_path, load_solution, plan, solve

QUICK_TURNS = 9
QUICK_GAMES = 1_000_000
"""With so many turns to come at most, a position is solved on the spot if it takes so many matrix games."""


def hints(state: State, player: int) -> list[Hint]:
    """All moves, by what they are worth against optimal play; see :func:`cardgods.agents._hints.hints`."""
    assert isinstance(state, EncanState)
    strategy = optimal(state)
    return searched(state, player) if strategy is None else ranked(strategy, state, player)


def ranked(strategy: EncanStrategy, state: EncanState, player: int) -> list[Hint]:
    """The moves of a player by what they are worth against optimal play, those of his mixture first.

    Args:
        strategy: optimal play at the position.
        state: the position, at a bid or in an Obole window.
        player: who decides.
    """
    wins = state.game.options.payoff == "win"
    sign = 1 if player == 0 else -1
    if strategy.worths is None or strategy.bids is None:
        worths = {
            len(state.game.options.cards) + (word == "call"): x for word, x in (strategy.values or {}).items()
        }
        shares = {}
    else:
        places = state.game.options.cards.index
        worths = {places(card): x for card, x in strategy.worths[player].items()}
        shares = {places(card): x for card, x in strategy.bids[player].items()}
    order = sorted(worths, key=lambda action: (-shares.get(action, 0), -sign * worths[action]))
    return [
        Hint(
            action,
            1 - worths[action] if wins and player else sign * worths[action],
            f"bid in {100 * shares[action]:.1f} % of cases"
            if action in shares
            else "with optimal play from there",
            wins,
            0.0,
            exact=True,
        )
        for action in order
    ]


def optimal(state: EncanState) -> EncanStrategy | None:
    """Optimal play at a position if that takes no more than about a second, else None."""
    game = state.game
    assert isinstance(game, EncanGame)
    solution = _stored(game)
    if solution is not None:
        return solution.strategy(state)
    if len(state.view()["treasures_left"]) >= QUICK_TURNS:
        return None
    try:
        work = plan(game, position=state)
        return solve(work).strategy(state) if work.matrix_games <= QUICK_GAMES else None
    except SolveError:
        return None


@lru_cache(maxsize=2)
def _stored(game: EncanGame) -> EncanSolution | None:
    path = default_path(game)
    return load_solution(path) if path.exists() else None
