from cardgods._core.state import State

UNIFORM: int
POLICY: int

def advance(state: State, reflexes: list[int], keys: list[bytes], acted: list[int]) -> None: ...
