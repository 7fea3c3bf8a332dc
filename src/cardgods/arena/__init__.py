"""Matches: agents play many games on duplicate deals, and what comes of it is told with its uncertainty.

    result = run_match(load_game("trones"), ["greedy", "random"], 1000, seed=7)
    print(result.standings[0].score, result.standings[0].score_interval)

Each deal is played by every rotation of the seats, so that nobody is better off by his cards or his seat.
A match depends on its seed alone: not on the number of threads, and not on interruptions if it is logged.
docs/arena.md tells the statistics.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cardgods import log as logs
from cardgods.agents import AgentSpec
from cardgods.arena.plan import AgentFactory, Entrant, Plan, entrants_of, rotations
from cardgods.arena.pool import outcomes
from cardgods.arena.referee import Referee
from cardgods.arena.tally import Duel, SeatStanding, Standing, Tally, plain
from cardgods.errors import AgentError, ParameterError, shown
from cardgods.game import Game

__all__ = [
    "AgentFactory",
    "Duel",
    "Entrant",
    "MatchResult",
    "Plan",
    "SeatStanding",
    "Standing",
    "run_match",
]

Progress = Callable[[int, int], None]
"""Called now and then with the number of games played and of all."""


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
    """

    game: Game
    seed: int | str
    games: int
    deals: int
    standings: tuple[Standing, ...]
    seats: tuple[SeatStanding | None, ...]
    duels: tuple[Duel, ...]
    ends: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The result in plain values, without infinities, as JSON takes them."""
        return {
            "game": self.game.name,
            "variant": self.game.variant,
            "digest": self.game.ruleset_digest(),
            "seed": self.seed,
            "games": self.games,
            "deals": self.deals,
            "standings": plain(self.standings),
            "seats": plain(self.seats),
            "duels": [{**plain(duel), "score": duel.score} for duel in self.duels],
            "ends": self.ends,
        }


def run_match(
    game: Game,
    agents: Sequence[str | AgentSpec | AgentFactory],
    games: int,
    *,
    names: Sequence[str] | None = None,
    seed: int | str | None = None,
    threads: int = 1,
    log: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Let agents play a match.

    Args:
        game: what they play.
        agents: one for each player: specs such as ``"pimc:worlds=64"``, or functions that make an agent for
            the game. An agent plays many games, but has to choose as if each were its first.
        games: how many games, rounded to nothing: if they are no multiple of the rotations, the last deal is
            played by some of them only, and counts in the plain rates alone.
        names: what the agents are called; by default their specs.
        seed: fixes all deals and all random numbers; drawn if it is None.
        threads: how many games are played at once. Agents from specs get processes of their own for it,
            those from functions threads of this process, which only helps if they release the GIL.
        log: a new file for an archive of all games (:mod:`cardgods.log.archive`).
        overwrite: replace an archive that is there.
        progress: told of the games played.

    Raises:
        ParameterError: if there are not as many agents as players, or one of the values is wrong.
        AgentError: if an agent fails or plays what is not legal; the message says which, in which game, and
            the log ends with that game.
        LogWriteError: if the log cannot be written.
        KeyboardInterrupt: at Ctrl-C; the log holds the games so far.
    """
    entrants = entrants_of(agents, names)
    if len(entrants) != game.num_players():
        raise ParameterError(f"{game} has {game.num_players()} players, {len(entrants)} agents are given")
    seed = secrets.randbelow(1 << 53) if seed is None else seed
    plan = Plan(game, entrants, rotations(len(entrants)), games, seed)
    _check_threads(threads)
    # Whatever is wrong with an agent shows here, before there is a file.
    referee = Referee(plan, logged=log is not None)
    if log is None:
        return _played(referee, Tally(plan), threads, None, progress)
    with logs.ArchiveWriter(log, overwrite=overwrite) as archive:
        return _played(referee, Tally(plan), threads, archive, progress)


def _check_threads(threads: int) -> None:
    if type(threads) is not int or threads < 1:
        raise ParameterError(f"{shown(threads)} threads: at least one is needed")


def _played(
    referee: Referee,
    tally: Tally,
    threads: int,
    archive: logs.ArchiveWriter | None,
    progress: Progress | None,
) -> MatchResult:
    """Play what is left of a match."""
    plan = referee.plan
    work = outcomes(referee, tally.games, threads)
    try:
        for outcome in work:
            if archive is not None:
                assert outcome.log is not None
                archive.add(outcome.log)
            if outcome.failure is not None:
                raise AgentError(outcome.failure)
            tally.add(outcome)
            if progress is not None:
                progress(tally.games, plan.games)
    finally:
        work.close()
    return _result(plan, tally)


def _result(plan: Plan, tally: Tally) -> MatchResult:
    return MatchResult(
        plan.game,
        plan.seed,
        tally.games,
        tally.deals,
        tally.standings(),
        tally.seats(),
        tally.duels(),
        dict(sorted(tally.ends.items(), key=lambda item: (-item[1], item[0]))),
    )
