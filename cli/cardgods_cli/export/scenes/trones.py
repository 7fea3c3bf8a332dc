"""La Guerre des Trois Trônes: three fronts with both sides' cards, and the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgods.cards import SIGNS
from cardgods.games.trones import FRONT_NAMES
from cardgods_cli.export.scene import FREE, Row, Table, Zone, hand_row
from cardgods_cli.words import _, language

if TYPE_CHECKING:
    from cardgods_cli.render import Shown


def scene(table: Table, now: Shown) -> list[Zone]:
    """The fronts, then the players; who looks on sits nearest."""
    near = table.viewer if table.viewer in (0, 1) else 0
    fronts = [_front(table, now, f, near) for f in range(3)]
    pile = Zone("table", _("The pile"), [_("{cards} cards").format(cards=now["pile"])])
    return [_seat(table, now, 1 - near), *fronts, _seat(table, now, near), pile]


def _front(table: Table, now: Shown, f: int, near: int) -> Zone:
    front = now["fronts"][f]
    rows = []
    for player in (1 - near, near):
        label = f"{table.names[player]}: {front['forces'][player]}"
        rows.append(Row(label, [*front["cards"][player], *[FREE] * front["room"][player]]))
    notes = [_("trump {sign}").format(sign=SIGNS[front["trump"]])]
    if front["settled"] is not None:
        notes.append(_("{name} holds it").format(name=table.names[front["settled"]]))
    elif front["leader"] is not None:
        notes.append(_("{name} leads").format(name=table.names[front["leader"]]))
    return Zone("front", FRONT_NAMES[language()][f], notes, rows)


def _seat(table: Table, now: Shown, player: int) -> Zone:
    left = now["turns_left"][player]
    notes = [_("{cards} to lay").format(cards=left)]
    row = hand_row("", now["hands"][player], now["held"][player])
    return Zone("seat", table.names[player], notes, [row], now["phase"] != "deal" and now["turn"] == player)
