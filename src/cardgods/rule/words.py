"""Words of a rule that stand alone or after a dot, and what to suggest for those that mean nothing."""

import difflib

from cardgods.errors import RuleTextError
from cardgods.rule.nodes import Node, make
from cardgods.rule.vocabulary import (
    ATTRIBUTE_TYPES,
    FUNCTIONS,
    PREDICATES,
    REFERENCE_WORDS,
    REFERENCES,
    VALUE_WORDS,
    WORDS,
    Type,
    fold,
    rank_letter,
)

_LEAVES = {"up": Type.BOOL, "down": Type.BOOL} | dict.fromkeys(("step", "pos", "hmin", "hmax"), Type.INT)
_KEYWORDS = ("if", "then", "else", "and", "or", "xor", "iff", "not", "in", "start", "mod")
_SUGGESTED = sorted({*WORDS, *_KEYWORDS})


def suggestion_among(word: str, known: list[str]) -> str:
    """``; did you mean ...?`` with the nearest of some words, or nothing."""
    near = difflib.get_close_matches(word[:40], known, n=2, cutoff=0.65) if len(word) > 1 else []
    return f"; did you mean {' or '.join(near)}?" if near else ""


def suggestion(word: str) -> str:
    """``; did you mean ...?`` with the nearest words of the language, or nothing."""
    return suggestion_among(fold(word[:20]), _SUGGESTED)


def shown(text: str) -> str:
    """A text of the user as a message quotes it: short, and without control characters."""
    return repr(text if len(text) <= 20 else text[:20] + "...")


def bare(text: str, column: int, lang: str) -> Node:
    """The node of a word that stands alone.

    Raises:
        RuleTextError: if the word has no meaning, or none without brackets.
    """
    rank = rank_letter(text, lang)
    if rank is not None:
        return make("lit", value=rank, type=Type.INT, column=column)
    word = WORDS.get(fold(text[:40]))
    if word is None:
        raise RuleTextError(f"{shown(text)} is no word of the rule language{suggestion(text)}", column)
    if word in _LEAVES:
        return make(word, type=_LEAVES[word], column=column)
    if word in REFERENCES:
        return make("attr", value=(REFERENCES[word], "card"), type=Type.CARD, column=column)
    if word in ATTRIBUTE_TYPES or word in PREDICATES:
        return of_card(0, word, column)
    raise RuleTextError(f"{word} needs brackets, such as {EXAMPLES[word]}", column)


EXAMPLES = {
    "same": "same(suit)",
    "dist": "dist(rank, last.rank)",
    "abs": "abs(rank - last.rank)",
    "gcd": "gcd(rank, last.rank)",
    "min": "min(rank, last.rank)",
    "max": "max(rank, last.rank)",
    "pattern": "pattern(red, black)",
    "cycle": "cycle(spades, hearts)",
    "count": "count(red)",
    "run": "run(colour)",
    "seen": "seen(rank)",
    "least": "least(suit)",
    "most": "most(suit)",
}


def dotted(reference: str, text: str, column: int) -> Node:
    """The node of ``last.rank``, ``c2.red`` and the like.

    Raises:
        RuleTextError: if the first word names no card or the second is neither attribute nor predicate.
    """
    name = REFERENCE_WORDS.get(fold(reference[:40]))
    if name is None:
        cards = ", ".join(REFERENCES)
        raise RuleTextError(f"{shown(reference)} is no card that can be named: those are {cards}", column)
    word = WORDS.get(fold(text[:40]))
    if word not in ATTRIBUTE_TYPES and word not in PREDICATES:
        wrong = f"a card has no {shown(text)}"
        raise RuleTextError(
            f"{wrong}{suggestion(text) or ': it has rank, suit, colour, red, odd ...'}", column
        )
    assert word is not None
    return of_card(REFERENCES[name], word, column)


def of_card(reference: int, word: str, column: int) -> Node:
    """An attribute or predicate of the candidate (0), a card before it, or the first card."""
    if word in PREDICATES:
        return make("is", value=(reference, word), column=column)
    return make("attr", value=(reference, word), type=ATTRIBUTE_TYPES[word], column=column)


def as_value(node: Node, wanted: Type) -> Node | None:
    """A bare word such as ``hearts`` read as a value of the wanted type, if it can be one."""
    if node.type is wanted:
        return node
    if node.op != "is" or node.value[0] != 0 or node.value[1] not in VALUE_WORDS:
        return None
    attribute, value = VALUE_WORDS[node.value[1]]
    if ATTRIBUTE_TYPES[attribute] is not wanted:
        return None
    return make("lit", value=value, type=wanted, column=node.column)


__all__ = ["EXAMPLES", "FUNCTIONS", "as_value", "bare", "dotted", "of_card", "shown", "suggestion"]
