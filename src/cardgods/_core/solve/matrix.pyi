from collections.abc import Iterable, Sequence
from typing import Literal, final

ROUTE_NAMES: tuple[str, ...]

@final
class MatrixSolution:
    value: float
    low: float
    high: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]
    route: str
    pivots: int
    @property
    def gap(self) -> float: ...

def solve_matrix(
    rows: Iterable[Sequence[float]], method: Literal["auto", "basis", "quad"] = "auto"
) -> MatrixSolution: ...
def bench_random(n: int, count: int, seed: int | str | bytes = 0) -> tuple[float, int, list[int], float]: ...
