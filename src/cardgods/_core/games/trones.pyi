from typing_extensions import disjoint_base

from cardgods._core.state import Rules, State

@disjoint_base
class TronesRulesObject(Rules):
    def __init__(self, deck: int, capacity: int, hand: int) -> None: ...

class TronesState(State): ...
