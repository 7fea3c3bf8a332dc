from typing import final

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods._core.walk import Cancel

@final
class QuickPlay:
    def __init__(self, state: State, threshold: float, surprise: float = 1.0) -> None: ...
    def action(self, state: State) -> int: ...
    def worths(
        self, state: State, worlds: int, rng: Random, cancel: Cancel
    ) -> list[tuple[int, float, float]]: ...
    def match(
        self, state: State, other: QuickPlay, player: int, games: int, rng: Random, cancel: Cancel
    ) -> float: ...
    def values(self, state: State, games: int, rng: Random, cancel: Cancel) -> list[tuple[float, float]]: ...
