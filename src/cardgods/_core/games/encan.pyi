from collections.abc import Sequence

from typing_extensions import disjoint_base

from cardgods._core.state import Rules, State

@disjoint_base
class EncanRulesObject(Rules):
    def __init__(
        self,
        cards: Sequence[int],
        target: int | None,
        obole: bool,
        tie: str,
        payoff: str,
        treasure_order: str,
        tie_break: str,
    ) -> None: ...

class EncanState(State):
    def set_up(
        self,
        hands: Sequence[int],
        burnt: Sequence[int],
        pile: int,
        treasure: int,
        scores: Sequence[int],
        carry: int,
        obole_used: Sequence[bool],
        passed: int,
        last_winner: int,
    ) -> None: ...
