"""L'Encan d'Hermès: the treasure on the table, those to come, purses and burnt cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgods_cli.export.scene import PURSE, TREASURE, Row, Table, Zone
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods_cli.render import Shown


def scene(table: Table, now: Shown) -> list[Zone]:
    """The auction and both players."""
    return [_auction(table, now), *(_seat(table, now, player) for player in range(2))]


def _auction(table: Table, now: Shown) -> Zone:
    options = table.game.options
    turn = now["turn"] + (now["treasure"] is None and now["phase"] != "over")
    notes = [_("turn {turn} of {total}").format(turn=turn, total=len(options.cards))]
    if now["carry"]:
        notes.append(_("{carry:g} carried over").format(carry=now["carry"]))
    if options.target is not None:
        notes.append(_("{target} wins at once").format(target=options.target))
    lot = [] if now["treasure"] is None else [TREASURE + now["treasure"]]
    to_come = [TREASURE + card for card in sorted(now["treasures_left"])]
    return Zone("table", _("The lot"), notes, [Row("", lot), Row(_("to come"), to_come, small=True)])


def _bids(now: Shown, player: int) -> bool:
    return now["phase"] == "bid" and (player == 1 or now["sealed_bid"] is None)


def _seat(table: Table, now: Shown, player: int) -> Zone:
    notes = [_("score {score:g}").format(score=now["scores"][player])]
    if table.game.options.obole:
        notes.append(_("Obole ready") if now["obole"][player] else _("Obole used"))
    rows = [
        Row(_("purse"), [PURSE + card for card in sorted(now["hands"][player])]),
        Row(_("burnt"), [PURSE + card for card in sorted(now["burnt"][player])], small=True),
    ]
    if player == 0 and now["sealed_bid"] is not None:
        rows.insert(0, Row(_("bid, face down"), [PURSE + now["sealed_bid"]]))
    active = now["speaker"] == player if now["phase"] == "window" else _bids(now, player)
    return Zone("seat", table.names[player], notes, rows, active)
