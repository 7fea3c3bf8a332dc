"""Which rule is it? All rules of a declared space that agree with what lies on the table.

The board is read in the terms of ``State.view``: a list of entries with a kind and cards. A right sequence
says that each card was right in its place; a wrong card is one refusal; a wrong sequence says only that one
of its cards was wrong; a hand shown with a true "I cannot play" refuses each of its cards.
"""

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgods._core.rule.machine import Machine
from cardgods._core.rule.survivors import Survivors
from cardgods.errors import ParameterError
from cardgods.rule.hints import HINTS
from cardgods.rule.rule import Rule
from cardgods.rule.space import Space, standard_space

LIMIT = 30_000
"""Rules listed at most, the shortest first; all others are counted."""
BEHAVIOURS = 400
"""Rules of the list that are followed into the future, to see which will ever differ."""

STATES = 3000
"""States up to which they are followed; larger ones stand for themselves."""

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Behaviour:
    """What some rules that agree with the board will do from now on.

    Attributes:
        rule: the shortest rule that does it.
        share: probability, given the board, among the behaviours looked at.
        spellings: how many rules of the list do it.
        machine: the rule's machine, or None if it has too many states.
        state: where it stands.
        now: mask of the cards that are right next.
    """

    rule: Rule
    share: float
    spellings: int
    machine: Machine | None
    state: int
    now: int


@dataclass(frozen=True)
class Experiment:
    """What playing a card would tell.

    Attributes:
        card: the card.
        right: probability that it is right.
        gain: information that the verdict brings, in bits.
    """

    card: int
    right: float
    gain: float


def entropy(p: float) -> float:
    """Bits of a verdict that is right with probability p."""
    if p <= 0 or p >= 1:
        return 0.0
    return -(p * math.log2(p) + (1 - p) * math.log2(1 - p))


class Inference:
    """What a board says of the rule.

    Args:
        table: entries with "kind" (starter, right, wrong, forced, hand) and "cards", in order.
        space: the rules that are thought possible; the standard space by default.
        hints: names of hints (see ``cardgods.rule.HINTS``) that God gave.
        limit: rules to list at most.
        behaviours: how many of them to follow into the future at most.
        merge: whether rules that say the same at all probes are listed once.

    Attributes:
        line: the cards of the main line.
        survivors: the rules that agree, in the core: counts of all, the list of the shortest.

    Raises:
        ParameterError: if an entry or a hint does not exist.
    """

    def __init__(
        self,
        table: Sequence[Entry],
        space: Space | None = None,
        hints: Sequence[str] = (),
        limit: int = LIMIT,
        behaviours: int = BEHAVIOURS,
        merge: bool = True,
    ) -> None:
        self.space = space or standard_space()
        self.hints = [_hint(name) for name in hints]
        self._most = behaviours
        self.line, steps, verdicts, places = _read(table)
        self.survivors = Survivors(
            self.space.core,
            steps,
            verdicts,
            places,
            self.space.form_costs,
            limit,
            merge,
            True,
            self.space.steepness,
        )

    @property
    def count(self) -> int:
        """How many rules of the space agree with the board (hints apart)."""
        return sum(self.survivors.counts().values())

    def rule(self, number: int) -> Rule:
        """A rule of the list, counted from 0."""
        form, literals, _, _, _ = self.survivors.rule(number)
        return self.space.rule(form, literals)

    @functools.cached_property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """The different futures among the shortest rules of the list, likeliest first."""
        found: dict[object, list[Any]] = {}
        most = self._most * (5 if self.hints else 1)  # hints leave few of them
        for number in range(min(len(self.survivors), most)):
            rule = self.rule(number)
            _, _, _, weight, merged = self.survivors.rule(number)
            machine = _machine(rule)
            state = 0 if machine is None else machine.run(self.line)
            if self.hints and not (machine and all(hint(machine.table()) for hint in self.hints)):
                continue  # God's hints are proved, so his rule is not among those too large to prove
            key = rule.text if machine is None else machine.future(state)
            if key in found:
                found[key][1] += weight
                found[key][2] += merged
            else:
                found[key] = [rule, weight, merged, machine, state, self.survivors.now(number)]
        total = sum(entry[1] for entry in found.values())
        ranked = sorted(found.values(), key=lambda entry: -entry[1])
        return tuple(Behaviour(rule, weight / total, merged, *rest) for rule, weight, merged, *rest in ranked)

    @property
    def certainty(self) -> float:
        """Share of the likeliest behaviour, 0 if none agrees with the board."""
        return self.behaviours[0].share if self.behaviours else 0.0

    def experiments(self) -> tuple[Experiment, ...]:
        """What each of the 52 cards would tell, most first."""
        if self.hints:
            split = [0.0] * 52
            for behaviour in self.behaviours:
                for card in range(52):
                    split[card] += behaviour.share * (behaviour.now >> card & 1)
            total = sum(behaviour.share for behaviour in self.behaviours)
        else:
            split, total = self.survivors.split(), self.survivors.weight()
        if not total:
            return ()
        chances = [min(1.0, weight / total) for weight in split]
        found = [Experiment(card, p, entropy(p)) for card, p in enumerate(chances)]
        return tuple(sorted(found, key=lambda each: (-each.gain, -each.right, each.card)))


def _machine(rule: Rule) -> Machine | None:
    try:
        return Machine(rule.program, STATES)
    except OverflowError:
        return None


def _hint(name: str) -> Any:  # noqa: ANN401
    known = {hint.name: hint.holds for hint in HINTS}
    if name not in known:
        raise ParameterError(f"unknown hint '{name[:40]}': hints are {', '.join(known)}")
    return known[name]


def _read(table: Sequence[Entry]) -> tuple[list[int], list[tuple[str, int]], list[int], list[int]]:
    """The line, and the board as the core reads it."""
    line: list[int] = []
    steps: list[tuple[str, int]] = []
    verdicts: list[int] = []
    places: list[int] = []
    refused = 0

    def ask(card: int, verdict: int, place: int) -> None:
        steps.append(("ask", card))
        verdicts.append(verdict)
        places.append(place)

    for entry in table:
        kind, cards = entry["kind"], list(entry["cards"])
        if not all(type(card) is int and 0 <= card < 52 for card in cards):
            raise ParameterError("an entry of the board has a card that is no number from 0 to 51")
        if kind in ("starter", "right", "forced"):
            for card in cards:
                ask(card, 1, len(line))
                steps.append(("lay", card))
                line.append(card)
        elif kind == "hand" or (kind == "wrong" and len(cards) == 1):
            for card in sorted(set(cards)):
                ask(card, 0, len(line))
        elif kind == "wrong":
            refused += 1
            steps.append(("branch", 0))
            for k, card in enumerate(cards):
                ask(card, -refused, len(line) + k)
                steps.append(("lay", card))
            steps.append(("back", 0))
        else:
            raise ParameterError("entries of a board are starter, right, wrong, forced and hand")
    return line, steps, verdicts, places
