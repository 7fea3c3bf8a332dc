from collections.abc import Sequence

from typing_extensions import disjoint_base

from cardgods._core.state import Rules, State

PHASES: dict[int, str]
REASONS: tuple[str | None, ...]
UNBOUNDED: int

def cards_of(mask: int) -> list[int]: ...

@disjoint_base
class CommerceRulesObject(Rules):
    def __init__(self, pack: Sequence[int], players: int, deals: int, trade_cap: int) -> None: ...

class CommerceState(State): ...
