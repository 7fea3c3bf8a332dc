from collections.abc import Sequence

from cardgods._core.solve.encan_sweep import Sweep

def bid_matrix(
    sweep: Sweep,
    hands: Sequence[int],
    burnt: Sequence[int],
    used: int,
    pile: int,
    treasure: int,
    scores: Sequence[int],
    carry: int,
) -> list[list[float]] | None: ...
