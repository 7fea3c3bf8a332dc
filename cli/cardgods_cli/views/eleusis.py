"""Eleusis on the screen: the line from left to right, refused cards below, shown hands above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgods.cards import SIGNS, card_name
from cardgods.rule import find_rule
from cardgods_cli.look import columns, pad
from cardgods_cli.render import Shown, View, together
from cardgods_cli.secret_rules import prepare
from cardgods_cli.words import N_, _, n_

if TYPE_CHECKING:
    from cardgods_cli.look import Renderable

CELL = 6
"""Columns of a card on the board: its name, a marker, blanks."""
WHITE, BLACK, MARK = "○", "●", "◆"
Entry = Mapping[str, Any]

YOUR_MOVE = N_("{name}, your move")
QUESTIONS = {
    "turn": N_("{name}, lay a card or say that you cannot play"),
    "sequence": N_("{name}, a further card of your sequence, or done"),
    "judge": N_("{name}, Prophet: is {cards} right"),
    "judge_claim": N_("{name}, Prophet: is {other} right that he cannot play"),
    "pick": N_("{name}, Prophet: which card of {other} is right"),
    "god_starter": N_("{name}, God: may {cards} begin"),
    "god_judge": N_("{name}, God: is {cards} right"),
    "god_claim": N_("{name}, God: is {other} right that he cannot play"),
    "god_pick_judge": N_("{name}, God: is {cards} right"),
    "god_pick": N_("{name}, God: which card of {other} is right"),
    "prophecy": N_("{name}, will you be the Prophet"),
}
TOLD = {
    "starter": N_("{cards} begins the line."),
    "forced": N_("{cards} of {name} would have been right and goes to the line."),
    "hand": N_("{name} is right: none of his cards could be played. They stay on the table."),
}
LAID = {**TOLD, "right": N_("{name} lays {cards}: right."), "wrong": N_("{name} lays {cards}: wrong.")}
JUDGED = {
    **TOLD,
    "right": N_("God says of {cards}: right."),
    "wrong": N_("God says of {cards}: wrong."),
}
REASONS = {
    "out": N_("{names} has no card left: the round is over."),
    "expelled": N_("Nobody is left to play: the round is over."),
    "turns": N_("The cap of {turns} turns is reached: the round is over."),
    "stock": N_("A card was missing: the round is over."),
}
VERDICTS = (N_("right"), N_("wrong"))
"""Words of God and the Prophet, as the position has them."""


class EleusisView(View):
    """The table, the state of the round, the hands that may be seen."""

    def board(self, now: Shown, viewer: int | None) -> list[Renderable]:
        """The state of the round, the table, the viewer's hand."""
        table = self._sentences(now) if self.look.plain else self._picture(now)
        lines = [self._headline(now), *self._progress(now), *table, self._counts(now)]
        for seat, hand in enumerate(now["hands"]):
            if hand and (viewer is None or seat == viewer):
                text = _("{name} holds {cards}.")
                lines.append(text.format(name=self.names[seat], cards=self._sorted(hand)))
        if now["rule"] and (viewer is None or viewer == now["god"]):
            lines.append(_("The rule: {rule}").format(rule=self._rule(now["rule"])))
        return list(lines)

    def question(self, now: Shown, player: int) -> str:
        """What the phase asks for."""
        phase = now["phase"]
        shown = {"god_starter": "turned", "god_pick_judge": "picked"}.get(phase)
        # Card 0 is a card like any other.
        cards = now["laid"] if shown is None else [] if now[shown] is None else [now[shown]]
        text = _(QUESTIONS.get(phase, YOUR_MOVE))
        return text.format(name=self.names[player], cards=self._cards(cards), other=self._turn(now))

    def advice(self, now: Shown, player: int) -> list[str]:
        """The rule of the moment."""
        o = self.game.options
        texts = {
            "turn": [
                _(
                    "Lay up to {cards} cards one by one, then done. Each wrong card costs {penalty}; a "
                    "sequence is right only if all of it is."
                ).format(cards=o.max_sequence, penalty=o.wrong_penalty),
                _(
                    "no play shows your hand: if you are right you get {relief} cards fewer, else a right "
                    "card of it is laid and you draw {penalty}."
                ).format(relief=o.claim_relief, penalty=o.claim_penalty),
            ],
            "sequence": [_("done: the cards laid are judged together, in their order.")],
            "prophecy": [
                _("A Prophet judges instead of God: 1 point for each card accepted, 2 for each refused."),
                _("If God disagrees he takes his hand back with {penalty} more cards.").format(
                    penalty=o.prophet_penalty
                ),
            ],
        }
        return texts.get(now["phase"], [_("Say what the rule says, as far as you know it.")])

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
        lines += [_("{name} is out for this round.").format(name=self.names[seat]) for seat in gone]
        if now["sudden_death"] and not before["sudden_death"] and not now["end_reason"]:
            lines.append(_("Sudden death: whoever lays a wrong card is out."))
        if now["end_reason"] and not before["end_reason"]:
            lines += self._ended(now)
        return lines

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """Who has most points."""
        best = max(returns)
        winners = [name for name, points in zip(self.names, returns, strict=True) if points == best]
        points = ", ".join(f"{name} {value:g}" for name, value in zip(self.names, returns, strict=True))
        text = n_("{names} wins: {points}.", "{names} win: {points}.", len(winners))
        return text.format(names=together(winners), points=points)

    # News ---------------------------------------------------------------------------------------------------

    def _dealt(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        if now["phase"] != "starter" or before["phase"] == "starter":
            return []
        text = _("Round {round} of {rounds}: God is {name}.")
        lines = [text.format(round=now["round"] + 1, rounds=now["rounds"], name=self.names[now["god"]])]
        hand = now["hands"][viewer] if viewer is not None and viewer >= 0 else None
        if hand:
            text = _("{name} holds {cards}.")
            lines.append(text.format(name=self.names[viewer or 0], cards=self._sorted(hand)))
        return lines

    def _moves(self, before: Shown, now: Shown) -> list[str]:
        name = self._turn(now)
        if before["phase"] in ("starter", "god_starter") and now["line"] == before["line"]:
            turned = now["phase"] == "god_starter"
            return [_("God looks at a card.") if turned else _("God puts a card under the stock.")]
        if before["phase"] == "first":
            return [_("{name} begins.").format(name=self._turn(now))]
        if now["claim"] and not before["claim"]:
            # It may be the last thing of a round, and then it is nobody's turn now.
            hand = self._sorted(before_hand(before, now))
            text = _("{name} cannot play, he says, and shows {cards}.")
            return [text.format(name=self._turn(before), cards=hand)]
        if before["phase"] in ("judge", "judge_claim"):
            judged = self._cards(before["laid"]) or _("the claim")
            text = _("The Prophet {name} calls {judged} {word}.")
            prophet, word = self.names[before["prophet"]], _(_said(before, now))
            return [text.format(name=prophet, judged=judged, word=word)]
        if now["picked"] is not None and before["picked"] is None:
            return [_("The Prophet picks {card}.").format(card=self._cards([now["picked"]]))]
        if now["phase"] in ("judge", "god_judge") and before["phase"] == "sequence":
            return [_("{name} lays {cards}.").format(name=name, cards=self._cards(now["laid"]))]
        return []

    def _entries(self, before: Shown, now: Shown) -> list[str]:
        lines = []
        for entry in now["table"][len(before["table"]) :]:
            cards = self._cards(entry["cards"])
            name = self.names[entry["seat"]] if entry["seat"] is not None else _("God")
            texts = LAID if before["phase"] in ("turn", "sequence") else JUDGED
            lines.append(_(texts[entry["kind"]]).format(name=name, cards=cards))
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
            text = _("{name} draws {cards}.")
            lines.append(text.format(name=self.names[seat], cards=self._cards(new)))
        elif left == 1:
            size = now["hand_sizes"][seat]
            text = n_("{name} has {cards} card now.", "{name} has {cards} cards now.", size)
            lines.append(text.format(name=self.names[seat], cards=size))
        if now["packs"] > before["packs"]:
            lines.append(_("The stock was low: a further pack is shuffled in."))
        return lines

    def _prophets(self, before: Shown, now: Shown) -> list[str]:
        if before["prophet"] is None and now["prophet"] is not None:
            return [_("{name} is the Prophet from now on.").format(name=self.names[now["prophet"]])]
        if before["prophet"] is not None and now["prophet"] is None:
            return [_("God overthrows the Prophet {name}.").format(name=self.names[before["prophet"]])]
        return []

    def _ended(self, now: Shown) -> list[str]:
        out = [self.names[k] for k, size in enumerate(now["hand_sizes"]) if not size and k != now["god"]]
        reason = _(REASONS[now["end_reason"]]).format(names=together(out), turns=self.game.options.turn_cap)
        points = ", ".join(
            f"{name} {value}" for name, value in zip(self.names, now["round_scores"], strict=True)
        )
        rule = _("The rule was: {rule}").format(rule=self._rule(now["past_rules"][-1]))
        return [reason, rule, _("Points of the round: {points}.").format(points=points)]

    # Board --------------------------------------------------------------------------------------------------

    def _headline(self, now: Shown) -> str:
        if now["end_reason"]:
            text = _("Round {round} of {rounds}, God is {god}: over.")
        elif now["turn"] is not None:
            text = _("Round {round} of {rounds}, God is {god}; {name} to play.")
        else:
            text = _("Round {round} of {rounds}, God is {god}.")
        return text.format(
            round=now["round"] + 1,
            rounds=now["rounds"],
            god=self.names[now["god"]],
            name=self._turn(now),
        )

    def _progress(self, now: Shown) -> list[str]:
        o = self.game.options
        lines = []
        limit, played = o.sudden_death, now["played"]
        count = _("{cards} played")
        if now["prophet"] is not None:
            right, wrong = now["since_mark"]
            text = _("Prophet is {name}: since card {mark} {right} right and {wrong} wrong.")
            prophet = self.names[now["prophet"]]
            lines.append(text.format(name=prophet, mark=now["mark"], right=right, wrong=wrong))
            limit, played = o.prophet_sudden_death, right + wrong
            count = _("{cards} since his mark")
        state = _("sudden death") if now["sudden_death"] else _("sudden death after {limit}")
        text = _("Cards: {count}, {state}; {stock} in the stock.")
        return [
            *lines,
            text.format(
                count=count.format(cards=played), state=state.format(limit=limit), stock=now["stock"]
            ),
        ]

    def _counts(self, now: Shown) -> str:
        parts = []
        for seat, name in enumerate(self.names):
            if seat == now["god"]:
                continue
            out = _("(out)") if seat in now["expelled"] else ""
            note = _("(Prophet)") if seat == now["prophet"] else out
            parts.append(f"{name} {now['hand_sizes'][seat]} {note}".rstrip())
        return _("Hands: {hands}.").format(hands=", ".join(parts))

    def _sentences(self, now: Shown) -> list[str]:
        if not now["line"]:
            return [_("The line is empty.")]
        lines = [_("Line: {cards}.").format(cards=" ".join(self._marked(now)))]
        for place, below in self._below(now).items():
            last = card_name(now["line"][place], self.look.lang)
            text = _("Refused after card {number}, {last}: {cards}.")
            lines.append(
                text.format(number=place + 1, last=last, cards=_("; ").join(map(self._cards, below)))
            )
        for place, above in self._above(now).items():
            last = card_name(now["line"][place], self.look.lang)
            text = _("Unplayable after card {number}, {last}: {cards}.")
            lines += [text.format(number=place + 1, last=last, cards=self._sorted(hand)) for hand in above]
        return lines

    def _picture(self, now: Shown) -> list[str]:
        """The line in bands as wide as the screen; each card has its refusals in a column below it."""
        if not now["line"]:
            return [_("The line is empty.")]
        marked, below, above = self._marked(now), self._below(now), self._above(now)
        per_band = max(1, ((self.look.width or 100) - 1) // CELL)
        lines: list[str] = []
        for start in range(0, len(marked), per_band):
            places = range(start, min(start + per_band, len(marked)))
            lines.append("")
            for place in places:
                text = _("above {card}: {cards}")
                lines += [
                    text.format(card=marked[place], cards=self._sorted(hand)) for hand in above.get(place, ())
                ]
            lines.append("".join(pad(f" {marked[place]}", CELL) for place in places).rstrip())
            stacks = [_stack([self._names(cards) for cards in below.get(place, ())]) for place in places]
            for row in range(max(map(len, stacks))):
                cells = [stack[row] if row < len(stack) else "" for stack in stacks]
                lines.append("".join(pad(cell, CELL) for cell in cells).rstrip())
        text = (
            _("({white} each tenth card)")
            if now["prophet"] is None
            else _("({white} each tenth card, {mark} the Prophet's mark, {black} each tenth since)")
        )
        return [*lines, text.format(white=WHITE, mark=MARK, black=BLACK), ""]

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
        return self.names[now["turn"]] if now["turn"] is not None else _("nobody")

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
        return "  ".join(parts) or _("nothing")

    def _rule(self, text: str) -> str:
        if text == "human":
            return _("none, God judges himself.")
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
