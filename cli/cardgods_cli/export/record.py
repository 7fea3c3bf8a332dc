"""A recorded game moment by moment, in every language that we speak, for a page to step through."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cardgods_cli.export.scene import Face, Row, Table, Zone, face, faces_in, scene
from cardgods_cli.look import Look
from cardgods_cli.render import view_for
from cardgods_cli.session import deal_lines, opening_line
from cardgods_cli.streams import clean
from cardgods_cli.telling import news_of, steps_of
from cardgods_cli.words import LANGUAGES, speaking

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods.log import Header, Log
    from cardgods_cli.telling import Step

NAME_WIDTH = 40
"""Columns of a name on a page or a picture; texts have the whole of it."""
Texts = list[str]
"""A text in each language of LANGUAGES, or one alone if all are alike."""


@dataclass(frozen=True)
class Moment:
    """What was seen and told at one moment of a game, in one language.

    Attributes:
        step: number of the event, as ``replay --json`` counts records; 0 at the start.
        news: what happened.
        zones: what there is to see.
    """

    step: int
    news: Sequence[str]
    zones: Sequence[Zone]


@dataclass(frozen=True)
class Telling:
    """A game to be told.

    Attributes:
        header: of its log, without what the viewer may not know.
        table: whose game, and who looks on.
        steps: its steps.
    """

    header: Header
    table: Table
    steps: Sequence[Step]

    def moments(self) -> Iterator[Moment]:
        """The moments that brought news, in the language in force."""
        view = view_for(self.table.game, self.table.names, _plain(), boards=True)
        seen = None
        for number, step in enumerate(self.steps):
            if seen is None:
                news = [opening_line(self.header, self.table.game, view), *deal_lines(self.header)]
            elif step.end is not None:
                news = [view.result(step.now, step.end.returns)]
            else:
                news = news_of(step, seen, view, self.table.viewer)
            if news:
                yield Moment(number, news, scene(self.table, step.now))
            seen = step.now


def telling(log: Log, header: Header, game: Game, viewer: int | None) -> Telling:
    """A game as a viewer saw it.

    Args:
        log: the log of a game, or the view of a seat.
        header: its header, without what the viewer may not know.
        game: the game.
        viewer: a seat; SPECTATOR; None where everything is open.
    """
    narrow = replace(_plain(), fixed_width=NAME_WIDTH)
    names = [narrow.fit(clean(seat.name), NAME_WIDTH) for seat in log.header.seats]
    return Telling(header, Table(game, names, viewer), list(steps_of(log, viewer)))


def _plain() -> Look:
    return Look(plain=True, colour=False, terminal=False, dumb=True)


def data_of(told: Telling) -> dict[str, Any]:
    """All that a page needs, in plain values; cards by their numbers, texts in all languages.

    Returns:
        ``languages``; ``texts``, each a list with a text per language or one for all; ``faces``: number ->
        (corner, sign, style, name), corner and name numbers of texts; ``zones``; ``steps``, each (number,
        texts of the news, zones).
    """
    versions = []
    for lang in LANGUAGES:
        with speaking(lang):
            moments = list(told.moments())
            numbers = sorted({card for moment in moments for card in faces_in(moment.zones)})
            versions.append((moments, {number: face(told.table.game, number) for number in numbers}))
    tables = _Tables()
    steps = [
        [same[0].step, tables.lines([m.news for m in same]), tables.scene([m.zones for m in same])]
        for same in zip(*(moments for moments, _ in versions), strict=True)
    ]
    faces = {
        number: tables.face([known[number] for _, known in versions]) for number in sorted(versions[0][1])
    }
    return {
        "languages": list(LANGUAGES),
        "texts": tables.texts,
        "faces": faces,
        "zones": tables.zones,
        "steps": steps,
    }


class _Tables:
    """Texts and zones, each kept once and named by its number."""

    def __init__(self) -> None:
        self.texts: list[Texts] = []
        self.zones: list[list[Any]] = []
        self._numbers: dict[tuple[str, ...], int] = {}
        self._zones: dict[str, int] = {}

    def text(self, versions: Sequence[str]) -> int:
        key = tuple(versions)
        if key not in self._numbers:
            self._numbers[key] = len(self.texts)
            self.texts.append([key[0]] if len(set(key)) == 1 else list(key))
        return self._numbers[key]

    def lines(self, versions: Sequence[Sequence[str]]) -> list[int]:
        return [self.text(line) for line in zip(*versions, strict=True)]

    def face(self, versions: Sequence[Face]) -> list[Any]:
        first = versions[0]
        corner = self.text([version.corner for version in versions])
        return [corner, first.sign, first.style, self.text([version.name for version in versions])]

    def scene(self, versions: Sequence[Sequence[Zone]]) -> list[int]:
        return [self._zone(same) for same in zip(*versions, strict=True)]

    def _zone(self, versions: Sequence[Zone]) -> int:
        first = versions[0]
        rows = [self._row(same) for same in zip(*(zone.rows for zone in versions), strict=True)]
        notes = self.lines([zone.notes for zone in versions])
        zone = [first.area, self.text([z.title for z in versions]), notes, rows, int(first.active)]
        key = json.dumps(zone)
        if key not in self._zones:
            self._zones[key] = len(self.zones)
            self.zones.append(zone)
        return self._zones[key]

    def _row(self, versions: Sequence[Row]) -> list[Any]:
        first = versions[0]
        label = self.text([row.label for row in versions])
        below = [list(cards) for cards in first.below]
        return [label, list(first.cards), int(first.small), *([below] if below else [])]
