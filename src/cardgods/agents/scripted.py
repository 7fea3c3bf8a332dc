"""An agent for every game that plays moves written down beforehand, in the words a person would type."""

from collections.abc import Iterable
from pathlib import Path

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.errors import ParameterError
from cardgods.game import Game


class ScriptedAgent:
    """Plays given moves in order.

    Args:
        moves: texts of actions, or action numbers.
    """

    def __init__(self, moves: Iterable[str | int]) -> None:
        self._moves = tuple(moves)

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The next move of the script: the first one at the player's first decision, and so on.

        Raises:
            ParameterError: if the script has no move left.
            ActionTextError: if its next move is no legal action.
        """
        # Counted anew each time, so that a game which is resumed goes on where the script stood.
        place = sum(actor == player for actor, _ in state.full_history())
        if place >= len(self._moves):
            raise ParameterError("the script has no move left")
        move = self._moves[place]
        return move if isinstance(move, int) else state.string_to_action(move)


def make(game: Game, *, file: str) -> Agent:
    """The agent.

    Args:
        game: the game to play.
        file: path of a text file with one move a line; blank lines and lines from ``#`` on do not count.

    Raises:
        ParameterError: if the file can not be read.
    """
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        raise ParameterError(f"script {file}: {reason}") from None
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return ScriptedAgent([line for line in lines if line])
