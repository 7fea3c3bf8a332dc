from cardgods._core.state import State
from cardgods._core.walk import Cancel

def count(
    state: State, limit: int, cancel: Cancel
) -> tuple[
    bool,
    tuple[int, int, int, int],
    tuple[list[int], list[int], list[int], list[int], list[int]],
]: ...
