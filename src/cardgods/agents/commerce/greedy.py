"""Thresholds on the odds, for Commerce.

* Knock, and refuse an offer by knocking, if the expected points of a showdown now reach a threshold that
  grows with the number of players. The odds take the player's own discards and the cards that he knows others
  to hold into account: exact for three players, sampled for more.
* Otherwise exchange the card whose going leaves the best odds after a draw: the dealer buys, which costs him
  nothing; the others trade, which costs nothing either.
"""

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.agents.commerce import threshold_for
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.games.commerce import BUY, KNOCK, TRADE, CommerceGame
from cardgods.solve.commerce import buy_odds, knock_odds
from cardgods.solve.commerce_story import odds_arguments, read_story

COUNTED = 3
"""Up to so many players the odds are counted, in half a millisecond."""


class GreedyAgent:
    """The heuristic of this module.

    Args:
        game: the game.
        threshold: expected points from which it knocks.
        samples: deals drawn for odds that are not counted.
    """

    def __init__(self, game: CommerceGame, threshold: float, samples: int) -> None:
        self._pack = game.pack
        self._players = game.num_players()
        self._threshold = threshold
        self._samples = samples

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The action of the heuristic."""
        story = read_story(state.information_state(player), player, self._players)
        known = odds_arguments(story, player)
        if story.phase in ("turn", "reply"):
            counted = self._players <= COUNTED
            odds = knock_odds(
                **known, pack=self._pack, exact=counted, samples=self._samples, seed=rng.bits32()
            )
            if odds.points >= self._threshold:
                return KNOCK
            if story.phase == "turn":
                return BUY if player == story.dealer else TRADE
        buys = buy_odds(**known, pack=self._pack, exact=False, samples=self._samples, seed=rng.bits32())
        return buys[0].discard


def make(game: Game, *, threshold: float | None = None, samples: int = 2000) -> Agent:
    """The agent.

    Args:
        game: the game.
        threshold: expected points of a showdown, net of the ante, from which it knocks.
        samples: deals drawn for odds that are not counted.
    """
    assert isinstance(game, CommerceGame)
    if samples < 1:
        raise ParameterError(f"agent 'greedy': samples is 1 or more, not {samples}")
    players = game.num_players()
    return GreedyAgent(game, threshold_for(players) if threshold is None else threshold, samples)
