"""Text to tree: the grammar of ``grammar.lark`` with the typing that a grammar cannot say.

Nodes are built while lark parses (an inline transformer), so nothing recurses over the text and every
limit is met before the work is done.
"""

import functools
from importlib.resources import files
from typing import Any, NamedTuple

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from cardgods.cards import parse_card
from cardgods.errors import CardTextError, RuleTextError
from cardgods.rule import calls, words
from cardgods.rule.nodes import MAX_DEPTH, Node, is_static, make
from cardgods.rule.vocabulary import WORDS, Type, fold, rank_letter
from cardgods.rule.words import shown, suggestion

MAX_LENGTH = 2000
MAX_DIGITS = 3


class Parsed(NamedTuple):
    """The two parts of a rule: the condition on the starter, if the rule has one of its own, and the rule."""

    start: Node | None
    body: Node


def parse(text: str, lang: str = "en") -> Parsed:
    """The typed tree of a rule's text.

    Args:
        text: the rule. Words of both languages are understood.
        lang: "en" or "fr"; decides what the letters of ranks and cards mean.

    Raises:
        RuleTextError: if the text is no rule; one line with the column and, where there is one, a suggestion.
    """
    _check_shape(text)
    try:
        return _lark(lang).parse(text)  # type: ignore[return-value]
    except UnexpectedInput as error:
        raise _syntax_error(error, text) from None


@functools.cache
def _builder(lang: str) -> "_Builder":
    if lang not in ("en", "fr"):
        raise RuleTextError(f"unknown language '{lang}': languages are en and fr")
    return _Builder(lang)


