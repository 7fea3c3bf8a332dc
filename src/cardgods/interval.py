"""Confidence intervals for what was measured by sampling."""

import math

Interval = tuple[float, float]

Z95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


def wilson(hits: float, samples: int, z: float = Z95) -> Interval:
    """Where a probability lies that was met so often.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).

    Args:
        hits: how often; a draw may count as half a hit.
        samples: out of how many, at least 1.
        z: quantile of the normal distribution.
    """
    centre = hits + z * z / 2
    spread = z * math.sqrt(hits * (samples - hits) / samples + z * z / 4)
    total = samples + z * z
    return max(0.0, (centre - spread) / total), min(1.0, (centre + spread) / total)


class Mean:
    """A mean and the variance around it, taken in one value at a time.

    B. P. Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products" (1962).

    Attributes:
        count: values so far.
        value: their mean, 0 before the first.
    """

    __slots__ = ("_squares", "count", "value")

    def __init__(self) -> None:
        self.count = 0
        self.value = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        """Take in a value."""
        self.count += 1
        away = value - self.value
        self.value += away / self.count
        self._squares += away * (value - self.value)

    @property
    def variance(self) -> float | None:
        """The unbiased estimate of the variance; None of fewer than two values."""
        return self._squares / (self.count - 1) if self.count > 1 else None

    def interval(self, z: float = Z95) -> Interval | None:
        """Where the true mean lies if the values are independent, by the normal approximation.

        It has no width if all values were alike. None of fewer than two values.

        Args:
            z: quantile of the normal distribution.
        """
        variance = self.variance
        if variance is None:
            return None
        spread = z * math.sqrt(variance / self.count)
        return self.value - spread, self.value + spread
