"""The typed tree of a rule: what the parser makes, and all that printing, wording and compiling read.

One node class serves every construct; the table says what ``value`` and ``args`` hold for each ``op``.

====================  ============================================  =======================================
op                    value                                         args
====================  ============================================  =======================================
lit                   the number (a rank, suit 0..3, card 0..51..)  -
attr                  (reference, attribute)                        -
is                    (reference, predicate)                        -
up down step          -                                             -
pos hmin hmax         -                                             -
same                  (attribute, reference)                        -
run seen least most   attribute                                     -
count                 -                                             the condition on the counted card
cycle                 (attribute, values)                           -
pattern               -                                             the conditions, by position
not and or xor iff    -                                             conditions (two or more for and, or)
if                    -                                             condition, then, else
= != < <= > >=        -                                             two values of one type
in                    -                                             the value, then items and spans
span                  -                                             two numbers, both included
+ - * %               -                                             two numbers
min max abs gcd dist  -                                             numbers
====================  ============================================  =======================================
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cardgods.errors import RuleTextError
from cardgods.rule.vocabulary import COUNT_LIMIT, FIRST, Type

MAX_NODES = 300
MAX_DEPTH = 40
MAX_NUMBER = 1 << 30

RELATIONS = ("=", "!=", "<", "<=", ">", ">=")
CONNECTIVES = ("not", "and", "or", "xor", "iff", "if", "pattern")


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a rule's tree; see the table of the module.

    Attributes:
        op: which construct.
        args: the parts.
        value: what is no part: names and numbers.
        type: the kind of value that the node has.
        column: where it stands in the text, counted from 1 (not part of equality).
        size: number of nodes of the tree below, itself included.
        depth: its height, 1 for a leaf.
        low: least number it can be, if it is a number; ``high`` the greatest.
    """

    op: str
    args: tuple["Node", ...] = ()
    value: Any = None
    type: Type = Type.BOOL
    column: int = field(default=0, compare=False)
    size: int = field(default=1, compare=False)
    depth: int = field(default=1, compare=False)
    low: int = field(default=0, compare=False)
    high: int = field(default=0, compare=False)

    def walk(self) -> Iterator["Node"]:
        """The node and all nodes below it."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(node.args)


def make(
    op: str,
    args: tuple[Node, ...] = (),
    value: Any = None,  # noqa: ANN401
    type: Type = Type.BOOL,
    column: int | None = None,
) -> Node:
    """A node with its size, depth and bounds worked out.

    Raises:
        RuleTextError: if the tree becomes too large or deep, or a number could pass 2**30.
    """
    if column is None:
        column = args[0].column if args else 0
    if op in ("and", "or") and any(arg.op == op for arg in args):
        args = tuple(part for arg in args for part in (arg.args if arg.op == op else (arg,)))
    size = 1 + sum(arg.size for arg in args)
    depth = 1 + max((arg.depth for arg in args), default=0)
    if size > MAX_NODES:
        raise RuleTextError(f"the rule is too long: more than {MAX_NODES} words and signs", column)
    if depth > MAX_DEPTH:
        raise RuleTextError(f"the rule is nested too deeply: more than {MAX_DEPTH} levels", column)
    low, high = bounds(op, args, value) if type is Type.INT else (0, 0)
    if max(-low, high) > MAX_NUMBER:
        raise RuleTextError(f"this number can become too large: the limit is {MAX_NUMBER}", column)
    return Node(op, args, value, type, column, size, depth, low, high)


def bounds(op: str, args: tuple[Node, ...], value: Any) -> tuple[int, int]:  # noqa: ANN401
    """Least and greatest value of a number."""
    if op in _LEAF_BOUNDS:
        return _LEAF_BOUNDS[op]
    if op == "lit":
        return value, value
    if op == "attr":
        return (1, 13) if value[1] == "rank" else (1, 10)
    lows = [arg.low for arg in args]
    highs = [arg.high for arg in args]
    if op == "+":
        return sum(lows), sum(highs)
    if op == "-":
        return lows[0] - highs[1], highs[0] - lows[1]
    if op == "*":
        corners = [a * b for a in (lows[0], highs[0]) for b in (lows[1], highs[1])]
        return min(corners), max(corners)
    if op == "%":
        return 0, highs[1] - 1
    if op == "min":
        return min(lows), min(highs)
    if op == "max":
        return max(lows), max(highs)
    if op == "dist":
        return 0, 6
    return 0, max(max(-low, high) for low, high in zip(lows, highs, strict=True))  # abs, gcd


_LEAF_BOUNDS = {
    "pos": (1, COUNT_LIMIT + 1),
    "count": (0, COUNT_LIMIT),
    "run": (0, COUNT_LIMIT),
    "step": (0, 12),
    "hmin": (1, 13),
    "hmax": (1, 13),
}


def look_back(node: Node) -> int:
    """How many cards back the rule looks by name (``last`` is 1), counters and ``first`` apart."""
    return max((_own_look_back(part) for part in node.walk()), default=0)


def _own_look_back(node: Node) -> int:
    if node.op in ("up", "down", "step", "cycle", "run"):
        return 1
    if node.op in ("attr", "is"):
        reference = node.value[0]
    elif node.op == "same":
        reference = node.value[1]
    else:
        return 0
    return 0 if reference == FIRST else int(reference)


def is_static(node: Node) -> bool:
    """Whether a tree speaks of the candidate card alone."""
    return all(
        part.op not in ("up", "down", "step", "pos", "hmin", "hmax", "run", "seen", "least", "most")
        and part.op not in ("count", "cycle", "pattern", "same")
        and not (part.op in ("attr", "is") and part.value[0] != 0)
        for part in node.walk()
    )
