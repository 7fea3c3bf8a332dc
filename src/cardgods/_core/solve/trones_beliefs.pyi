from collections.abc import Callable, Sequence

from typing_extensions import disjoint_base

from cardgods._core.games.trones import TronesRulesObject, TronesState
from cardgods._core.rng import Random
from cardgods._core.solve.trones_blueprint import Blueprint

@disjoint_base
class Beliefs:
    rules: TronesRulesObject
    player: int
    def __init__(self, state: TronesState, player: int) -> None: ...
    def advance(
        self,
        state: TronesState,
        model: Blueprint | None = None,
        least: float = 0.0,
        slip: float = 0.01,
        ask: Callable[[int, list[list[int]], int], Sequence[float]] | None = None,
        most: int = 0,
        rng: Random | None = None,
    ) -> None: ...
    def hand(self, number: int) -> list[int]: ...
    def weights(self) -> list[tuple[list[int], float]]: ...
