"""What an analysis says: decisions, luck, and each seat's account."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Unit = Literal["wins", "points", "right"]
"""``wins``: shares of games won, a draw counting half. ``points``: points of the game. ``right``: chances of
being right, in Eleusis, where nobody can say what a card is worth before the rule is known."""
Mark = Literal["", "?!", "?", "??"]

MARKS: tuple[tuple[float, Mark], ...] = ((0.10, "??"), (0.05, "?"), (0.02, "?!"))
"""Least loss for each mark, in shares of games won; backgammon programs mark by steps like these."""
STEPS: Mapping[Unit, float] = {"wins": 1.0, "points": 5.0, "right": 5.0}
"""The least losses in the other units are so many times as large."""
SURE = 2.0
"""An estimated loss is only marked by how much it exceeds so many standard errors."""
ROUNDING = 1e-12
"""Worths closer than this are equal."""


@dataclass(frozen=True)
class Candidate:
    """A legal move and what it is worth to who may make it.

    Attributes:
        action: the move.
        worth: in the unit of the analysis.
        error: standard error of `worth`; None if it comes from no samples.
        exact: whether it comes from an exact solution.
    """

    action: int
    worth: float
    error: float | None = None
    exact: bool = False


@dataclass(frozen=True)
class Decision:
    """A decision that was not forced, judged by what its player knew.

    Attributes:
        step: number of the event, as ``cardgods replay --json`` counts records.
        player: who decided.
        action: what he chose.
        text: the same in English.
        best_text: the best move in English.
        moves: the moves compared, the best first.
        source: where their worths come from, in a few words.
        unit: unit of the worths.
        gave_away: True if the move turned a game that he would have won with all cards open into one that
            he would have lost; None where that is not known.
    """

    step: int
    player: int
    action: int
    text: str
    best_text: str
    moves: tuple[Candidate, ...]
    source: str
    unit: Unit
    gave_away: bool | None = None

    @property
    def best(self) -> Candidate:
        """The best move, and of equals the one that was chosen."""
        chosen, best = self.chosen, self.moves[0]
        return chosen if chosen.worth >= best.worth - ROUNDING else best

    @property
    def chosen(self) -> Candidate:
        """The move that was made."""
        return next(move for move in self.moves if move.action == self.action)

    @property
    def loss(self) -> float:
        """What the move gave up against the best one, 0 or more."""
        return max(self.best.worth - self.chosen.worth, 0.0)

    @property
    def exact(self) -> bool:
        """True if the worths are those of an exact solution."""
        return all(move.exact for move in self.moves)

    @property
    def error(self) -> float | None:
        """Standard error of the loss, as if the two estimates were independent; None if unknown."""
        if self.best is self.chosen:
            return 0.0
        errors = (self.best.error, self.chosen.error)
        return None if None in errors else math.hypot(*(error or 0.0 for error in errors))

    @property
    def mark(self) -> Mark:
        """``??``, ``?`` or ``?!`` for a large, a clear, a doubtful loss."""
        sure = self.loss - SURE * (self.error or 0.0)
        return next((mark for least, mark in MARKS if sure >= least * STEPS[self.unit] - ROUNDING), "")

    def to_dict(self) -> dict[str, Any]:
        """The decision in plain values."""
        return {
            "step": self.step,
            "player": self.player,
            "action": self.action,
            "text": self.text,
            "best": self.best.action,
            "best_text": self.best_text,
            "unit": self.unit,
            "worth": self.chosen.worth,
            "best_worth": self.best.worth,
            "loss": self.loss,
            "error": self.error,
            "exact": self.exact,
            "mark": self.mark,
            "gave_away": self.gave_away,
            "source": self.source,
            "moves": [[move.action, move.worth, move.error] for move in self.moves],
        }


@dataclass(frozen=True)
class Luck:
    """What chance did to the players.

    Attributes:
        first: first event of it, numbered as decisions are.
        last: last event of it.
        kind: ``chance`` for cards that came; ``bids`` for how bids met that were both drawn from mixtures;
            ``verdict`` for being right or wrong in the face of a chance.
        gains: what it brought to each player, in the unit of the analysis.
        errors: standard error of each gain; 0 if exact.
    """

    first: int
    last: int
    kind: Literal["chance", "bids", "verdict"]
    gains: tuple[float, ...]
    errors: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same in plain values."""
        return {
            "steps": [self.first, self.last],
            "kind": self.kind,
            "gains": list(self.gains),
            "errors": list(self.errors),
        }


@dataclass(frozen=True)
class Account:
    """One seat, added up.

    Attributes:
        player: the seat.
        name: its player.
        decisions: decisions that were judged.
        forced: those that had one legal move.
        unjudged: those that nothing is said of.
        loss: what the judged ones gave up, in sum.
        loss_error: standard error of that; None if one of them is unknown.
        marks: how many there are of each mark.
        gave_away: how often a game won with open cards was given away; None where that is not known.
        luck: what chance brought, in sum; None where it is not measured.
        luck_error: standard error of that.
        result: the result in the unit of the analysis; None if the game is not over or has no such result.
        adjusted: the result without the luck.
    """

    player: int
    name: str
    decisions: int
    forced: int
    unjudged: int
    loss: float
    loss_error: float | None
    marks: Mapping[str, int]
    gave_away: int | None
    luck: float | None
    luck_error: float | None
    result: float | None

    @property
    def adjusted(self) -> float | None:
        """The result without the luck."""
        return None if self.result is None or self.luck is None else self.result - self.luck

    def to_dict(self) -> dict[str, Any]:
        """The account in plain values."""
        return {
            "player": self.player,
            "name": self.name,
            "decisions": self.decisions,
            "forced": self.forced,
            "unjudged": self.unjudged,
            "loss": self.loss,
            "loss_error": self.loss_error,
            "marks": dict(self.marks),
            "gave_away": self.gave_away,
            "luck": self.luck,
            "luck_error": self.luck_error,
            "result": self.result,
            "adjusted": self.adjusted,
        }


@dataclass(frozen=True)
class Analysis:
    """A game that was looked through.

    Attributes:
        game: the game, in words.
        log: tag of the log, which names it and all that is in it.
        unit: of worths, losses and luck.
        seats: an account for each.
        decisions: those that were judged, in their order.
        luck: what chance did, in its order.
        value: exact worth of the game to player 0 before anything happened; None where it is not known.
        complete: whether the game is over.
    """

    game: str
    log: bytes
    unit: Unit
    seats: tuple[Account, ...]
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    value: float | None
    complete: bool

    def to_dict(self) -> dict[str, Any]:
        """The analysis in plain values, for JSON."""
        return {
            "game": self.game,
            "log": self.log.hex(),
            "complete": self.complete,
            "unit": self.unit,
            "value": self.value,
            "seats": [account.to_dict() for account in self.seats],
            "decisions": [decision.to_dict() for decision in self.decisions],
            "luck": [luck.to_dict() for luck in self.luck],
        }
