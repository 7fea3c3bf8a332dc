"""Eleusis on the screen: the line from left to right, refused cards below, shown hands above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgods.cards import SIGNS, card_name
from cardgods.rule import find_rule
from cardgods_cli.look import columns, pad
from cardgods_cli.render import Shown, View
from cardgods_cli.secret_rules import prepare

if TYPE_CHECKING:
    from cardgods_cli.look import Renderable

CELL = 6
"""Columns of a card on the board: its name, a marker, blanks."""
WHITE, BLACK, MARK = "○", "●", "◆"
Entry = Mapping[str, Any]


class EleusisView(View):
    """The table, the state of the round, the hands that may be seen."""

    def board(self, now: Shown, viewer: int | None) -> list[Renderable]:
        """The state of the round, the table, the viewer's hand."""
        table = self._sentences(now) if self.look.plain else self._picture(now)
        lines = [self._headline(now), *self._progress(now), *table, self._counts(now)]
        for seat, hand in enumerate(now["hands"]):
            if hand and (viewer is None or seat == viewer):
                lines.append(f"{self.names[seat]} holds {self._sorted(hand)}.")
        if now["rule"] and (viewer is None or viewer == now["god"]):
            lines.append(f"The rule: {self._rule(now['rule'])}")
        return list(lines)

    def question(self, now: Shown, player: int) -> str:
        """What the phase asks for."""
        name = self.names[player]
        return name + {
            "turn": ", lay a card or say that you cannot play",
            "sequence": ", a further card of your sequence, or done",
            "judge": f", Prophet: is {self._cards(now['laid'])} right",
            "judge_claim": f", Prophet: is {self._turn(now)} right that he cannot play",
            "pick": f", Prophet: which card of {self._turn(now)} is right",
            "god_starter": f", God: may {self._cards([now['turned']] if now['turned'] else [])} begin",
            "god_judge": f", God: is {self._cards(now['laid'])} right",
            "god_claim": f", God: is {self._turn(now)} right that he cannot play",
            "god_pick_judge": f", God: is {self._cards([now['picked']] if now['picked'] else [])} right",
            "god_pick": f", God: which card of {self._turn(now)} is right",
            "prophecy": ", will you be the Prophet",
        }.get(now["phase"], ", your move")

    def advice(self, now: Shown, player: int) -> list[str]:
        """The rule of the moment."""
        o = self.game.options
        texts = {
            "turn": [
                f"Lay up to {o.max_sequence} cards one by one, then done. Each wrong card costs "
                f"{o.wrong_penalty}; a sequence is right only if all of it is.",
                f"no play shows your hand: if you are right you get {o.claim_relief} cards fewer, else a "
                f"right card of it is laid and you draw {o.claim_penalty}.",
            ],
            "sequence": ["done: the cards laid are judged together, in their order."],
            "prophecy": [
                "A Prophet judges instead of God: 1 point for each card accepted, 2 for each refused.",
                f"If God disagrees he takes his hand back with {o.prophet_penalty} more cards.",
            ],
        }
        return texts.get(now["phase"], ["Say what the rule says, as far as you know it."])

    def news(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        """What happened, in the order in which it did."""
        lines: list[str] = []
        if now["round"] != before["round"] or (not before["line"] and before["phase"] == "draw"):
            return self._dealt(before, now, viewer)
        lines += self._moves(before, now)
        lines += self._entries(before, now)
        lines += self._drawn(before, now, viewer)
        lines += self._prophets(before, now)
        gone = [seat for seat in now["expelled"] if seat not in before["expelled"]]
        lines += [f"{self.names[seat]} is out for this round." for seat in gone]
        if now["sudden_death"] and not before["sudden_death"] and not now["end_reason"]:
            lines.append("Sudden death: whoever lays a wrong card is out.")
        if now["end_reason"] and not before["end_reason"]:
            lines += self._ended(now)
        return lines

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who has most points."""
        best = max(returns)
        winners = [name for name, points in zip(self.names, returns, strict=True) if points == best]
        verb = "win" if len(winners) > 1 else "wins"
        points = ", ".join(f"{name} {value:g}" for name, value in zip(self.names, returns, strict=True))
        return f"{' and '.join(winners)} {verb}: {points}."

    # News ---------------------------------------------------------------------------------------------------

    def _dealt(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        if now["phase"] != "starter" or before["phase"] == "starter":
            return []
        lines = [f"Round {now['round'] + 1} of {now['rounds']}: God is {self.names[now['god']]}."]
        hand = now["hands"][viewer] if viewer is not None and viewer >= 0 else None
        return [*lines, f"{self.names[viewer or 0]} holds {self._sorted(hand)}."] if hand else lines

    def _moves(self, before: Shown, now: Shown) -> list[str]:
        name = self._turn(now)
        if before["phase"] in ("starter", "god_starter") and now["line"] == before["line"]:
            turned = now["phase"] == "god_starter"
            return ["God looks at a card." if turned else "God puts a card under the stock."]
        if before["phase"] == "first":
            return [f"{self._turn(now)} begins."]
        if now["claim"] and not before["claim"]:
            # It may be the last thing of a round, and then it is nobody's turn now.
            hand = self._sorted(before_hand(before, now))
            return [f"{self._turn(before)} cannot play, he says, and shows {hand}."]
        if before["phase"] in ("judge", "judge_claim"):
            judged = self._cards(before["laid"]) or "the claim"
            return [f"The Prophet {self.names[before['prophet']]} calls {judged} {_said(before, now)}."]
        if now["picked"] is not None and before["picked"] is None:
            return [f"The Prophet picks {self._cards([now['picked']])}."]
        if now["phase"] in ("judge", "god_judge") and before["phase"] == "sequence":
            return [f"{name} lays {self._cards(now['laid'])}."]
        return []

    def _entries(self, before: Shown, now: Shown) -> list[str]:
        lines = []
        for entry in now["table"][len(before["table"]) :]:
            cards = self._cards(entry["cards"])
            name = self.names[entry["seat"]] if entry["seat"] is not None else "God"
            laid = f"{name} lays " if before["phase"] in ("turn", "sequence") else "God says of "
            lines.append(
                {
                    "starter": f"{cards} begins the line.",
                    "right": f"{laid}{cards}: right.",
                    "wrong": f"{laid}{cards}: wrong.",
                    "forced": f"{cards} of {name} would have been right and goes to the line.",
                    "hand": f"{name} is right: none of his cards could be played. They stay on the table.",
                }[entry["kind"]]
            )
        return lines

    def _drawn(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        if before["phase"] != "draw":
            return []
        seat, left = before["to_draw"][0]
        lines = []
        hand, old = now["hands"][seat], before["hands"][seat]
        if hand is not None and old is not None and viewer == seat:
            new = list(hand)
            for card in old:
                new.remove(card)
            lines.append(f"{self.names[seat]} draws {self._cards(new)}.")
        elif left == 1:
            lines.append(f"{self.names[seat]} has {now['hand_sizes'][seat]} cards now.")
        if now["packs"] > before["packs"]:
            lines.append("The stock was low: a further pack is shuffled in.")
        return lines

    def _prophets(self, before: Shown, now: Shown) -> list[str]:
        if before["prophet"] is None and now["prophet"] is not None:
            return [f"{self.names[now['prophet']]} is the Prophet from now on."]
        if before["prophet"] is not None and now["prophet"] is None:
            return [f"God overthrows the Prophet {self.names[before['prophet']]}."]
        return []

    def _ended(self, now: Shown) -> list[str]:
        out = [self.names[k] for k, size in enumerate(now["hand_sizes"]) if not size and k != now["god"]]
        reasons = {
            "out": f"{' and '.join(out)} has no card left: the round is over.",
            "expelled": "Nobody is left to play: the round is over.",
            "turns": f"The cap of {self.game.options.turn_cap} turns is reached: the round is over.",
            "stock": "A card was missing: the round is over.",
        }
        points = ", ".join(
            f"{name} {value}" for name, value in zip(self.names, now["round_scores"], strict=True)
        )
        rule = f"The rule was: {self._rule(now['past_rules'][-1])}"
        return [reasons[now["end_reason"]], rule, f"Points of the round: {points}."]

    # Board --------------------------------------------------------------------------------------------------

    def _headline(self, now: Shown) -> str:
        text = f"Round {now['round'] + 1} of {now['rounds']}, God is {self.names[now['god']]}"
        if now["end_reason"]:
            return f"{text}: over."
        return f"{text}; {self._turn(now)} to play." if now["turn"] is not None else f"{text}."

    def _progress(self, now: Shown) -> list[str]:
        o = self.game.options
        lines = []
        if now["prophet"] is not None:
            right, wrong = now["since_mark"]
            since = f"since card {now['mark']} {right} right and {wrong} wrong"
            limit = o.prophet_sudden_death
            lines.append(f"Prophet is {self.names[now['prophet']]}: {since}.")
            count = f"{right + wrong} since his mark"
        else:
            limit, count = o.sudden_death, f"{now['played']} played"
        state = "sudden death" if now["sudden_death"] else f"sudden death after {limit}"
        return [*lines, f"Cards: {count}, {state}; {now['stock']} in the stock."]

    def _counts(self, now: Shown) -> str:
        parts = []
        for seat, name in enumerate(self.names):
            if seat == now["god"]:
                continue
            note = " (Prophet)" if seat == now["prophet"] else " (out)" if seat in now["expelled"] else ""
            parts.append(f"{name} {now['hand_sizes'][seat]}{note}")
        return f"Hands: {', '.join(parts)}."

    def _sentences(self, now: Shown) -> list[str]:
        if not now["line"]:
            return ["The line is empty."]
        lines = [f"Line: {' '.join(self._marked(now))}."]
        for place, below in self._below(now).items():
            last = card_name(now["line"][place], self.look.lang)
            lines.append(f"Refused after card {place + 1}, {last}: {'; '.join(map(self._cards, below))}.")
        for place, above in self._above(now).items():
            last = card_name(now["line"][place], self.look.lang)
            lines += [f"Unplayable after card {place + 1}, {last}: {self._sorted(hand)}." for hand in above]
        return lines

    def _picture(self, now: Shown) -> list[str]:
        """The line in bands as wide as the screen; each card has its refusals in a column below it."""
        if not now["line"]:
            return ["The line is empty."]
        marked, below, above = self._marked(now), self._below(now), self._above(now)
        per_band = max(1, ((self.look.width or 100) - 1) // CELL)
        lines: list[str] = []
        for start in range(0, len(marked), per_band):
            places = range(start, min(start + per_band, len(marked)))
            lines.append("")
            for place in places:
                lines += [f"above {marked[place]}: {self._sorted(hand)}" for hand in above.get(place, ())]
            lines.append("".join(pad(f" {marked[place]}", CELL) for place in places).rstrip())
            stacks = [_stack([self._names(cards) for cards in below.get(place, ())]) for place in places]
            for row in range(max(map(len, stacks))):
                cells = [stack[row] if row < len(stack) else "" for stack in stacks]
                lines.append("".join(pad(cell, CELL) for cell in cells).rstrip())
        return [*lines, f"({WHITE} each tenth card{self._legend(now)})", ""]

    def _legend(self, now: Shown) -> str:
        return f", {MARK} the Prophet's mark, {BLACK} each tenth since" if now["prophet"] is not None else ""

    def _marked(self, now: Shown) -> list[str]:
        """Names of the cards of the line with their markers."""
        names, count = [], 0
        for entry in now["table"]:
            for card in entry["cards"] if entry["kind"] != "hand" else ():
                counted = entry["kind"] != "starter" or self.game.options.count_starter
                count += counted
                if entry["kind"] != "wrong":
                    names.append(
                        card_name(card, self.look.lang) + (self._marker(now, count) if counted else "")
                    )
        return names

    def _marker(self, now: Shown, count: int) -> str:
        mark = now["mark"]
        if mark is not None and count == mark:
            return MARK
        if mark is not None and count > mark and (count - mark) % 10 == 0:
            return BLACK
        return WHITE if count % 10 == 0 else ""

    def _below(self, now: Shown) -> dict[int, list[Sequence[int]]]:
        """Refused cards and sequences by the place of the last right card before them."""
        return self._by_place(now, "wrong")

    def _above(self, now: Shown) -> dict[int, list[Sequence[int]]]:
        """Shown hands by the place of the last right card before them."""
        return self._by_place(now, "hand")

    def _by_place(self, now: Shown, kind: str) -> dict[int, list[Sequence[int]]]:
        found: dict[int, list[Sequence[int]]] = {}
        place = -1
        for entry in now["table"]:
            if entry["kind"] == kind:
                found.setdefault(max(place, 0), []).append(entry["cards"])
            elif entry["kind"] in ("starter", "right", "forced"):
                place += len(entry["cards"])
        return found

    # Words --------------------------------------------------------------------------------------------------

    def _turn(self, now: Shown) -> str:
        return self.names[now["turn"]] if now["turn"] is not None else "nobody"

    def _names(self, cards: Sequence[int]) -> list[str]:
        return [card_name(card, self.look.lang) for card in cards]

    def _cards(self, cards: Sequence[int]) -> str:
        return " ".join(self._names(cards))

    def _sorted(self, cards: Sequence[int]) -> str:
        """Cards by suit: ``♣ 2 3 K  ♥ 7``."""
        parts = []
        for suit in range(4):
            held = [card_name(card, self.look.lang)[:-1] for card in sorted(cards) if card // 13 == suit]
            if held:
                parts.append(f"{SIGNS[suit]} {' '.join(held)}")
        return "  ".join(parts) or "nothing"

    def _rule(self, text: str) -> str:
        if text == "human":
            return "none, God judges himself."
        return f"{text} ({find_rule(text).words(self.look.lang)})"


def before_hand(before: Shown, now: Shown) -> list[int]:
    """The hand that a claim shows: before or after it is taken away, from whichever view has it."""
    seat = before["turn"]
    for shown in (now, before):
        if shown["hands"][seat]:
            return list(shown["hands"][seat])
    return list(now["table"][-1]["cards"]) if now["table"] and now["table"][-1]["kind"] == "hand" else []


def _said(before: Shown, now: Shown) -> str:
    """The Prophet's word: God's own if he is still there, else the opposite."""
    if now["said"]:
        return str(now["said"])
    agreed = now["prophet"] == before["prophet"] or now["round"] != before["round"]
    return str(now["verdict"]) if agreed else {"right": "wrong", "wrong": "right"}[now["verdict"]]


def _stack(blocks: Sequence[Sequence[str]]) -> list[str]:
    """A column of refusals, the cards of a sequence held together by a brace."""
    cells = []
    for names in blocks:
        signs = [" "] if len(names) == 1 else ["┌", *("│" for _ in names[2:]), "└"]
        cells += [sign + name for sign, name in zip(signs, names, strict=True)]
    assert all(columns(cell) <= CELL for cell in cells)
    return cells


VIEW = EleusisView
PREPARE = prepare
