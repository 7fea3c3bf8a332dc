"""Information-set Monte Carlo tree search for any game (see ``cardgods._core.search.ismcts``).

New leaves are played out by the game's quick heuristic where it has one, and the heuristic's move is kept
unless the search has found another better by more than one standard error, so that noise does not make the
agent worse than the heuristic. Without one (or with ``heuristic=off``) leaves are played out at random and
the most visited move is chosen.
"""

import math
from collections.abc import Sequence

from cardgods._core.rng import Random
from cardgods._core.search.ismcts import Ismcts
from cardgods._core.search.policy import has_policy, policy_action
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.agents._budget import Budget, spend
from cardgods.errors import ParameterError
from cardgods.game import Game

ITERATIONS = 2000
STEP = 128
"""Iterations between two looks at the clock."""


class IsmctsAgent:
    """The agent of this module.

    Args:
        game: the game that it plays.
        budget: iterations for a move, or seconds.
        exploration: weight of the confidence bound.
        heuristic: play out by the game's quick heuristic where it has one.
    """

    def __init__(self, game: Game, budget: Budget, exploration: float, heuristic: bool) -> None:
        self._budget = budget
        self._exploration = exploration
        self._heuristic = heuristic
        self._low, self._high = game.min_utility(), game.max_utility()

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The action that the search found best."""
        legal = state.legal_actions(player)
        if len(legal) == 1:
            return legal[0]
        search = Ismcts(state, player, rng, self._exploration, self._heuristic, self._low, self._high)
        spend(self._budget, search.run, STEP)
        moves = search.moves()
        if not (self._heuristic and has_policy(state)):
            return moves[0][0]
        return _better_than(policy_action(state, rng), moves)


def _better_than(quick: int, moves: Sequence[tuple[int, int, float]]) -> int:
    """The move that beats a given one most clearly, by more than a standard error; else the given one.

    Args:
        quick: the given move.
        moves: (action, visits, mean) of those searched; a mean in 0..1 of n visits has variance 1/4n at most.
    """
    found = {action: (visits, mean) for action, visits, mean in moves}
    if quick not in found:
        return quick
    visits, mean = found[quick]
    best, most = quick, 0.0
    for action, (n, value) in found.items():
        margin = value - mean - math.sqrt(0.25 / n + 0.25 / visits)
        if action != quick and margin > most:
            best, most = action, margin
    return best


def make(
    game: Game,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    exploration: float = 1.0,
    heuristic: bool = True,
) -> Agent:
    """The agent.

    Args:
        game: any game.
        iterations: worlds searched for a move, 2000 unless seconds are given.
        seconds: time for a move instead.
        exploration: weight of the confidence bound, for returns scaled to 0..1.
        heuristic: play out by the game's quick heuristic where it has one.

    Raises:
        ParameterError: if iterations and seconds are both given, or a number is out of range.
    """
    if not 0 <= exploration <= 1000:
        raise ParameterError(f"agent 'ismcts', parameter exploration: {exploration} is not from 0 to 1000")
    budget = Budget.of("ismcts", "iterations", iterations, seconds, ITERATIONS)
    return IsmctsAgent(game, budget, exploration, heuristic)
