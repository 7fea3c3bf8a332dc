from collections.abc import Sequence

from cardgods._core.rng import Random
from cardgods._core.walk import Cancel

def exact(hand: int, unseen: int, held: Sequence[int], seat: int) -> tuple[int, int, int, int]: ...
def sample(
    hand: int,
    unseen: int,
    held: Sequence[int],
    seat: int,
    discard: int,
    samples: int,
    rng: Random,
    cancel: Cancel,
) -> list[tuple[int, int, int, int]]: ...
