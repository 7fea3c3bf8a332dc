"""L'Encan d'Hermès: exact wherever a solution is at hand or quickly found.

A bid is judged against the opponent's optimal mixture. What the two bids of a turn bring beyond that, because
both are drawn and these two met, is luck. So for a game that is solved whole

    result = value + luck of the treasures + luck of the bids + losses of the opponent - own losses,

to the last digit (M. Zinkevich et al., "Optimal Unbiased Estimators for Evaluating Agent Performance", AAAI
2006, with the exact values in place of a guess).
"""

from __future__ import annotations

from pathlib import Path

from cardgods._core.games.encan import EncanState
from cardgods._core.state import State
from cardgods.agents.encan._hints import QUICK_TURNS, ranked
from cardgods.analysis.judge import Judge, Worth, differences
from cardgods.analysis.records import Candidate, Luck
from cardgods.errors import ParameterError, SolveError
from cardgods.game import Game
from cardgods.games.encan import EncanGame
from cardgods.log import Log
from cardgods.solve.encan import EncanSolution, EncanStrategy, default_path, load_solution, plan, solve

MANY_CARDS = 12
"""From so many cards on, even counting the work of the whole game takes seconds."""
AFFORDABLE = 5_000_000
"""Matrix games that are solved for an analysis: a few seconds."""


class EncanJudge(Judge):
    """Optimal play, from a solution of the game or of the positions near its end.

    Args:
        game: the game.
        key: gives the random numbers of what is estimated.
        solution: the solved game, if there is one.
    """

    def __init__(self, game: EncanGame, key: bytes, solution: EncanSolution | None) -> None:
        super().__init__(game, key)
        self._solution = solution
        self._first_bid: tuple[int, State, int] | None = None

    def candidates(self, state: State, player: int) -> tuple[list[Candidate], str] | None:
        """Moves by their worth against optimal play; by search where that is not known."""
        assert isinstance(state, EncanState)
        strategy = self._strategy(state)
        if strategy is None:
            return super().candidates(state, player)
        found = ranked(strategy, state, player)
        moves = [Candidate(hint.action, hint.estimate, 0.0, hint.exact) for hint in found]
        return sorted(moves, key=lambda move: -move.worth), "optimal play"

    def worth(self, state: State) -> Worth | None:
        """The value, or the mean of playouts where it is not known."""
        assert isinstance(state, EncanState)
        strategy = None if state.is_terminal() else self._strategy(state)
        if strategy is None:
            return super().worth(state)
        value = strategy.value
        return (value, 1 - value if self.unit == "wins" else -value), (0.0, 0.0)

    def start(self, state: State) -> float | None:
        """The value of the game."""
        assert isinstance(state, EncanState)
        strategy = self._strategy(state)
        return None if strategy is None else strategy.value

    def watch(self, step: int, before: State, action: int, after: State) -> Luck | None:
        """How the two bids of a turn met, if it is known what they are worth."""
        assert isinstance(before, EncanState)
        if before.view()["phase"] != "bid":
            return None
        if before.current_player() == 0:
            self._first_bid = step, before, action
            return None
        if self._first_bid is None or self._strategy(before) is None:
            return None
        first, state, bid = self._first_bid
        now, then = self.worth(after), self.worth(state)
        assert now is not None
        assert then is not None
        gains, errors = differences(now, then)
        lost = self._loss(state, 0, bid) - self._loss(state, 1, action)
        return Luck(first, step, "bids", (gains[0] + lost, gains[1] - lost), tuple(errors))

    def _loss(self, state: State, player: int, action: int) -> float:
        assert isinstance(state, EncanState)
        strategy = self._strategy(state)
        assert strategy is not None
        worths = {hint.action: hint.estimate for hint in ranked(strategy, state, player)}
        return max(worths.values()) - worths[action]

    def _strategy(self, state: EncanState) -> EncanStrategy | None:
        if self._solution is None:
            self._solution = self._affordable(state)
        return None if self._solution is None else self._solution.strategy(state)

    def _affordable(self, state: EncanState) -> EncanSolution | None:
        game = state.game
        assert isinstance(game, EncanGame)
        turns = len(state.view()["treasures_left"])
        if turns >= QUICK_TURNS and len(game.options.cards) >= MANY_CARDS:
            return None
        try:
            work = plan(game, position=state)
            return solve(work) if work.matrix_games <= AFFORDABLE else None
        except SolveError:
            return None


def judge(game: Game, log: Log, stored: str | None) -> EncanJudge:
    """The judge; see :func:`cardgods.analysis.judge.judge_for`."""
    assert isinstance(game, EncanGame)
    path = default_path(game) if stored is None else Path(stored)
    if stored is None and not path.exists():
        return EncanJudge(game, log.tag, None)
    solution = load_solution(path)
    if solution.game != game:
        raise ParameterError(f"{path} holds the solution of {solution.game}, not of {game}")
    return EncanJudge(game, log.tag, solution)
