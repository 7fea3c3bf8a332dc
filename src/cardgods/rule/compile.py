"""Tree to program: which few numbers a rule must remember, and how it turns them into masks.

Each earlier card is remembered only by the features that the rule still asks of it, there or further back;
a count is remembered modulo m where only its remainder matters, up to the largest number it is compared
with, or up to 104 (two packs). So the memories of most rules are a few dozen, and `machine.pyx` walks them.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cardgods._core.rule.program import Program
from cardgods.errors import RuleTextError
from cardgods.rule.memory import Memory
from cardgods.rule.nodes import Node
from cardgods.rule.vocabulary import (
    ATTRIBUTES,
    CARDS,
    COUNT_LIMIT,
    FULL,
    PREDICATES,
    Type,
)

MAX_REGISTERS = 64


class Context(NamedTuple):
    """What becomes of a number: its remainder alone matters, or it is compared with numbers up to a limit."""

    modulus: int = 0
    limit: int = COUNT_LIMIT


EXACT = Context()


class Number(NamedTuple):
    """Where a compiled number is: in a plain register, or in a vector register if it needs the candidate."""

    register: int
    vector: bool


@dataclass
class _Output:
    code: list[tuple[str, int, int, int, int]] = field(default_factory=list)
    masks: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    mask_at: dict[tuple[int, ...], int] = field(default_factory=dict)

    def constants(self, masks: Sequence[int]) -> int:
        key = tuple(masks)
        if key not in self.mask_at:
            self.mask_at[key] = len(self.masks)
            self.masks.extend(key)
        return self.mask_at[key]

    def values(self, numbers: Sequence[int]) -> int:
        self.numbers.extend(numbers)
        return len(self.numbers) - len(numbers)


def compile_rule(start: Node | None, body: Node) -> Program:
    """The program of a rule.

    Raises:
        RuleTextError: if the rule needs more memory or registers than there are.
    """
    compiler = _Compiler(body)
    result = compiler.condition(body, 0)
    mask = start_mask(start) if start is not None else None
    program = compiler.program(result, FULL)
    if mask is None:
        _, no = program.masks(program.memory(()))
        mask = FULL & ~no
    return compiler.program(result, mask)


def start_mask(start: Node) -> int:
    """The cards that a start condition allows.

    Raises:
        RuleTextError: if there are none.
    """
    compiler = _Compiler(start)
    program = compiler.program(compiler.condition(start, 0), FULL)
    yes, _ = program.masks(())
    if not yes:
        raise RuleTextError("no card fulfils the start condition", start.column)
    return int(yes)


class _Compiler:
    def __init__(self, body: Node) -> None:
        self.out = _Output()
        self.memory = Memory(body)
        self.depth = 0

    def program(self, result: int, start: int) -> Program:
        out = self.out
        return Program(self.memory.fields, out.code, result, out.masks, out.numbers, start)

    def emit(self, op: str, dst: int, a: int = 0, b: int = 0, imm: int = 0) -> int:
        if dst >= MAX_REGISTERS:
            raise RuleTextError("the rule is too wide: split its longest list")
        self.out.code.append((op, dst, a, b, imm))
        return dst

    # Numbers: `at` is the first register that is free, in both banks ------------------------------------

    def number(self, node: Node, at: int, context: Context = EXACT) -> Number:
        handler = _NUMBERS.get(node.op)
        if handler is not None:
            return handler(self, node, at, context)
        inner = _inner_context(node, context)
        result = self.number(node.args[0], at, inner)
        if len(node.args) == 1:
            kind = "v" if result.vector else "n"
            return Number(self.emit(f"{kind}.{node.op}", at, result.register), result.vector)
        for arg in node.args[1:]:
            result = self.binary(node.op, result, self.number(arg, at + 1, inner), at)
        return result

    def binary(self, op: str, a: Number, b: Number, at: int) -> Number:
        a, b = self.same_bank(a, b)
        kind = "v" if a.vector else "n"
        return Number(self.emit(f"{kind}.{op}", at, a.register, b.register), a.vector)

    def same_bank(self, a: Number, b: Number) -> tuple[Number, Number]:
        return (self.splat(a), b) if b.vector else (a, self.splat(b)) if a.vector else (a, b)

    def splat(self, number: Number) -> Number:
        if number.vector:
            return number
        return Number(self.emit("v.splat", number.register, number.register), True)

    def literal(self, node: Node, at: int, context: Context) -> Number:
        return Number(self.emit("n.const", at, imm=node.value), False)

    def attribute(self, node: Node, at: int, context: Context) -> Number:
        reference, name = node.value
        if reference == 0:
            return Number(self.emit(f"v.{name}", at), True)
        return Number(self.card_value(reference, name, at), False)

    def card_value(self, reference: int, name: str, at: int) -> int:
        index = self.memory.card(reference)
        table = [0, *self.memory.class_values(index, ATTRIBUTES[name])]
        return self.emit("n.card", at, index, imm=self.out.values(table))

    def counted(self, node: Node, at: int, context: Context) -> Number:
        if node.op == "run":
            index = self.memory.run(node.value, context.modulus, context.limit)
        else:
            mask = FULL if node.op == "pos" else self.static_mask(node.args[0])
            index = self.memory.count(mask, context.modulus, context.limit)
        return Number(self.emit("n.field", at, index, imm=int(node.op == "pos")), False)

    def extreme(self, node: Node, at: int, context: Context) -> Number:
        return Number(self.emit("n.range", at, self.memory.extreme(node.op)), False)

    def step(self, node: Node, at: int, context: Context) -> Number:
        self.emit("v.rank", at)
        last = Number(self.card_value(1, "rank", at + 1), False)
        difference = self.binary("-", Number(at, True), last, at)
        thirteen = Number(self.emit("n.const", at + 1, imm=13), False)
        return self.binary("%", difference, thirteen, at)

    def remainder(self, node: Node, at: int, context: Context) -> Number:
        a, b = node.args
        inner = Context(modulus=b.value) if b.op == "lit" else EXACT
        left = self.number(a, at, inner)
        return self.binary("%", left, self.number(b, at + 1), at)

    # Conditions -------------------------------------------------------------------------------------------

    def condition(self, node: Node, at: int) -> int:
        handler = _CONDITIONS.get(node.op)
        return handler(self, node, at) if handler else self.connective(node, at)

    def connective(self, node: Node, at: int) -> int:
        if node.op in ("if", "pattern"):
            for k, arg in enumerate(node.args):
                self.condition(arg, at + k)
            if node.op == "if":
                return self.emit("c.if", at, at, at + 1, at + 2)
            return self.emit("c.pick", at, self.memory.count(FULL, len(node.args), 0), at)
        self.condition(node.args[0], at)
        if node.op == "not":
            return self.emit("c.not", at, at)
        for arg in node.args[1:]:
            self.condition(arg, at + 1)
            self.emit("c.xor" if node.op == "iff" else f"c.{node.op}", at, at, at + 1)
        return self.emit("c.not", at, at) if node.op == "iff" else at

    def static_mask(self, node: Node) -> int:
        compiler = _Compiler(node)
        yes, _ = compiler.program(compiler.condition(node, 0), FULL).masks(())
        return int(yes)

    def table(self, at: int, index: int, sides: Sequence[tuple[int, int]]) -> int:
        """A condition read from a field: (right, wrong) for each of its digits; digit 0 is unknown."""
        masks = [0, 0, *(mask for side in sides for mask in side)]
        return self.emit("c.table", at, index, imm=self.out.constants(masks))

    def predicate(self, node: Node, at: int) -> int:
        reference, name = node.value
        mask = PREDICATES[name]
        if reference == 0:
            return self.emit("c.mask", at, imm=self.out.constants([mask]))
        index = self.memory.card(reference)
        held = self.memory.class_values(index, [mask >> card & 1 for card in range(CARDS)])
        return self.table(at, index, [(FULL, 0) if value else (0, FULL) for value in held])

    def same(self, node: Node, at: int) -> int:
        name, reference = node.value
        index = self.memory.card(reference)
        values = self.memory.class_values(index, ATTRIBUTES[name])
        masks = [_value_masks(name)[value] for value in values]
        return self.table(at, index, [(mask, FULL & ~mask) for mask in masks])

    def updown(self, node: Node, at: int) -> int:
        index = self.memory.card(1)
        sides = []
        for last in self.memory.class_values(index, ATTRIBUTES["rank"]):
            ranks = range(last + 1, 14) if node.op == "up" else range(1, last)
            mask = sum(_value_masks("rank")[rank] for rank in ranks)
            sides.append((mask, FULL & ~mask))
        return self.table(at, index, sides)

    def cycle(self, node: Node, at: int) -> int:
        name, values = node.value
        index = self.memory.card(1)
        after = dict(zip(values, (*values[1:], values[0]), strict=True))
        sides = []
        for last in self.memory.class_values(index, ATTRIBUTES[name]):
            mask = _value_masks(name)[after[last]] if last in after else 0
            sides.append((mask, FULL & ~mask) if last in after else (0, 0))
        return self.table(at, index, sides)

    def set_of_values(self, node: Node, at: int) -> int:
        masks = self.out.constants(_value_masks(node.value))
        if node.op == "seen":
            return self.emit("c.seen", at, self.memory.seen(node.value), imm=masks)
        index, width = self.memory.tally(node.value)
        masks = self.out.constants([_value_masks(node.value)[v] for v in sorted(set(ATTRIBUTES[node.value]))])
        return self.emit(f"c.{node.op}", at, index, width, masks)

    def comparison(self, node: Node, at: int) -> int:
        a, b = node.args
        if a.type is not Type.INT:
            return self.negated(self.equal_names(a, b, at), node.op == "!=")
        context = _comparison_context(a, b)
        left, right = self.number(a, at, context), self.number(b, at + 1, context)
        if node.op in (">", ">="):
            left, right = right, left
        left, right = self.same_bank(left, right)
        kind = "v" if left.vector else "n"
        op = {">": "<", ">=": "<=", "!=": "="}.get(node.op, node.op)
        return self.negated(self.emit(f"c.{kind}{op}", at, left.register, right.register), node.op == "!=")

    def negated(self, register: int, wanted: bool) -> int:
        return self.emit("c.not", register, register) if wanted else register

    def equal_names(self, a: Node, b: Node, at: int) -> int:
        """Equality of suits, colours, parities or cards, one of which may be the candidate's."""
        if _is_candidate(a) and _is_candidate(b):
            return self.emit("c.mask", at, imm=self.out.constants([FULL]))
        if _is_candidate(b):
            a, b = b, a
        right = self.name(b, at + 1)
        if _is_candidate(a):
            masks = self.out.constants(_value_masks(a.value[1]))
            return self.emit("c.attribute", at, right, imm=masks)
        return self.emit("c.n=", at, self.name(a, at), right)

    def name(self, node: Node, at: int) -> int:
        if node.op == "lit":
            return self.emit("n.const", at, imm=node.value)
        reference, name = node.value
        return self.card_value(reference, name, at)

    def membership(self, node: Node, at: int) -> int:
        value, *items = node.args
        if value.type is Type.INT and all(_is_constant(item) for item in items):
            return self.in_spans(value, items, at)
        for k, item in enumerate(items):
            self.one_item(value, item, at + bool(k))
            if k:
                self.emit("c.or", at, at, at + 1)
        return at

    def in_spans(self, value: Node, items: Sequence[Node], at: int) -> int:
        ends = [
            (item.args[0].value, item.args[1].value) if item.args else (item.value,) * 2 for item in items
        ]
        found = self.number(value, at, Context(limit=_limit(max(high for _, high in ends))))
        spans = self.out.values([end for span in ends for end in span])
        return self.emit(f"c.{'v' if found.vector else 'n'}in", at, found.register, len(ends), spans)

    def one_item(self, value: Node, item: Node, at: int) -> int:
        if item.op != "span":
            return self.comparison(Node("=", (value, item)), at)
        self.comparison(Node("<=", (item.args[0], value)), at)
        self.comparison(Node("<=", (value, item.args[1])), at + 1)
        return self.emit("c.and", at, at, at + 1)


