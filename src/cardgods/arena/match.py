"""A match while it is played: its games go to the tally, to a log and to whoever wants to see them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple, Self

from cardgods import log as logs
from cardgods.arena.plan import Dealer, Plan
from cardgods.arena.pool import check_threads, outcomes
from cardgods.arena.record import Outcome, Scribe, plan_from
from cardgods.arena.referee import Referee
from cardgods.arena.sprt import SprtResult
from cardgods.arena.tally import Duel, SeatStanding, Standing, Tally, plain
from cardgods.errors import AgentError
from cardgods.game import Game
from cardgods.log import TornTailError
from cardgods.log.reader import shown as shown_path

Progress = Callable[[int, int], None]
"""Called now and then with the number of games played and of all."""


class PlayedGame(NamedTuple):
    """A game of a match.

    Attributes:
        number: of the game, from 0.
        deal: number of its deal, from 0.
        names: of the entrant on each seat.
        returns: what each seat won.
        end: why the game ended, a short word.
    """

    number: int
    deal: int
    names: tuple[str, ...]
    returns: tuple[float, ...]
    end: str


Watcher = Callable[[PlayedGame], None]
"""Called with every game of a match, in order."""


@dataclass(frozen=True)
class MatchResult:
    """What a match has come to.

    Attributes:
        game: what was played.
        seed: fixes all of it.
        games: how many were played.
        deals: how many deals by all their line-ups; intervals that respect the deals come from these.
        standings: each entrant, in the order of the match.
        seats: each seat, whoever sat there.
        duels: every two entrants, if two play.
        ends: why games ended -> how many did so, most frequent first.
        sprt: the sequential test, if there was one.
    """

    game: Game
    seed: int | str
    games: int
    deals: int
    standings: tuple[Standing, ...]
    seats: tuple[SeatStanding | None, ...]
    duels: tuple[Duel, ...]
    ends: dict[str, int]
    sprt: SprtResult | None

    def to_dict(self) -> dict[str, Any]:
        """The result in plain values, without infinities, as JSON takes them."""
        return {
            "game": self.game.name,
            "variant": self.game.variant,
            "options": self.game.parameters(),
            "digest": self.game.ruleset_digest(),
            "seed": self.seed,
            "games": self.games,
            "deals": self.deals,
            "standings": plain(self.standings),
            "seats": plain(self.seats),
            "duels": [{**plain(duel), "score": duel.score} for duel in self.duels],
            "ends": self.ends,
            "sprt": plain(self.sprt),
        }


class _AgentTraceback(Exception):
    """Where an agent failed, perhaps in another process."""


class Match:
    """A match that is played, or goes on. Use it as a context manager.

    Args:
        plan: what it is to be.
        log: a new file for an archive of all games (:mod:`cardgods.log.archive`).
        overwrite: replace an archive that is there.
        watcher: sees every game.

    Attributes:
        plan: what it is to be.
        aside: of a match that was resumed: the file that took the torn end of its log. Else None.

    Raises:
        ParameterError: if an agent cannot be made.
        LogWriteError: if the log cannot be begun.
    """

    aside: str | None = None
    _archive: logs.ArchiveWriter | None = None

    def __init__(
        self,
        plan: Plan,
        *,
        log: str | os.PathLike[str] | None = None,
        overwrite: bool = False,
        watcher: Watcher | None = None,
    ) -> None:
        self._begin(plan, watcher, logged=log is not None)
        if log is not None:
            self._archive = logs.ArchiveWriter(log, overwrite=overwrite)

    def _begin(self, plan: Plan, watcher: Watcher | None, *, logged: bool) -> None:
        self.plan = plan
        self._watcher = watcher
        self._tally = Tally(plan)
        # Whatever is wrong with an agent shows here, before there is a file.
        self._referee = Referee(plan, logged=logged)

    @classmethod
    def resume(cls, path: str | os.PathLike[str], *, watcher: Watcher | None = None) -> Self:
        """Go on with a match from its log, a torn end of which is copied aside and cut off.

        Args:
            path: the log.
            watcher: sees every game, those that were played before too.

        Raises:
            AgentError: if the match had ended because an agent failed.
            ParameterError: if it is the log of no match, or an agent's maker is not known.
            LogError: if it is damaged, in use or of another version, or holds no whole game.
        """
        match = cls.__new__(cls)
        archive = logs.ArchiveWriter.resume(path)
        try:
            match._take_over(path, watcher)
        except BaseException:
            archive.close()
            raise
        match._archive, match.aside = archive, archive.aside
        return match

    def _take_over(self, path: str | os.PathLike[str], watcher: Watcher | None) -> None:
        """Take in the games of a log."""
        name, scribe = shown_path(path), None
        for entry in logs.archive_entries(path):
            log = logs.parse_log(entry.data, f"{name}, log {entry.number}")
            if scribe is None:
                self._begin(plan_from(log, name), watcher, logged=True)
                scribe = Scribe(self.plan, Dealer(self.plan))
            self._take(scribe.outcome(log, entry.number, name))
        if scribe is None:
            raise TornTailError(
                f"{name} holds no whole game yet: begin the match again, with --overwrite", None, 0, 0
            )

    @property
    def games(self) -> int:
        """How many games have been played."""
        return self._tally.games

    def run(self, threads: int = 1, progress: Progress | None = None) -> MatchResult:
        """Play what is left.

        Args:
            threads: how many games are played at once.
            progress: told of the games played.

        Raises:
            ParameterError: if there is no thread.
            AgentError: if an agent fails or plays what is not legal.
            LogWriteError: if the log cannot be written.
        """
        check_threads(threads)
        if self._over:
            return self.result()
        work = outcomes(self._referee, self._tally.games, threads)
        try:
            for outcome in work:
                if self._archive is not None:
                    assert outcome.log is not None
                    self._archive.add(outcome.log)
                if outcome.failure is not None:
                    raise AgentError(outcome.failure) from _AgentTraceback(outcome.trace)
                self._take(outcome)
                if progress is not None:
                    progress(self._tally.games, self.plan.games)
                if self._over:
                    break
        finally:
            work.close()
        return self.result()

    @property
    def _over(self) -> bool:
        """True if nothing is left to play: all games, or what the test wants to know."""
        return self._tally.games == self.plan.games or self._tally.decided

    def _take(self, outcome: Outcome) -> None:
        if self._watcher is not None:
            number = self._tally.games
            names = tuple(self.plan.entrants[entrant].name for entrant in self.plan.lineup(number))
            self._watcher(
                PlayedGame(number, number // len(self.plan.lineups), names, outcome.returns, outcome.end)
            )
        self._tally.add(outcome)

    def result(self) -> MatchResult:
        """What the games so far come to."""
        plan, tally = self.plan, self._tally
        return MatchResult(
            plan.game,
            plan.seed,
            tally.games,
            tally.deals,
            tally.standings(),
            tally.seats(),
            tally.duels(),
            dict(sorted(tally.ends.items(), key=lambda item: (-item[1], item[0]))),
            tally.sprt(),
        )

    def close(self) -> None:
        """Give the log free."""
        if self._archive is not None:
            self._archive.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
