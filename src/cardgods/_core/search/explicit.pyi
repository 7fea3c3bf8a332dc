from collections.abc import Sequence

from typing_extensions import disjoint_base

from cardgods._core.state import Rules, State

@disjoint_base
class ExplicitRules(Rules):
    def __init__(
        self,
        players: int,
        actors: Sequence[int],
        labels: Sequence[int],
        children: Sequence[Sequence[int]],
        weights: Sequence[Sequence[int]],
        returns: Sequence[Sequence[float]],
        depth: int,
    ) -> None: ...

class ExplicitState(State): ...
