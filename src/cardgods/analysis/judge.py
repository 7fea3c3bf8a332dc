"""Who says what moves and positions are worth: one judge for a game, a finer one for the games that have it.

A game's own judge is a module of its name here with a function ``judge(game, log, key, stored) -> Judge``.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Sequence
from statistics import fmean, stdev

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods._core.walk import Cancel, playouts
from cardgods.agents._hints import hints
from cardgods.analysis.records import Candidate, Luck, Unit
from cardgods.game import Game
from cardgods.log import Log

BATCHES = 16
"""Batches of playouts whose spread gives the standard error of their mean."""
GAMES = 640
"""Playouts in a batch."""

Worth = tuple[tuple[float, ...], tuple[float, ...]]
"""What a position is worth to each player, and the standard errors; 0 if exact."""


class Judge:
    """Says what moves and positions are worth, by search and by random playouts.

    Args:
        game: the game.
        key: gives the random numbers.

    Attributes:
        unit: unit of all worths.
    """

    quick = False
    """Playouts follow the game's quick heuristic."""

    def __init__(self, game: Game, key: bytes) -> None:
        self.game = game
        self._key = key
        self._drawn = 0
        wins = (game.min_utility(), game.max_utility()) == (-1.0, 1.0)
        self.unit: Unit = "wins" if wins else "points"

    def candidates(self, state: State, player: int) -> tuple[list[Candidate], str] | None:
        """The moves of a player by what he knows, and where their worths come from; None if that is unknown.

        Args:
            state: turn-based, with the player on turn.
            player: who decides.
        """
        found = hints(state, player)
        if not found:
            return None
        return [Candidate(hint.action, hint.estimate, hint.error, hint.exact) for hint in found], found[
            0
        ].detail

    def worth(self, state: State) -> Worth | None:
        """What a position is worth to each player, all cards known; None if there is no measure of that."""
        if state.is_terminal():
            return self.result(state), (0.0,) * state.num_players()
        return self.sampled(state)

    def sampled(self, state: State) -> Worth:
        """The mean of many playouts."""
        rng, cancel = self.rng(), Cancel()
        means = []
        for _ in range(BATCHES):
            _, sums, _ = playouts(state, GAMES, rng, cancel, quick=self.quick)
            means.append([self.of_return(total / GAMES) for total in sums])
        seats = list(zip(*means, strict=True))
        return tuple(map(fmean, seats)), tuple(stdev(seat) / math.sqrt(BATCHES) for seat in seats)

    def rng(self) -> Random:
        """New random numbers, the same for the same log."""
        self._drawn += 1
        return Random(self._key, self._drawn)

    def of_return(self, value: float) -> float:
        """A return in the unit of this judge."""
        return (value + 1) / 2 if self.unit == "wins" else value

    def result(self, state: State) -> tuple[float, ...]:
        """What every player got, at the end of a game."""
        return tuple(map(self.of_return, state.returns()))

    def start(self, state: State) -> float | None:
        """The exact worth of a game to player 0; None if it is not known."""
        return None

    def watch(self, step: int, before: State, action: int, after: State) -> Luck | None:
        """Luck other than that of cards that come; called for every decision, forced ones too.

        Args:
            step: number of the event.
            before: the state in which it happened.
            action: what was chosen.
            after: the state that it led to.
        """
        return None

    def gave_away(self, at: int, state: State, action: int) -> bool | None:
        """Whether a move lost a game that was won with open cards; see :class:`Decision`.

        Args:
            at: how many events had happened.
            state: the state of the decision.
            action: the move.
        """
        return None


def judge_for(game: Game, log: Log, stored: str | None = None) -> Judge:
    """The judge of a game.

    Args:
        game: the game.
        log: its record.
        stored: file with a solution; None for what lies where ``cardgods solve encan --store`` puts it.

    Raises:
        ParameterError: if a solution is given that is not this game's.
        SolveError: if it cannot be read.
    """
    own = f"cardgods.analysis.{game.name}"
    if importlib.util.find_spec(own) is None:
        return Judge(game, log.tag)
    made: Judge = importlib.import_module(own).judge(game, log, stored)
    return made


def differences(after: Worth, before: Worth) -> tuple[Sequence[float], Sequence[float]]:
    """What changed for each player, and its standard errors."""
    gains = [a - b for a, b in zip(after[0], before[0], strict=True)]
    return gains, list(map(math.hypot, after[1], before[1]))
