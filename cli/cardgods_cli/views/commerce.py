"""Commerce on the screen: the table around the pot, and who did what to whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cardgods.cards import card_name
from cardgods.games.commerce import hand_words
from cardgods_cli.render import Shown, View

if TYPE_CHECKING:
    from rich.table import Table

    from cardgods_cli.look import Renderable

UNKNOWN = "?"
HINT_SAMPLES = 100_000


class CommerceView(View):
    """Pot, balances, stock, dealer, turn, hands as far as they may be seen."""

    def board(self, now: Shown, viewer: int | None) -> list[Renderable]:
        """The position: a line on the deal, then a row for each player."""
        head = self._headline(now)
        if self.look.plain or (self.look.width and self.look.width < 60):
            return [head, *self._sentences(now)]
        return [head, self._table(now)]

    def news(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        """What happened, with the cards that the viewer saw."""
        phase = before["phase"]
        if now["dealer"] is not None and before["dealer"] is None:
            return [f"{self.names[now['dealer']]} is the first dealer."]
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
            return f"{name}, buy, trade or knock"
        if now["phase"] == "discard":
            return f"{name}, the card you give up"
        if now["phase"] == "offer":
            return f"{name}, the card you offer to {self._left(now)}"
        return f"{name}, the card you return to {self.names[now['turn']]}, unseen, or knock"

    def advice(self, now: Shown, player: int) -> list[str]:
        """The rule of the moment, and the odds of a showdown now."""
        return [*self._rules(now, player), *self._hints(now, player)]

    def _rules(self, now: Shown, player: int) -> list[str]:
        if now["phase"] == "turn":
            price = "costs you nothing" if player == now["dealer"] else "pays 1 to the dealer"
            return [
                f"buy: give up a card, take the top of the stock; it {price}.",
                f"trade: offer a card to {self._left(now)}, who returns one unseen or refuses by knocking.",
                "knock: the hands are settled at once.",
            ]
        if now["phase"] == "reply":
            return [
                "A card: the two cards change hands, and your turn comes next.",
                "knock: you refuse; the hands are settled as they are.",
            ]
        if now["phase"] == "discard":
            return ["The card you give up goes face down to the pile; then you draw the top of the stock."]
        return [f"The card is seen by nobody but {self._left(now)}, and by him only if he trades."]

    def _hints(self, now: Shown, player: int) -> list[str]:
        """Odds from what the view shows: the player's cards and discards, nothing of the others."""
        from cardgods.solve.commerce import buy_odds, knock_odds

        n = len(self.names)
        pack = self.game.pack  # type: ignore[attr-defined]
        hand, seat = now["hands"][player], (player - now["dealer"]) % n
        known = {"seen": now["rejected"][player], "pack": pack, "samples": HINT_SAMPLES}
        knock = knock_odds(hand, n, seat, **known)
        lines = [
            f"Odds if the hands were settled now: you win the pot with {knock.win:.1%}, "
            f"{knock.points:+.2f} points in the deal{self._source(knock.samples)}."
        ]
        buys = buy_odds(hand, n, seat, **known)
        free = seat == 0 or now["phase"] != "turn"
        changes = ", ".join(
            f"{self._cards([b.discard])} {b.odds.points + (1 if free and seat else 0):+.2f}" for b in buys
        )
        what = "with another card for" if now["phase"] != "turn" else "after a buy for"
        return [*lines, f"The same {what} one of yours, drawn at random: {changes}."]

    def _source(self, samples: int | None) -> str:
        return "" if samples is None else " (sampled)"

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who has the highest balance; equals share the win."""
        best = max(returns)
        names = [name for name, value in zip(self.names, returns, strict=True) if value == best]
        tally = ", ".join(f"{name} {value:+g}" for name, value in zip(self.names, returns, strict=True))
        who = f"{names[0]} wins" if len(names) == 1 else f"{' and '.join(names)} share the win"
        return f"{who}: {tally}."

    # Events -----------------------------------------------------------------------------------------------

    def _nothing(self, before: Shown, now: Shown) -> list[str]:
        return []

    def _dealt(self, before: Shown, now: Shown) -> list[str]:
        if now["phase"] != "turn":
            return []
        deal, dealer = f"Deal {now['deal']} of {now['deals']}", self.names[now["dealer"]]
        line = f"{deal}: {dealer} deals, {now['pot']} in the pot."
        hands = [
            f"{name} holds {self._cards(hand)} ({hand_words(hand, self.look.lang)})."
            for name, hand in zip(self.names, now["hands"], strict=True)
            if hand
        ]
        return [line, *hands]

    def _discarded(self, before: Shown, now: Shown) -> list[str]:
        buyer, dealer = before["turn"], now["dealer"]
        gone = set(now["rejected"][buyer]) - set(before["rejected"][buyer])
        what = f"gives up {self._cards(gone)}" if gone else "gives up a card"
        price = "and buys free, as the dealer" if buyer == dealer else f"and pays 1 to {self.names[dealer]}"
        return [f"{self.names[buyer]} {what} {price}."]

    def _drew(self, before: Shown, now: Shown) -> list[str]:
        buyer = before["turn"]
        drawn = set(now["hands"][buyer]) - set(before["hands"][buyer])
        if drawn and before["hands"][buyer]:
            return [f"{self.names[buyer]} draws {self._cards(drawn)}."]
        return []

    def _offered(self, before: Shown, now: Shown) -> list[str]:
        card = "a card" if now["offer"] is None else self._cards([now["offer"]])
        return [f"{self.names[now['turn']]} offers {card} to {self._left(now)}."]

    def _answered(self, before: Shown, now: Shown) -> list[str]:
        giver, taker = before["turn"], before["offered_to"]
        if now["trades"] == before["trades"] and now["last_reason"] == "refusal" and now["open"]:
            return []
        known = [p for p in (giver, taker) if before["hands"][p]]
        if not known:
            return [f"{self.names[taker]} returns a card: they trade."]
        # either trader's hand tells both cards
        mine = known[0]
        gone = set(before["hands"][mine]) - set(now["hands"][mine])
        come = set(now["hands"][mine]) - set(before["hands"][mine])
        offered, back = (gone, come) if mine == giver else (come, gone)
        return [
            f"{self.names[taker]} returns {self._cards(back)} for {self._cards(offered)}."
            if gone
            else f"{self.names[taker]} returns the same card."
        ]

    def _settled(self, before: Shown, now: Shown) -> list[str]:
        knocker, winner = now["last_knocker"], now["last_winner"]
        ends = {
            "knock": "{} knocks.",
            "refusal": "{} refuses by knocking.",
            "stock": "The last card of the stock is gone: the hands are settled.",
            "cap": "So many trades without a buy end the deal: the hands are settled.",
        }
        head = ends[now["last_reason"]].format(self.names[knocker] if knocker is not None else "")
        hands = [
            f"{name} shows {self._cards(hand)}: {hand_words(hand, self.look.lang)}."
            for name, hand in zip(self.names, now["hands"], strict=True)
        ]
        return [head, *hands, self._payments(before, now, winner)]

    def _payments(self, before: Shown, now: Shown, winner: int) -> str:
        # a buy that ends the deal has been paid before
        gains = [after - was for was, after in zip(before["balances"], now["balances"], strict=True)]
        dealer = before["dealer"]
        won = f"{self.names[winner]} wins the pot of {before['pot']}"
        if winner == dealer:
            return f"{won} as the dealer."
        if gains[dealer] == -1:
            return f"{won}; {self.names[dealer]}, the dealer, pays 1 to {self.names[winner]}."
        who = f"{self.names[dealer]}, the dealer, beaten in the same category"
        return f"{won}; {who}, pays 1 to each other player."

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
            return "The first dealer is drawn by lot."
        if now["phase"] == "over":
            return f"After deal {now['deals']} of {now['deals']}."
        deal = f"Deal {now['deal']} of {now['deals']}, dealt by {self.names[now['dealer']]}"
        if now["turn"] is None:
            return f"{deal}."
        turn = f"{self.names[now['turn']]}'s turn"
        trades = ""
        if now["trades"]:
            limit = f" of {now['trade_cap']}" if now["trade_cap"] else ""
            trades = f"; {now['trades']}{limit} trades in a row"
        return f"{deal}; {turn}; pot {now['pot']}, stock {now['stock']}{trades}."

    def _marks(self, now: Shown, player: int) -> str:
        marks = []
        if player == now["dealer"] and now["phase"] != "over":
            marks.append("dealer")
        if player == now["turn"]:
            marks.append("on turn")
        if player == now["offered_to"]:
            marks.append("asked to trade")
        if now["open"] and player == now["last_knocker"]:
            marks.append("knocked")
        if now["open"] and player == now["last_winner"]:
            marks.append("won the pot")
        return ", ".join(marks)

    def _sentences(self, now: Shown) -> list[str]:
        lines = []
        for player, name in enumerate(self.names):
            hand = now["hands"][player]
            held = self._hand(hand)
            worth = f" ({hand_words(hand, self.look.lang)})" if len(hand) == 3 else ""
            parts = [f"balance {now['balances'][player]:+d}", f"hand {held}{worth}"]
            if now["bought"][player]:
                parts.append(f"bought {now['bought'][player]}")
            marks = self._marks(now, player)
            lines.append(f"{name}: {'; '.join(parts)}{'; ' + marks if marks else ''}.")
        return lines

    def _table(self, now: Shown) -> Table:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        table = Table(box=box.ROUNDED, header_style="")
        for title in ("", "balance", "hand", "worth", "bought", ""):
            table.add_column(
                title, justify="right" if title in ("balance", "bought") else "left", no_wrap=True
            )
        for player, name in enumerate(self.names):
            hand = now["hands"][player]
            table.add_row(
                Text(name, style="bold"),
                f"{now['balances'][player]:+d}",
                self._hand(hand),
                hand_words(hand, self.look.lang) if len(hand) == 3 else "",
                str(now["bought"][player] or ""),
                self._marks(now, player),
            )
        return table


VIEW = CommerceView
