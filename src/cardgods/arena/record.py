"""A match in its log: what the headers of its games tell, and the match again from them."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from cardgods import log
from cardgods.arena.plan import Dealer, Entrant, Plan
from cardgods.arena.sprt import SprtPlan
from cardgods.errors import AgentError, ParameterError, shown
from cardgods.game import Game, game_with
from cardgods.log.codec import encode_header

MATCH = "_match"
"""Free field of the first game's header, with the whole match."""
GAME = "_game"
"""Free field of each game's header: its number."""
STOPPED = "_stopped"
"""Free field of the header of a game in which an agent failed: what is told of it."""


class Outcome(NamedTuple):
    """A game that was played.

    Attributes:
        returns: what each seat won; empty if an agent failed.
        end: why the game ended, a short word.
        log: the game's log if it was asked for.
        failure: what is told of the agent that failed and so ended the match.
        trace: where it failed, for whoever mends it.
    """

    returns: tuple[float, ...]
    end: str
    log: bytes | None = None
    failure: str | None = None
    trace: str = ""


class Scribe:
    """Writes the headers of a match's games, and reads them again.

    Args:
        plan: the match.
        dealer: settles its games.
    """

    def __init__(self, plan: Plan, dealer: Dealer) -> None:
        self._plan = plan
        self._dealer = dealer
        self._game = dealer.game(0)
        self._template = _empty(self._game)

    def header(self, number: int, stopped: str | None = None) -> log.Header:
        """The header of a game's log; that of the first game tells of the whole match.

        Args:
            number: the game.
            stopped: what is told of an agent that failed in it.
        """
        plan = self._plan
        game = self._dealer.game(number)
        if game is not self._game:
            self._game, self._template = game, _empty(game)
        seats = tuple(
            log.Seat(plan.entrants[entrant].name, "agent", plan.entrants[entrant].spec, seed)
            for entrant, seed in zip(plan.lineup(number), plan.seat_seeds(number), strict=True)
        )
        free: dict[str, Any] = {GAME: number}
        if number == 0:
            free[MATCH] = _told(plan)
        if stopped is not None:
            free[STOPPED] = stopped
        return dataclasses.replace(self._template, seats=seats, seed=plan.deal_seed(number), free=free)

    def outcome(self, found: log.Log, number: int, name: str) -> Outcome:
        """What a log tells of a game.

        Args:
            found: the log.
            number: the game that it should be of.
            name: what messages call the file.

        Raises:
            AgentError: if an agent failed in it.
            CorruptLogError: if it is not that game of the match.
        """
        stopped = found.header.free.get(STOPPED)
        if stopped is not None:
            raise AgentError(f"{name} is the log of a match that ended with a failure: {stopped}")
        due = number < self._plan.games and encode_header(self.header(number)) == encode_header(found.header)
        if not due or found.end is None:
            raise log.CorruptLogError(f"{name}, log {number} is not game {number} of its match", 0, 0)
        return Outcome(found.end.returns, found.end.reason)


def _empty(game: Game) -> log.Header:
    return log.make_header(game, [log.Seat("", "agent")] * game.num_players())


def _told(plan: Plan) -> dict[str, Any]:
    entrants = [{"agent": e.spec, "name": e.name, "seed": _packed(e.seed)} for e in plan.entrants]
    return {
        "entrants": entrants,
        "games": plan.games,
        "options": plan.game.parameters(),
        "lineups": [list(lineup) for lineup in plan.lineups],
        "seed": _packed(plan.seed),
        "sprt": plan.sprt and [plan.sprt.low, plan.sprt.high, plan.sprt.error],
    }


def plan_from(first: log.Log, name: str) -> Plan:
    """The match that the log of its first game tells of.

    Args:
        first: that log.
        name: what messages call the file.

    Raises:
        UnsupportedLogError: if another version wrote it, or its rules are not known here.
        ParameterError: if it tells of no match, or of agents that a function made.
    """
    engine = log.make_header(log.load_logged_game(first), first.header.seats).engine
    if first.header.engine != engine:
        raise log.UnsupportedLogError(
            f"{name} was written by {first.header.engine}: only that version goes on with the match"
        )
    told: Any = first.header.free.get(MATCH)
    try:
        made = [one["name"] for one in told["entrants"] if one["agent"] is None]
        entrants = tuple(
            Entrant(one["name"], one["agent"], _unpacked(one["seed"])) for one in told["entrants"]
        )
        lineups = tuple(tuple(lineup) for lineup in told["lineups"])
        game = game_with(first.header.game, told["options"])
        seed, games = _unpacked(told["seed"]), told["games"]
        test = told["sprt"] and SprtPlan(*map(float, told["sprt"]))
        if seed is None:
            raise ValueError("a match has a seed")
    except (KeyError, TypeError, ValueError):
        raise ParameterError(f"{name} is not the log of a match") from None
    if made:
        raise ParameterError(f"{name}: {shown(made[0])} was made by a function that is not known here")
    return Plan(game, entrants, lineups, games, seed, test)


def _packed(seed: int | str | None) -> list[str] | None:
    """A seed as plain values: integers may be larger than a log's."""
    return None if seed is None else ["i" if isinstance(seed, int) else "s", str(seed)]


def _unpacked(seed: Any) -> int | str | None:  # noqa: ANN401
    """The seed that :func:`_packed` has packed.

    Raises:
        ValueError: if it is none.
    """
    match seed:
        case None:
            return None
        case ["i", str(digits)]:
            return int(digits)
        case ["s", str(text)]:
            return text
    raise ValueError("no seed")
