from cardgods._core.rng import Random
from cardgods._core.state import State

def follow(
    data: bytes, at: int, number: int, tag: bytes, state: State, deal: Random | None, dealt: int
) -> tuple[int, int, bytes, int]: ...
