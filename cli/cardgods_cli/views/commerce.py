"""Commerce on the screen: the table around the pot, and who did what to whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgods.cards import card_name
from cardgods.games.commerce import hand_words
from cardgods_cli.look import columns
from cardgods_cli.render import Shown, View, together
from cardgods_cli.words import N_, _, n_

if TYPE_CHECKING:
    from rich.table import Table

    from cardgods_cli.look import Renderable

ENDS = {
    "knock": N_("{name} knocks."),
    "refusal": N_("{name} refuses by knocking."),
    "stock": N_("The last card of the stock is gone: the hands are settled."),
    "cap": N_("So many trades without a buy end the deal: the hands are settled."),
}
UNKNOWN = "?"
HINT_SAMPLES = 100_000


class CommerceView(View):
    """Pot, balances, stock, dealer, turn, hands as far as they may be seen."""

    def board(self, now: Shown, viewer: int | None) -> list[Renderable]:
        """The position: a line on the deal, then a row for each player."""
        head = self._headline(now)
        if self.look.plain:
            return [head, *self._sentences(now)]
        rows = self._rows(now)
        # What was bought may be missed first.
        for kept in (rows, [row[:4] + row[5:] for row in rows]):
            if not self.look.width or _width(kept) <= self.look.width:
                return [head, self._table(kept)]
        return [head, *self._sentences(now)]

    def news(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        """What happened, with the cards that the viewer saw."""
        phase = before["phase"]
        if now["dealer"] is not None and before["dealer"] is None:
            return [_("{name} is the first dealer.").format(name=self.names[now["dealer"]])]
        lines = {
            "deal": self._dealt,
            "discard": self._discarded,
            "draw": self._drew,
            "offer": self._offered,
            "reply": self._answered,
            "turn": self._nothing,
        }.get(phase, self._nothing)(before, now)
        if now["open"] and not before["open"]:
            lines += self._settled(before, now)
        return lines

    def question(self, now: Shown, player: int) -> str:
        """What the moment asks for."""
        name = self.names[player]
        if now["phase"] == "turn":
            return _("{name}, buy, trade or knock").format(name=name)
        if now["phase"] == "discard":
            return _("{name}, the card you give up").format(name=name)
        if now["phase"] == "offer":
            return _("{name}, the card you offer to {other}").format(name=name, other=self._left(now))
        text = _("{name}, the card you return to {other}, unseen, or knock")
        return text.format(name=name, other=self.names[now["turn"]])

    def advice(self, now: Shown, player: int) -> list[str]:
        """The rule of the moment, and the odds of a showdown now."""
        return [*self._rules(now, player), *self._hints(now, player)]

    def _rules(self, now: Shown, player: int) -> list[str]:
        if now["phase"] == "turn":
            trade = _("trade: offer a card to {name}, who returns one unseen or refuses by knocking.")
            return [
                _("buy: give up a card, take the top of the stock; it costs you nothing.")
                if player == now["dealer"]
                else _("buy: give up a card, take the top of the stock; it pays 1 to the dealer."),
                trade.format(name=self._left(now)),
                _("knock: the hands are settled at once."),
            ]
        if now["phase"] == "reply":
            return [
                _("A card: the two cards change hands, and your turn comes next."),
                _("knock: you refuse; the hands are settled as they are."),
            ]
        if now["phase"] == "discard":
            return [_("The card you give up goes face down to the pile; then you draw the top of the stock.")]
        text = _("The card is seen by nobody but {name}, and by him only if he trades.")
        return [text.format(name=self._left(now))]

    def _hints(self, now: Shown, player: int) -> list[str]:
        """Odds from what the view shows: the player's cards and discards, nothing of the others."""
        from cardgods.solve.commerce import buy_odds, knock_odds

        n = len(self.names)
        pack = self.game.pack  # type: ignore[attr-defined]
        hand, seat = now["hands"][player], (player - now["dealer"]) % n
        known = {"seen": now["rejected"][player], "pack": pack, "samples": HINT_SAMPLES}
        knock = knock_odds(hand, n, seat, **known)
        text = (
            _(
                "Odds if the hands were settled now: you win the pot with {win:.1%}, {points:+.2f} points in "
                "the deal."
            )
            if knock.samples is None
            else _(
                "Odds if the hands were settled now: you win the pot with {win:.1%}, {points:+.2f} points in "
                "the deal (sampled)."
            )
        )
        lines = [text.format(win=knock.win, points=knock.points)]
        buys = buy_odds(hand, n, seat, **known)
        free = seat == 0 or now["phase"] != "turn"
        changes = ", ".join(
            f"{self._cards([b.discard])} {b.odds.points + (1 if free and seat else 0):+.2f}" for b in buys
        )
        text = (
            _("The same with another card for one of yours, drawn at random: {changes}.")
            if now["phase"] != "turn"
            else _("The same after a buy for one of yours, drawn at random: {changes}.")
        )
        return [*lines, text.format(changes=changes)]

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who has the highest balance; equals share the win."""
        best = max(returns)
        names = [name for name, value in zip(self.names, returns, strict=True) if value == best]
        tally = ", ".join(f"{name} {value:+g}" for name, value in zip(self.names, returns, strict=True))
        text = n_("{names} wins: {tally}.", "{names} share the win: {tally}.", len(names))
        return text.format(names=together(names), tally=tally)

    # Events -----------------------------------------------------------------------------------------------

    def _nothing(self, before: Shown, now: Shown) -> list[str]:
        return []

    def _dealt(self, before: Shown, now: Shown) -> list[str]:
        if now["phase"] != "turn":
            return []
        text = _("Deal {deal} of {deals}: {name} deals, {pot} in the pot.")
        dealer = self.names[now["dealer"]]
        line = text.format(deal=now["deal"], deals=now["deals"], name=dealer, pot=now["pot"])
        held = _("{name} holds {cards} ({worth}).")
        hands = [
            held.format(name=name, cards=self._cards(hand), worth=hand_words(hand, self.look.lang))
            for name, hand in zip(self.names, now["hands"], strict=True)
            if hand
        ]
        return [line, *hands]

    def _discarded(self, before: Shown, now: Shown) -> list[str]:
        buyer, dealer = before["turn"], now["dealer"]
        gone = set(now["rejected"][buyer]) - set(before["rejected"][buyer])
        text = (
            _("{name} gives up {cards} and buys free, as the dealer.")
            if buyer == dealer
            else _("{name} gives up {cards} and pays 1 to {dealer}.")
        )
        cards = self._cards(gone) if gone else _("a card")
        return [text.format(name=self.names[buyer], cards=cards, dealer=self.names[dealer])]

    def _drew(self, before: Shown, now: Shown) -> list[str]:
        buyer = before["turn"]
        drawn = set(now["hands"][buyer]) - set(before["hands"][buyer])
        if drawn and before["hands"][buyer]:
            return [_("{name} draws {cards}.").format(name=self.names[buyer], cards=self._cards(drawn))]
        return []

    def _offered(self, before: Shown, now: Shown) -> list[str]:
        card = _("a card") if now["offer"] is None else self._cards([now["offer"]])
        text = _("{name} offers {card} to {other}.")
        return [text.format(name=self.names[now["turn"]], card=card, other=self._left(now))]

    def _answered(self, before: Shown, now: Shown) -> list[str]:
        giver, taker = before["turn"], before["offered_to"]
        if now["trades"] == before["trades"] and now["last_reason"] == "refusal" and now["open"]:
            return []
        known = [p for p in (giver, taker) if before["hands"][p]]
        if not known:
            return [_("{name} returns a card: they trade.").format(name=self.names[taker])]
        # either trader's hand tells both cards
        mine = known[0]
        gone = set(before["hands"][mine]) - set(now["hands"][mine])
        come = set(now["hands"][mine]) - set(before["hands"][mine])
        offered, back = (gone, come) if mine == giver else (come, gone)
        text = _("{name} returns {card} for {other}.") if gone else _("{name} returns the same card.")
        return [text.format(name=self.names[taker], card=self._cards(back), other=self._cards(offered))]

    def _settled(self, before: Shown, now: Shown) -> list[str]:
        knocker, winner = now["last_knocker"], now["last_winner"]
        name = self.names[knocker] if knocker is not None else ""
        head = _(ENDS[now["last_reason"]]).format(name=name)
        shows = _("{name} shows {cards}: {worth}.")
        hands = [
            shows.format(name=name, cards=self._cards(hand), worth=hand_words(hand, self.look.lang))
            for name, hand in zip(self.names, now["hands"], strict=True)
        ]
        return [head, *hands, self._payments(before, now, winner)]

    def _payments(self, before: Shown, now: Shown, winner: int) -> str:
        # a buy that ends the deal has been paid before
        gains = [after - was for was, after in zip(before["balances"], now["balances"], strict=True)]
        dealer = before["dealer"]
        if winner == dealer:
            text = _("{name} wins the pot of {pot} as the dealer.")
        elif gains[dealer] == -1:
            text = _("{name} wins the pot of {pot}; {dealer}, the dealer, pays 1 to {name}.")
        else:
            text = _(
                "{name} wins the pot of {pot}; {dealer}, the dealer, beaten in the same category, pays 1 to "
                "each other player."
            )
        return text.format(name=self.names[winner], pot=before["pot"], dealer=self.names[dealer])

    # Parts ------------------------------------------------------------------------------------------------

    def _left(self, now: Shown) -> str:
        name: str = self.names[(now["turn"] + 1) % len(self.names)]
        return name

    def _cards(self, cards: Iterable[int]) -> str:
        return " ".join(card_name(card, self.look.lang) for card in sorted(cards))

    def _hand(self, hand: Sequence[int]) -> str:
        return self._cards(hand) if hand else " ".join([UNKNOWN] * 3)

    def _headline(self, now: Shown) -> str:
        if now["dealer"] is None:
            return _("The first dealer is drawn by lot.")
        if now["phase"] == "over":
            return _("After deal {deals} of {deals}.").format(deals=now["deals"])
        where = _("Deal {deal} of {deals}, dealt by {name}.")
        if now["turn"] is None:
            text = where
        elif not now["trades"]:
            text = _("Deal {deal} of {deals}, dealt by {name}; {turn}'s turn; pot {pot}, stock {stock}.")
        else:
            text = _(
                "Deal {deal} of {deals}, dealt by {name}; {turn}'s turn; pot {pot}, stock {stock}; "
                "{trades} trades in a row."
            )
        turn = "" if now["turn"] is None else self.names[now["turn"]]
        limit = _("{trades} of {cap}") if now["trade_cap"] else "{trades}"
        return text.format(
            deal=now["deal"],
            deals=now["deals"],
            name=self.names[now["dealer"]],
            turn=turn,
            pot=now["pot"],
            stock=now["stock"],
            trades=limit.format(trades=now["trades"], cap=now["trade_cap"]),
        )

    def _marks(self, now: Shown, player: int) -> str:
        marks = []
        if player == now["dealer"] and now["phase"] != "over":
            marks.append(_("dealer"))
        if player == now["turn"]:
            marks.append(_("on turn"))
        if player == now["offered_to"]:
            marks.append(_("asked to trade"))
        if now["open"] and player == now["last_knocker"]:
            marks.append(_("knocked"))
        if now["open"] and player == now["last_winner"]:
            marks.append(_("won the pot"))
        return ", ".join(marks)

    def _sentences(self, now: Shown) -> list[str]:
        lines = []
        for player, name in enumerate(self.names):
            hand = now["hands"][player]
            held = self._hand(hand)
            worth = f" ({hand_words(hand, self.look.lang)})" if len(hand) == 3 else ""
            parts = [
                _("balance {balance:+d}").format(balance=now["balances"][player]),
                _("hand {cards}").format(cards=f"{held}{worth}"),
            ]
            if now["bought"][player]:
                parts.append(_("bought {cards}").format(cards=now["bought"][player]))
            marks = self._marks(now, player)
            parts += [marks] if marks else []
            lines.append(_("{name}: {parts}.").format(name=name, parts=_("; ").join(parts)))
        return lines

    def _rows(self, now: Shown) -> list[list[str]]:
        """Titles, those of numbers marked by a ``>``, and a row for each player."""
        rows = [["", f">{_('balance')}", _("hand"), _("worth"), f">{_('bought')}", ""]]
        for player, name in enumerate(self.names):
            hand = now["hands"][player]
            worth = hand_words(hand, self.look.lang) if len(hand) == 3 else ""
            balance, bought = f"{now['balances'][player]:+d}", str(now["bought"][player] or "")
            rows.append([name, balance, self._hand(hand), worth, bought, self._marks(now, player)])
        return rows

    def _table(self, rows: Sequence[Sequence[str]]) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.ROUNDED, header_style="")
        for title in rows[0]:
            right = title.startswith(">")
            table.add_column(title.removeprefix(">"), justify="right" if right else "left", no_wrap=True)
        for name, *cells in rows[1:]:
            table.add_row(Text(name, style="bold"), *cells)
        return table


def _width(rows: Sequence[Sequence[str]]) -> int:
    """Columns that a table takes with its lines."""
    return 1 + sum(
        3 + max(columns(cell.removeprefix(">")) for cell in column) for column in zip(*rows, strict=True)
    )


VIEW = CommerceView
