from typing import final

from cardgods._core.rng import Random
from cardgods._core.state import State

MOST_PLIES: int

@final
class Cancel:
    def set(self) -> None: ...
    def is_set(self) -> bool: ...

def perft(state: State, depth: int, cancel: Cancel) -> int: ...
def playouts(
    state: State, games: int, rng: Random, cancel: Cancel, generic: bool = False, quick: bool = False
) -> tuple[int, list[float], list[int]]: ...
