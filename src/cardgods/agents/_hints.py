"""Hints: the moves of a player ranked by what they bring, from what he knows alone.

A game may have its own way, a module ``_hints`` in its folder here with a function
``hints(state, player) -> list[Hint]``; the others are searched by :mod:`cardgods.agents.ismcts`'s core. The
random numbers of a hint come from the player's information state, so the same knowledge gives the same hint.
"""

import importlib
import importlib.util
import math
from dataclasses import dataclass

from cardgods._core.rng import Random
from cardgods._core.search.ismcts import Ismcts
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.errors import IllegalActionError

STEPS = 100_000
"""Actions that a search carries out before it stops: work, not time, so that a hint depends on no clock."""
ITERATIONS = 2000
CHUNK = 5
"""Iterations between two looks at the work done."""


@dataclass(frozen=True)
class Hint:
    """One move.

    Attributes:
        action: the move.
        estimate: share of games won, a draw counting half; the expected return where points are played for.
        detail: where the estimate comes from, in a few words.
        wins: whether the estimate is a share of games won.
        error: standard error of the estimate; None if it is no mean of samples.
        exact: whether it comes from an exact solution.
    """

    action: int
    estimate: float
    detail: str
    wins: bool = True
    error: float | None = None
    exact: bool = False

    @property
    def worth(self) -> str:
        """The estimate with its unit: ``57.2 %`` or ``+1.25 points``."""
        return f"{100 * self.estimate:.1f} %" if self.wins else f"{self.estimate:+.2f} points"


def hints(state: State, player: int) -> list[Hint]:
    """All moves of a player who is on turn, the best first.

    Raises:
        IllegalActionError: if he is not on turn.
    """
    if player < 0 or state.current_player() != player:
        raise IllegalActionError(f"player {player} is not on turn here")
    own = f"cardgods.agents.{state.game.name}"
    if importlib.util.find_spec(own) and importlib.util.find_spec(f"{own}._hints"):
        found: list[Hint] = importlib.import_module(f"{own}._hints").hints(state, player)
        return found
    return searched(state, player)


def knowledge_rng(state: State, player: int) -> Random:
    """Random numbers that depend on what the player knows and on nothing else."""
    return Random(state.information_state(player))


def searched(state: State, player: int) -> list[Hint]:
    """Hints by tree search, for any game."""
    least, most = state.game.min_utility(), state.game.max_utility()
    search = Ismcts(state, player, knowledge_rng(state, player), 1.0, True, least, most)
    cancel = Cancel()
    while search.iterations < ITERATIONS and search.steps < STEPS:
        search.run(CHUNK, cancel)
    wins = (least, most) == (-1, 1)
    scale = 1.0 if wins else most - least
    return [
        Hint(
            action,
            mean if wins else least + mean * scale,
            f"searched {visits} times",
            wins,
            # A mean of numbers from 0 to 1 has at most the variance of a coin.
            scale * math.sqrt(max(mean * (1 - mean), 0) / max(visits, 1)),
        )
        for action, visits, mean in search.moves()
    ]
