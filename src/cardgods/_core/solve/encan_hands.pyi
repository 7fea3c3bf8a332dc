from collections.abc import Sequence
from typing import final

from cardgods._core.walk import Cancel

@final
class Hands:
    turns: int
    lowest: int
    symmetric: bool
    closed: bool
    def __init__(
        self,
        hands: Sequence[int],
        marks: Sequence[int],
        used: int,
        turns: int,
        lowest: int = 0,
        closed: bool = False,
        fold: bool = True,
    ) -> None: ...
    def build(self, cancel: Cancel, alive: Sequence[Sequence[int]] | None = None) -> bool: ...
    def wanted(self) -> list[list[int]]: ...
    def dump(self, k: int) -> tuple[bytes, bytes, bytes]: ...
    def load(
        self,
        k: int,
        keys: bytes | bytearray | memoryview,
        begins: bytes | bytearray | memoryview,
        reach: bytes | bytearray | memoryview,
    ) -> None: ...
    def counts(self) -> list[tuple[int, int, int]]: ...
