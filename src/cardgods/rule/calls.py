"""Typing of comparisons, sets, arithmetic and functions, and what to say where things do not fit."""

from collections.abc import Callable

from cardgods.errors import RuleTextError
from cardgods.rule.nodes import Node, is_static, make
from cardgods.rule.vocabulary import (
    ATTRIBUTES,
    FIRST,
    FUNCTIONS,
    VALUE_WORDS,
    WORDS,
    Type,
    fold,
)
from cardgods.rule.words import EXAMPLES, as_value, shown, suggestion

MAX_PATTERN = 24
COUNTED_ATTRIBUTES = ("rank", "suit", "colour", "parity", "points")


def number(node: Node, sign: str) -> Node:
    """The node as a number (``king`` may stand for 13).

    Raises:
        RuleTextError: if it is of another kind.
    """
    found = as_value(node, Type.INT)
    if found is None:
        raise RuleTextError(f"{sign} takes numbers; this is a {node.type.value}", node.column)
    return found


def alike(a: Node, b: Node, op: str) -> tuple[Node, Node]:
    """Both sides of a comparison as values of one type.

    Raises:
        RuleTextError: if they are not, or are compared by size without being numbers.
    """
    wanted = a.type if a.type is not Type.BOOL else b.type
    if wanted is Type.BOOL:
        word = "iff" if op == "=" else "xor"
        raise RuleTextError(f"{op} compares values; between conditions write {word}", a.column)
    left, right = as_value(a, wanted), as_value(b, wanted)
    if left is None or right is None:
        wrong = f"a {a.type.value} and a {b.type.value} cannot be compared"
        raise RuleTextError(f"{wrong} with {op}", b.column)
    if op not in ("=", "!=") and wanted is not Type.INT:
        raise RuleTextError(f"{op} compares numbers; a {wanted.value} has no order: use = or in", a.column)
    return left, right


def membership(value: Node, items: tuple[Node, ...]) -> Node:
    """``value in {items}``.

    Raises:
        RuleTextError: if the value is a condition or an item of another type.
    """
    if value.type is Type.BOOL:
        raise RuleTextError(
            "in takes a value before it, such as rank or suit; this is a condition", value.column
        )
    parts = []
    for item in items:
        part = as_value(item, value.type)
        if part is None:
            wrong = f"a {value.type.value} cannot be in a set with a {item.type.value}"
            raise RuleTextError(wrong, item.column)
        parts.append(part)
    return make("in", (value, *parts))


def arithmetic(op: str, a: Node, b: Node) -> Node:
    """A sum, difference or product."""
    return make(op, (number(a, op), number(b, op)), type=Type.INT)


def remainder(a: Node, b: Node) -> Node:
    """``a % b``: b is a number from 2 to 13, or the rank of a card on the table or of the candidate.

    Raises:
        RuleTextError: for any other divisor.
    """
    a, b = number(a, "%"), number(b, "%")
    if not (b.op == "lit" and 2 <= b.value <= 13) and not (b.op == "attr" and b.value[1] == "rank"):
        raise RuleTextError("the divisor of % is a number from 2 to 13 or the rank of a card", b.column)
    return make("%", (a, b), type=Type.INT)


# Functions ------------------------------------------------------------------------------------------------


def call(text: str, args: list[Node], column: int) -> Node:
    """A function with its arguments.

    Raises:
        RuleTextError: if there is no such function, or it takes other arguments.
    """
    word = WORDS.get(fold(text[:40]))
    if word not in FUNCTIONS:
        if word is None:
            raise RuleTextError(f"{shown(text)} is no function{suggestion(text)}", column)
        raise RuleTextError(f"{word} takes no brackets", column)
    assert word is not None
    return _BUILDERS[word](word, args, column)


def _arity(word: str, args: list[Node], low: int, high: int, column: int) -> None:
    if not low <= len(args) <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise RuleTextError(f"{word} takes {wanted} of them in brackets, such as {EXAMPLES[word]}", column)


