"""A quick heuristic for Trois Trônes: the move after which winning two fronts looks most likely.

On each front the lead is the difference of the forces laid, with 18 for each free place of either side. With
n free places left there the front counts as won with probability 1/2 + lead / (12.8 * sqrt(n)), cut off at 0
and 1. The move with the greatest probability of two fronts or more is laid, the fronts taken as independent;
a card is never laid where another of the hand counts no less and would count no more anywhere else.

The heuristic is deterministic, keeps nothing in mind and thinks for about a microsecond.
"""

from cardgods._core.autoplay import POLICY
from cardgods._core.rng import Random
from cardgods._core.search.policy import policy_action
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.game import Game


class GreedyAgent:
    """The heuristic of this module."""

    reflex = POLICY

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The action of the heuristic."""
        return policy_action(state, rng)


def make(game: Game) -> Agent:
    """The agent; it takes no parameters."""
    return GreedyAgent()
