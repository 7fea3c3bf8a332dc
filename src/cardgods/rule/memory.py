"""What a rule must remember: the fields of its program, allotted on demand."""

from collections.abc import Sequence
from typing import TypeAlias

from cardgods.errors import RuleTextError
from cardgods.rule.nodes import Node
from cardgods.rule.vocabulary import ATTRIBUTES, CARDS, COUNT_LIMIT, FIRST, PREDICATES, rank_of

MAX_FIELDS = 64

Field: TypeAlias = tuple[str, int, int, int, Sequence[int], Sequence[int]]
"""Kind, size, arg, link, what each card contributes, map: see ``struct Field`` of the core."""


class Memory:
    """The fields of one rule.

    Args:
        body: the rule; the features it asks of earlier cards decide the classes that are remembered.

    Attributes:
        fields: the fields, in the order of their numbers.
    """

    def __init__(self, body: Node) -> None:
        self.fields: list[Field] = []
        self._index: dict[tuple[object, ...], int] = {}
        wanted = _features(body)
        deepest = max((reference for reference in wanted if reference != FIRST), default=0)
        for k in range(1, deepest + 1):
            needed = sorted({name for j in range(k, deepest + 1) for name in wanted.get(j, ())})
            self._slot(k, needed)
        if FIRST in wanted:
            classes = _classes(sorted(wanted[FIRST]))
            self._add(("card", FIRST), ("first", max(classes) + 2, 0, 0, [c + 1 for c in classes], ()))

    def _add(self, key: tuple[object, ...], field: Field) -> int:
        if len(self.fields) == MAX_FIELDS:
            raise RuleTextError(f"the rule counts too much: it would remember more than {MAX_FIELDS} numbers")
        self._index[key] = len(self.fields)
        self.fields.append(field)
        return len(self.fields) - 1

    def _slot(self, k: int, features: list[str]) -> None:
        classes = _classes(features)
        digits = [c + 1 for c in classes]
        link, mapped = -1, [0]
        if k > 1:
            link = self._index["card", k - 1]
            newer = self.fields[link][4]
            mapped = [0] * self.fields[link][1]
            for card in range(CARDS):
                mapped[newer[card]] = digits[card]
        self._add(("card", k), ("slot", max(classes) + 2, 0, link, digits, mapped))

    def card(self, reference: int) -> int:
        """Field of an earlier card (1 = last) or of the first."""
        return self._index["card", reference]

    def class_values(self, index: int, values: Sequence[int]) -> list[int]:
        """The value that all cards of a class share, for each digit 1, 2, ... of a card field."""
        _, size, _, _, of_card, _ = self.fields[index]
        shared = [0] * (size - 1)
        for card in range(CARDS):
            shared[of_card[card] - 1] = values[card]
        return shared

    def count(self, mask: int, modulus: int, limit: int) -> int:
        """Field that counts the cards of a mask, modulo a number or up to a limit."""
        key = ("count", mask, modulus, 0 if modulus else limit)
        if key in self._index:
            return self._index[key]
        counted = [mask >> card & 1 for card in range(CARDS)]
        if modulus:
            return self._add(key, ("count%", modulus, modulus, 0, counted, ()))
        return self._add(key, ("count", limit + 1, limit, 0, counted, ()))

    def run(self, attribute: str, modulus: int, limit: int) -> int:
        """Field with the length of the last run of an attribute, modulo a number or up to a limit."""
        key = ("run", attribute, modulus, 0 if modulus else limit)
        if key in self._index:
            return self._index[key]
        last = self.card(1)
        mapped = [0, *self.class_values(last, ATTRIBUTES[attribute])]
        if modulus:
            return self._add(key, ("run%", modulus, modulus, last, ATTRIBUTES[attribute], mapped))
        return self._add(key, ("run", limit + 1, limit, last, ATTRIBUTES[attribute], mapped))

    def extreme(self, op: str) -> int:
        """Field with the lowest (``hmin``) or highest (``hmax``) rank so far."""
        if ("extreme", op) in self._index:
            return self._index["extreme", op]
        kind = "lowest" if op == "hmin" else "highest"
        return self._add(("extreme", op), (kind, 14, 0, 0, [rank_of(card) for card in range(CARDS)], ()))

    def seen(self, attribute: str) -> int:
        """Field with the set of values so far."""
        if ("seen", attribute) in self._index:
            return self._index["seen", attribute]
        values = ATTRIBUTES[attribute]
        return self._add(("seen", attribute), ("seen", 1 << (max(values) + 1), 0, 0, values, ()))

    def tally(self, attribute: str) -> tuple[int, int]:
        """First of the fields that count each value, and how many they are."""
        ranked = sorted(set(ATTRIBUTES[attribute]))
        if ("tally", attribute) in self._index:
            return self._index["tally", attribute], len(ranked)
        places = [ranked.index(value) for value in ATTRIBUTES[attribute]]
        size = COUNT_LIMIT + 1
        first = self._add(("tally", attribute), ("tally", size, COUNT_LIMIT, len(ranked), places, ()))
        for k in range(1, len(ranked)):
            self._add(("tally", attribute, k), ("tally+", size, 0, 0, [0] * CARDS, ()))
        return first, len(ranked)


def _features(body: Node) -> dict[int, set[str]]:
    """Names of the features that a rule asks of each earlier card."""
    wanted: dict[int, set[str]] = {}
    for node in body.walk():
        if node.op in ("attr", "is") and node.value[0] != 0:
            wanted.setdefault(node.value[0], set()).add(node.value[1])
        elif node.op == "same":
            wanted.setdefault(node.value[1], set()).add(node.value[0])
        elif node.op in ("up", "down", "step"):
            wanted.setdefault(1, set()).add("rank")
        elif node.op == "run":
            wanted.setdefault(1, set()).add(node.value)
        elif node.op == "cycle":
            wanted.setdefault(1, set()).add(node.value[0])
    return wanted


def _classes(features: Sequence[str]) -> list[int]:
    """Number of the class of each card, cards with equal features being one class."""
    seen: dict[tuple[int, ...], int] = {}
    return [
        seen.setdefault(tuple(_feature(name, card) for name in features), len(seen)) for card in range(CARDS)
    ]


def _feature(name: str, card: int) -> int:
    if name in ATTRIBUTES:
        return ATTRIBUTES[name][card]
    return PREDICATES[name] >> card & 1
