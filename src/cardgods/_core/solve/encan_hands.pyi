from collections.abc import Sequence
from typing import final

from cardgods._core.walk import Cancel

@final
class Hands:
    turns: int
    lowest: int
    symmetric: bool
    def __init__(
        self, hands: Sequence[int], marks: Sequence[int], used: int, turns: int, lowest: int = 0
    ) -> None: ...
    def build(self, cancel: Cancel) -> bool: ...
    def counts(self) -> list[tuple[int, int, int]]: ...
