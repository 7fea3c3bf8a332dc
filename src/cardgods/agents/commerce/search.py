"""Monte Carlo search for Commerce.

Worlds are drawn uniformly from those that the player cannot tell from the real one, so nothing hidden is
used; one in which others would hardly have done what they did counts less. In each, every action is tried
once and the deal played on quickly by everybody (knock above a threshold, else exchange the least useful
card); the action with the best mean points until the end of the deal is taken.
"""

from cardgods._core.games.commerce_quick import QuickPlay
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.agents.commerce import threshold_for
from cardgods.errors import ParameterError
from cardgods.game import Game


class SearchAgent:
    """The search of this module.

    Args:
        quick: how the deal is played on.
        worlds: worlds sampled for a decision.
    """

    def __init__(self, quick: QuickPlay, worlds: int) -> None:
        self._quick = quick
        self._worlds = worlds

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The action with the best mean, the first of equals."""
        return max(self.evaluate(state, rng), key=lambda found: found[1])[0]

    def evaluate(self, state: State, rng: Random) -> list[tuple[int, float, float]]:
        """For each legal action of who decides: (action, mean points from now on, standard error)."""
        return self._quick.worths(state, self._worlds, rng, Cancel())


def make(
    game: Game, *, worlds: int = 1000, threshold: float | None = None, surprise: float = 0.1
) -> SearchAgent:
    """The agent.

    Args:
        game: the game.
        worlds: worlds sampled for a decision.
        threshold: expected points from which players knock in quick play.
        surprise: how much a world counts, 0 to 1, for each decision of another player in this deal that quick
            play would not have taken in it.
    """
    if worlds < 1:
        raise ParameterError(f"agent 'search': worlds is 1 or more, not {worlds}")
    if not 0 < surprise <= 1:
        raise ParameterError(f"agent 'search': surprise is above 0 and at most 1, not {surprise}")
    limit = threshold_for(game.num_players()) if threshold is None else threshold
    return SearchAgent(QuickPlay(game.new_initial_state(True), limit, surprise), worlds)
