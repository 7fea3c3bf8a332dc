"""Hints for Trois Trônes: the share of sampled deals that each move wins with all cards open from then on.

Where a blueprint of the game is stored, deals are drawn by how well they fit the other's moves, and the other
answers by the blueprint before the cards are opened.
"""

import math

from cardgods._core.games.trones import TronesState
from cardgods._core.solve.trones_beliefs import Beliefs
from cardgods._core.solve.trones_blueprint import Blueprint
from cardgods._core.solve.trones_lookahead import Lookahead
from cardgods._core.solve.trones_pimc import Pimc
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.agents._hints import Hint, knowledge_rng
from cardgods.agents.trones.blueprint import DEPTH, SLIP
from cardgods.games.trones import TronesGame
from cardgods.solve.trones_blueprint import LEAST, default_path, load_blueprint

WORLDS = 5000


def hints(state: State, player: int) -> list[Hint]:
    """All moves, by the share of deals that they win; see :func:`cardgods.agents._hints.hints`."""
    assert isinstance(state, TronesState)
    assert isinstance(state.game, TronesGame)
    path = default_path(state.game)
    if path.exists():
        return _weighed(state, player, load_blueprint(path).core)
    search = Pimc(state, player, knowledge_rng(state, player), every_move=True)
    search.run(WORLDS, Cancel())
    return [
        Hint(action, wins / WORLDS, f"wins {wins} of {WORLDS} deals", error=_error(wins))
        for action, wins in search.moves()
    ]


def _weighed(state: TronesState, player: int, blueprint: Blueprint) -> list[Hint]:
    """The same in deals that fit what the other has laid, where a blueprint is stored."""
    beliefs = Beliefs(state, player)
    beliefs.advance(state, blueprint, LEAST, SLIP)
    search = Lookahead(beliefs, knowledge_rng(state, player), blueprint, blueprint, LEAST, every_move=True)
    search.run(WORLDS, Cancel(), DEPTH)
    return [
        Hint(
            action,
            wins / WORLDS,
            f"wins {wins} of {WORLDS} deals that fit the moves seen",
            error=_error(wins),
        )
        for action, wins in search.moves()
    ]


def _error(wins: int) -> float:
    return math.sqrt(wins * (WORLDS - wins) / WORLDS) / WORLDS
