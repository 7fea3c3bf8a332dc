"""A quick heuristic for L'Encan d'Hermès.

* Bid: the place of the lot among the treasures still to come (this one included) is the place of the card
  bid in the purse: the best lot gets the best card, the worst the worst. A carry lifts the lot's place. One
  time in four the card is one place lower, one time in four one higher, so that two greedy players do not
  always tie.
* A lot that would bring either player to the target gets the smallest card that beats all the opponent can
  bid, or the highest card if none does.
* Obole: called when the card that comes back is above the middle of the purse, or when no more than two
  treasures are to come, this one included.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.game import Game


class GreedyAgent:
    """The heuristic of this module.

    Args:
        cards: card values of the game, ascending; a card's action is its place in them.
    """

    def __init__(self, cards: Sequence[int]) -> None:
        self._cards = cards

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The action of the heuristic."""
        view = state.view(player)
        if view["phase"] == "window":
            call = len(self._cards) + 1
            return call if _calls(view, player) else call - 1
        return self._cards.index(_bid(view, player, rng))


def _calls(view: Mapping[str, Any], player: int) -> bool:
    hand = view["hands"][player]
    back = view["burnt"][player][0]
    return len(view["treasures_left"]) < 2 or 2 * sum(card < back for card in hand) > len(hand)


def _bid(view: Mapping[str, Any], player: int, rng: Random) -> int:
    mine, his = view["hands"][player], view["hands"][1 - player]
    lot = view["treasure"] + view["carry"]
    target = view["target"]
    if target is not None and max(view["scores"]) + lot >= target:
        return int(next((card for card in mine if card > his[-1]), mine[-1]))
    others = view["treasures_left"]
    if not others:
        return int(mine[-1])
    below = sum(treasure < lot for treasure in others)
    place = (below * (len(mine) - 1) + len(others) // 2) // len(others) + rng.choice((-1, 0, 0, 1))
    return int(mine[min(max(place, 0), len(mine) - 1)])


def make(game: Game) -> Agent:
    """The agent; it takes no parameters."""
    return GreedyAgent(game.options.cards)
