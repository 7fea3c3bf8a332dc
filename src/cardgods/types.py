"""Small shared types; the numbers are OpenSpiel's."""

from enum import IntEnum
from typing import Literal, TypeAlias


class PlayerId(IntEnum):
    """Who acts at a node, when it is not one player."""

    CHANCE = -1
    SIMULTANEOUS = -2
    TERMINAL = -4


Action: TypeAlias = int
"""An action or a chance outcome: a small integer whose meaning is the game's."""

Language: TypeAlias = Literal["en", "fr"]
"""Language of texts: card letters, action names, messages."""
