"""Plays the average strategy of a blueprint (:mod:`cardgods.solve.trones_blueprint`)."""

from pathlib import Path

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.games.trones import TronesGame
from cardgods.solve.trones_blueprint import LEAST, BlueprintSolver, default_path, load_blueprint

RESOLUTION = 1 << 30
"""Probabilities are drawn in units of one part in this many."""


class BlueprintAgent:
    """Draws each move from the strategy.

    Args:
        blueprint: the table.
        least: what is less probable is not played.
    """

    def __init__(self, blueprint: BlueprintSolver, least: float) -> None:
        self._blueprint = blueprint
        self._least = least

    def distribution(self, state: State, player: int) -> dict[int, float]:
        """Action -> probability."""
        return self._blueprint.policy(state, self._least)

    def choose(self, state: State, player: int, rng: Random) -> int:
        """A move drawn from the strategy."""
        shares = self.distribution(state, player)
        return list(shares)[rng.weighted([round(share * RESOLUTION) for share in shares.values()])]


def make(game: Game, *, file: str = "", least: float = LEAST) -> Agent:
    """The agent, from the file of a blueprint.

    Args:
        game: Trois Trônes.
        file: where the blueprint is; without one, where ``solve trones --blueprint --store`` puts it.
        least: what is less probable is not played.

    Raises:
        ParameterError: if there is no blueprint, or it is of another game, or a number is out of range.
        SolveError: if the file is damaged.
    """
    assert isinstance(game, TronesGame)
    if not 0 <= least < 1:
        raise ParameterError(f"agent 'blueprint', parameter least: {least} is not from 0 to below 1")
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
    return BlueprintAgent(blueprint, least)
