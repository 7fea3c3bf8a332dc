"""Are two rules the same? From the start, or from what lies on the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardgods._core.rng import Random
from cardgods._core.rule import product
from cardgods._core.rule.machine import Machine
from cardgods._core.rule.program import Runner
from cardgods.cards import card_name
from cardgods.errors import RuleTextError
from cardgods.rule.rule import Rule

PAIR_CAP = 4_000_000
SAMPLE_RUNS = 400
SAMPLE_CARDS = 40


@dataclass(frozen=True)
class Comparison:
    """How two rules stand to each other.

    Attributes:
        verdict: "equal"; "subset" (all that the first accepts the second accepts too), "superset",
            "incomparable"; or "unknown" if no difference was found on a side but none could be excluded.
        only_first: a shortest sequence that the first rule accepts and the second does not, its last card
            being where they part; None if there is none. Played on from the board, if there is one.
        only_second: the other way round.
        proved: whether the verdict is certain.
    """

    verdict: str
    only_first: tuple[int, ...] | None
    only_second: tuple[int, ...] | None
    proved: bool

    @property
    def shortest(self) -> tuple[int, ...] | None:
        """A shortest sequence that tells the rules apart, or None if they are equal."""
        found = [cards for cards in (self.only_first, self.only_second) if cards is not None]
        return min(found, key=len, default=None)


def compare(first: Rule, second: Rule, board: Sequence[int] = ()) -> Comparison:
    """Compare what two rules accept from now on.

    Args:
        first: one rule.
        second: the other.
        board: the cards of the main line so far, starter first; none for the whole of the rules.

    Raises:
        RuleTextError: if the board is wrong under one of the rules.
    """
    for rule in (first, second):
        _check_board(rule, board)
    if first.machine is None or second.machine is None:
        return _sampled(first, second, board)
    states = first.machine.run(board), second.machine.run(board)
    complete, one, two = product.compare(first.machine, second.machine, *states, PAIR_CAP)
    return _judge(one, two, complete)


def equal_from_start(first: Machine, second: Machine) -> bool:
    """Whether two machines behave alike from the empty table."""
    return first.digest() == second.digest()


def _judge(one: Sequence[int] | None, two: Sequence[int] | None, complete: bool) -> Comparison:
    verdicts = {(False, False): "equal", (False, True): "subset", (True, False): "superset"}
    verdict = verdicts.get((one is not None, two is not None), "incomparable")
    proved = complete or verdict == "incomparable"
    return Comparison(
        verdict if proved else "unknown",
        None if one is None else tuple(one),
        None if two is None else tuple(two),
        proved,
    )


def _check_board(rule: Rule, board: Sequence[int]) -> None:
    runner = Runner(rule.program)
    for place, card in enumerate(board, 1):
        if not runner.right() >> card & 1:
            shown = f"card {place} of the board, {card_name(card)}, is wrong under"
            raise RuleTextError(f"{shown} {rule.text}")
        runner.play(card)


def _sampled(first: Rule, second: Rule, board: Sequence[int]) -> Comparison:
    """Random sequences that both accept, until each accepts a card that the other does not."""
    rng = Random("rule comparison")
    found: list[tuple[int, ...] | None] = [None, None]
    for _ in range(SAMPLE_RUNS):
        runners = [Runner(rule.program, board) for rule in (first, second)]
        cards: list[int] = []
        for _ in range(SAMPLE_CARDS):
            a, b = (runner.right() for runner in runners)
            for side, mask in enumerate((a & ~b, b & ~a)):
                best = found[side]
                if mask and (best is None or len(cards) + 1 < len(best)):
                    found[side] = (*cards, (mask & -mask).bit_length() - 1)
            both = [card for card in range(52) if (a & b) >> card & 1]
            if not both:
                break
            cards.append(rng.choice(both))
            for runner in runners:
                runner.play(cards[-1])
    return _judge(found[0], found[1], complete=False)
