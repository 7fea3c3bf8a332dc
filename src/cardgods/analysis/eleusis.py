"""Eleusis: chances of being right, by all rules of the standard space that agree with the table.

What a card is worth in points cannot be said before the rule is known, so nothing is: a loss is a chance of
being right that was given up, and luck is being right, or wrong, in the face of one. To lay an unlikely card
for what its verdict tells is no mistake; marks here point at such moves, and who made them knows why.
"""

from __future__ import annotations

from typing import Any

from cardgods._core.state import State
from cardgods.analysis.judge import Judge, Worth
from cardgods.analysis.records import Candidate, Luck
from cardgods.game import Game
from cardgods.games.eleusis import CLAIM, DONE
from cardgods.log import Log
from cardgods.rule.belief import Belief

JUDGED = ("turn", "judge", "judge_claim")
"""Phases whose moves are right or wrong: cards, a claim to have none, and a Prophet's verdicts."""
CLAIMS = ("judge_claim", "god_claim")
"""Phases in which a claim waits for its verdict."""


class EleusisJudge(Judge):
    """Beliefs about the rule."""

    def __init__(self, game: Game, key: bytes) -> None:
        super().__init__(game, key)
        self.unit = "right"

    def candidates(self, state: State, player: int) -> tuple[list[Candidate], str] | None:
        """Cards and claims by their chance to be right."""
        return super().candidates(state, player) if state.view(player)["phase"] in JUDGED else None

    def worth(self, state: State) -> Worth | None:
        """Nothing."""
        return None

    def watch(self, step: int, before: State, action: int, after: State) -> Luck | None:
        """What the verdict on cards or a claim was, against its chance."""
        view, now = before.view(), after.view()
        belief = Belief()
        if _was_judged(view, now):
            laid = [*view["laid"], *([action] if action < DONE else [])]
            right, chance = now["table"][-1]["kind"] == "right", belief.chance
        elif _was_claimed(view, now, action):
            laid = view["hands"][view["turn"]]
            right, chance = now["verdict"] == "right", belief.none_right
        else:
            return None
        belief.tell(view["table"])
        if not belief.behaviours:
            return None
        gains = [0.0] * before.num_players()
        gains[view["turn"]] = right - chance(laid)
        return Luck(step, step, "verdict", tuple(gains), (0.0,) * len(gains))


def _was_judged(view: dict[str, Any], now: dict[str, Any]) -> bool:
    return len(now["table"]) > len(view["table"]) and now["table"][-1]["kind"] in ("right", "wrong")


def _was_claimed(view: dict[str, Any], now: dict[str, Any], action: int) -> bool:
    claims = view["claim"] if view["phase"] in CLAIMS else view["phase"] == "turn" and action == CLAIM
    return claims and now["phase"] not in CLAIMS


def judge(game: Game, log: Log, stored: str | None) -> EleusisJudge:
    """The judge; see :func:`cardgods.analysis.judge.judge_for`."""
    return EleusisJudge(game, log.tag)
