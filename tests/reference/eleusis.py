"""Eleusis in plain Python, written from the rules page and played in lock-step with the core.

A round is a generator that stops wherever somebody or chance has to choose, so it reads like the rules. The
rule is interpreted card by card (eleusis_rule.py).
"""

import contextlib
import functools
import importlib.util
from collections import Counter
from pathlib import Path

from cardgods.rule import find_rule

spec = importlib.util.spec_from_file_location("eleusis_rule", Path(__file__).parent / "eleusis_rule.py")
language = importlib.util.module_from_spec(spec)
spec.loader.exec_module(language)

DONE, CLAIM, DECLARE, DECLINE, RIGHT, WRONG = range(52, 58)
STANDARD = {
    "players": 5,
    "players_min": 5,
    "rounds": 0,
    "god": -1,
    "rules": ("suit-or-rank", "four-answers", "suits-in-pairs", "spades-rise", "third-changes-suit"),
    "hand": 14,
    "packs": 2,
    "refill": "pack",
    "refill_at": 4,
    "packs_max": 20,
    "first": "lot",
    "extra_starters": 0,
    "max_sequence": 4,
    "wrong_penalty": 2,
    "claim_penalty": 5,
    "claim_relief": 4,
    "forced_card": "random",
    "expel_on_wrong_noplay": False,
    "sudden_death": 40,
    "prophet_sudden_death": 30,
    "count_starter": False,
    "prophet_penalty": 5,
    "keep_prophet_card": False,
    "prophet_after_out": False,
    "out_penalty": 8,
    "out_bonus": 4,
    "compensation": 10,
    "turn_cap": 200,
}

TINY = {"god": 0, "players": 3, "players_min": 3, "hand": 2, "rounds": 1, "turn_cap": 5, "packs_max": 3}
FEW = {"god": 0, "players": 4, "players_min": 4, "hand": 2, "rounds": 1, "turn_cap": 8, "claim_relief": 1}
VARIANTS = [
    {**FEW, "rules": ("not same(colour)",), "sudden_death": 3, "prophet_sudden_death": 2},
    {**FEW, "rules": ("human",), "sudden_death": 2, "keep_prophet_card": True, "packs_max": 2},
    {
        **FEW,
        "rules": ("same(suit) or same(rank)",),
        "prophet_after_out": True,
        "keep_prophet_card": True,
        "expel_on_wrong_noplay": True,
        "sudden_death": 0,
        "count_starter": True,
        "forced_card": "lowest",
        "first": "rank",
        "extra_starters": 2,
        "god": 3,
    },
    {**TINY, "rounds": 2, "rules": ("start: ace; red", "low"), "refill_at": 30, "packs": 1, "turn_cap": 3},
    {
        **TINY,
        "rules": ("start: king and red; odd", "red"),
        "refill": "end",
        "packs": 1,
        "hand": 25,
        "turn_cap": 2,
    },
    {**FEW, "players": 5, "rules": ("same(card, c2) or same(suit, c3) or rank > c3.rank xor last.rank > 5",)},
]
SMALL = [
    {**TINY, "hand": 1, "rules": ("red",), "turn_cap": 2, "max_sequence": 1, "claim_penalty": 1},
    {**TINY, "hand": 1, "rules": ("human",), "turn_cap": 1, "max_sequence": 1, "wrong_penalty": 0},
]
DEFAULT_IS_LONG = True  # tests/games/test_eleusis.py plays the standard game in lock-step, once
GAMES = 25
SMALL_NODES = 800


@functools.lru_cache(maxsize=100_000)
def right_after(text, line):
    rule = find_rule(text)
    mask = language.right(rule.start, rule.body, list(line))
    return frozenset(card for card in range(52) if mask >> card & 1)


class RoundOver(Exception):
    pass


