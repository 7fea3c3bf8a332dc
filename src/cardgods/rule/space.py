"""A declared space of rules: all that can be said with one, two or three atoms.

An atom is a condition of the rule language with a cost in bits, the length of its description. The rules of a
space are: an atom or its negation; two of them joined by `and`, `or`, `xor` or `iff`; a choice between two of
them by an atom; and patterns of two or three of them. A rule costs its form and its parts, and a rule that
costs a bit more is believed half as much.
"""

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cardgods._core.rule.atoms import Atoms
from cardgods.rule.compile import compile_rule
from cardgods.rule.nodes import Node, make
from cardgods.rule.parser import parse
from cardgods.rule.rule import Rule
from cardgods.rule.vocabulary import FULL, PREDICATES, rank_of

FORM_COSTS = (0, 3, 4, 4, 4, 4, 6)
"""Bits of the forms: one, and, or, xor, if, pattern of two, pattern of three."""

_FLIPPED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OPPOSITES = {"red": "black", "odd": "even", "face": "number", "low": "high"}
_OPPOSITES |= {b: a for a, b in _OPPOSITES.items()}


@dataclass(frozen=True)
class Atom:
    """A condition that rules are made of.

    Attributes:
        text: the condition in the rule language.
        cost: bits that it costs to say, 0 to 31.
        kind: "static" and "last" atoms are about the card alone, or about the last card alone, and have a
            ``mask`` of cards; others are "program".
        mask: cards for which it holds.
    """

    text: str
    cost: int
    kind: str = "program"
    mask: int = 0

    @functools.cached_property
    def node(self) -> Node:
        """The condition as a tree."""
        return parse(self.text).body


class Space:
    """A space of rules.

    Args:
        atoms: what its rules are made of.
        form_costs: bits of each form, as in :data:`FORM_COSTS`.
        steepness: a bit of cost makes a rule less likely by this power of two.
    """

    def __init__(
        self, atoms: Iterable[Atom], form_costs: Sequence[int] = FORM_COSTS, steepness: float = 1.0
    ) -> None:
        self.steepness = steepness
        self.atoms = tuple(atoms)
        self.form_costs = tuple(form_costs)
        self.core = Atoms(
            [
                (atom.kind, compile_rule(None, atom.node) if atom.kind == "program" else atom.mask, atom.cost)
                for atom in self.atoms
            ]
        )

    def literal(self, number: int) -> Node:
        """The tree of a literal: 2 * atom, one more for its negation."""
        node = self.atoms[number >> 1].node
        return negated(node) if number & 1 else node

    def rule(self, form: str, literals: Sequence[int]) -> Rule:
        """The rule of a form and its parts, as the core names them."""
        parts = tuple(self.literal(number) for number in literals)
        if form == "one":
            return Rule(None, parts[0])
        if form == "xor" and literals[1] & 1:
            return Rule(None, make("iff", (parts[0], self.atoms[literals[1] >> 1].node)))
        return Rule(None, make({"pattern2": "pattern", "pattern3": "pattern"}.get(form, form), parts))


def negated(node: Node) -> Node:
    """The opposite of a condition, as people say it."""
    if node.op == "not":
        return node.args[0]
    if node.op in _FLIPPED:
        return make(_FLIPPED[node.op], node.args)
    if node.op == "is" and node.value[1] in _OPPOSITES:
        return make("is", (), (node.value[0], _OPPOSITES[node.value[1]]))
    return make("not", (node,))


# Atoms of the standard space ------------------------------------------------------------------------------


def _rank_mask(ranks: Iterable[int]) -> int:
    wanted = set(ranks)
    return sum(1 << card for card in range(52) if rank_of(card) in wanted)


def _properties() -> Iterator[tuple[str, int, int]]:
    """Properties of a card: text with a place for the reference, mask and cost."""
    for name, cost in (("red", 1), ("odd", 1), ("face", 2), ("prime", 3)):
        yield "{}" + name, PREDICATES[name], cost
    for name in ("clubs", "diamonds", "hearts", "spades"):
        yield "{}" + name, PREDICATES[name], 2
    for a, b in (("clubs", "hearts"), ("clubs", "diamonds")):
        yield f"{{}}suit in {{{{{a}, {b}}}}}", PREDICATES[a] | PREDICATES[b], 3
    for k in range(2, 13):
        yield f"{{}}rank <= {k}", _rank_mask(range(1, k + 1)), 4 if k in (5, 6, 7, 8) else 6
    for k in range(1, 14):
        yield f"{{}}rank = {k}", _rank_mask([k]), 4 if k in (1, 13) else 7
    for gap in (2, 3, 5):
        for k in range(1, 14 - gap):
            yield f"{{}}rank in {{{{{k}, {k + gap}}}}}", _rank_mask([k, k + gap]), 12
    for low in range(2, 12):
        for high in range(low + 1, 13):
            yield f"{{}}rank in {low}..{high}", _rank_mask(range(low, high + 1)), 7 if high - low > 2 else 9
    for m in (3, 4, 5):
        for r in range(m):
            yield f"{{}}rank % {m} = {r}", _rank_mask(k for k in range(1, 14) if k % m == r), m + 4 - (r == 0)