@functools.cache
def _lark(lang: str) -> Lark:
    grammar = (files("cardgods.rule") / "grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="rule", parser="lalr", lexer="basic", transformer=_builder(lang))


def _check_shape(text: str) -> None:
    if not isinstance(text, str):
        raise RuleTextError(f"a rule is a text, not {type(text).__name__}")
    if len(text) > MAX_LENGTH:
        raise RuleTextError(f"the rule has {len(text)} characters: the limit is {MAX_LENGTH}")
    if not text.strip():
        raise RuleTextError("the rule is empty: write a condition on the card, such as not same(colour)")
    depth = 0
    for place, letter in enumerate(text, 1):
        depth += (letter in "({") - (letter in ")}")
        if depth > MAX_DEPTH:
            raise RuleTextError(f"more than {MAX_DEPTH} brackets are open at once", place)


# Errors ---------------------------------------------------------------------------------------------------

_WAYS_ON = {
    "NAME": "a word",
    "INT": "a number",
    "CARD": "a card",
    "RPAR": "')'",
    "LPAR": "'('",
    "RBRACE": "'}'",
    "LBRACE": "'{'",
    "SEMICOLON": "';'",
    "COLON": "':'",
    "COMMA": "','",
    "DOT": "'.'",
    "_THEN": "'then'",
    "_ELSE": "'else'",
    "_AND": "'and'",
    "_OR": "'or'",
    "_IN": "'in'",
    "RELATION": "a comparison",
    "$END": "the end",
}


def _syntax_error(error: UnexpectedInput, text: str) -> RuleTextError:
    place = len(text.rstrip()) + 1 if error.pos_in_stream in (None, -1) else int(error.pos_in_stream or 0) + 1
    if isinstance(error, UnexpectedCharacters):
        return RuleTextError(f"the character {shown(text[place - 1])} has no meaning in a rule", place)
    if not isinstance(error, UnexpectedToken):
        return RuleTextError("the rule ends too early", len(text) + 1)
    token = error.token
    wanted = [words for name, words in _WAYS_ON.items() if name in error.accepts]
    expected = ", ".join(wanted[:6])
    if token.type == "$END":
        return RuleTextError(f"the rule ends too early: expected {expected}", len(text.rstrip()) + 1)
    hint = _token_hint(token)
    return RuleTextError(
        f"{shown(str(token))} cannot stand here: expected {expected}{hint}", token.start_pos + 1
    )


def _token_hint(token: Token) -> str:
    if token.type == "NAME" and fold(token) not in WORDS:
        return suggestion(str(token))
    if token.type == "_IF":
        return " (put an if inside brackets when it is a part of a condition)"
    if token.type == "RELATION":
        return " (join comparisons with and, or write x in a..b)"
    return ""


# Building -------------------------------------------------------------------------------------------------


@v_args(inline=True)
class _Builder(Transformer):  # type: ignore[type-arg]
    """Callbacks of the grammar's rules; each takes the parts and gives a node."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang

    def rule(self, start: Node | None, body: Node) -> Parsed:
        if start is not None:
            _condition(start, "the start condition")
            if not is_static(start):
                raise RuleTextError(
                    "the start condition speaks of the first card alone: no last, no counting", start.column
                )
        return Parsed(start, _condition(body, "a rule"))

    def choice(self, test: Node, then: Node, other: Node) -> Node:
        return make("if", tuple(_condition(part, "each part of an if") for part in (test, then, other)))

    def xor(self, a: Node, b: Node) -> Node:
        return make("xor", (_condition(a, "xor"), _condition(b, "xor")))

    def iff(self, a: Node, b: Node) -> Node:
        return make("iff", (_condition(a, "iff"), _condition(b, "iff")))

    def or_(self, a: Node, b: Node) -> Node:
        return make("or", (_condition(a, "or"), _condition(b, "or")))

    def and_(self, a: Node, b: Node) -> Node:
        return make("and", (_condition(a, "and"), _condition(b, "and")))

    def not_(self, a: Node) -> Node:
        return make("not", (_condition(a, "not"),))

    def compare(self, a: Node, sign: Token, b: Node) -> Node:
        op = {"==": "=", "<>": "!=", "≠": "!=", "≤": "<=", "≥": ">="}.get(str(sign), str(sign))
        a, b = calls.alike(a, b, op)
        return make(op, (a, b))

    def set(self, *items: Node) -> tuple[Node, ...]:
        return items

    def span(self, a: Node, b: Node) -> Node:
        if a.op == b.op == "lit" and a.type is b.type is Type.INT and a.value > b.value:
            raise RuleTextError(f"the span {a.value}..{b.value} is empty", a.column)
        return make("span", (calls.number(a, ".."), calls.number(b, "..")), type=Type.INT)

    def within(self, value: Node, items: tuple[Node, ...]) -> Node:
        return calls.membership(value, items)

    def without(self, value: Node, items: tuple[Node, ...]) -> Node:
        return make("not", (calls.membership(value, items),))

    def plus(self, a: Node, b: Node) -> Node:
        return calls.arithmetic("+", a, b)

    def minus(self, a: Node, b: Node) -> Node:
        return calls.arithmetic("-", a, b)

    def times(self, a: Node, b: Node) -> Node:
        return calls.arithmetic("*", a, b)

    def modulo(self, a: Node, b: Node) -> Node:
        return calls.remainder(a, b)

    def negative(self, a: Node) -> Node:
        a = calls.number(a, "-")
        if a.op == "lit":
            return make("lit", value=-a.value, type=Type.INT, column=a.column)
        return make("-", (make("lit", value=0, type=Type.INT, column=a.column), a), type=Type.INT)

    def number(self, token: Token) -> Node:
        if len(token) > MAX_DIGITS:
            raise RuleTextError(f"numbers have at most {MAX_DIGITS} digits", _column(token))
        return make("lit", value=int(token), type=Type.INT, column=_column(token))

    def card(self, token: Token) -> Node:
        if rank_letter(str(token), self.lang):  # French As
            return words.bare(str(token), _column(token), self.lang)
        try:
            number = parse_card(str(token), self.lang)
        except CardTextError as error:
            raise RuleTextError(str(error), _column(token)) from None
        return make("lit", value=number, type=Type.CARD, column=_column(token))

    def word(self, token: Token) -> Node:
        return words.bare(str(token), _column(token), self.lang)

    def dotted(self, reference: Token, token: Token) -> Node:
        return words.dotted(str(reference), str(token), _column(reference))

    def call(self, token: Token, *args: Node | None) -> Node:
        return calls.call(str(token), [arg for arg in args if arg is not None], _column(token))


def _column(token: Token) -> int:
    return int(token.start_pos or 0) + 1


def _condition(node: Any, where: str) -> Node:  # noqa: ANN401
    if not isinstance(node, Node) or node.type is not Type.BOOL:
        raise RuleTextError(f"{where} takes conditions; this is a {node.type.value}", node.column)
    return node
