"""A rule as the rest of the package uses it: parsed once, compiled when it is first asked something."""

import functools
import hashlib
from collections.abc import Sequence

from cardgods._core.rule.machine import Machine
from cardgods._core.rule.program import Program, Runner
from cardgods.rule.compile import compile_rule
from cardgods.rule.nodes import Node, look_back
from cardgods.rule.parser import parse
from cardgods.rule.printer import canonical
from cardgods.rule.vocabulary import CARDS
from cardgods.rule.wording import sentence

STATE_CAP = 32768
"""States before minimisation up to which a rule becomes a machine; beyond, it is evaluated directly."""


class Rule:
    """One rule of Eleusis; two rules are equal if their canonical texts are.

    Rules are made by :func:`parse_rule`.

    Attributes:
        text: the canonical text, which parses back to the same rule under the language ``en``.
        start: the condition on the first card, if the rule states one of its own.
        body: the condition on every other card.
    """

    def __init__(self, start: Node | None, body: Node) -> None:
        self.start = start
        self.body = body
        self.text = canonical(start, body)

    @functools.cached_property
    def program(self) -> Program:
        """The rule as a program of the core."""
        return compile_rule(self.start, self.body)

    @functools.cached_property
    def machine(self) -> Machine | None:
        """The minimal machine of the rule; None if it has more than :data:`STATE_CAP` states."""
        try:
            return Machine(self.program, STATE_CAP)
        except OverflowError:
            return None

    @property
    def exact(self) -> bool:
        """Whether the rule has a machine, so that what is said of it is proved and not sampled."""
        return self.machine is not None

    @property
    def size(self) -> int:
        """Nodes of the rule's tree: the best single measure of how hard a rule is to find."""
        return self.body.size + (self.start.size if self.start is not None else 0)

    @property
    def look_back(self) -> int:
        """How many earlier cards the rule names (``last`` is 1)."""
        return look_back(self.body)

    def right(self, cards: Sequence[int]) -> int:
        """Mask of the cards that are right after right cards, in order.

        Args:
            cards: card numbers 0..51 that lie on the main line; none for the legal starters.

        Raises:
            ValueError: if one of them is wrong under this rule.
        """
        runner = Runner(self.program)
        for place, card in enumerate(cards, 1):
            if not 0 <= card < CARDS or not runner.right() >> card & 1:
                raise ValueError(f"card number {place} of the line is wrong under {self.text}")
            runner.play(card)
        return runner.right()

    def words(self, lang: str = "en") -> str:
        """The rule as a sentence, in English (``en``) or French (``fr``)."""
        return sentence(self.start, self.body, lang)

    def digest(self) -> str:
        """SHA-256, in hex, of the canonical text."""
        return hashlib.sha256(b"cardgods-rule-1" + self.text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Rule({self.text!r})"


@functools.lru_cache(maxsize=512)
def parse_rule(text: str, lang: str = "en") -> Rule:
    """The rule that a text states.

    Args:
        text: a rule; ``docs/rule-language.md`` has the language.
        lang: "en" or "fr"; decides what letters of ranks and cards mean.

    Raises:
        RuleTextError: if the text is no rule; the message has the column and a suggestion.
    """
    parsed = parse(text, lang)
    return Rule(parsed.start, parsed.body)
