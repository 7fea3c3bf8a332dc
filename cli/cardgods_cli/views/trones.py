"""La Guerre des Trois Trônes on the screen: three fronts side by side, with forces and free places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgods.cards import SIGNS, card_name
from cardgods.games.trones import FRONT_NAMES, force
from cardgods_cli.look import columns
from cardgods_cli.render import Shown, View
from cardgods_cli.words import N_, _, n_

if TYPE_CHECKING:
    from rich.table import Table

    from cardgods_cli.look import Renderable

THE_FRONTS = (N_("the sky"), N_("the sea"), N_("the underworld"))
FREE = "·"
BOARD_NAME = 10
"""Columns of a name on the board."""
CELL = 17
"""Columns of a front on the board."""


class TronesView(View):
    """Fronts with cards, forces, places and what can still be reached; the viewer's hand."""

    def board(self, now: Shown, viewer: int | None) -> list[Renderable]:
        """The position: a table with a column per front, or a sentence for each where it does not fit."""
        head, hands = self._headline(now), self._hands(now)
        if self.look.plain or self._table_width() > self.look.width:
            return [head, *(self._sentence(now, f) for f in range(3)), *hands]
        return [head, self._table(now, viewer), *hands]

    def news(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        """The card laid and what it settles, or the card drawn if the viewer sees it."""
        if before["phase"] == "deal":
            return self._hands(now) if now["phase"] != "deal" else []
        player = before["turn"]
        if before["phase"] == "draw":
            drawn = set(now["hands"][player] or ()) - set(before["hands"][player] or ())
            text = _("{name} draws {cards}.").format(name=self.names[player], cards=self._cards(drawn))
            return [text] if drawn else []
        lines = []
        for f in range(3):
            new = set(now["fronts"][f]["cards"][player]) - set(before["fronts"][f]["cards"][player])
            lines += [self._laid(now, player, card, f) for card in new]
        for f in range(3):
            owner = now["fronts"][f]["settled"]
            if owner != before["fronts"][f]["settled"]:
                text = _("{name} holds {front} for certain.")
                lines.append(text.format(name=self.names[owner], front=_(THE_FRONTS[f])))
        return lines

    def question(self, now: Shown, player: int) -> str:
        """A card and a front."""
        return _("{name}, lay a card on a front").format(name=self.names[player])

    def advice(self, now: Shown, player: int) -> list[str]:
        """What a card counts where, and how fronts are won."""
        example = f"{self._cards(now['hands'][player][:1])} {self._front(0)}"
        text = _("Write a card and a front, such as {example}; fronts may be shortened or 1, 2, 3.")
        lines = [text.format(example=example)]
        for card in now["hands"][player]:
            counts = ", ".join(
                f"{self._front(f)} {force(card, f)}" for f in range(3) if now["fronts"][f]["room"][player]
            )
            lines.append(_("{card} counts: {counts}.").format(card=self._cards([card]), counts=counts))
        lines.append(
            _("The higher sum takes a front (then the higher trump, then the higher card); two fronts win.")
        )
        return lines

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who wins, by which fronts."""
        best = 0 if returns[0] > returns[1] else 1
        held = [self._front(f) for f in range(3) if now["fronts"][f]["settled"] == best]
        text = _("{name} wins {fronts} fronts to {others}: {held}.")
        return text.format(
            name=self.names[best], fronts=len(held), others=3 - len(held), held=", ".join(held)
        )

    # Parts ------------------------------------------------------------------------------------------------

    def _front(self, f: int) -> str:
        return FRONT_NAMES[self.look.lang][f]

    def _cards(self, cards: Iterable[int]) -> str:
        return " ".join(card_name(card, self.look.lang) for card in sorted(cards))

    def _headline(self, now: Shown) -> str:
        if now["phase"] == "over":
            return _("The war is over.")
        left, pile = now["turns_left"][now["turn"]], now["pile"]
        text = _("{name} has {cards} to lay; {pile} in the pile.")
        return text.format(name=self.names[now["turn"]], cards=self._number(left), pile=self._number(pile))

    def _number(self, cards: int) -> str:
        return n_("1 card", "{cards} cards", cards).format(cards=cards)

    def _hands(self, now: Shown) -> list[str]:
        lines = []
        for player, hand in enumerate(now["hands"]):
            if hand:
                text = _("{name} holds {cards}.")
                lines.append(text.format(name=self.names[player], cards=self._cards(hand)))
        return lines

    def _laid(self, now: Shown, player: int, card: int, f: int) -> str:
        front = now["fronts"][f]
        mine, his = front["forces"][player], front["forces"][1 - player]
        trump = card // 13 == front["trump"]
        text = (
            _("{name} lays {card} on {front} ({force}, a trump): {mine} against {his}.")
            if trump
            else _("{name} lays {card} on {front} ({force}): {mine} against {his}.")
        )
        return text.format(
            name=self.names[player],
            card=self._cards([card]),
            front=_(THE_FRONTS[f]),
            force=force(card, f),
            mine=mine,
            his=his,
        )

    def _status(self, front: Shown) -> str:
        leader = front["settled"] if front["settled"] is not None else front["leader"]
        if leader is None:
            return _("open")
        name = self.look.fit(self.names[leader], BOARD_NAME)
        if front["settled"] is not None:
            return _("{name} holds it").format(name=name)
        lead = abs(front["forces"][0] - front["forces"][1])
        return (_("{name} by {lead}") if lead else _("{name} on a tie")).format(name=name, lead=lead)

    def _room(self, front: Shown, player: int) -> str:
        room = front["room"][player]
        if not room:
            return _("full")
        text = n_("1 free, {worst}-{best}", "{room} free, {worst}-{best}", room)
        return text.format(room=room, worst=front["worst"][player], best=front["best"][player])

    def _sentence(self, now: Shown, f: int) -> str:
        front = now["fronts"][f]
        sides = []
        for player, name in enumerate(self.names):
            cards = self._cards(front["cards"][player]) or _("nothing")
            sides.append(f"{name} {cards} = {front['forces'][player]} ({self._room(front, player)})")
        text = _("{number} {front} (trump {sign}): {sides}; {status}.")
        return text.format(
            number=f + 1,
            front=self._front(f),
            sign=SIGNS[front["trump"]],
            sides=_("; ").join(sides),
            status=self._status(front),
        )

    def _table_width(self) -> int:
        name = max(columns(self.look.fit(name, BOARD_NAME)) for name in [*self.names, _("can reach")])
        return name + 3 * CELL + 13

    def _table(self, now: Shown, viewer: int | None) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.ROUNDED, header_style="")
        table.add_column("", no_wrap=True)
        for f, front in enumerate(now["fronts"]):
            table.add_column(
                f"{f + 1} {self._front(f)} {SIGNS[front['trump']]}", min_width=CELL, no_wrap=True
            )
        # Whoever looks sits at the lower side.
        near = viewer if viewer in (0, 1) else 0
        for player in (1 - near, near):
            name = self.look.fit(self.names[player], BOARD_NAME)
            fronts = now["fronts"]
            cards = [
                f"{self._cards(front['cards'][player])}{f' {FREE}' * front['room'][player]}".strip()
                for front in fronts
            ]
            table.add_row(Text(name, style="bold"), *(Text(text, style="bold") for text in cards))
            table.add_row(_("force"), *(str(front["forces"][player]) for front in fronts))
            table.add_row(_("can reach"), *(self._room(front, player) for front in fronts))
            if player != near:
                table.add_section()
        table.add_section()
        table.add_row(_("leads"), *(self._status(front) for front in now["fronts"]))
        return table


VIEW = TronesView
