"""What to believe of a rule while a round goes on: behaviours with shares, and what each play would bring."""

import functools
import math
from collections.abc import Iterable, Sequence

from cardgods.rule.inference import Behaviour, Entry, Inference, entropy
from cardgods.rule.rule import Rule
from cardgods.rule.space import Space

SEPARATION = 1.0
"""How much it counts, beside the information, that a card tells the two likeliest behaviours apart."""
HASTE = 0.3
"""Share of the plays that doubt over information suggests which are in fact needed to be certain."""


@functools.lru_cache(maxsize=32)
def _inferred(
    table: tuple[tuple[str, tuple[int, ...]], ...], space: Space | None, hints: tuple[str, ...]
) -> tuple[list[int], tuple[Behaviour, ...]]:
    # Players at one table see the same cards, so they may share the work.
    found = Inference([{"kind": kind, "cards": cards} for kind, cards in table], space, hints)
    return found.line, found.behaviours


class Belief:
    """The behaviours that are still possible, by what lies on the table and by guesses that God refused.

    Args:
        space: the rules that are thought possible; the standard space by default.
        hints: names of hints that God gave.

    Attributes:
        behaviours: what is possible, likeliest first; the shares make 1.
        line: the cards of the main line.
    """

    def __init__(self, space: Space | None = None, hints: Sequence[str] = ()) -> None:
        self._space = space
        self._hints = tuple(hints)
        self._refused: list[tuple[tuple[int, ...], bytes]] = []
        self.line: list[int] = []
        self.behaviours: tuple[Behaviour, ...] = ()

    def tell(self, table: Sequence[Entry]) -> None:
        """All that lies on the table now."""
        key = tuple((str(entry["kind"]), tuple(entry["cards"])) for entry in table)
        self.line, behaviours = _inferred(key, self._space, self._hints)
        self._keep(behaviours)

    def refuse(self, behaviour: Behaviour) -> None:
        """God says that a behaviour, from the present line on, is not his rule's."""
        if behaviour.machine is not None:
            self._refused.append((tuple(self.line), behaviour.machine.future(behaviour.state)))
        self._keep(other for other in self.behaviours if other is not behaviour)

    def _keep(self, behaviours: Iterable[Behaviour]) -> None:
        kept = [each for each in behaviours if not self._was_refused(each)]
        total = sum(each.share for each in kept)
        self.behaviours = tuple(
            Behaviour(b.rule, b.share / total, b.spellings, b.machine, b.state, b.now) for b in kept
        )

    def _was_refused(self, behaviour: Behaviour) -> bool:
        machine = behaviour.machine
        return machine is not None and any(
            machine.future(machine.run(line)) == future for line, future in self._refused
        )

    @property
    def best(self) -> Rule | None:
        """The shortest rule with the likeliest behaviour, or None if nothing agrees with the table."""
        return self.behaviours[0].rule if self.behaviours else None

    @property
    def certainty(self) -> float:
        """Share of the likeliest behaviour."""
        return self.behaviours[0].share if self.behaviours else 0.0

    def chances(self) -> list[float]:
        """Probability of each of the 52 cards to be right next."""
        chances = [0.0] * 52
        for behaviour in self.behaviours:
            now = behaviour.now
            while now:
                low = now & -now
                chances[low.bit_length() - 1] += behaviour.share
                now ^= low
        return [min(1.0, p) for p in chances]

    def chance(self, cards: Sequence[int]) -> float:
        """Probability that all cards of a sequence are right."""
        return min(1.0, sum(b.share for b in self.behaviours if accepts(b, cards)))

    def none_right(self, cards: Iterable[int]) -> float:
        """Probability that none of some cards is right next."""
        mask = sum(1 << card for card in set(cards))
        return min(1.0, sum(b.share for b in self.behaviours if not b.now & mask))

    def sequences(
        self, hand: Sequence[int], longest: int, width: int = 8
    ) -> list[tuple[tuple[int, ...], float]]:
        """Sequences from a hand with their chances, the likeliest of each length kept: a beam.

        Args:
            hand: the cards, a card twice if it is held twice.
            longest: most cards of a sequence.
            width: sequences of each length that are carried on.
        """
        found: list[tuple[tuple[int, ...], float]] = []
        beam: list[tuple[int, ...]] = [()]
        for _ in range(longest):
            longer = {(*cards, card) for cards in beam for card in set(hand) if _holds(hand, (*cards, card))}
            scored = sorted(((cards, self.chance(cards)) for cards in longer), key=lambda s: (-s[1], s[0]))
            found += scored[:width]
            beam = [cards for cards, chance in scored[:width] if chance > 0]
        return found

    def gain(self, cards: Sequence[int]) -> float:
        """Information, in bits, that God's verdict on a sequence brings."""
        return entropy(self.chance(cards))

    def worth(self, card: int) -> float:
        """What there is to learn from a card: information, and whether it parts the likeliest behaviours."""
        right = wrong = p = 0.0
        for behaviour in self.behaviours:
            if behaviour.now >> card & 1:
                right = right or behaviour.share
                p += behaviour.share
            else:
                wrong = wrong or behaviour.share
        return entropy(min(1.0, p)) + SEPARATION * (right + wrong)

    def experiment(self, hand: Iterable[int]) -> int:
        """The card of a hand that there is most to learn from, the lowest of equals."""
        return max(sorted(set(hand)), key=self.worth)

    def ripe(self, hand: Iterable[int], left: int, price: float) -> bool:
        """Whether naming the likeliest behaviour now pays.

        It wins the plays that it would take to be certain, and costs the price if it is wrong.

        Args:
            hand: cards from which the next experiment would come.
            left: plays left.
            price: what a wrong guess costs, in plays.
        """
        if not self.behaviours:
            return False
        chances = self.chances()
        gain = max((entropy(chances[card]) for card in set(hand)), default=0.0)
        plays = min(left, max(1.0, HASTE * self.doubt / max(gain, 0.02)))
        return self.certainty * plays >= price * (1 - self.certainty)

    @property
    def doubt(self) -> float:
        """Entropy of the behaviours, in bits."""
        return -sum(b.share * math.log2(b.share) for b in self.behaviours if b.share > 0)


def accepts(behaviour: Behaviour, cards: Sequence[int]) -> bool:
    """Whether a behaviour calls a sequence right; its first card alone if the rule has no machine."""
    if behaviour.machine is None:
        return bool(behaviour.now >> cards[0] & 1)
    return behaviour.machine.run(cards, behaviour.state) >= 0


def _holds(hand: Sequence[int], cards: Sequence[int]) -> bool:
    return all(cards.count(card) <= hand.count(card) for card in cards)
