"""La Guerre des Trois Trônes: moves over sampled deals, what open cards say of them, greedy playouts."""

from __future__ import annotations

from cardgods._core.state import State
from cardgods.analysis.judge import Judge
from cardgods.errors import ParameterError, SolveError
from cardgods.game import Game
from cardgods.games.trones import FRONTS, TronesGame
from cardgods.log import ChanceOutcome, Log, standing
from cardgods.solve.trones import at_state, deck_from_seed, solve_deal


class TronesJudge(Judge):
    """What a move was worth to who did not see the other hand, and what it did to the deal as it lay.

    Args:
        game: the game.
        log: its record, which knows the pile.
    """

    quick = True

    def __init__(self, game: TronesGame, log: Log) -> None:
        super().__init__(game, log.tag)
        self._drawn_at: list[tuple[int, int]] = []
        for at, event in enumerate(standing(log.records)):
            if isinstance(event, ChanceOutcome):
                self._drawn_at.append((at, event.outcome))
        self._rest = self._undrawn(game, log)

    def gave_away(self, at: int, state: State, action: int) -> bool | None:
        """Solved with all cards open; None if it depends on cards of the pile that nobody saw."""
        pile = [card for when, card in self._drawn_at if when >= at] + self._rest
        try:
            position = at_state(state, pile)
        except SolveError:
            return None
        solution = solve_deal(position, line=False)
        if solution.winner != state.current_player():
            return False
        return divmod(action, FRONTS) not in solution.winning_moves

    def _undrawn(self, game: TronesGame, log: Log) -> list[int]:
        """What is left of the pile at the end, if the deal came from a seed that is known."""
        drawn = [card for _, card in self._drawn_at]
        if log.header.seed is None:
            return []
        try:
            deck = deck_from_seed(game, log.header.seed)
        except ParameterError:
            return []
        return deck[len(drawn) :] if deck[: len(drawn)] == drawn else []


def judge(game: Game, log: Log, stored: str | None) -> TronesJudge:
    """The judge; see :func:`cardgods.analysis.judge.judge_for`."""
    assert isinstance(game, TronesGame)
    return TronesJudge(game, log)
