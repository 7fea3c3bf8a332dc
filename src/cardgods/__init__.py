"""A fast engine, exact solvers and a command line for four card games."""

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.errors import (
    ActionTextError,
    AgentError,
    CardgodsError,
    CardTextError,
    IllegalActionError,
    MissingExtraError,
    ParameterError,
    SolveError,
)
from cardgods.game import Game, deserialize_state, load_game, registered_names
from cardgods.types import Action, PlayerId

__version__ = "0.1.0"

__all__ = [
    "Action",
    "ActionTextError",
    "AgentError",
    "CardTextError",
    "CardgodsError",
    "Game",
    "IllegalActionError",
    "MissingExtraError",
    "ParameterError",
    "PlayerId",
    "Random",
    "SolveError",
    "State",
    "__version__",
    "deserialize_state",
    "load_game",
    "registered_names",
]
