"""A seeker of Eleusis that plays what has mostly been right so far, feature by feature."""

import math

from cardgods._core.rng import Random
from cardgods.agents import Agent
from cardgods.agents.eleusis._seat import CLAIM, DONE, EleusisAgent, View
from cardgods.game import Game
from cardgods.rule.vocabulary import ATTRIBUTES, rank_of

GIVE_UP = 0.1
"""Below this chance of the best card he says that he cannot play."""


class GreedyAgent(EleusisAgent):
    """Lays one card at a time, the likeliest by naive Bayes over simple features; never a Prophet."""

    def first_card(self, view: View, player: int, rng: Random) -> int:
        """The likeliest card, ties by lot; the claim if all look hopeless."""
        chances = self.chances(view)
        hand: list[int] = sorted(set(view["hands"][player]))
        best = max(chances[card] for card in hand)
        if best < GIVE_UP and len(view["table"]) > 8:
            return CLAIM
        return rng.choice([card for card in hand if chances[card] == best])

    def next_card(self, view: View, player: int, rng: Random) -> int:
        """He does not risk a second card."""
        return DONE

    def wants_prophecy(self, view: View, player: int) -> bool:
        """Never."""
        return False

    def calls_right(self, view: View) -> bool:
        """Whether each card looks more right than wrong."""
        chances = self.chances(view)
        return all(chances[card] >= 0.5 for card in view["laid"])

    def believes_claim(self, view: View, shown: list[int]) -> bool:
        """Whether no card of the hand looks right."""
        chances = self.chances(view)
        return all(chances[card] < 0.5 for card in shown)

    def best_of(self, view: View, shown: list[int]) -> int:
        """The likeliest card."""
        chances = self.chances(view)
        return max(sorted(set(shown)), key=lambda card: chances[card])

    def chances(self, view: View) -> list[float]:
        """Chance of each card to be right, from what was right and wrong after the cards before."""
        counts = {True: 1.0, False: 1.0}
        seen: dict[tuple[bool, int, object], float] = {}
        line: list[int] = []
        for entry in view["table"]:
            good = entry["kind"] in ("right", "forced")
            if good or (entry["kind"] == "wrong" and len(entry["cards"]) == 1):
                for card in entry["cards"]:
                    counts[good] += 1
                    for place, value in enumerate(_features(line[-1], card)):
                        key = good, place, value
                        seen[key] = seen.get(key, 0.0) + 1
                    if good:
                        line.append(card)
            elif entry["kind"] == "starter":
                line += entry["cards"]
        last = [*line, *view["laid"]][-1]
        return [_chance(counts, seen, _features(last, card)) for card in range(52)]


def _chance(
    counts: dict[bool, float], seen: dict[tuple[bool, int, object], float], features: tuple[object, ...]
) -> float:
    odds = math.log(counts[True] / counts[False])
    for place, value in enumerate(features):
        good = (seen.get((True, place, value), 0.0) + 1) / (counts[True] + 1)
        bad = (seen.get((False, place, value), 0.0) + 1) / (counts[False] + 1)
        odds += math.log(good / bad)
    return 1 / (1 + math.exp(-odds))


def _features(last: int, card: int) -> tuple[object, ...]:
    """Simple properties of a card and of its relation to the last one."""
    step = rank_of(card) - rank_of(last)
    same = tuple(ATTRIBUTES[name][card] == ATTRIBUTES[name][last] for name in ("suit", "colour", "parity"))
    own = (ATTRIBUTES["suit"][card], rank_of(card) % 2, rank_of(card) > 7, rank_of(card) > 10)
    return (*same, *own, (step > 0) - (step < 0), min(abs(step), 4), ATTRIBUTES["colour"][card])


def make(game: Game) -> Agent:
    """The agent; it takes no parameters."""
    return GreedyAgent()
