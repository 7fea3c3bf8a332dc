from collections.abc import Sequence
from typing import final

from cardgods._core.state import Rules
from cardgods._core.walk import Cancel

@final
class Scores:
    turns: int
    symmetric: bool
    root: int
    def __init__(
        self,
        rules: Rules,  # EncanRulesObject
        pile: int,
        opening: int,
        scores: Sequence[int],
        carry: int,
        gold: bool,
        symmetric: bool,
    ) -> None: ...
    def build(self, cancel: Cancel, limit: int) -> bool: ...
    def alive(self) -> list[tuple[int, int, int, int]]: ...
    def dump(self, k: int) -> tuple[bytes, bytes, bytes]: ...
    def load(
        self,
        k: int,
        first: int,
        keys: bytes | bytearray | memoryview,
        codes: bytes | bytearray | memoryview,
        reach: bytes | bytearray | memoryview,
    ) -> None: ...
    def dump_triples(self, k: int) -> tuple[bytes, bytes]: ...
    def load_triples(
        self, k: int, rows: bytes | bytearray | memoryview, reach: bytes | bytearray | memoryview
    ) -> None: ...
    def first(self, k: int) -> int: ...
    def counts(self) -> list[tuple[int, int, int]]: ...
