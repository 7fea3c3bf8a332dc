"""L'Encan d'Hermès on the screen: one line of cards per pile, every card always in the same column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgods_cli.look import columns, pad
from cardgods_cli.render import Shown, View

if TYPE_CHECKING:
    from rich.table import Table

    from cardgods_cli.look import Renderable

GONE = "·"
BOARD_NAME = 12
"""Columns of a name on the board."""


class EncanView(View):
    """Purses, burnt cards, treasures, scores, Obole tokens."""

    def opening(self, now: Shown, viewer: int | None) -> list[str]:
        """The first treasure if the order is fixed, so that it lies there from the start."""
        return [self._headline(now)] if now["treasure"] is not None and not self.boards else []

    def board(self, now: Shown, viewer: int | None) -> list[Renderable]:
        """The position: a table with a column per card, or sentences where it does not fit."""
        head, sealed = self._headline(now), self._sealed(now, viewer)
        if self.look.plain or self._table_width() > self.look.width:
            return [head, *self._sentences(now), *sealed]
        return [head, self._table(now), *sealed]

    def news(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        """The treasure revealed, the Obole called or not, the bids and who takes the lot."""
        lines = []
        if before["phase"] == "window":
            speaker = before["speaker"]
            back = set(now["hands"][speaker]) - set(before["hands"][speaker])
            if back:
                lines.append(f"{self.names[speaker]} calls the Obole and takes back {self._cards(back)}.")
            else:
                lines.append(f"{self.names[speaker]} keeps the Obole.")
        elif before["burnt"] != now["burnt"]:
            lines.append(self._adjudicated(before, now))
        elif before["sealed_bid"] != now["sealed_bid"] and viewer is None and self.boards:
            lines.append(f"{self.names[0]} has made a bid.")
        if now["treasure"] is not None and now["turn"] != before["turn"] and not self.boards:
            lines.append(self._headline(now))
        return lines

    def question(self, now: Shown, player: int) -> str:
        """A call or a bid."""
        if now["phase"] == "window":
            back = self._card(min(now["burnt"][player]))
            return f"{self.names[player]}, call your Obole to take back the {back}"
        return f"{self.names[player]}, your bid for the lot of {self._lot(now):g}"

    def advice(self, now: Shown, player: int) -> list[str]:
        """The rule of the moment."""
        if now["phase"] == "window":
            return [
                "obole: once per game you may take back the smallest card you have burnt, before the bids.",
                "pass: keep the token for another turn.",
            ]
        ties = {
            "carry": "Equal bids leave the lot for the next turn.",
            "discard": "At equal bids nobody gets the lot.",
            "split": "Equal bids share the lot.",
        }
        return [
            f"The higher bid takes the lot. {ties[self.game.options.tie]} Both cards are burnt.",
            self._goal(),
        ]

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who wins, by what, and the scores."""
        scores = now["scores"]
        tally = f"{self.names[0]} {scores[0]:g}, {self.names[1]} {scores[1]:g}"
        if returns[0] == returns[1]:
            return f"A draw: {tally}."
        best = 0 if returns[0] > returns[1] else 1
        if self.game.options.payoff == "points":
            return f"{self.names[best]} wins by {returns[best]:g} points: {tally}."
        reason = "" if scores[0] != scores[1] else self._tie_break(now)
        return f"{self.names[best]} wins{reason}: {tally}."

    # Parts ------------------------------------------------------------------------------------------------

    def _adjudicated(self, before: Shown, now: Shown) -> str:
        bids = [set(now["burnt"][p]) - set(before["burnt"][p]) for p in range(2)]
        told = " and ".join(f"{self.names[p]} bids {self._cards(bids[p])}" for p in range(2))
        lot = self._lot(before)
        winner = now["last_winner"]
        if winner is not None:
            return f"{told}: {self.names[winner]} takes {lot:g}, score {now['scores'][winner]:g}."
        tie = self.game.options.tie
        if tie == "carry" and now["phase"] == "over":
            return f"{told}: a tie on the last treasure, the lot of {lot:g} is lost."
        ends = {
            "carry": f"the lot of {lot:g} waits for the next turn",
            "discard": f"the lot of {lot:g} is lost",
            "split": f"each takes {lot / 2:g}",
        }
        return f"{told}: a tie, {ends[tie]}."

    def _headline(self, now: Shown) -> str:
        total = len(self.game.options.cards)
        if now["phase"] == "over":
            return f"After turn {now['turn']} of {total}: the auction is over."
        if now["treasure"] is None:
            carried = f" {now['carry']:g} carried over." if now["carry"] else ""
            return f"Turn {now['turn'] + 1} of {total}: the next treasure is still hidden.{carried}"
        carried = f", with {now['carry']:g} carried a lot of {self._lot(now):g}" if now["carry"] else ""
        return f"Turn {now['turn']} of {total}: the treasure is {self._card(now['treasure'])}{carried}."

    def _goal(self) -> str:
        target = self.game.options.target
        first = f"{target} points win at once, else the" if target is not None else "The"
        return f"{first} higher score after the last treasure{'' if target is not None else ' wins'}."

    def _tie_break(self, now: Shown) -> str:
        rule = self.game.options.tie_break
        if rule == "second":
            return " at equal scores"
        if now["last_winner"] is not None:
            return " at equal scores by the last treasure"
        gold = [sum(hand) for hand in now["hands"]]
        return (
            " at equal scores by the gold in hand"
            if gold[0] != gold[1]
            else " at equal scores as the second player"
        )

    def _sealed(self, now: Shown, viewer: int | None) -> list[Renderable]:
        if now["sealed_bid"] is None:
            return []
        whose = "Your" if viewer is not None else f"{self.names[0]}'s"
        return [f"{whose} {self._card(now['sealed_bid'])} lies face down."]

    def _lot(self, now: Shown) -> float:
        return float(now["treasure"] + now["carry"])

    def _card(self, value: int) -> str:
        name: str = self.game.card_name(value, self.look.lang)  # type: ignore[attr-defined]
        return name

    def _cards(self, values: Iterable[int]) -> str:
        return " ".join(self._card(value) for value in sorted(values)) or "none"

    def _sentences(self, now: Shown) -> list[str]:
        lines = [f"{self._goal()} Treasures to come: {self._cards(now['treasures_left'])}."]
        for player, name in enumerate(self.names):
            parts = [f"score {now['scores'][player]:g}"]
            if self.game.options.obole:
                parts.append("Obole " + ("ready" if now["obole"][player] else "used"))
            parts.append(f"purse {self._cards(now['hands'][player])}")
            parts.append(f"burnt {self._cards(now['burnt'][player])}")
            lines.append(f"{name}: {'; '.join(parts)}.")
        return lines

    def _table(self, now: Shown) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.ROUNDED, header_style="", caption=self._goal(), caption_justify="left")
        for title in self._columns():
            table.add_column(title, justify="right" if title == "score" else "left", no_wrap=True)
        table.add_row("to come", *self._aside("", ""), self._grid(now["treasures_left"], now["treasure"]))
        for player, name in enumerate(self.names):
            table.add_section()
            token = "● ready" if now["obole"][player] else "○ used"
            aside = self._aside(f"{now['scores'][player]:g}", token)
            purse, burnt = self._grid(now["hands"][player]), self._grid(now["burnt"][player], gone=" ")
            table.add_row(Text(self._short_name(name), style="bold"), *aside, Text(purse, style="bold"))
            table.add_row(Text("  burnt", style="dim"), *self._aside("", ""), Text(burnt, style="dim"))
        return table

    def _short_name(self, name: str) -> str:
        return self.look.fit(name, BOARD_NAME)

    def _columns(self) -> list[str]:
        return ["", *self._aside("score", "Obole"), "cards"]

    def _aside(self, score: str, token: str) -> list[str]:
        return [score, token] if self.game.options.obole else [score]

    def _table_width(self) -> int:
        names = max(columns(self._short_name(name)) for name in [*self.names, "to come"])
        aside = 8 + (10 if self.game.options.obole else 0)
        return names + aside + len(self._grid(())) + 7

    def _grid(self, values: Iterable[int], marked: int | None = None, gone: str = GONE) -> str:
        """The cards of a pile, each in its own column; a marked one in brackets."""
        values = set(values)
        cards = self.game.options.cards
        width = max(len(self._card(card)) for card in cards)
        text, before = "", None
        for card in cards:
            name = self._card(card) if card in values or card == marked else gone
            text += "[" if card == marked else "]" if before is not None and before == marked else " "
            text += pad(name, width, right=True)
            before = card
        return text + ("]" if before == marked else " ")


VIEW = EncanView
