from collections.abc import Sequence

from cardgods._core.solve.encan_scores import Scores
from cardgods._core.solve.encan_vectors import Vectors

def bid_matrix(
    vectors: Vectors,
    hands: Sequence[int],
    burnt: Sequence[int],
    used: int,
    pile: int,
    treasure: int,
    scores: Sequence[int],
    carry: int,
) -> list[list[float]] | None: ...
def root_value(vectors: Vectors, scores: Scores) -> float: ...
