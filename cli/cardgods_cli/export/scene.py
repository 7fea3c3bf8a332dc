"""What there is to see of a position, in parts that a page and a picture can draw.

A game's own way is ``scenes/<game>.py`` with a function ``scene(table, now) -> list[Zone]``. Like a view it
knows nothing but what ``State.view`` says, so what it shows is what the viewer may see.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from cardgods.cards import SIGNS, card_name, card_words, suit_of
from cardgods_cli.words import _, language

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods_cli.render import Shown

Area = Literal["table", "front", "line", "seat"]
BACK, FREE = -1, -2
"""A card whose face is not seen, and a place without a card."""
PURSE, TREASURE = 100, 200
"""Added to the values of L'Encan's cards, which have no suits."""
SUITS = "cdhs"


@dataclass(frozen=True)
class Row:
    """Cards that lie together.

    Attributes:
        label: what they are.
        cards: numbers of faces, BACK or FREE.
        small: they matter less.
        below: for each card the cards that hang below it; none for most rows.
    """

    label: str
    cards: Sequence[int]
    small: bool = False
    below: Sequence[Sequence[int]] = ()


@dataclass(frozen=True)
class Zone:
    """A part of the table.

    Attributes:
        area: where it belongs.
        title: its name.
        notes: what is said of it, a few words each.
        rows: its cards.
        active: whether whose turn it is sits here.
    """

    area: Area
    title: str
    notes: Sequence[str] = ()
    rows: Sequence[Row] = field(default_factory=tuple)
    active: bool = False


@dataclass(frozen=True)
class Table:
    """Whose game is shown, and to whom.

    Attributes:
        game: the game.
        names: the players.
        viewer: the seat that looks on; None where all is open, -1 for a spectator.
    """

    game: Game
    names: Sequence[str]
    viewer: int | None


@dataclass(frozen=True)
class Face:
    """A card as it is drawn.

    Attributes:
        corner: rank, in the language in force.
        sign: the sign of its suit, or a mark.
        style: ``c d h s`` for the suits, ``p`` for a purse, ``t`` for a treasure.
        name: in words.
    """

    corner: str
    sign: str
    style: str
    name: str


def scene(table: Table, now: Shown) -> list[Zone]:
    """The parts of a position, in the language in force."""
    own: Any = importlib.import_module(f"cardgods_cli.export.scenes.{table.game.name}")
    zones: list[Zone] = own.scene(table, now)
    return zones


def face(game: Game, number: int) -> Face:
    """The face of a card of :func:`scene`, in the language in force."""
    if number < PURSE:
        sign = SIGNS[suit_of(number)]
        rank = card_name(number, language()).removesuffix(sign)
        return Face(rank, sign, SUITS[suit_of(number)], card_words(number, language()))
    value = number % PURSE
    corner: str = game.card_name(value, language())  # type: ignore[attr-defined]
    if number >= TREASURE:
        return Face(corner, "◆", "t", _("treasure {card}").format(card=corner))
    return Face(corner, "●", "p", _("card {card}").format(card=corner))


def faces_in(zones: Sequence[Zone]) -> Iterator[int]:
    """Every face in a scene, with repetitions."""
    for zone in zones:
        for row in zone.rows:
            for cards in (row.cards, *row.below):
                yield from (card for card in cards if card >= 0)


def hand_row(label: str, cards: Sequence[int] | None, held: int) -> Row:
    """A hand: its cards where they are known, else their backs."""
    return Row(label, sorted(cards) if cards else [BACK] * held)
