from collections.abc import Sequence
from typing import final

@final
class MiniGame:
    pack: tuple[int, ...]
    suits: int
    cap: int
    sets: int
    deals: int
    def __init__(
        self,
        pack: Sequence[int],
        suits: int,
        cap: int,
        deals: Sequence[Sequence[Sequence[int]]] | None = None,
    ) -> None: ...
    def take_deals(self, deals: Sequence[Sequence[Sequence[int]]]) -> None: ...
    def lookup(
        self, node: int, hand: Sequence[int], trades: Sequence[tuple[int, int]]
    ) -> tuple[int, tuple[int, int, int]]: ...
    def deal_count(self) -> int: ...
