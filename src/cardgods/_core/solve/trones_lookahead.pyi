from typing_extensions import disjoint_base

from cardgods._core.rng import Random
from cardgods._core.solve.trones_beliefs import Beliefs
from cardgods._core.solve.trones_blueprint import Blueprint
from cardgods._core.walk import Cancel

@disjoint_base
class Lookahead:
    worlds: int
    def __init__(
        self,
        beliefs: Beliefs,
        rng: Random,
        mine: Blueprint | None = None,
        his: Blueprint | None = None,
        least: float = 0.0,
        every_move: bool = False,
    ) -> None: ...
    def run(self, worlds: int, cancel: Cancel, depth: int) -> int: ...
    def moves(self) -> list[tuple[int, int]]: ...
