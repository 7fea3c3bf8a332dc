from collections.abc import Iterable, Sequence
from typing import final

OPS: dict[str, int]
FIELD_KINDS: dict[str, int]

@final
class Program:
    size_product: int
    def __init__(
        self,
        fields: Sequence[tuple[str, int, int, int, Sequence[int], Sequence[int]]],
        code: Sequence[tuple[str, int, int, int, int]],
        result: int,
        masks: Sequence[int],  # uint64, 52 bits used
        numbers: Sequence[int],  # int32
        start: int,
    ) -> None: ...
    @property
    def fields(self) -> int: ...
    @property
    def letters(self) -> int: ...
    @property
    def start(self) -> int: ...
    def memory(self, cards: Iterable[int]) -> list[int]: ...
    def masks(self, memory: Sequence[int]) -> tuple[int, int]: ...
    def right(self, cards: Sequence[int]) -> int: ...
