"""Tree to text: the one canonical form of a rule, which parses back to the same tree."""

from cardgods.cards import card_name
from cardgods.rule.nodes import RELATIONS, Node
from cardgods.rule.vocabulary import (
    COLOUR_WORDS,
    FIRST,
    PARITY_WORDS,
    RANK_LETTERS,
    SUIT_WORDS,
    Type,
)

_LEVELS = {"if": 0, "xor": 1, "iff": 1, "or": 2, "and": 3, "not": 4, "in": 5, "span": 6, "+": 7, "-": 7}
_LEVELS |= dict.fromkeys(RELATIONS, 5) | {"*": 8, "%": 8}
_ATOM = 9


def canonical(start: Node | None, body: Node) -> str:
    """The text of a rule."""
    head = f"start: {text(start)}; " if start is not None else ""
    return head + text(body)


def text(node: Node) -> str:
    """The text of a part of a rule."""
    return _PRINTERS.get(node.op, _leaf)(node)


def _level(node: Node) -> int:
    if node.op == "not" and node.args[0].op == "in":
        return _LEVELS["in"]
    if node.op == "lit" and node.value < 0:
        return _ATOM
    return _LEVELS.get(node.op, _ATOM)


def _at(node: Node, level: int) -> str:
    return text(node) if _level(node) >= level else f"({text(node)})"


def _joined(node: Node) -> str:
    level = _level(node)
    # Left-associative: what stands to the right must bind more tightly.
    # The remainder of a product has brackets that the grammar does not ask for: readers do.
    first = level + (node.op == "%" and node.args[0].op == "*")
    parts = [_at(node.args[0], first), *(_at(arg, level + 1) for arg in node.args[1:])]
    return f" {node.op} ".join(parts)


def _if(node: Node) -> str:
    test, then, other = node.args
    return f"if {_at(test, 1)} then {_at(then, 1)} else {text(other)}"


def _not(node: Node) -> str:
    if node.args[0].op == "in":
        return _in(node.args[0], "not in")
    return f"not {_at(node.args[0], 4)}"


def _compare(node: Node) -> str:
    a, b = node.args
    return f"{_operand(a, b)} {node.op} {_operand(b, a)}"


def _operand(node: Node, other: Node) -> str:
    # Ranks show their letters when they are compared with the rank of a card.
    if node.op == "lit" and node.type is Type.INT and other.op == "attr" and other.value[1] == "rank":
        return RANK_LETTERS.get(node.value, str(node.value))
    return _at(node, 6)


def _in(node: Node, word: str = "in") -> str:
    value, *items = node.args
    shown = [_item(item, value) for item in items]
    listed = shown[0] if len(shown) == 1 and items[0].op == "span" else "{" + ", ".join(shown) + "}"
    return f"{_at(value, 6)} {word} {listed}"


def _item(item: Node, value: Node) -> str:
    if item.op == "span":
        return "..".join(_operand(end, value) for end in item.args)
    return _operand(item, value)


def _literal(node: Node) -> str:
    if node.type is Type.INT:
        return str(node.value)
    if node.type is Type.CARD:
        return card_name(node.value, ascii=True)
    names = {Type.SUIT: SUIT_WORDS, Type.COLOUR: COLOUR_WORDS, Type.PARITY: PARITY_WORDS}
    return str(names[node.type][node.value])


def reference(number: int) -> str:
    """``card``, ``last``, ``c2`` ... or ``first``."""
    return {0: "card", 1: "last", FIRST: "first"}.get(number, f"c{number}")


def _of_card(node: Node) -> str:
    number, word = node.value
    if word == "card":
        return reference(number)
    return word if number == 0 else f"{reference(number)}.{word}"


def _same(node: Node) -> str:
    attribute, number = node.value
    return f"same({attribute})" if number == 1 else f"same({attribute}, {reference(number)})"


def _cycle(node: Node) -> str:
    attribute, values = node.value
    if attribute == "rank":
        return f"cycle({', '.join(map(str, values))})"
    names = {"suit": SUIT_WORDS, "colour": COLOUR_WORDS, "parity": PARITY_WORDS}
    shown = [
        card_name(value, ascii=True) if attribute == "card" else names[attribute][value] for value in values
    ]
    return f"cycle({', '.join(shown)})"


def _call(node: Node) -> str:
    return f"{node.op}({', '.join(text(arg) for arg in node.args)})"


def _leaf(node: Node) -> str:
    return node.op if node.value is None else f"{node.op}({node.value})"


_PRINTERS = {
    "lit": _literal,
    "attr": _of_card,
    "is": _of_card,
    "same": _same,
    "cycle": _cycle,
    "if": _if,
    "not": _not,
    "in": _in,
    **dict.fromkeys(RELATIONS, _compare),
    **dict.fromkeys(("and", "or", "xor", "iff", "+", "-", "*", "%"), _joined),
    **dict.fromkeys(("count", "pattern", "min", "max", "abs", "gcd", "dist"), _call),
}