def _inner_context(node: Node, context: Context) -> Context:
    # A remainder passes through sums, differences and products; the distance on the circle is one of 13.
    if node.op in ("+", "-", "*") and context.modulus:
        return context
    return Context(modulus=13) if node.op == "dist" else EXACT


def _comparison_context(a: Node, b: Node) -> Context:
    literals = [node.value for node in (a, b) if node.op == "lit"]
    return Context(limit=_limit(literals[0])) if literals else EXACT


def _limit(literal: int) -> int:
    return max(1, min(COUNT_LIMIT, literal + 1))


def _is_constant(item: Node) -> bool:
    return item.op == "lit" or (item.op == "span" and all(end.op == "lit" for end in item.args))


def _is_candidate(node: Node) -> bool:
    return node.op == "attr" and node.value[0] == 0


@functools.cache
def _value_masks(attribute: str) -> tuple[int, ...]:
    """Mask of the cards with each value 0, 1, ... of an attribute."""
    masks = [0] * (max(ATTRIBUTES[attribute]) + 1)
    for card, value in enumerate(ATTRIBUTES[attribute]):
        masks[value] |= 1 << card
    return tuple(masks)


_NUMBERS = {
    "lit": _Compiler.literal,
    "attr": _Compiler.attribute,
    "pos": _Compiler.counted,
    "count": _Compiler.counted,
    "run": _Compiler.counted,
    "hmin": _Compiler.extreme,
    "hmax": _Compiler.extreme,
    "step": _Compiler.step,
    "%": _Compiler.remainder,
}
_CONDITIONS = {
    "is": _Compiler.predicate,
    "same": _Compiler.same,
    "up": _Compiler.updown,
    "down": _Compiler.updown,
    "cycle": _Compiler.cycle,
    "in": _Compiler.membership,
    **dict.fromkeys(("seen", "least", "most"), _Compiler.set_of_values),
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), _Compiler.comparison),
}
