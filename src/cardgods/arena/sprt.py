"""The generalised sequential probability ratio test for duels on duplicate deals.

Whether the first of two agents is better by LOW Elo points or by HIGH: after each deal, which both have
played on both seats, the likelihood of all results under either is compared. A difference in Elo implies no
more than the mean of the five possible results of a deal (0, 1/2, 1, 3/2 or 2 points), so the most likely
distribution with that mean stands for each hypothesis: M. Van den Bergh, "A practical introduction to the
GSPRT" and hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, as those who test chess programs use it.
The test ends when the ratio passes a bound of A. Wald, "Sequential tests of statistical hypotheses" (1945).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cardgods.errors import ParameterError

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What can be scored on a deal, as a share of its two points."""
NEVER = 1e-3
"""Weight of a result that never was, as the engine testers' programs have it: its chance is small, not 0."""
STEPS = 60


@dataclass(frozen=True)
class SprtPlan:
    """What a test is to decide.

    Args:
        low: Elo difference of the first hypothesis.
        high: Elo difference of the other, above that.
        error: probability of either to be rejected though it is true.

    Raises:
        ParameterError: if the numbers are out of range.
    """

    low: float
    high: float
    error: float = 0.05

    def __post_init__(self) -> None:
        for name in ("low", "high", "error"):
            object.__setattr__(self, name, float(getattr(self, name)))
        if not -1000 <= self.low < self.high <= 1000:
            raise ParameterError(
                "a test is between two differences within -1000..1000 Elo, the lower first, "
                f"not {self.low:g} and {self.high:g}"
            )
        if not 0 < self.error < 0.5:
            raise ParameterError(f"the error of a test is between 0 and 0.5, not {self.error:g}")

    @property
    def bound(self) -> float:
        """Where the logarithm of the likelihood ratio, or its negative, ends the test."""
        return math.log((1 - self.error) / self.error)


@dataclass(frozen=True)
class SprtResult:
    """Where a test stands.

    Attributes:
        low: Elo difference of the first hypothesis.
        high: Elo difference of the other.
        error: probability of either to be rejected though it is true.
        ratio: logarithm of the likelihood ratio, positive in favour of `high`.
        bound: `high` is accepted from here on, `low` from its negative on.
        accepted: "low", "high", or None as long as it is open.
    """

    low: float
    high: float
    error: float
    ratio: float
    bound: float
    accepted: str | None


def sprt(plan: SprtPlan, pairs: Sequence[int]) -> SprtResult:
    """Where a test stands.

    Args:
        plan: what it is to decide.
        pairs: deals by what the first agent scored in them, five counts.
    """
    ratio = log_ratio(pairs, plan.low, plan.high)
    bound = plan.bound
    accepted = "high" if ratio >= bound else "low" if ratio <= -bound else None
    return SprtResult(plan.low, plan.high, plan.error, ratio, bound, accepted)


def expected_score(elo: float) -> float:
    """The mean score of whoever is so many Elo points better."""
    return 1 / (1 + 10 ** (-elo / 400))


def log_ratio(pairs: Sequence[int], low: float, high: float) -> float:
    """Logarithm of the ratio of the likelihoods of two Elo differences.

    Args:
        pairs: deals by what the first agent scored in them, five counts.
        low: difference in the denominator.
        high: difference in the numerator.
    """
    if not any(pairs):
        return 0.0
    counts = [count or NEVER for count in pairs]
    total = math.fsum(counts)
    shares = [count / total for count in counts]
    one, other = (_most_likely(shares, expected_score(elo)) for elo in (low, high))
    return total * math.fsum(p * math.log(b / a) for p, a, b in zip(shares, one, other, strict=True))


def _most_likely(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution on SCORES with a given mean under which these shares are most likely.

    With a Lagrange multiplier t it is p / (1 + t * (score - mean)), where t makes the mean right.
    """
    away = [score - mean for score in SCORES]
    low, high = -1 / away[-1], -1 / away[0]
    for _ in range(STEPS):
        t = (low + high) / 2
        if math.fsum(p * a / (1 + t * a) for p, a in zip(shares, away, strict=True)) > 0:
            low = t
        else:
            high = t
    return [p / (1 + t * a) for p, a in zip(shares, away, strict=True)]
