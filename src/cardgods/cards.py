"""Cards as numbers, masks and texts.

A card is a number 0..51: 13 * suit + rank, suits clubs, diamonds, hearts, spades, ranks 2..A. A set of cards
is a mask with one bit a card. Texts are read under one language at a time; one with two readings is refused.
"""

import re
from collections.abc import Iterable

from cardgods.errors import CardTextError

RANKS = 13
SUITS = 4
CARDS = 52

SIGNS = "♣♦♥♠"
RANK_NAMES = {
    "en": ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"),
    "fr": ("2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R", "A"),
}
SUIT_LETTERS = {"en": ("c", "d", "h", "s"), "fr": ("T", "K", "C", "P")}
_RANKS_EN = "two three four five six seven eight nine ten jack queen king ace"
_RANKS_FR = "deux trois quatre cinq six sept huit neuf dix valet dame roi as"
RANK_WORDS = {"en": tuple(_RANKS_EN.split()), "fr": tuple(_RANKS_FR.split())}
SUIT_WORDS = {"en": ("clubs", "diamonds", "hearts", "spades"), "fr": ("trèfle", "carreau", "cœur", "pique")}
OF = {"en": " of ", "fr": " de "}

# Further texts of a rank or suit, beside the canonical ones.
_MORE_RANKS: dict[str, dict[str, int]] = {"en": {"t": 8}, "fr": {"t": 8, "as": 12}}
_MORE_SUITS: dict[str, dict[str, int]] = {"en": {}, "fr": {"d": 1, "trefle": 0, "coeur": 2}}


def card(rank: int, suit: int) -> int:
    """The card of a rank 0..12 (2..A) and a suit 0..3 (clubs, diamonds, hearts, spades)."""
    return RANKS * suit + rank


def rank_of(number: int) -> int:
    """The rank 0..12 of a card."""
    return number % RANKS


def suit_of(number: int) -> int:
    """The suit 0..3 of a card."""
    return number // RANKS


def cards_of(mask: int) -> list[int]:
    """The cards of a mask, ascending."""
    return [number for number in range(CARDS) if mask >> number & 1]


def mask_of(numbers: Iterable[int]) -> int:
    """The mask of some cards.

    Raises:
        CardTextError: if a card comes twice or does not exist.
    """
    mask = 0
    for number in numbers:
        if not 0 <= number < CARDS:
            raise CardTextError(f"card {number} does not exist: cards are 0..{CARDS - 1}")
        if mask >> number & 1:
            raise CardTextError(f"{card_name(number)} stands there twice")
        mask |= 1 << number
    return mask


def card_name(number: int, lang: str = "en", ascii: bool = False) -> str:
    """The canonical short text of a card: ``Q♥``, ``D♥`` in French; with suit letters if `ascii`."""
    suit = suit_of(number)
    return RANK_NAMES[lang][rank_of(number)] + (SUIT_LETTERS[lang][suit] if ascii else SIGNS[suit])


def card_words(number: int, lang: str = "en") -> str:
    """A card in words: ``queen of hearts``, ``dame de cœur``."""
    return RANK_WORDS[lang][rank_of(number)] + OF[lang] + SUIT_WORDS[lang][suit_of(number)]


def readings(text: str, lang: str = "en") -> list[int]:
    """The cards that a text may name in a language, ascending: none, one, or two where it is ambiguous."""
    return sorted(_readings(text.strip().casefold(), lang))


def parse_card(text: str, lang: str = "en") -> int:
    """The card that a text names: rank and suit in either order, or words; case does not matter.

    Raises:
        CardTextError: if it names none, or reads two ways; the message names both readings.
    """
    found = readings(text, lang)
    shown = text if len(text) <= 30 else text[:30] + "..."
    if len(found) == 1:
        return found[0]
    if found:
        names = " or ".join(f"{card_name(n, lang)} ({card_words(n, lang)})" for n in found)
        raise CardTextError(f"'{shown}' reads two ways: {names}")
    ranks = " ".join(RANK_NAMES[lang])
    letters = " ".join(SUIT_LETTERS[lang])
    raise CardTextError(f"'{shown}' is no card: a card is a rank ({ranks}) and a suit ({letters} or {SIGNS})")


def parse_cards(text: str, lang: str = "en") -> list[int]:
    """The cards of a text, separated by blanks or commas, or written together as in ``AhKh4s``.

    Raises:
        CardTextError: as :func:`parse_card`, or if a card comes twice.
    """
    parts = [part for part in re.split(r"[\s,]+", text.strip()) if part]
    numbers = [parse_card(name, lang) for part in parts for name in _apart(part, lang)]
    mask_of(numbers)
    return numbers


def _apart(text: str, lang: str) -> list[str]:
    """The cards of a run of two or more, each a rank and a suit in that order; else the text itself."""
    suits = "".join(SUIT_LETTERS[lang]) + SIGNS
    one = f"(?:{'|'.join(RANK_NAMES[lang])})[{suits}]"
    return (
        re.findall(one, text, re.IGNORECASE)
        if re.fullmatch(f"(?:{one}){{2,}}", text, re.IGNORECASE)
        else [text]
    )


def _ranks(lang: str) -> dict[str, int]:
    return {name.casefold(): rank for rank, name in enumerate(RANK_NAMES[lang])} | _MORE_RANKS[lang]


def _suits(lang: str) -> dict[str, int]:
    letters = {letter.casefold(): suit for suit, letter in enumerate(SUIT_LETTERS[lang])}
    words = {word.casefold(): suit for suit, word in enumerate(SUIT_WORDS[lang])}
    return letters | words | dict(zip(SIGNS, range(SUITS), strict=True)) | _MORE_SUITS[lang]


def _readings(wanted: str, lang: str) -> set[int]:
    ranks, suits = _ranks(lang), _suits(lang)
    words = {word: rank for rank, word in enumerate(RANK_WORDS[lang])}
    head, of, tail = wanted.partition(OF[lang])
    if of:
        rank = (ranks | words).get(head.strip())
        suit = suits.get(tail.strip())
        return {card(rank, suit)} if rank is not None and suit is not None else set()
    found = set()
    for cut in range(1, len(wanted)):
        first, second = wanted[:cut].strip(), wanted[cut:].strip()
        if first in ranks and second in suits:
            found.add(card(ranks[first], suits[second]))
        if first in suits and second in ranks and (lang, first) != ("fr", "d"):
            found.add(card(ranks[second], suits[first]))
    return found
