"""L'Encan d'Hermès in plain Python, written from the rules page and played in lock-step with the core."""

from fractions import Fraction

STANDARD = {
    "cards": tuple(range(2, 15)),
    "target": 20,
    "obole": True,
    "tie": "carry",
    "payoff": "win",
    "treasure_order": "random",
    "tie_break": "cascade",
}

VARIANTS = [
    {},
    {"cards": tuple(range(8, 15)), "target": 30, "obole": False},
    {"cards": tuple(range(8, 15)), "target": 30},
    {"target": None},
    {"tie": "discard", "target": None, "obole": False, "tie_break": "draw"},
    {"tie": "split", "target": 25, "payoff": "points"},
    {"tie": "split", "tie_break": "second", "target": None},
    {"cards": (1, 3, 9, 27), "treasure_order": "ascending", "target": 31},
    {"cards": tuple(range(1, 14)), "treasure_order": "descending", "payoff": "points", "obole": False},
    {"cards": (5,), "target": None},
    {"cards": (1, 2), "target": 1},
]

SMALL = [
    {"cards": (1, 2, 3), "target": 4, "obole": True},
    {"cards": (1, 2, 3), "target": None, "obole": False, "tie": "split"},
    {"cards": (2, 5, 7), "target": None, "treasure_order": "descending", "obole": True},
]


class Model:
    """The table: purses, burnt piles, treasures, scores; actions are numbered as the core does."""

    def __init__(self, options):
        self.o = {**STANDARD, **options}
        cards = list(self.o["cards"])
        self.hand = [list(cards), list(cards)]
        self.burnt = [[], []]
        self.pile = list(cards)
        self.treasure = None
        self.score = [Fraction(0), Fraction(0)]
        self.carry = Fraction(0)
        self.used = [False, False]
        self.passed = [False, False]
        self.sealed = None
        self.last = None
        self.over = False
        self.window = False
        self.knowledge = [(), ()]
        self._new_turn()

    # Turns

    def _new_turn(self):
        target = self.o["target"]
        if (target is not None and max(self.score) >= target) or not self.pile:
            self.over = True
        elif self.o["treasure_order"] == "ascending":
            self._reveal(min(self.pile))
        elif self.o["treasure_order"] == "descending":
            self._reveal(max(self.pile))

    def _reveal(self, value):
        self.pile.remove(value)
        self.treasure = value
        self.passed = [False, False]
        self.window = True
        self._close_window()

    def _may_call(self, player):
        return self.o["obole"] and not self.used[player] and bool(self.burnt[player])

    def _speaker(self):
        return next((p for p in (0, 1) if self._may_call(p) and not self.passed[p]), None)

    def _close_window(self):
        if self._speaker() is None:
            self.window = False

    # The contract

    def actor(self):
        if self.over:
            return -4
        if self.treasure is None:
            return -1
        if self.window:
            return self._speaker()
        return 0 if self.sealed is None else 1

    def legal(self):
        cards = list(self.o["cards"])
        actor = self.actor()
        if actor == -4:
            return []
        if actor == -1:
            return [cards.index(v) for v in sorted(self.pile)]
        if self.window:
            return [len(cards), len(cards) + 1]
        return [cards.index(v) for v in sorted(self.hand[actor])]

    def weights(self):
        return [1] * len(self.pile)

    def apply(self, action):
        cards = list(self.o["cards"])
        if self.actor() == -1:
            self._tell(action)
            self._reveal(cards[action])
        elif self.window:
            self._tell(action)
            self._speak(action == len(cards) + 1)
        elif self.sealed is None:
            self.sealed = cards[action]
            self.knowledge[0] = (*self.knowledge[0], ("own bid", action))
        else:
            bids = (self.sealed, cards[action])
            self.sealed = None
            self._tell(("bids", *bids))
            self._settle(bids)

    def _tell(self, fact):
        self.knowledge = [(*seen, fact) for seen in self.knowledge]

    def _speak(self, call):
        player = self._speaker()
        if call:
            card = min(self.burnt[player])
            self.burnt[player].remove(card)
            self.hand[player].append(card)
            self.used[player] = True
            self.passed = [False, False]
        else:
            self.passed[player] = True
        self._close_window()

    def _settle(self, bids):
        lot = self.carry + self.treasure
        for p in (0, 1):
            self.hand[p].remove(bids[p])
            self.burnt[p].append(bids[p])
        self.treasure = None
        if bids[0] == bids[1]:
            self.last = None
            if self.o["tie"] == "carry":
                self.carry = lot
            elif self.o["tie"] == "split":
                self.score = [s + lot / 2 for s in self.score]
        else:
            self.last = 0 if bids[0] > bids[1] else 1
            self.score[self.last] += lot
            self.carry = Fraction(0)
        self._new_turn()

    # Results

    def winner(self):
        a, b = self.score
        if a != b:
            return 0 if a > b else 1
        if self.o["tie_break"] == "draw":
            return None
        if self.o["tie_break"] == "second":
            return 1
        if self.last is not None:
            return self.last
        return 0 if sum(self.hand[0]) > sum(self.hand[1]) else 1

    def returns(self):
        if self.o["payoff"] == "points":
            gain = float(self.score[0] - self.score[1])
            return [gain, -gain]
        winner = self.winner() if self.over else None
        return [0.0, 0.0] if winner is None else [1.0 if p == winner else -1.0 for p in (0, 1)]

    def view(self):
        return {
            "treasure": self.treasure,
            "carry": self.carry,
            "treasures_left": sorted(self.pile),
            "hands": [sorted(h) for h in self.hand],
            "burnt": [sorted(b) for b in self.burnt],
            "scores": self.score,
            "obole": [self.o["obole"] and not used for used in self.used],
            "sealed_bid": self.sealed,
            "last_winner": self.last,
        }
