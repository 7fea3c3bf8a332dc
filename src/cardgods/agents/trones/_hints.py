"""Hints for Trois Trônes: the share of sampled deals that each move wins with all cards open from then on."""

import math

from cardgods._core.games.trones import TronesState
from cardgods._core.solve.trones_pimc import Pimc
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.agents._hints import Hint, knowledge_rng

WORLDS = 5000


def hints(state: State, player: int) -> list[Hint]:
    """All moves, by the share of deals that they win; see :func:`cardgods.agents._hints.hints`."""
    assert isinstance(state, TronesState)
    search = Pimc(state, player, knowledge_rng(state, player), every_move=True)
    search.run(WORLDS, Cancel())
    return [
        Hint(action, wins / WORLDS, f"wins {wins} of {WORLDS} deals", error=_error(wins))
        for action, wins in search.moves()
    ]


def _error(wins: int) -> float:
    return math.sqrt(wins * (WORLDS - wins) / WORLDS) / WORLDS