class Model:
    def __init__(self, options):
        self.o = {**STANDARD, **options}
        self.n = self.o["players"]
        self.rounds = self.o["rounds"] or self.n
        self.scores = [0] * self.n
        self.knowledge = [()] * self.n
        self.gods = []
        self.over = False
        self.play = self.game()
        self.node = next(self.play)

    # The outside

    def actor(self):
        return -4 if self.over else self.node[0]

    def legal(self):
        return [] if self.over else sorted(self.node[1])

    def weights(self):
        return [self.node[1][outcome] for outcome in self.legal()]

    def apply(self, action):
        try:
            self.node = self.play.send(action)
        except StopIteration:
            self.over = True

    def returns(self):
        return self.scores

    def view(self):
        view = {"scores": self.scores, "packs": self.packs, "stock": self.stock.total() + self.bottom.total()}
        view["hands"] = [sorted(hand.elements()) for hand in self.hands]
        view["line"] = self.line
        view["table"] = [{"kind": k, "seat": seat, "cards": list(cards)} for k, seat, cards in self.table]
        view["played"] = self.played
        view["prophet"] = self.prophet
        view["expelled"] = sorted(self.expelled)
        view["mark"] = self.mark if self.prophet is not None else None
        view["since_mark"] = self.since if self.prophet is not None else None
        if not self.over:
            view["god"] = self.god
        return view

    # Choices and knowledge

    def chance(self, outcomes):
        return (yield -1, dict(outcomes))

    def ask(self, seat, actions):
        action = yield seat, list(actions)
        self.tell_all(("does", seat, action))
        return action

    def tell(self, seat, fact):
        self.knowledge = [(*k, fact) if p == seat else k for p, k in enumerate(self.knowledge)]

    def tell_all(self, fact):
        for seat in range(self.n):
            self.tell(seat, fact)

    # The game

    def game(self):
        first_card = None
        for number in range(self.rounds):
            if number:  # the table lies as it was until the next deal begins
                first_card = yield from self.chance(dict.fromkeys(range(52), self.o["packs"]))
            self.god = (self.o["god"] + number) % self.n
            self.gods.append(self.god)
            self.rule = self.o["rules"][number % len(self.o["rules"])]
            self.seekers = [(self.god + k) % self.n for k in range(1, self.n)]
            with contextlib.suppress(RoundOver):
                yield from self.round(first_card)
            self.score()
        if self.rounds < self.n:
            for seat in range(self.n):
                self.scores[seat] += self.o["compensation"] if seat not in self.gods else 0

    def score(self):
        sizes = {seat: self.hands[seat].total() for seat in self.seekers}
        points = {seat: max(sizes.values()) - size for seat, size in sizes.items()}
        for seat in self.seekers:
            if sizes[seat] == 0 and self.plays(seat):
                points[seat] += self.o["out_bonus"]
        if self.prophet is not None:
            points[self.prophet] += self.since[0] + 2 * self.since[1]
        points[self.god] = max(points.values())
        if self.prophet is not None:
            points[self.god] = min(points[self.god], 2 * self.mark)
        self.scores = [total + points[seat] for seat, total in enumerate(self.scores)]

    def round(self, first_card):
        self.packs = self.o["packs"]
        self.stock = Counter(dict.fromkeys(range(52), self.packs))
        self.bottom = Counter()
        self.hands = [Counter() for _ in range(self.n)]
        self.table, self.line = [], []
        self.played = self.turns = self.mark = 0
        self.since = [0, 0]
        self.prophet = None
        self.went_out = False
        self.expelled, self.have_been = set(), set()
        for seat in self.seekers:
            wanted = self.o["hand"]
            if first_card is not None and seat == self.seekers[0]:
                self.stock[first_card] -= 1
                self.refill()
                self.receive(seat, first_card)
                wanted -= 1
            yield from self.draw(seat, wanted)
        yield from self.starters()
        seat = yield from self.first()
        while True:
            yield from self.turn(seat)
            self.turns += 1
            waiting = [s for k in range(1, self.n + 1) if self.plays(s := (seat + k) % self.n)]
            if self.turns >= self.o["turn_cap"] or not waiting:
                return
            seat = waiting[0]

    def plays(self, seat):
        return seat in self.seekers and seat != self.prophet and seat not in self.expelled

    # Cards

    def take_from_stock(self):
        pile = self.stock if self.stock.total() else self.bottom
        if not pile.total():
            raise RoundOver
        card = yield from self.chance(+pile)
        pile[card] -= 1
        self.refill()
        return card

    def refill(self):
        left = self.stock.total() + self.bottom.total()
        if self.o["refill"] == "pack" and left <= self.o["refill_at"] and self.packs < self.o["packs_max"]:
            self.add_pack()

    def add_pack(self):
        self.stock.update(range(52))
        self.stock.update(self.bottom)
        self.bottom = Counter()
        self.packs += 1

    def draw(self, seat, count):
        for _ in range(count):
            card = yield from self.take_from_stock()
            self.receive(seat, card)

    def receive(self, seat, card):
        self.hands[seat][card] += 1
        self.tell(seat, ("draws", card))

    def hand(self, seat):
        return sorted((+self.hands[seat]).keys())

    def give_up(self, seat, card):
        self.hands[seat][card] -= 1

    # Start

    def human(self):
        return self.rule == "human"

    def right_cards(self):
        return right_after(self.rule, tuple(self.line))

    def starters(self):
        wanted = 1 + self.o["extra_starters"]
        while wanted:
            if not self.human() and not self.right_cards():
                return
            card = yield from self.take_from_stock()
            if self.human():
                for seat in range(self.n):
                    self.tell(seat, ("turned", card if seat == self.god else None))
                good = (yield from self.ask(self.god, (RIGHT, WRONG))) == RIGHT
            else:
                good = card in self.right_cards()
            if good:
                self.tell_all(("starter", card))
                self.table.append(("starter", None, [card]))
                self.line.append(card)
                self.played += self.o["count_starter"]
                wanted -= 1
                continue
            if not self.human():
                for seat in range(self.n):
                    self.tell(seat, ("refused", card if seat == self.god else None))
            self.bottom[card] += 1
            if not self.stock.total():
                if self.o["refill"] == "end" or self.packs == self.o["packs_max"]:
                    raise RoundOver
                self.add_pack()

    def first(self):
        if self.o["first"] == "lot":
            seat = yield from self.chance(dict.fromkeys(self.seekers, 1))
            self.tell_all(("first", seat))
            return seat
        rank = language.RANK[self.line[0]]
        return self.seekers[(rank - 1) % len(self.seekers)]

    # A turn

    def turn(self, seat):
        sudden = self.sudden_death()
        action = yield from self.ask(seat, [*self.hand(seat), CLAIM])
        expel = yield from self.claim(seat, sudden) if action == CLAIM else self.cards(seat, action, sudden)
        if expel:
            self.expelled.add(seat)
        out = not self.hands[seat].total()
        others = sum(self.plays(s) for s in self.seekers if s != seat)
        eligible = self.prophet is None and self.plays(seat) and seat not in self.have_been and others >= 2
        if out and not expel and not (self.o["prophet_after_out"] and eligible):
            raise RoundOver
        if not any(self.plays(s) for s in self.seekers):
            raise RoundOver
        if eligible:
            if (yield from self.ask(seat, (DECLARE, DECLINE))) == DECLARE:
                self.prophet, self.mark, self.since, self.went_out = seat, self.played, [0, 0], out
                self.have_been.add(seat)
            elif out:
                raise RoundOver

    def sudden_death(self):
        if self.prophet is None:
            return self.played >= self.o["sudden_death"]
        return self.played - self.mark >= self.o["prophet_sudden_death"]

    def overthrow(self):
        """The Prophet falls; who draws how much for it."""
        seat = self.prophet
        self.prophet = None
        return seat, self.o["out_penalty"] if self.went_out else self.o["prophet_penalty"]

    def god_says(self, truth):
        """God's verdict: the rule's, or what the human God answers."""
        answer = (yield from self.ask(self.god, (RIGHT, WRONG))) if self.human() else None
        verdict = truth() if answer is None else answer == RIGHT
        self.tell_all(("verdict", verdict))
        return verdict

    def cards(self, seat, card, sudden):
        laid = [card]
        self.give_up(seat, card)
        while len(laid) < self.o["max_sequence"]:
            card = yield from self.ask(seat, [*self.hand(seat), DONE])
            if card == DONE:
                break
            laid.append(card)
            self.give_up(seat, card)
        said = None
        if self.prophet is not None:
            said = (yield from self.ask(self.prophet, (RIGHT, WRONG))) == RIGHT
        good = yield from self.god_says(lambda: self.fits(laid))
        self.table.append(("right" if good else "wrong", seat, laid))
        self.played += len(laid)
        if good:
            self.line.extend(laid)
        if said is not None and said != good:
            fallen, cards = self.overthrow()
            yield from self.draw(fallen, cards)
            return False
        if self.prophet is not None:
            self.since[0 if good else 1] += len(laid)
        if good:
            return False
        yield from self.draw(seat, self.o["wrong_penalty"] * len(laid))
        return sudden

    def fits(self, laid):
        line = list(self.line)
        for card in laid:
            if card not in right_after(self.rule, tuple(line)):
                return False
            line.append(card)
        return True

    def claim(self, seat, sudden):
        shown = tuple(sorted(self.hands[seat].elements()))
        for other in range(self.n):
            if other != seat:
                self.tell(other, ("shown", shown))
        said = None
        if self.prophet is not None:
            said = (yield from self.ask(self.prophet, (RIGHT, WRONG))) == RIGHT
        true = yield from self.god_says(lambda: not self.right_cards() & set(self.hand(seat)))
        if true:
            self.table.append(("hand", seat, list(shown)))
            self.hands[seat] = Counter()
            fallen = self.overthrow() if said is False else None
            yield from self.draw(seat, max(0, len(shown) - self.o["claim_relief"]))
            if fallen:
                yield from self.draw(*fallen)
            return False
        if said is None:
            yield from self.force(seat)
            yield from self.draw(seat, self.o["claim_penalty"])
            return sudden and self.o["expel_on_wrong_noplay"]
        if said:
            fallen = self.overthrow()
            yield from self.force(seat)
            yield from self.draw(*fallen)
            return False
        return (yield from self.prophet_picks(seat, sudden))

    def prophet_picks(self, seat, sudden):
        pick = yield from self.ask(self.prophet, self.hand(seat))
        if (yield from self.god_says(lambda: pick in self.right_cards())):
            self.lay_forced(seat, pick)
            yield from self.draw(seat, self.o["claim_penalty"])
            return sudden and self.o["expel_on_wrong_noplay"]
        if self.o["keep_prophet_card"]:
            self.give_up(seat, pick)
            self.table.append(("wrong", seat, [pick]))
            self.played += 1
        fallen = self.overthrow()
        yield from self.force(seat, but=pick)
        yield from self.draw(*fallen)
        return False

    def force(self, seat, but=None):
        """God takes a right card of the shown hand to the line."""
        hand = self.hand(seat)
        if not hand:
            return
        if self.human():
            card = yield from self.ask(self.god, [c for c in hand if c != but] or hand)
        else:
            good = [card for card in hand if card in self.right_cards()]
            card = good[0]
            if self.o["forced_card"] == "random":
                card = yield from self.chance({card: self.hands[seat][card] for card in good})
                self.tell_all(("forced", card))
        self.lay_forced(seat, card)

    def lay_forced(self, seat, card):
        self.give_up(seat, card)
        self.table.append(("forced", seat, [card]))
        self.line.append(card)
        self.played += 1
        if self.prophet is not None:
            self.since[0] += 1
