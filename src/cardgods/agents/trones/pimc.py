"""Perfect-information Monte Carlo: worlds that fit what the player knows, solved with all cards open.

The move that wins most of the sampled deals is laid; among equals the choice of the greedy heuristic, else
the lowest. The method takes hidden cards for known when it looks ahead, so it neither hides what it holds
nor pays for learning what the other holds.
"""

from cardgods._core.games.trones import TronesState
from cardgods._core.rng import Random
from cardgods._core.search.policy import policy_action
from cardgods._core.solve.trones_pimc import Pimc
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.agents._budget import Budget, spend
from cardgods.game import Game

WORLDS = 1000
STEP = 64
"""Worlds between two looks at the clock."""


class PimcAgent:
    """The agent of this module.

    Args:
        budget: worlds for a move, or seconds.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The move that wins most sampled deals."""
        assert isinstance(state, TronesState)
        search = Pimc(state, player, rng)
        moves = search.moves()
        if len(moves) > 1:
            spend(self._budget, search.run, STEP)
            moves = search.moves()
        best = [action for action, wins in moves if wins == moves[0][1]]
        quick = policy_action(state, rng)
        return quick if quick in best else best[0]


def make(game: Game, *, worlds: int | None = None, seconds: float | None = None) -> Agent:
    """The agent.

    Args:
        game: Trois Trônes.
        worlds: deals to solve for a move, 1000 unless seconds are given.
        seconds: time for a move instead.

    Raises:
        ParameterError: if both are given or one is not positive.
    """
    return PimcAgent(Budget.of("pimc", "worlds", worlds, seconds, WORLDS))
