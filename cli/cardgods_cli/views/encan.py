"""L'Encan d'Hermès on the screen: one line of cards per pile, every card always in the same column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgods_cli.look import columns, pad
from cardgods_cli.render import Shown, View, together
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from rich.table import Table

    from cardgods_cli.look import Renderable

ADVICE = {
    "carry": N_(
        "The higher bid takes the lot. Equal bids leave the lot for the next turn. Both cards are burnt."
    ),
    "discard": N_("The higher bid takes the lot. At equal bids nobody gets the lot. Both cards are burnt."),
    "split": N_("The higher bid takes the lot. Equal bids share the lot. Both cards are burnt."),
}
TIES = {
    "carry": N_("{bids}: a tie, the lot of {lot:g} waits for the next turn."),
    "discard": N_("{bids}: a tie, the lot of {lot:g} is lost."),
    "split": N_("{bids}: a tie, each takes {half:g}."),
}
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
            text = (
                _("{name} calls the Obole and takes back {cards}.") if back else _("{name} keeps the Obole.")
            )
            lines.append(text.format(name=self.names[speaker], cards=self._cards(back)))
        elif before["burnt"] != now["burnt"]:
            lines.append(self._adjudicated(before, now))
        elif before["sealed_bid"] != now["sealed_bid"] and viewer is None and self.boards:
            lines.append(_("{name} has made a bid.").format(name=self.names[0]))
        if now["treasure"] is not None and now["turn"] != before["turn"] and not self.boards:
            lines.append(self._headline(now))
        return lines

    def question(self, now: Shown, player: int) -> str:
        """A call or a bid."""
        if now["phase"] == "window":
            back = self._card(min(now["burnt"][player]))
            text = _("{name}, call your Obole to take back the {card}")
            return text.format(name=self.names[player], card=back)
        text = _("{name}, your bid for the lot of {lot:g}")
        return text.format(name=self.names[player], lot=self._lot(now))

    def advice(self, now: Shown, player: int) -> list[str]:
        """The rule of the moment."""
        if now["phase"] == "window":
            return [
                _(
                    "obole: once per game you may take back the smallest card you have burnt, before the "
                    "bids."
                ),
                _("pass: keep the token for another turn."),
            ]
        return [_(ADVICE[self.game.options.tie]), self._goal()]

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who wins, by what, and the scores."""
        scores = now["scores"]
        tally = f"{self.names[0]} {scores[0]:g}, {self.names[1]} {scores[1]:g}"
        if returns[0] == returns[1]:
            return _("A draw: {tally}.").format(tally=tally)
        best = 0 if returns[0] > returns[1] else 1
        if self.game.options.payoff == "points":
            text = _("{name} wins by {points:g} points: {tally}.")
            return text.format(name=self.names[best], points=returns[best], tally=tally)
        text = _("{name} wins: {tally}.") if scores[0] != scores[1] else self._tie_break(now)
        return text.format(name=self.names[best], tally=tally)

    # Parts ------------------------------------------------------------------------------------------------

    def _adjudicated(self, before: Shown, now: Shown) -> str:
        bids = [set(now["burnt"][p]) - set(before["burnt"][p]) for p in range(2)]
        one = _("{name} bids {card}")
        told = together([one.format(name=self.names[p], card=self._cards(bids[p])) for p in range(2)])
        lot = self._lot(before)
        winner = now["last_winner"]
        if winner is not None:
            text = _("{bids}: {name} takes {lot:g}, score {score:g}.")
            return text.format(bids=told, name=self.names[winner], lot=lot, score=now["scores"][winner])
        tie = self.game.options.tie
        if tie == "carry" and now["phase"] == "over":
            text = _("{bids}: a tie on the last treasure, the lot of {lot:g} is lost.")
            return text.format(bids=told, lot=lot)
        return _(TIES[tie]).format(bids=told, lot=lot, half=lot / 2)

    def _headline(self, now: Shown) -> str:
        total = len(self.game.options.cards)
        turn, carry = now["turn"], now["carry"]
        if now["phase"] == "over":
            return _("After turn {turn} of {total}: the auction is over.").format(turn=turn, total=total)
        if now["treasure"] is None:
            text = _("Turn {turn} of {total}: the next treasure is still hidden.")
            if carry:
                text = _("Turn {turn} of {total}: the next treasure is still hidden. {carry:g} carried over.")
            return text.format(turn=turn + 1, total=total, carry=carry)
        text = _("Turn {turn} of {total}: the treasure is {card}.")
        if carry:
            text = _(
                "Turn {turn} of {total}: the treasure is {card}, with {carry:g} carried a lot of {lot:g}."
            )
        card = self._card(now["treasure"])
        return text.format(turn=turn, total=total, card=card, carry=carry, lot=self._lot(now))

    def _goal(self) -> str:
        target = self.game.options.target
        if target is None:
            return _("The higher score after the last treasure wins.")
        text = _("{target} points win at once, else the higher score after the last treasure.")
        return text.format(target=target)

    def _tie_break(self, now: Shown) -> str:
        rule = self.game.options.tie_break
        if rule == "second":
            return _("{name} wins at equal scores: {tally}.")
        if now["last_winner"] is not None:
            return _("{name} wins at equal scores by the last treasure: {tally}.")
        gold = [sum(hand) for hand in now["hands"]]
        if gold[0] != gold[1]:
            return _("{name} wins at equal scores by the gold in hand: {tally}.")
        return _("{name} wins at equal scores as the second player: {tally}.")

    def _sealed(self, now: Shown, viewer: int | None) -> list[Renderable]:
        if now["sealed_bid"] is None:
            return []
        text = _("{name}'s {card} lies face down.") if viewer is None else _("Your {card} lies face down.")
        return [text.format(name=self.names[0], card=self._card(now["sealed_bid"]))]

    def _lot(self, now: Shown) -> float:
        return float(now["treasure"] + now["carry"])

    def _card(self, value: int) -> str:
        name: str = self.game.card_name(value, self.look.lang)  # type: ignore[attr-defined]
        return name

    def _cards(self, values: Iterable[int]) -> str:
        return " ".join(self._card(value) for value in sorted(values)) or _("none")

    def _sentences(self, now: Shown) -> list[str]:
        to_come = _("Treasures to come: {cards}.").format(cards=self._cards(now["treasures_left"]))
        lines = [f"{self._goal()} {to_come}"]
        for player, name in enumerate(self.names):
            token = _("{name}: score {score:g}; purse {purse}; burnt {burnt}.")
            if self.game.options.obole and now["obole"][player]:
                token = _("{name}: score {score:g}; Obole ready; purse {purse}; burnt {burnt}.")
            elif self.game.options.obole:
                token = _("{name}: score {score:g}; Obole used; purse {purse}; burnt {burnt}.")
            purse, burnt = self._cards(now["hands"][player]), self._cards(now["burnt"][player])
            lines.append(token.format(name=name, score=now["scores"][player], purse=purse, burnt=burnt))
        return lines

    def _table(self, now: Shown) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.ROUNDED, header_style="", caption=self._goal(), caption_justify="left")
        for place, title in enumerate(self._columns()):
            table.add_column(title, justify="right" if place == 1 else "left", no_wrap=True)
        table.add_row(_("to come"), *self._aside("", ""), self._grid(now["treasures_left"], now["treasure"]))
        for player, name in enumerate(self.names):
            table.add_section()
            token = _("● ready") if now["obole"][player] else _("○ used")
            aside = self._aside(f"{now['scores'][player]:g}", token)
            purse, burnt = self._grid(now["hands"][player]), self._grid(now["burnt"][player], gone=" ")
            table.add_row(Text(self._short_name(name), style="bold"), *aside, Text(purse, style="bold"))
            table.add_row(
                Text(f"  {_('burnt')}", style="dim"), *self._aside("", ""), Text(burnt, style="dim")
            )
        return table

    def _short_name(self, name: str) -> str:
        return self.look.fit(name, BOARD_NAME)

    def _columns(self) -> list[str]:
        return ["", *self._aside(_("score"), _("Obole")), _("cards")]

    def _aside(self, score: str, token: str) -> list[str]:
        return [score, token] if self.game.options.obole else [score]

    def _table_width(self) -> int:
        names = max(columns(self._short_name(name)) for name in [*self.names, _("to come")])
        token = max(map(columns, (_("Obole"), _("● ready"), _("○ used"))))
        aside = columns(_("score")) + 3 + (token + 3 if self.game.options.obole else 0)
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
