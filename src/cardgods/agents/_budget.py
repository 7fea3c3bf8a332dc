"""How long an agent may think: a number of steps, which makes it deterministic, or a time."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError


@dataclass(frozen=True)
class Budget:
    """A limit on the work for one decision.

    Attributes:
        steps: units of work; None if time is the limit.
        seconds: wall-clock time; None if steps are the limit.
    """

    steps: int | None
    seconds: float | None

    @classmethod
    def of(cls, agent: str, name: str, steps: int | None, seconds: float | None, default: int) -> "Budget":
        """The budget that an agent's parameters ask for.

        Args:
            agent: its name, for messages.
            name: what its steps are called.
            steps: value of that parameter.
            seconds: value of the parameter ``seconds``.
            default: steps if neither is given.

        Raises:
            ParameterError: if both are given or one is out of range.
        """
        if steps is not None and seconds is not None:
            raise ParameterError(f"agent '{agent}': give {name} or seconds, not both")
        if steps is not None and not 1 <= steps <= 10**9:
            raise ParameterError(f"agent '{agent}', parameter {name}: {steps} is not from 1 to 1000000000")
        if seconds is not None and not 0 < seconds <= 86400:
            raise ParameterError(
                f"agent '{agent}', parameter seconds: {seconds} is not above 0 and up to 86400"
            )
        return cls(default if steps is None and seconds is None else steps, seconds)


def spend(budget: Budget, run: Callable[[int, Cancel], int], step: int) -> None:
    """Run a search until its budget is spent.

    Args:
        budget: the limit.
        run: does so many units of work, as the core's searches do.
        step: units between two looks at the clock; a pending signal is answered as often.
    """
    cancel = Cancel()
    done = 0
    end = None if budget.seconds is None else time.monotonic() + budget.seconds
    while budget.steps is None or done < budget.steps:
        done += run(step if budget.steps is None else min(step, budget.steps - done), cancel)
        if end is not None and time.monotonic() >= end:
            return
