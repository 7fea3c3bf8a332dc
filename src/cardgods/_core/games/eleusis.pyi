from collections.abc import Mapping, Sequence

from typing_extensions import disjoint_base

from cardgods._core.rule.machine import Machine
from cardgods._core.rule.program import Program
from cardgods._core.state import Rules, State

PHASES: tuple[str, ...]
ENTRY_KINDS: tuple[str, ...]
VERDICTS: tuple[str | None, ...]
END_REASONS: tuple[str | None, ...]

@disjoint_base
class EleusisRulesObject(Rules):
    texts: tuple[str, ...]
    def __init__(
        self,
        rules: Sequence[tuple[Program, Machine | None] | None],
        texts: Sequence[str],
        numbers: Mapping[str, int],
    ) -> None: ...

class EleusisState(State):
    def set_up(
        self,
        hands: Sequence[Sequence[int]],
        table: Sequence[tuple[int, int, Sequence[int]]],
        numbers: Mapping[str, int],
        scores: Sequence[int],
    ) -> None: ...
    @property
    def phase(self) -> str: ...
    def right(self) -> int: ...
