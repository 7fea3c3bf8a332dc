"""A seeker and Prophet of Eleusis that keeps a bank of rules and strikes out what the board refutes."""

from cardgods._core.rng import Random
from cardgods._core.rule.bank import Bank
from cardgods.agents import Agent
from cardgods.agents.eleusis._seat import CLAIM, DONE, EleusisAgent, View
from cardgods.agents.eleusis.greedy import GreedyAgent
from cardgods.game import Game
from cardgods.rule.generate import bank

BITS_PER_NODE = 0.7
"""A rule is believed less, by this many bits, for each node of its tree."""
SURE = 0.9
"""Belief from which a further card of a sequence is laid, and from which he prophesies."""
EXPERIENCE = 10
"""Judgements that lie on the table before he trusts his bank to hold the rule at all."""
CURIOSITY = 0.15
"""What it is worth to him to learn from a card whose verdict is open."""


class DeduceAgent(EleusisAgent):
    """Believes the rules of a bank that agree with the table, simple ones more.

    Args:
        size: how many draws the bank is made of.
    """

    def __init__(self, size: int) -> None:
        rules = bank(size)
        self._bank = Bank(
            [r.machine for r in rules if r.machine], [2 ** -(BITS_PER_NODE * r.size) for r in rules]
        )
        self._told: list[object] = []
        self._instinct = GreedyAgent()

    def follow(self, view: View) -> float:
        """Tell the bank what lies on the table; the total weight of the rules that agree."""
        table = view["table"]
        if self._told[1:] != table[: len(self._told) - 1] or self._told[:1] != [view["round"]]:
            self._bank.reset()
            self._told = [view["round"]]
        for entry in table[len(self._told) - 1 :]:
            cards = entry["cards"]
            if entry["kind"] == "wrong":
                self._bank.tell_wrong(cards)
            elif entry["kind"] == "hand":
                self._bank.tell_none_right(sum(1 << card for card in set(cards)))
            else:
                self._bank.tell_right(cards)
            self._told.append(entry)
        return self._bank.votes()[0]

    def first_card(self, view: View, player: int, rng: Random) -> int:
        """The card that is likeliest right, or worth asking about; or the claim."""
        total = self.follow(view)
        if not total:
            return self._instinct.first_card(view, player, rng)
        hand: list[int] = sorted(set(view["hands"][player]))
        none = self._bank.support_none(sum(1 << card for card in hand)) / total
        chance = {card: self._bank.support([card]) / total for card in hand}
        best = max(chance.values())
        if none > 0.7 or (view["sudden_death"] and best < 0.6):
            return CLAIM
        if view["sudden_death"] or view["prophet"] is not None:
            value = chance
        else:
            value = {card: p + CURIOSITY * min(p, 1 - p) for card, p in chance.items()}
        top = max(value.values())
        return rng.choice([card for card in hand if value[card] == top])

    def next_card(self, view: View, player: int, rng: Random) -> int:
        """The card that keeps the sequence likeliest, while he is sure of it."""
        total = self.follow(view)
        if not total:
            return DONE
        laid = view["laid"]
        hand: list[int] = sorted(set(view["hands"][player]))
        chance = {card: self._bank.support([*laid, card]) / total for card in hand}
        best = max(hand, key=lambda card: chance[card], default=None)
        wanted = 0.97 if view["sudden_death"] else SURE
        return DONE if best is None or chance[best] < wanted else best

    def wants_prophecy(self, view: View, player: int) -> bool:
        """If one rule has nearly all belief, much was seen, and he is not about to go out."""
        total = self.follow(view)
        alive = self._bank.alive()
        judged = sum(entry["kind"] != "starter" for entry in view["table"])
        if not total or judged < EXPERIENCE or view["hand_sizes"][player] <= 2:
            return False
        return max(self._bank.belief(k) for k in alive) / total >= SURE

    def calls_right(self, view: View) -> bool:
        """What most of his belief says."""
        total = self.follow(view)
        if not total:
            return self._instinct.calls_right(view)
        return self._bank.support(view["laid"]) >= total / 2

    def believes_claim(self, view: View, shown: list[int]) -> bool:
        """What most of his belief says."""
        total = self.follow(view)
        if not total:
            return self._instinct.believes_claim(view, shown)
        return self._bank.support_none(sum(1 << card for card in set(shown))) >= total / 2

    def best_of(self, view: View, shown: list[int]) -> int:
        """The card with most belief."""
        total, votes = self.follow(view), self._bank.votes()[1]
        if not total:
            return self._instinct.best_of(view, shown)
        return max(sorted(set(shown)), key=lambda card: votes[card])


def make(game: Game, *, size: int = 1500) -> Agent:
    """The agent.

    Args:
        game: the game.
        size: how many draws its bank of rules is made of.
    """
    return DeduceAgent(max(0, min(size, 20000)))
