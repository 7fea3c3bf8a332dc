"""Commerce in plain Python, written from the rules page and played in lock-step with the core."""

from itertools import combinations

NOTHING, POINT, SEQUENCE, TRICON = range(4)


def points(card):
    rank = card % 13
    return 11 if rank == 12 else min(rank + 2, 10)


def strength(hand):
    """A tuple that compares as the hands do: category, then total or rank, then number of cards."""
    ranks = sorted(card % 13 for card in hand)
    if len(set(ranks)) == 1:
        return (TRICON, ranks[0], 3)
    by_suit = {}
    for card in hand:
        by_suit.setdefault(card // 13, []).append(card)
    if len(by_suit) == 1:
        if ranks in ([r, r + 1, r + 2] for r in range(11)):
            return (SEQUENCE, ranks[2], 3)
        if ranks == [0, 1, 12]:
            return (SEQUENCE, 1, 3)
    totals = [(POINT, sum(map(points, cards)), len(cards)) for cards in by_suit.values() if len(cards) > 1]
    return max(totals, default=(NOTHING, 0, 0))


def settle(hands):
    """Points that each wins or loses at a showdown, antes left out; hands in order from the dealer on."""
    n = len(hands)
    strengths = [strength(hand) for hand in hands]
    winner = strengths.index(max(strengths))
    gains = [0] * n
    gains[winner] += n
    if winner != 0:
        if strengths[0][0] == strengths[winner][0]:
            gains = [gain + 1 for gain in gains]
            gains[0] -= n
        else:
            gains[winner] += 1
            gains[0] -= 1
    return winner, gains


def all_deals(cards, sizes):
    """Every way to deal hands of these sizes from the cards."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in all_deals(rest, sizes[1:]):
            yield (hand, *others)


BUY, TRADE, KNOCK = 52, 53, 54
STANDARD = {"players": 3, "deals": None, "trade_cap": None, "suits": 4, "ranks": 13}

VARIANTS = [
    {},
    {"players": 3, "deals": 1, "trade_cap": 3, "suits": 3, "ranks": 4},
    {"players": 3, "suits": 2, "ranks": 5, "deals": 4, "trade_cap": 2},
    {"players": 5, "suits": 4, "ranks": 4, "deals": 2, "trade_cap": 1},
    {"players": 12, "deals": 1},
]

SMALL = [
    {"players": 3, "suits": 2, "ranks": 5, "deals": 1, "trade_cap": 1},
    {"players": 3, "suits": 1, "ranks": 11, "deals": 2, "trade_cap": 2},
]


class Model:
    """The table: hands, stock, piles, balances; actions are numbered as the core does."""

    def __init__(self, options):
        o = {**STANDARD, **options}
        self.n = o["players"]
        self.deals = self.n if o["deals"] is None else o["deals"]
        self.cap = 3 * self.n if o["trade_cap"] is None else o["trade_cap"]
        self.pack = [13 * s + r for s in range(o["suits"]) for r in range(13 - o["ranks"], 13)]
        self.hands = [[] for _ in range(self.n)]
        self.rejected = [[] for _ in range(self.n)]
        self.stock = list(self.pack)
        self.balances = [0] * self.n
        self.pot = 0
        self.dealer = self.turn = None
        self.to_deal = []
        self.stage = "lot"
        self.offer = None
        self.trades = 0
        self.settled = 0
        self.last = (None, None, None)
        self.knowledge = [() for _ in range(self.n)]

    # The contract

    def actor(self):
        if self.stage == "over":
            return -4
        if self.stage in ("lot", "deal", "draw"):
            return -1
        return self.left() if self.stage == "reply" else self.turn

    def left(self):
        return (self.turn + 1) % self.n

    def legal(self):
        if self.stage == "over":
            return []
        if self.stage == "lot":
            return list(range(self.n))
        if self.stage == "deal" and len(self.to_deal) == 3 * self.n:
            return list(self.pack)
        if self.stage in ("deal", "draw"):
            return sorted(self.stock)
        if self.stage == "turn":
            return [BUY, TRADE, KNOCK]
        return sorted(self.hands[self.actor()]) + [KNOCK] * (self.stage == "reply")

    def weights(self):
        return [1] * len(self.legal())

    def apply(self, action):
        getattr(self, "_" + self.stage)(action)
        assert sum(self.balances) + self.pot == 0

    def _lot(self, player):
        self._tell_all(("lot", player))
        self.dealer = player
        self._pass_deal()

    def _pass_deal(self):
        self.stage = "deal"
        self.to_deal = [(self.dealer + 1 + i) % self.n for i in range(3 * self.n)]

    def _deal(self, card):
        if len(self.to_deal) == 3 * self.n:
            self.hands = [[] for _ in range(self.n)]
            self.rejected = [[] for _ in range(self.n)]
            self.stock = list(self.pack)
            self.balances = [b - 1 for b in self.balances]
            self.pot = self.n
        player = self.to_deal.pop(0)
        self._tell(("dealt", player), card, {player})
        self.stock.remove(card)
        self.hands[player].append(card)
        if not self.to_deal:
            self.turn = (self.dealer + 1) % self.n
            self.stage = "turn"

    def _turn(self, action):
        self._tell_all(("turn", action))
        if action == KNOCK:
            self._settle("knock", self.turn)
        else:
            self.stage = "discard" if action == BUY else "offer"

    def _discard(self, card):
        self._tell("discard", card, {self.turn})
        self.hands[self.turn].remove(card)
        self.rejected[self.turn].append(card)
        self.balances[self.turn] -= 1
        self.balances[self.dealer] += 1
        self.stage = "draw"

    def _draw(self, card):
        self._tell("draw", card, {self.turn})
        self.stock.remove(card)
        self.hands[self.turn].append(card)
        self.trades = 0
        if not self.stock:
            self._settle("stock", None)
        else:
            self._next()

    def _offer(self, card):
        self._tell("offer", card, {self.turn})
        self.offer = card
        self.stage = "reply"

    def _reply(self, action):
        giver, taker = self.turn, self.left()
        if action == KNOCK:
            self._tell_all(("refused", taker))
            self._settle("refusal", taker)
            return
        self._tell("returned", (self.offer, action), {giver, taker})
        self.hands[giver].remove(self.offer)
        self.hands[taker].remove(action)
        self.hands[giver].append(action)
        self.hands[taker].append(self.offer)
        self.offer = None
        self.trades += 1
        if self.trades == self.cap:
            self._settle("cap", None)
        else:
            self._next()

    def _next(self):
        self.turn = self.left()
        self.stage = "turn"

    def _settle(self, reason, knocker):
        order = [(self.dealer + i) % self.n for i in range(self.n)]
        winner, gains = settle([self.hands[p] for p in order])
        for player, gain in zip(order, gains, strict=True):
            self.balances[player] += gain
        self.pot = 0
        self._tell_all(("shown", *(tuple(sorted(hand)) for hand in self.hands)))
        self.last = (reason, knocker, order[winner])
        self.turn = self.offer = None
        self.trades = 0
        self.settled += 1
        if self.settled == self.deals:
            self.stage = "over"
        else:
            self.dealer = (self.dealer + 1) % self.n
            self._pass_deal()

    def _tell(self, event, card, players):
        self.knowledge = [
            (*seen, (event, card if p in players else None)) for p, seen in enumerate(self.knowledge)
        ]

    def _tell_all(self, fact):
        self.knowledge = [(*seen, fact) for seen in self.knowledge]

    # Results

    def returns(self):
        return [float(balance) for balance in self.balances]

    def view(self):
        return {
            "phase": self.stage,
            "deal": min(self.settled + 1, self.deals),
            "dealer": self.dealer,
            "turn": self.turn,
            "pot": self.pot,
            "balances": self.balances,
            "stock": len(self.stock),
            "hands": [sorted(hand) for hand in self.hands],
            "rejected": [sorted(cards) for cards in self.rejected],
            "bought": [len(cards) for cards in self.rejected],
            "trades": self.trades,
            "offer": self.offer,
            "last_reason": self.last[0],
            "last_knocker": self.last[1],
            "last_winner": self.last[2],
            "winners": [p for p, b in enumerate(self.balances) if b == max(self.balances)]
            if self.stage == "over"
            else None,
        }