def _about(reference: str, extra: int, most: int) -> Iterator[Atom]:
    kind = {"": "static", "last.": "last"}.get(reference, "program")
    for text, mask, cost in _properties():
        if cost <= most:
            yield Atom(text.format(reference), cost + extra, kind, mask)


def _relations() -> Iterator[Atom]:
    yield from (Atom(f"same({name})", 1) for name in _SAME)
    yield from (
        Atom(f"{what} iff last.{what}", cost) for what, cost in (("face", 4), ("prime", 5), ("low", 4))
    )
    for a, b in (("clubs", "hearts"), ("clubs", "diamonds")):
        yield Atom(f"suit in {{{a}, {b}}} iff last.suit in {{{a}, {b}}}", 5)
    yield from (Atom(f"same({name}, c2)", 5) for name in _SAME)
    yield from (Atom(f"last.{name} = c2.{name}", 8) for name in _SAME)
    yield from (Atom(word, 1) for word in ("up", "down"))
    yield from (Atom(f"rank {sign} c2.rank", 7) for sign in "<>")
    yield from (Atom(f"last.rank {sign} c2.rank", 7) for sign in "<>")
    for k in range(1, 7):
        yield Atom(f"dist(rank, last.rank) = {k}", 5 if k == 1 else 8)
        if k > 1:
            yield Atom(f"dist(rank, last.rank) <= {k}", 6 if k < 4 else 8)
    for k in range(1, 10):
        yield Atom(f"abs(rank - last.rank) = {k}", 5 if k < 4 else 7)
        if k > 1:
            yield Atom(f"abs(rank - last.rank) <= {k}", 5 if k < 6 else 7)
    for low in range(2, 8):
        for high in range(low + 1, 10):
            yield Atom(f"abs(rank - last.rank) in {low}..{high}", 10)
    for low in range(1, 13):
        yield Atom(f"step = {low}", 5 if low in (1, 2, 12) else 7)
        for high in range(low + 1, 13):
            yield Atom(f"step in {low}..{high}", 7 if low == 1 else 9)
    for first in (("hearts", "diamonds", "spades"), ("hearts", "spades", "diamonds")):
        for a, b, c in (first, first[1:] + first[:1], first[2:] + first[:2]):
            yield Atom(f"cycle(clubs, {a}, {b}, {c})", 4)
    for high in range(1, 5):
        yield Atom(f"rank - last.rank in 1..{high}", 7)
        yield Atom(f"last.rank - rank in 1..{high}", 7)


_SAME = ("colour", "suit", "parity", "rank")


def _arithmetic() -> Iterator[Atom]:
    for m in range(2, 8):
        for value in ("rank + last.rank", "rank - last.rank", "rank * last.rank"):
            if m == 2 and "*" not in value:
                continue  # parity, said otherwise
            yield from (Atom(f"({value}) % {m} = {r}", 8 if r == 0 else 10) for r in range(m))
    yield from (Atom(f"rank + last.rank <= {k}", 9) for k in range(6, 22, 2))
    yield from (Atom(f"rank * last.rank < {k}", 9) for k in (10, 20, 30, 40, 50, 60, 80, 100))
    yield from (Atom(f"rank % {m} = last.rank % {m}", 7) for m in (3, 4))
    yield Atom("gcd(rank, last.rank) = 1", 7)
    yield Atom("(rank - last.rank - c2.rank) % 13 = 0", 10)
    yield from (Atom(f"(rank + last.rank + c2.rank) % {m} = {r}", 11) for m in (2, 3, 4) for r in range(m))


def _counting() -> Iterator[Atom]:
    yield Atom("pos % 2 = 1", 4)
    yield from (Atom(f"pos % {m} = {r}", 6) for m in (3, 4) for r in range(m))
    yield from (Atom(f"rank % {m} = pos % {m}", 7) for m in (2, 3, 4, 5))
    yield from (Atom(f"count({what}) % 2 = 1", 7) for what in ("red", "odd", "face", "hearts", "spades"))
    yield Atom("rank % 2 = count(red) % 2", 9)
    yield from (Atom(f"run({name}) < {k}", 6) for name in ("colour", "parity", "suit") for k in (2, 3))
    yield Atom("least(suit)", 7)


@functools.cache
def standard_space() -> Space:
    """The space in which agents and the command line look: some 500 atoms, more than 10^9 rules."""
    atoms = [*_about("", 1, 11), *_about("last.", 2, 11), *_about("c2.", 6, 3)]
    return Space([*atoms, *_relations(), *_arithmetic(), *_counting()], steepness=1.4)


@functools.cache
def wide_space() -> Space:
    """The standard space with every property that two simple ones make: over 10 000 atoms."""
    atoms = list(standard_space().atoms)
    for reference, kind, extra in (("", "static", 5), ("last.", "last", 6)):
        found = {atom.mask for atom in atoms if atom.kind == kind}
        simple = [(text.format(reference), mask, cost) for text, mask, cost in _properties()]
        for k, (text, mask, cost) in enumerate(simple):
            for other, second, price in simple[:k]:
                for word, both in (("and", mask & second), ("or", mask | second), ("xor", mask ^ second)):
                    if both not in found and FULL ^ both not in found and 0 < both < FULL:
                        found.add(both)
                        atoms.append(Atom(f"({text}) {word} ({other})", cost + price + extra, kind, both))
    return Space(atoms)
