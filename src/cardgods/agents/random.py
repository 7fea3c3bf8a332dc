"""An agent for every game that chooses uniformly among the legal actions."""

from cardgods._core.autoplay import UNIFORM
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.game import Game


class RandomAgent:
    """Chooses uniformly among the legal actions."""

    reflex = UNIFORM

    def distribution(self, state: State, player: int) -> dict[int, float]:
        """Action -> probability."""
        legal = state.legal_actions(player)
        return dict.fromkeys(legal, 1 / len(legal))

    def choose(self, state: State, player: int, rng: Random) -> int:
        """A uniform legal action."""
        return rng.choice(state.legal_actions(player))


def make(game: Game) -> Agent:
    """The agent; it takes no parameters."""
    return RandomAgent()
