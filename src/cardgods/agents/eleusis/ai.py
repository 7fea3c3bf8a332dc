"""God of Eleusis who invents his rule for a wanted difficulty; as a seeker he deduces."""

from cardgods._core.rng import Random
from cardgods.agents.eleusis.deduce import DeduceAgent
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.rule.aim import aimed
from cardgods.rule.generate import LEVELS, Invention, invent


class GodAgent(DeduceAgent):
    """Invents a rule when he is God.

    Args:
        level: difficulty of the rule, 1 to 4; 0 for any.
        size: how many draws his bank of rules is made of, for when he is a seeker.
        aim: rules that he tries on a strong and a weak seeker before he chooses one; 0 to take the first.
    """

    def __init__(self, level: int, size: int, aim: int) -> None:
        super().__init__(size)
        self.level = level
        self.aim = aim

    def invent(self, rng: Random) -> Invention:
        """The rule of a round, with a true hint and its analysis."""

        def draw() -> Invention:
            return invent(self.level or 1 + rng.below(3), rng)

        return aimed(draw, rng.spawn(1), self.aim) if self.aim else draw()


def make(game: Game, *, level: int = 2, size: int = 1500, aim: int = 3) -> GodAgent:
    """The agent.

    Args:
        game: the game.
        level: difficulty of the rules he invents: 1 easy to 4 very hard, 0 anything up to 3.
        size: how many draws his bank of rules is made of.
        aim: rules that he tries on a strong and a weak seeker before he chooses one, 0 to 20.

    Raises:
        ParameterError: if there is no such level, or too many tries are wanted.
    """
    if not 0 <= aim <= 20:
        raise ParameterError(f"agent 'ai', parameter aim: {aim} is not within 0..20")
    if level not in (0, *LEVELS):
        raise ParameterError(f"agent 'ai', parameter level: {level} is not within 0..4")
    return GodAgent(level, max(0, min(size, 20000)), aim)
