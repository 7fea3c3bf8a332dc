"""What the agents of Eleusis share: the numbers of the actions, and the part of God.

A seat decides by ``State.view(player)`` alone, so it knows what a person there would know.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.games.eleusis import CLAIM, DECLARE, DECLINE, DONE, RIGHT, WRONG
from cardgods.rule import parse_rule

View = Mapping[str, Any]
GODS_OWN = "same(suit) or same(rank)"
"""The rule by which an agent judges if it is made to play a human God."""


class EleusisAgent(ABC):
    """A seat: God's questions are answered here, a seeker's and a Prophet's by the subclass."""

    def choose(self, state: State, player: int, rng: Random) -> int:
        """The action of the phase."""
        view = state.view(player)
        legal = state.legal_actions(player)
        phase = view["phase"]
        if phase.startswith("god"):
            return self.as_god(view, phase, legal)
        if phase == "turn":
            return self.first_card(view, player, rng)
        if phase == "sequence":
            return self.next_card(view, player, rng)
        if phase == "prophecy":
            return DECLARE if self.wants_prophecy(view, player) else DECLINE
        if phase == "judge":
            return RIGHT if self.calls_right(view) else WRONG
        shown = view["hands"][view["turn"]]
        if phase == "judge_claim":
            return RIGHT if self.believes_claim(view, shown) else WRONG
        return self.best_of(view, shown)

    def as_god(self, view: View, phase: str, legal: list[int]) -> int:
        """Judge by one rule throughout."""
        rule = parse_rule(GODS_OWN)
        right = rule.right(()) if not view["line"] else _right_from(rule.text, view["line"])
        shown = view["hands"][view["turn"]] if view["turn"] is not None else []
        if phase == "god_starter":
            return RIGHT
        if phase == "god_judge":
            return RIGHT if _all_right(rule.text, view["line"], view["laid"]) else WRONG
        if phase == "god_claim":
            return WRONG if any(right >> card & 1 for card in shown) else RIGHT
        if phase == "god_pick_judge":
            return RIGHT if right >> view["picked"] & 1 else WRONG
        return next((card for card in legal if right >> card & 1), legal[0])

    @abstractmethod
    def first_card(self, view: View, player: int, rng: Random) -> int:
        """A card of the hand, or CLAIM."""

    @abstractmethod
    def next_card(self, view: View, player: int, rng: Random) -> int:
        """A further card for the sequence, or DONE."""

    @abstractmethod
    def wants_prophecy(self, view: View, player: int) -> bool:
        """Whether to become Prophet now."""

    @abstractmethod
    def calls_right(self, view: View) -> bool:
        """The Prophet's word on the cards laid."""

    @abstractmethod
    def believes_claim(self, view: View, shown: list[int]) -> bool:
        """The Prophet's word on a claim, the hand being shown."""

    @abstractmethod
    def best_of(self, view: View, shown: list[int]) -> int:
        """The card of a shown hand that is most likely right."""


def _right_from(text: str, line: list[int]) -> int:
    """Right cards after a line that the rule itself may call wrong: from the last card alone."""
    return parse_rule(text).program.right(line)


def _all_right(text: str, line: list[int], laid: list[int]) -> bool:
    cards = list(line)
    for card in laid:
        if not _right_from(text, cards) >> card & 1:
            return False
        cards.append(card)
    return True


__all__ = ["CLAIM", "DECLARE", "DECLINE", "DONE", "RIGHT", "WRONG", "EleusisAgent", "View"]