def _attribute(word: str, node: Node, allowed: tuple[str, ...]) -> str:
    if node.op == "attr" and node.value[0] == 0 and node.value[1] in allowed:
        return str(node.value[1])
    raise RuleTextError(f"{word} takes one of {', '.join(allowed)}", node.column)


def _same(word: str, args: list[Node], column: int) -> Node:
    _arity(word, args, 1, 2, column)
    attribute = _attribute(word, args[0], tuple(ATTRIBUTES))
    reference = 1
    if len(args) == 2:
        other = args[1]
        if other.op != "attr" or other.value[1] != "card" or other.value[0] == 0:
            raise RuleTextError("same compares with last, c2 ... c6 or first", other.column)
        reference = other.value[0]
    return make("same", value=(attribute, reference), column=column)


def _of_attribute(word: str, args: list[Node], column: int) -> Node:
    _arity(word, args, 1, 1, column)
    kind = Type.INT if word == "run" else Type.BOOL
    return make(word, value=_attribute(word, args[0], COUNTED_ATTRIBUTES), type=kind, column=column)


def _count(word: str, args: list[Node], column: int) -> Node:
    _arity(word, args, 1, 1, column)
    if args[0].type is not Type.BOOL or not is_static(args[0]):
        wrong = "count takes a condition on the counted card alone, such as count(red)"
        raise RuleTextError(wrong, args[0].column)
    return make("count", (args[0],), type=Type.INT, column=column)


def _numeric(low: int, high: int) -> Callable[[str, list[Node], int], Node]:
    def build(word: str, args: list[Node], column: int) -> Node:
        _arity(word, args, low, high, column)
        return make(word, tuple(number(arg, word) for arg in args), type=Type.INT, column=column)

    return build


def _pattern(word: str, args: list[Node], column: int) -> Node:
    _arity(word, args, 2, MAX_PATTERN, column)
    for arg in args:
        if arg.type is not Type.BOOL:
            raise RuleTextError(f"pattern takes conditions; this is a {arg.type.value}", arg.column)
    return make("pattern", tuple(args), column=column)


_CYCLE_TAKES = "cycle takes values of one kind: suits, colours, parities, ranks or cards"


def _cycle(word: str, args: list[Node], column: int) -> Node:
    _arity(word, args, 2, MAX_PATTERN, column)
    attribute, kind = _cycle_attribute(args[0])
    values = []
    for arg in args:
        literal = as_value(arg, kind)
        if literal is None or literal.op != "lit":
            raise RuleTextError(_CYCLE_TAKES, arg.column)
        if attribute == "rank" and not 1 <= literal.value <= 13:
            raise RuleTextError("the ranks of a cycle run from 1 to 13", arg.column)
        if literal.value in values:
            raise RuleTextError("a value stands twice in the cycle: its successor is not clear", arg.column)
        values.append(literal.value)
    return make("cycle", value=(attribute, tuple(values)), column=column)


def _cycle_attribute(node: Node) -> tuple[str, Type]:
    if node.op == "is" and node.value[1] in VALUE_WORDS:
        attribute = VALUE_WORDS[node.value[1]][0]
    elif node.op == "lit":
        attribute = "card" if node.type is Type.CARD else "rank"
    else:
        raise RuleTextError(_CYCLE_TAKES, node.column)
    kinds = {"suit": Type.SUIT, "colour": Type.COLOUR, "parity": Type.PARITY, "card": Type.CARD}
    return attribute, kinds.get(attribute, Type.INT)


_BUILDERS: dict[str, Callable[[str, list[Node], int], Node]] = {
    "same": _same,
    "count": _count,
    "pattern": _pattern,
    "cycle": _cycle,
    "abs": _numeric(1, 1),
    "gcd": _numeric(2, 2),
    "dist": _numeric(2, 2),
    "min": _numeric(2, 6),
    "max": _numeric(2, 6),
    **dict.fromkeys(("run", "seen", "least", "most"), _of_attribute),
}

__all__ = ["FIRST", "alike", "arithmetic", "call", "membership", "number", "remainder"]
