"""One position as a picture: an SVG file without fonts, scripts or anything that is fetched."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cardgods_cli.export.scene import BACK, FREE, Face, Row, Zone, faces_in
from cardgods_cli.look import columns
from cardgods_cli.words import _

if TYPE_CHECKING:
    from collections.abc import Iterable

WIDTH = 920
GAP, PAD = 14, 14
CARD, SMALL, TINY = 46, 32, 26
"""Widths of cards; their height is RATIO as much."""
RATIO = 1.36
CHAR = 7.4
"""Width of a column of text of 14 px, at most."""
STYLE = """
svg{font-family:system-ui,"Segoe UI",Roboto,sans-serif;font-size:14px;background:#e9efe6}
.felt{fill:#e9efe6}.zone{fill:#fbfcf8;stroke:#c6d2c5}.on{stroke:#0b6b45;stroke-width:2}
.title{font-weight:600;fill:#1d2a22}.note{fill:#5b6a60;font-size:12px}.told{fill:#1d2a22}
.card{fill:#fffefa;stroke:#b9b6a6}.t{fill:#fff3cf;stroke:#c49a2c}.back{fill:#2f6f8f;stroke:#fff;stroke-width:2}
.free{fill:none;stroke:#b9c6b8;stroke-dasharray:4 3}
.face{font-family:Georgia,"Times New Roman",serif;font-weight:600;text-anchor:middle;fill:#1b1b1f}
.red{fill:#b3231f}
@media (prefers-color-scheme:dark){
svg{background:#10211a}.felt{fill:#10211a}.zone{fill:#182d24;stroke:#33503f}.on{stroke:#6fd6a3}
.title,.told{fill:#edf3ec}
.note{fill:#a9bbae}.card{fill:#f4f1e6;stroke:#0a120d}.t{fill:#f5df9f}.free{stroke:#46604f}}
""".strip().replace("\n", "")


class _Page:
    """What is drawn, and how far down."""

    def __init__(self, known: dict[int, Face]) -> None:
        self.parts: list[str] = []
        self._known = known

    def text(self, x: float, y: float, style: str, text: str) -> None:
        self.parts.append(f'<text class="{style}" x="{x:.1f}" y="{y:.1f}">{html.escape(text)}</text>')

    def box(self, style: str, x: float, y: float, width: float, height: float, round_by: float) -> None:
        self.parts.append(_rect(style, x, y, width, height, round_by))

    def card(self, number: int, x: float, y: float, width: float) -> None:
        height, radius = width * RATIO, width * 0.13
        if number in (BACK, FREE):
            style, name = ("back", _("a card face down")) if number == BACK else ("free", _("a free place"))
            inside = ""
        else:
            face = self._known[number]
            style, name = ("card t" if face.style == "t" else "card"), face.name
            colour = "face red" if face.style in ("d", "h") else "face"
            middle = x + width / 2
            inside = (
                f'<text class="{colour}" x="{middle:.1f}" y="{y + height * 0.46:.1f}" '
                f'font-size="{width * 0.42:.1f}">{html.escape(face.corner)}</text>'
                f'<text class="{colour}" x="{middle:.1f}" y="{y + height * 0.82:.1f}" '
                f'font-size="{width * 0.4:.1f}">{face.sign}</text>'
            )
        card = _rect(style, x, y, width, height, radius)
        self.parts.append(f'<g role="img"><title>{html.escape(name)}</title>{card}{inside}</g>')


def _rect(style: str, x: float, y: float, width: float, height: float, round_by: float) -> str:
    return (
        f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{round_by:.1f}"/>'
    )


def picture(title: str, news: Sequence[str], zones: Sequence[Zone], face_of: Callable[[int], Face]) -> str:
    """A position as an SVG document.

    Args:
        title: what the picture is of.
        news: lines that stand above it.
        zones: what there is to see.
        face_of: the face of a card by its number.
    """
    page = _Page({number: face_of(number) for number in set(faces_in(zones))})
    y: float = GAP
    for line in _broken([title, *news], WIDTH - 2 * GAP):
        page.text(GAP, y + 14, "told", line)
        y += 20
    y += 6
    for group in _side_by_side(zones):
        width = (WIDTH - GAP * (len(group) + 1)) / len(group)
        height = max(_Zone(zone, width).draw(None, 0, 0, 0) for zone in group)
        for place, zone in enumerate(group):
            _Zone(zone, width).draw(page, GAP + place * (width + GAP), y, height)
        y += height + GAP
    body = "".join(page.parts)
    label = html.escape(" ".join([title, *news]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:.0f}" width="{WIDTH}" '
        f'height="{y:.0f}" role="group" aria-label="{label}"><title>{html.escape(title)}</title>'
        f'<style>{STYLE}</style><rect class="felt" width="100%" height="100%"/>{body}</svg>\n'
    )


def _side_by_side(zones: Sequence[Zone]) -> Iterable[list[Zone]]:
    """Zones in rows: fronts three abreast, seats up to three where there are more than two."""
    seats = sum(zone.area == "seat" for zone in zones)
    fronts = any(zone.area == "front" for zone in zones)
    most = {"front": 3, "seat": 1 if fronts else 3 if seats > 2 and (seats % 3 == 0 or seats > 4) else 2}
    group: list[Zone] = []
    for zone in zones:
        if group and (zone.area != group[0].area or len(group) >= most.get(zone.area, 1)):
            yield group
            group = []
        group.append(zone)
    if group:
        yield group


class _Zone:
    """Draws a zone of a certain width, or only measures how high it is."""

    def __init__(self, zone: Zone, width: float) -> None:
        self.zone = zone
        self.width = width
        self.inner = width - 2 * PAD

    def draw(self, page: _Page | None, x: float, y: float, height: float) -> float:
        """Its height; drawn into `page` unless that is None."""
        zone = self.zone
        if page is not None:
            page.box("zone on" if zone.active else "zone", x, y, self.width, height, 10)
        at = y + PAD
        for line in _broken([zone.title], self.inner):
            if page is not None:
                page.text(x + PAD, at + 12, "title", line)
            at += 19
        notes = [_("to move"), *zone.notes] if zone.active else zone.notes
        for line in _broken([" · ".join(notes)] if notes else [], self.inner):
            if page is not None:
                page.text(x + PAD, at + 11, "note", line)
            at += 17
        for row in zone.rows:
            at = self._row(page, row, x + PAD, at)
        return at + PAD - y

    def _row(self, page: _Page | None, row: Row, x: float, y: float) -> float:
        for line in _broken([row.label] if row.label else [], self.inner):
            if page is not None:
                page.text(x, y + 15, "note", line)
            y += 19
        if not row.cards:
            return y
        width = SMALL if row.small else CARD
        step, high = width + 5, width * RATIO + 5
        abreast = max(1, int((self.inner + 5) // step))
        y += 5
        for first in range(0, len(row.cards), abreast):
            line_of = range(first, min(first + abreast, len(row.cards)))
            lowest = 0
            for place in line_of:
                left = x + (place - first) * step
                hanging = row.below[place] if row.below else ()
                lowest = max(lowest, len(hanging))
                if page is not None:
                    page.card(row.cards[place], left, y, width)
                    for depth, card in enumerate(hanging):
                        low = y + high + depth * (TINY * RATIO + 3)
                        page.card(card, left + (width - TINY) / 2, low, TINY)
            y += high + lowest * (TINY * RATIO + 3)
        return y


def _broken(texts: Iterable[str], width: float) -> Iterable[str]:
    """Lines that are no wider, broken between words, or within one that has no other place."""
    most = int(width / CHAR)
    for text in texts:
        line = ""
        for word in text.split(" "):
            while columns(word) > most:
                word, rest = word[:most], word[most:]
                yield from [line] if line else []
                yield word
                line, word = "", rest
            if line and columns(line) + 1 + columns(word) > most:
                yield line
                line = word
            else:
                line = f"{line} {word}" if line else word
        if line:
            yield line
