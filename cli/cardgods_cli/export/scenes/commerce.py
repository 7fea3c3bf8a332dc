"""Commerce: the pot and the stock, and each player with his hand and balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgods.games.commerce import hand_words
from cardgods_cli.export.scene import BACK, Row, Table, Zone, hand_row
from cardgods_cli.words import _, language

if TYPE_CHECKING:
    from cardgods_cli.render import Shown

HAND = 3


def scene(table: Table, now: Shown) -> list[Zone]:
    """The middle of the table, then everybody in the order of the seats."""
    notes = [
        _("deal {deal} of {deals}").format(deal=now["deal"], deals=now["deals"]),
        _("pot {points:g}").format(points=now["pot"]),
        _("{cards} in the stock").format(cards=now["stock"]),
    ]
    offered = []
    if now["offered_to"] is not None:
        offered = [Row(_("offered"), [BACK if now["offer"] is None else now["offer"]])]
    middle = Zone("table", _("The table"), notes, offered)
    return [middle, *(_seat(table, now, player) for player in range(len(table.names)))]


def _seat(table: Table, now: Shown, player: int) -> Zone:
    hand = now["hands"][player]
    notes = [_("balance {points:+g}").format(points=now["balances"][player])]
    if now["dealer"] == player:
        notes.append(_("dealer"))
    if now["bought"][player]:
        notes.append(_("bought {count}").format(count=now["bought"][player]))
    if hand and len(hand) == HAND:
        notes.append(hand_words(hand, language()))
    dealt = now["phase"] != "deal" or now["open"]
    rows = [hand_row("", hand, HAND if dealt else 0)]
    rejected = now["rejected"][player]
    if rejected:
        rows.append(Row(_("given up"), rejected, small=True))
    waiting = now["offered_to"] if now["phase"] == "reply" else now["turn"]
    return Zone("seat", table.names[player], notes, rows, waiting == player)
