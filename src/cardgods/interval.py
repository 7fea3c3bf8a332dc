"""Confidence intervals for what was measured by sampling."""

import math

Interval = tuple[float, float]

Z95 = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""


def wilson(hits: int, samples: int, z: float = Z95) -> Interval:
    """Where a probability lies that was met so often.

    E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).

    Args:
        hits: how often.
        samples: out of how many, at least 1.
        z: quantile of the normal distribution.
    """
    centre = hits + z * z / 2
    spread = z * math.sqrt(hits * (samples - hits) / samples + z * z / 4)
    total = samples + z * z
    return max(0.0, (centre - spread) / total), min(1.0, (centre + spread) / total)
