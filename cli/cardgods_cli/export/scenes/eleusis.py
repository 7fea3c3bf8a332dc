"""Eleusis: the main line with what was wrong below it, and the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgods_cli.export.scene import BACK, Row, Table, Zone
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods_cli.render import Shown

MAIN = ("starter", "right", "forced")
MOST_BACKS = 12
"""A hidden hand shows no more backs than this; a note tells its size."""


def scene(table: Table, now: Shown) -> list[Zone]:
    """The line, what waits for a verdict, then the players."""
    notes = [
        _("round {round} of {rounds}").format(round=now["round"] + 1, rounds=now["rounds"]),
        _("{cards} in the stock").format(cards=now["stock"]),
    ]
    if now["sudden_death"]:
        notes.append(_("sudden death"))
    if now["rule"]:
        notes.append(_("rule: {rule}").format(rule=now["rule"]))
    line = Zone("line", _("The line"), notes, _line(now))
    return [line, *(_seat(table, now, seat) for seat in range(len(table.names)))]


def _line(now: Shown) -> list[Row]:
    cards: list[int] = []
    below: list[list[int]] = []
    for entry in now["table"]:
        if entry["kind"] in MAIN:
            cards += entry["cards"]
            below += [[] for _card in entry["cards"]]
        elif below:
            below[-1] += entry["cards"]
    waiting = [Row(_("laid, not judged yet"), now["laid"])] if now["laid"] else []
    return [Row("", cards, below=below), *waiting]


def _seat(table: Table, now: Shown, seat: int) -> Zone:
    size, hand = now["hand_sizes"][seat], now["hands"][seat]
    notes = [_("{points} points").format(points=now["scores"][seat])]
    if seat == now["god"]:
        notes.insert(0, _("God"))
    else:
        notes.append(_("{cards} cards").format(cards=size))
    if seat == now["prophet"]:
        notes.insert(0, _("Prophet"))
    if seat in now["expelled"]:
        notes.insert(0, _("out"))
    cards = sorted(hand) if hand else [BACK] * min(size, MOST_BACKS)
    return Zone("seat", table.names[seat], notes, [Row("", cards, small=True)], now["turn"] == seat)
