"""Matches: agents play many games on duplicate deals, and what comes of it is told with its uncertainty.

    result = run_match(load_game("trones"), ["greedy", "random"], 1000, seed=7)
    print(result.standings[0].score, result.standings[0].score_interval)

Each deal is played by every rotation of the seats, so that nobody is better off by his cards or his seat.
A match depends on its seed alone: not on the number of threads, and not on interruptions if it is logged.
docs/arena.md tells the statistics.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from cardgods.agents import AgentSpec
from cardgods.arena.match import Match, MatchResult, PlayedGame, Progress, Watcher
from cardgods.arena.plan import AgentFactory, Entrant, Plan, plan_match
from cardgods.arena.pool import check_threads
from cardgods.arena.sprt import SprtResult
from cardgods.arena.tally import Duel, SeatStanding, Standing
from cardgods.game import Game

__all__ = [
    "AgentFactory",
    "Duel",
    "Entrant",
    "Match",
    "MatchResult",
    "Plan",
    "PlayedGame",
    "SeatStanding",
    "SprtResult",
    "Standing",
    "Watcher",
    "plan_match",
    "resume_match",
    "run_match",
]


def run_match(
    game: Game,
    agents: Sequence[str | AgentSpec | AgentFactory],
    games: int,
    *,
    names: Sequence[str] | None = None,
    seed: int | str | None = None,
    round_robin: bool = False,
    sprt: tuple[float, float] | None = None,
    threads: int = 1,
    log: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> MatchResult:
    """Let agents play a match.

    Args:
        game: what they play.
        agents: one for each player, or any number of them in a round robin: specs such as
            ``"pimc:worlds=64"``, or functions that make an agent for the game. An agent plays many games, but
            has to choose in each as if it were the first.
        games: how many games. If they are no multiple of the line-ups of a deal, the last deal is played by
            some of these only.
        names: what the agents are called; by default their specs.
        seed: fixes all deals and all random numbers; drawn if it is None.
        round_robin: let everybody meet everybody in a game of two players, on every deal and on both seats.
        sprt: two differences in Elo, for a test whether the first of two agents is better by the one or the
            other; the match ends once that is decided (:mod:`cardgods.arena.sprt`).
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
    plan = plan_match(game, agents, games, names=names, seed=seed, round_robin=round_robin, sprt=sprt)
    check_threads(threads)
    with Match(plan, log=log, overwrite=overwrite) as match:
        return match.run(threads, progress)


def resume_match(
    log: str | os.PathLike[str], *, threads: int = 1, progress: Progress | None = None
) -> MatchResult:
    """Go on with a match that was interrupted or killed, from its log.

    Log and result are then those of a match that nothing disturbed. One that was over gives its result again.

    Args:
        log: the archive that :func:`run_match` wrote.
        threads: as for :func:`run_match`.
        progress: as for :func:`run_match`.

    Raises:
        ParameterError: if it is the log of no match, or of agents that were made by functions.
        AgentError: if an agent fails, or had failed.
        LogError: if the log is damaged, in use or of another version, or holds no whole game.
    """
    check_threads(threads)
    with Match.resume(log) as match:
        return match.run(threads, progress)
