from collections.abc import Iterable, Sequence
from typing import Any, final

@final
class Atoms:
    size: int
    def __init__(self, atoms: Sequence[tuple[str, Any, int]]) -> None: ...
    def says(self, k: int, line: Iterable[int]) -> tuple[int, int]: ...
