"""Commerce: moves over sampled worlds; cards that come by games that everybody plays on quickly."""

from __future__ import annotations

from cardgods._core.games.commerce_quick import QuickPlay
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.agents.commerce import threshold_for
from cardgods.analysis.judge import Judge, Worth
from cardgods.game import Game
from cardgods.log import Log

GAMES = 10_000
"""Games played on from a position."""


class CommerceJudge(Judge):
    """The search that gives hints, and quick play."""

    def __init__(self, game: Game, key: bytes) -> None:
        super().__init__(game, key)
        self._quick = QuickPlay(game.new_initial_state(True), threshold_for(game.num_players()))

    def sampled(self, state: State) -> Worth:
        """The mean of many games that are played on quickly."""
        means, errors = zip(*self._quick.values(state, GAMES, self.rng(), Cancel()), strict=True)
        return means, errors


def judge(game: Game, log: Log, stored: str | None) -> CommerceJudge:
    """The judge; see :func:`cardgods.analysis.judge.judge_for`."""
    return CommerceJudge(game, log.tag)
