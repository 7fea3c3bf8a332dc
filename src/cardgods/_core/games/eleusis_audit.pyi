from cardgods._core.rng import Random
from cardgods._core.state import State

def audit(state: State, games: int, rng: Random) -> tuple[int, int, int]: ...
