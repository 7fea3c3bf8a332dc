from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods._core.walk import Cancel

def audit(
    state: State, games: int, rng: Random, cancel: Cancel, patience: int = 1
) -> tuple[int, int, list[int]]: ...
