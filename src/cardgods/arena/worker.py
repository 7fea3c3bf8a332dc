"""A process that plays games for a match: it is told which on its input, and answers on its output."""

from __future__ import annotations

import os
import sys

from cardgods.arena.pool import receive, send
from cardgods.arena.record import Outcome
from cardgods.arena.referee import Referee


def main() -> None:
    """Play blocks of games until the input ends."""
    # What an agent prints must not get between the answers.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        plan, logged = receive(sys.stdin.buffer)
        referee: Referee | None = None
        while True:
            try:
                first, last = receive(sys.stdin.buffer)
            except EOFError:
                return
            answer: list[Outcome] | BaseException
            try:
                referee = referee or Referee(plan, logged=logged)
                answer = _block(referee, first, last)
            except Exception as error:
                answer = error
            send(answers, answer)


def _block(referee: Referee, first: int, last: int) -> list[Outcome]:
    played: list[Outcome] = []
    for number in range(first, last):
        played.append(referee.play(number))
        if played[-1].failure is not None:
            break
    return played


if __name__ == "__main__":
    main()
