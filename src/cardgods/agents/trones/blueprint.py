"""Plays the average strategy of a blueprint (:mod:`cardgods.solve.trones_blueprint`), or searches on it.

A search weighs the hands that the other may hold by how likely the blueprint makes his moves with each of
them, draws worlds by these weights, and tries every move in each: the game goes on by the blueprint for some
moves, and is then solved with all cards open.
"""

from pathlib import Path

from cardgods._core.games.trones import TronesState
from cardgods._core.rng import Random
from cardgods._core.solve.trones_beliefs import Beliefs
from cardgods._core.solve.trones_lookahead import Lookahead
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.agents._budget import Budget, spend
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.games.trones import TronesGame
from cardgods.solve.trones_blueprint import (
    LEAST,
    BlueprintSolver,
    PlayedTable,
    default_path,
    load_blueprint,
)

RESOLUTION = 1 << 30
"""Probabilities are drawn in units of one part in this many."""
SLIP = 0.1
"""Share of the other's moves that are thought to be random: he is no blueprint."""
DEPTH = 1
STEP = 64
"""Worlds between two looks at the clock."""


class BlueprintAgent:
    """Draws each move from the strategy.

    Args:
        blueprint: the table.
        least: what is less probable is not played.
    """

    def __init__(self, blueprint: BlueprintSolver, least: float) -> None:
        self._blueprint = blueprint
        self.table = PlayedTable(blueprint.core, least)

    def distribution(self, state: State, player: int) -> dict[int, float]:
        """Action -> probability."""
        return self._blueprint.policy(state, self.table.least)

    def choose(self, state: State, player: int, rng: Random) -> int:
        """A move drawn from the strategy."""
        shares = self.distribution(state, player)
        return list(shares)[rng.weighted([round(share * RESOLUTION) for share in shares.values()])]


class SearchingAgent:
    """Tries every move in worlds that fit the moves seen.

    Args:
        blueprint: how both are thought to play.
        least: what is less probable is not played.
        budget: worlds for a move, or seconds.
        depth: moves that are played on by the blueprint before all cards are opened.
    """

    def __init__(self, blueprint: BlueprintSolver, least: float, budget: Budget, depth: int) -> None:
        self._blueprint = blueprint
        self._least = least
        self._budget = budget
        self._depth = depth

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The move that wins most worlds; among equals the one that the blueprint makes most often."""
        assert isinstance(state, TronesState)
        core = self._blueprint.core
        beliefs = Beliefs(state, player)
        beliefs.advance(state, core, self._least, SLIP)
        search = Lookahead(beliefs, rng, core, core, self._least)
        moves = search.moves()
        if len(moves) > 1:
            spend(self._budget, lambda worlds, cancel: search.run(worlds, cancel, self._depth), STEP)
            moves = search.moves()
        shares = self._blueprint.policy(state)
        best = [action for action, won in moves if won == moves[0][1]]
        return max(best, key=lambda action: (shares.get(action, 0.0), -action))


def make(
    game: Game,
    *,
    file: str = "",
    least: float = LEAST,
    worlds: int = 0,
    seconds: float | None = None,
    depth: int = DEPTH,
) -> Agent:
    """The agent, from the file of a blueprint.

    Args:
        game: Trois Trônes.
        file: where the blueprint is; without one, where ``solve trones --blueprint --store`` puts it.
        least: what is less probable is not played.
        worlds: worlds to search for a move; 0 plays the blueprint itself.
        seconds: time to search for a move instead.
        depth: moves of a search that are played on before all cards are opened.

    Raises:
        ParameterError: if there is no blueprint, or it is of another game, or a number is out of range.
        SolveError: if the file is damaged.
    """
    assert isinstance(game, TronesGame)
    if not 0 <= least < 1:
        raise ParameterError(f"agent 'blueprint', parameter least: {least} is not from 0 to below 1")
    if not 0 <= depth <= 18:
        raise ParameterError(f"agent 'blueprint', parameter depth: {depth} is not from 0 to 18")
    searches = worlds != 0 or seconds is not None
    budget = Budget.of("blueprint", "worlds", worlds or None, seconds, 1)
    blueprint = _loaded(game, file)
    return SearchingAgent(blueprint, least, budget, depth) if searches else BlueprintAgent(blueprint, least)


def _loaded(game: TronesGame, file: str) -> BlueprintSolver:
    path = Path(file) if file else default_path(game)
    if not file and not path.exists():
        raise ParameterError(
            f"agent 'blueprint': there is no blueprint of {game}. "
            "cardgods solve trones --blueprint --store computes one; or name one with blueprint:file=..."
        )
    blueprint = load_blueprint(path)
    if blueprint.game != game:
        raise ParameterError(
            f"agent 'blueprint': {path} holds the blueprint of {blueprint.game}, not of {game}"
        )
    return blueprint
