"""A seeker and Prophet of Eleusis that believes every rule of a declared space as the board leaves it.

All rules of the space that agree with the table are counted and the shortest followed, see
:mod:`cardgods.rule.inference`. Cards are played for what they bring in expectation: a right card is one card
less, a wrong one two more, and what is learnt shortens the round.
"""

from collections.abc import Sequence

from cardgods._core.rng import Random
from cardgods.agents.eleusis._seat import CLAIM, DONE, EleusisAgent, View
from cardgods.agents.eleusis.greedy import GreedyAgent
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.rule.belief import Belief
from cardgods.rule.inference import entropy

CURIOSITY = 0.5
"""Cards that a bit of information is worth."""
PROPHECY = (35.0, 25.0, 16.0)
"""Points: the bonus of a true Prophet (the mean in bench/eleusis_agents.py), what a false one loses, and what
waiting is worth; the last two hold the chance of becoming a true Prophet later, and fit that bench best."""
EXPULSION = 6.0
"""Cards that it costs to be expelled, beside the penalty."""


class SolverAgent(EleusisAgent):
    """Plays by what the whole space of rules says.

    Args:
        daring: 1 to declare when the expected score says so; more to declare sooner, less to wait.
        longest: most cards of a sequence.
    """

    def __init__(self, daring: float, longest: int) -> None:
        self._longest = longest
        self._belief = Belief()
        self._daring = daring
        self._instinct = GreedyAgent()

    def believe(self, view: View) -> Belief | None:
        """What the table says; None if no rule of the space agrees with it."""
        self._belief.tell(view["table"])
        return self._belief if self._belief.behaviours else None

    def first_card(self, view: View, player: int, rng: Random) -> int:
        """The card that brings most in expectation, or the claim."""
        belief = self.believe(view)
        if belief is None:
            return self._instinct.first_card(view, player, rng)
        hand: list[int] = list(view["hands"][player])
        curiosity = 0.0 if view["sudden_death"] else CURIOSITY
        chances = belief.chances()
        value = {
            card: self._value(view, chances[card], 1) + curiosity * entropy(chances[card])
            for card in set(hand)
        }
        for cards, chance in belief.sequences(hand, self._longest):
            value[cards[0]] = max(value[cards[0]], self._value(view, chance, len(cards)))
        none = belief.none_right(hand)
        best = max(value.values())
        if 4 * none - 4 * (1 - none) > best:
            return CLAIM
        return rng.choice(sorted(card for card in value if value[card] == best))

    def next_card(self, view: View, player: int, rng: Random) -> int:
        """A further card while that brings more."""
        belief = self.believe(view)
        laid: list[int] = list(view["laid"])
        hand: Sequence[int] = sorted(set(view["hands"][player]))
        if belief is None or not hand:
            return DONE
        chance = {card: belief.chance([*laid, card]) for card in hand}
        best = max(hand, key=lambda card: chance[card])
        now = self._value(view, belief.chance(laid), len(laid))
        return best if self._value(view, chance[best], len(laid) + 1) > now else DONE

    def _value(self, view: View, chance: float, cards: int) -> float:
        """Cards got rid of in expectation."""
        penalty = 0.0 if view["prophet"] is not None and not view["sudden_death"] else 2.0 * cards
        return chance * cards - (1 - chance) * (penalty + (EXPULSION if view["sudden_death"] else 0.0))

    def wants_prophecy(self, view: View, player: int) -> bool:
        """If a Prophet's points outweigh the risk, and he is not about to go out."""
        belief = self.believe(view)
        if belief is None or view["hand_sizes"][player] <= 2:
            return False
        true, false, seeker = PROPHECY
        return belief.certainty * true - (1 - belief.certainty) * false > seeker / self._daring

    def calls_right(self, view: View) -> bool:
        """What most of his belief says."""
        belief = self.believe(view)
        return self._instinct.calls_right(view) if belief is None else belief.chance(view["laid"]) >= 0.5

    def believes_claim(self, view: View, shown: list[int]) -> bool:
        """What most of his belief says."""
        belief = self.believe(view)
        if belief is None:
            return self._instinct.believes_claim(view, shown)
        return belief.none_right(shown) >= 0.5

    def best_of(self, view: View, shown: list[int]) -> int:
        """The card that is likeliest right."""
        belief = self.believe(view)
        if belief is None:
            return self._instinct.best_of(view, shown)
        chances = belief.chances()
        return max(sorted(set(shown)), key=lambda card: chances[card])


def make(game: Game, *, daring: float = 1.0) -> SolverAgent:
    """The agent.

    Args:
        game: the game.
        daring: 1 to become Prophet when the expected score says so; more to do so sooner, less to wait.

    Raises:
        ParameterError: if it is not positive.
    """
    if not 0 < daring < 100:
        raise ParameterError(f"agent 'solver', parameter daring: {daring} is not within 0..100")
    return SolverAgent(daring, int(game.options.max_sequence))
