from collections.abc import Sequence
from typing import final

from cardgods._core.rule.atoms import Atoms

FORM_NAMES: tuple[str, ...]
STEP_KINDS: dict[str, int]

@final
class Survivors:
    position: int
    complete: bool
    most: int
    classes: int
    def __init__(
        self,
        atoms: Atoms,
        steps: Sequence[tuple[str, int]],
        verdicts: Sequence[int],
        places: Sequence[int],
        form_costs: Sequence[int],
        limit: int,
        merge: bool = True,
        choices: bool = True,
        steepness: float = 1.0,
    ) -> None: ...
    def __len__(self) -> int: ...
    def counts(self) -> dict[str, int]: ...
    def by_cost(self) -> list[int]: ...
    def rule(self, k: int) -> tuple[str, tuple[int, ...], int, float, int]: ...
    def now(self, k: int) -> int: ...
    def weight(self) -> float: ...
    def split(self) -> list[float]: ...
