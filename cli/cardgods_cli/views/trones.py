"""La Guerre des Trois Trônes on the screen: three fronts side by side, with forces and free places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgods.cards import SIGNS, card_name
from cardgods.games.trones import FRONT_NAMES, force
from cardgods_cli.look import columns
from cardgods_cli.render import Shown, View

if TYPE_CHECKING:
    from rich.table import Table

    from cardgods_cli.look import Renderable

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
            return [f"{self.names[player]} draws {self._cards(drawn)}."] if drawn else []
        lines = []
        for f in range(3):
            new = set(now["fronts"][f]["cards"][player]) - set(before["fronts"][f]["cards"][player])
            lines += [self._laid(now, player, card, f) for card in new]
        for f in range(3):
            owner = now["fronts"][f]["settled"]
            if owner != before["fronts"][f]["settled"]:
                lines.append(f"{self.names[owner]} holds the {self._front(f)} for certain.")
        return lines

    def question(self, now: Shown, player: int) -> str:
        """A card and a front."""
        return f"{self.names[player]}, lay a card on a front"

    def advice(self, now: Shown, player: int) -> list[str]:
        """What a card counts where, and how fronts are won."""
        example = f"{self._cards(now['hands'][player][:1])} {self._front(0)}"
        lines = [f"Write a card and a front, such as {example}; fronts may be shortened or 1, 2, 3."]
        for card in now["hands"][player]:
            counts = ", ".join(
                f"{self._front(f)} {force(card, f)}" for f in range(3) if now["fronts"][f]["room"][player]
            )
            lines.append(f"{self._cards([card])} counts: {counts}.")
        lines.append(
            "The higher sum takes a front (then the higher trump, then the higher card); two fronts win."
        )
        return lines

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who wins, by which fronts."""
        best = 0 if returns[0] > returns[1] else 1
        held = [self._front(f) for f in range(3) if now["fronts"][f]["settled"] == best]
        return f"{self.names[best]} wins {len(held)} fronts to {3 - len(held)}: {', '.join(held)}."

    # Parts ------------------------------------------------------------------------------------------------

    def _front(self, f: int) -> str:
        return FRONT_NAMES[self.look.lang][f]

    def _cards(self, cards: Iterable[int]) -> str:
        return " ".join(card_name(card, self.look.lang) for card in sorted(cards))

    def _headline(self, now: Shown) -> str:
        if now["phase"] == "over":
            return "The war is over."
        left = now["turns_left"][now["turn"]]
        cards = "1 card" if now["pile"] == 1 else f"{now['pile']} cards"
        turns = "1 card" if left == 1 else f"{left} cards"
        return f"{self.names[now['turn']]} has {turns} to lay; {cards} in the pile."

    def _hands(self, now: Shown) -> list[str]:
        lines = []
        for player, hand in enumerate(now["hands"]):
            if hand:
                lines.append(f"{self.names[player]} holds {self._cards(hand)}.")
        return lines

    def _laid(self, now: Shown, player: int, card: int, f: int) -> str:
        front = now["fronts"][f]
        mine, his = front["forces"][player], front["forces"][1 - player]
        trump = ", a trump" if card // 13 == front["trump"] else ""
        what = f"{self._cards([card])} on the {self._front(f)} ({force(card, f)}{trump})"
        return f"{self.names[player]} lays {what}: {mine} against {his}."

    def _status(self, front: Shown) -> str:
        leader = front["settled"] if front["settled"] is not None else front["leader"]
        if leader is None:
            return "open"
        name = self.look.fit(self.names[leader], BOARD_NAME)
        if front["settled"] is not None:
            return f"{name} holds it"
        lead = abs(front["forces"][0] - front["forces"][1])
        return f"{name} by {lead}" if lead else f"{name} on a tie"

    def _room(self, front: Shown, player: int) -> str:
        room = front["room"][player]
        if not room:
            return "full"
        places = "1 free" if room == 1 else f"{room} free"
        return f"{places}, {front['worst'][player]}-{front['best'][player]}"

    def _sentence(self, now: Shown, f: int) -> str:
        front = now["fronts"][f]
        sides = []
        for player, name in enumerate(self.names):
            cards = self._cards(front["cards"][player]) or "nothing"
            sides.append(f"{name} {cards} = {front['forces'][player]} ({self._room(front, player)})")
        title = f"{f + 1} {self._front(f)} (trump {SIGNS[front['trump']]})"
        return f"{title}: {'; '.join([*sides, self._status(front)])}."

    def _table_width(self) -> int:
        name = max(columns(self.look.fit(name, BOARD_NAME)) for name in [*self.names, "can reach"])
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
            table.add_row("force", *(str(front["forces"][player]) for front in fronts))
            table.add_row("can reach", *(self._room(front, player) for front in fronts))
            if player != near:
                table.add_section()
        table.add_section()
        table.add_row("leads", *(self._status(front) for front in now["fronts"]))
        return table


VIEW = TronesView
