"""Hints for seekers and Prophets: chances by all rules of the standard space that agree with the table.

They come from what lies on the table for all to see, so they tell nothing that the player could not work out.
"""

from cardgods._core.state import State
from cardgods.agents._hints import Hint
from cardgods.agents.eleusis._seat import CLAIM, DECLARE, DECLINE, DONE, RIGHT, WRONG
from cardgods.rule.belief import Belief
from cardgods.rule.inference import entropy


def hints(state: State, player: int) -> list[Hint]:
    """All moves of a seeker or Prophet by their chance to be right; none for God, who knows.

    See :func:`cardgods.agents._hints.hints`.
    """
    view = state.view(player)
    phase = str(view["phase"])
    if phase.startswith("god"):
        return []
    belief = Belief()
    belief.tell(view["table"])
    if not belief.behaviours:
        return []
    found = [
        _hint(belief, view["laid"], view["hands"], view["turn"], move) for move in state.legal_actions(player)
    ]
    return sorted(found, key=lambda hint: -hint.estimate)


def _hint(belief: Belief, laid: list[int], hands: list[list[int]], turn: int, move: int) -> Hint:
    if move < DONE:
        chance = belief.chance([*laid, move])
        what = f"chance to be right; the verdict tells {entropy(chance):.2f} bits"
        return Hint(move, chance, what)
    if move == DONE:
        return Hint(move, belief.chance(laid), "chance that what is laid is right")
    if move == CLAIM:
        return Hint(move, belief.none_right(hands[turn]), "chance that no card of the hand is right")
    if move in (DECLARE, DECLINE):
        chance = belief.certainty if move == DECLARE else 1 - belief.certainty
        what = "belief in" if move == DECLARE else "belief that it is not"
        return Hint(move, chance, f"{what}: {belief.best.text if belief.best else ''}")
    right = belief.chance(laid) if laid else belief.none_right(hands[turn])
    return Hint(move, right if move == RIGHT else 1 - right, "chance that this is God's word")


__all__ = ["WRONG", "hints"]
