from typing_extensions import disjoint_base

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods._core.walk import Cancel

@disjoint_base
class Ismcts:
    def __init__(
        self,
        state: State,
        player: int,
        rng: Random,
        exploration: float,
        heuristic: bool,
        low: float,
        high: float,
        max_nodes: int = 4_000_000,
    ) -> None: ...
    @property
    def iterations(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def steps(self) -> int: ...
    def run(self, iterations: int, cancel: Cancel) -> int: ...
    def moves(self) -> list[tuple[int, int, float]]: ...
