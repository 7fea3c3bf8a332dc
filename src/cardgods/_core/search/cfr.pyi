from collections.abc import Sequence

from typing_extensions import disjoint_base

from cardgods._core.search.profile import Profile
from cardgods._core.search.tree import Tree
from cardgods._core.walk import Cancel

PARTS: tuple[str, ...]

@disjoint_base
class Minimiser:
    tree: Tree
    passes: int
    def __init__(self, tree: Tree, alpha: float, beta: float, gamma: float, predictive: bool) -> None: ...
    def average(self) -> Profile: ...
    def current(self) -> Profile: ...
    def part(self, player: int, name: str) -> bytes: ...
    def restore(self, passes: int, parts: Sequence[bytes]) -> None: ...

@disjoint_base
class Crew:
    def __init__(self, minimiser: Minimiser, threads: int, passes: int) -> None: ...
    def run(self, thread: int, cancel: Cancel) -> None: ...
