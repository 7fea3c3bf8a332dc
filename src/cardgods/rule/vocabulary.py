"""The words of the rule language: what they mean for each of the 52 cards, and their two languages.

Ranks run from 1 (ace) to 13 (king), whatever their place in a card mask. Every word is looked up without
regard to case or accents, and the words of both languages are understood at any time; only the letters of
ranks and cards (``K``, ``10H`` against ``R``, ``10C``) depend on the language of the text.
"""

import unicodedata
from collections.abc import Callable
from enum import Enum

CARDS = 52
FULL = (1 << CARDS) - 1
MAX_LOOKBACK = 6
COUNT_LIMIT = 104  # two packs: a number that is compared stops here
FIRST = MAX_LOOKBACK + 1  # number of the reference `first`; 0 is the candidate, 1..6 the cards before it


class Type(Enum):
    """The kinds of value in a rule; the value of the enum is its name in messages."""

    BOOL = "condition"
    INT = "number"
    SUIT = "suit"
    COLOUR = "colour"
    PARITY = "parity"
    CARD = "card"


def rank_of(card: int) -> int:
    """Rank 1 (ace) .. 13 (king) of a card number."""
    return (card % 13 + 1) % 13 + 1


def _mask(test: Callable[[int, int], bool]) -> int:
    return sum(1 << card for card in range(CARDS) if test(rank_of(card), card // 13))


CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
COLOUR_WORDS = ("black", "red")
PARITY_WORDS = ("even", "odd")
RANK_LETTERS = {1: "A", 11: "J", 12: "Q", 13: "K"}

# For each attribute: its type and its value for each card.
ATTRIBUTE_TYPES = {
    "rank": Type.INT,
    "suit": Type.SUIT,
    "colour": Type.COLOUR,
    "parity": Type.PARITY,
    "points": Type.INT,
    "card": Type.CARD,
}
ATTRIBUTES: dict[str, tuple[int, ...]] = {
    "rank": tuple(rank_of(card) for card in range(CARDS)),
    "suit": tuple(card // 13 for card in range(CARDS)),
    "colour": tuple(int(card // 13 in (DIAMONDS, HEARTS)) for card in range(CARDS)),
    "parity": tuple(rank_of(card) % 2 for card in range(CARDS)),
    "points": tuple(min(rank_of(card), 10) for card in range(CARDS)),
    "card": tuple(range(CARDS)),
}

PREDICATES: dict[str, int] = {
    "any": FULL,
    "red": _mask(lambda rank, suit: suit in (DIAMONDS, HEARTS)),
    "black": _mask(lambda rank, suit: suit in (CLUBS, SPADES)),
    "odd": _mask(lambda rank, suit: rank % 2 == 1),
    "even": _mask(lambda rank, suit: rank % 2 == 0),
    "face": _mask(lambda rank, suit: rank > 10),
    "number": _mask(lambda rank, suit: rank <= 10),
    "prime": _mask(lambda rank, suit: rank in (2, 3, 5, 7, 11, 13)),
    "high": _mask(lambda rank, suit: rank >= 8),
    "low": _mask(lambda rank, suit: rank <= 7),
    "ace": _mask(lambda rank, suit: rank == 1),
    "jack": _mask(lambda rank, suit: rank == 11),
    "queen": _mask(lambda rank, suit: rank == 12),
    "king": _mask(lambda rank, suit: rank == 13),
    "clubs": _mask(lambda rank, suit: suit == CLUBS),
    "diamonds": _mask(lambda rank, suit: suit == DIAMONDS),
    "hearts": _mask(lambda rank, suit: suit == HEARTS),
    "spades": _mask(lambda rank, suit: suit == SPADES),
}

# Predicates that also name one value of an attribute: `suit = hearts`, `last.rank = king`.
VALUE_WORDS: dict[str, tuple[str, int]] = {
    **{word: ("suit", value) for value, word in enumerate(SUIT_WORDS)},
    **{word: ("colour", value) for value, word in enumerate(COLOUR_WORDS)},
    **{word: ("parity", value) for value, word in enumerate(PARITY_WORDS)},
    "ace": ("rank", 1),
    "jack": ("rank", 11),
    "queen": ("rank", 12),
    "king": ("rank", 13),
}

# Canonical (English) word -> what else may be written for it. Accents are dropped before the look-up.
_ALIASES: dict[str, str] = {
    # references
    "last": "dernier derniere previous c1",
    "first": "premiere initiale",
    # attributes
    "card": "carte",
    "rank": "rang",
    "suit": "enseigne famille",
    "colour": "color couleur",
    "parity": "parite",
    "points": "point",
    # predicates
    "any": "toute tout quelconque",
    "red": "rouge",
    "black": "noir noire",
    "odd": "impair impaire",
    "even": "pair paire",
    "face": "figure court habille",
    "number": "nombre",
    "prime": "premier",
    "high": "haut haute",
    "low": "bas basse",
    "ace": "as",
    "jack": "valet",
    "queen": "dame",
    "king": "roi",
    "clubs": "club trefle trefles",
    "diamonds": "diamond carreau carreaux",
    "hearts": "heart coeur coeurs",
    "spades": "spade pique piques",
    # relations and functions
    "same": "meme",
    "up": "monte",
    "down": "descend",
    "step": "pas",
    "dist": "ecart",
    "abs": "",
    "gcd": "pgcd",
    "min": "",
    "max": "",
    "pattern": "motif",
    "cycle": "",
    "pos": "position",
    "count": "compte",
    "run": "serie",
    "seen": "vu vue",
    "least": "moins",
    "most": "plus",
    "hmin": "minimum",
    "hmax": "maximum",
}
REFERENCES: dict[str, int] = {
    "card": 0,
    "last": 1,
    **{f"c{k}": k for k in range(2, MAX_LOOKBACK + 1)},
    "first": FIRST,
}
FUNCTIONS = frozenset(
    ("same", "dist", "abs", "gcd", "min", "max", "pattern", "cycle", "count", "run", "seen", "least", "most")
)  # words followed by arguments

WORDS: dict[str, str] = {
    alias: word for word, aliases in _ALIASES.items() for alias in (word, *aliases.split())
} | {f"c{k}": f"c{k}" for k in range(2, MAX_LOOKBACK + 1)}
# `premier` alone is a prime number; before a dot, or where a card is asked for, it is the first card.
REFERENCE_WORDS: dict[str, str] = {w: c for w, c in WORDS.items() if c in REFERENCES} | {"premier": "first"}

_LETTERS = {
    "en": {"A": 1, "J": 11, "Q": 12, "K": 13},
    "fr": {"A": 1, "As": 1, "V": 11, "D": 12, "R": 13},
}


def fold(word: str) -> str:
    """A word without accents and in lower case: the form under which :data:`WORDS` knows it."""
    flat = unicodedata.normalize("NFKD", word.casefold().replace("œ", "oe"))
    return "".join(letter for letter in flat if not unicodedata.combining(letter))


def rank_letter(text: str, lang: str) -> int | None:
    """Rank 1, 11, 12 or 13 that a letter (``K``; French ``R``, ``As``) names in a language, or None."""
    return _LETTERS[lang].get(text)
