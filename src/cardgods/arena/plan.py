"""What a match is to be: who plays whom, how often, and from which seeds."""

from __future__ import annotations

import dataclasses
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from cardgods._core.rng import Random
from cardgods.agents import Agent, AgentSpec, make_agent, parse_spec
from cardgods.arena.sprt import SprtPlan
from cardgods.errors import ParameterError, shown
from cardgods.game import Game
from cardgods.log.values import MAX_NAME, check_text
from cardgods.rating import MOST_PLAYERS

AgentFactory: TypeAlias = Callable[[Game], Agent]
"""Makes an agent that is ready to play a game."""

MAX_SEED = 200
"""Bytes of a match's seed; those of its deals and seats are made from it, and are longer."""
MAX_GAMES = 10**9
SETTLING = 1 << 60
"""Stream of a deal's random numbers for what the game leaves open; no event has it."""


@dataclass(frozen=True)
class Entrant:
    """One of those who compete.

    Attributes:
        name: as it is shown and logged; each entrant of a match has another.
        spec: the agent in words, without a seed; None if `factory` makes it.
        seed: a seed of the agent's own, in place of the match's.
        factory: makes an agent that has no name in the registry.
    """

    name: str
    spec: str | None
    seed: int | str | None = None
    factory: AgentFactory | None = None

    def make(self, game: Game) -> Agent:
        """The agent, ready to play.

        Raises:
            ParameterError: if no such agent plays the game, or a parameter of it is wrong.
        """
        if self.factory is not None:
            return self.factory(game)
        assert self.spec is not None
        return make_agent(self.spec, game)


def entrants_of(
    agents: Sequence[str | AgentSpec | AgentFactory], names: Sequence[str] | None = None
) -> tuple[Entrant, ...]:
    """The entrants that texts, specs or factories of agents stand for.

    Args:
        agents: one for each entrant.
        names: what they are called; by default their specs, numbered where two are alike.

    Raises:
        ParameterError: if a spec is malformed, or the names are not one for each and all different.
    """
    specs = [parse_spec(agent) if isinstance(agent, str) else agent for agent in agents]
    if names is None:
        names = _told_apart([_label(spec) for spec in specs])
    if len(names) != len(agents) or len(set(names)) != len(names):
        raise ParameterError(f"{len(agents)} agents need as many names, all different: {shown(list(names))}")
    for name in names:
        check_text("the name of an agent", name, MAX_NAME)
    return tuple(
        Entrant(name, str(dataclasses.replace(spec, seed=None)), spec.seed)
        if isinstance(spec, AgentSpec)
        else Entrant(name, None, factory=spec)
        for name, spec in zip(names, specs, strict=True)
    )


def _label(agent: AgentSpec | AgentFactory) -> str:
    # A seed of its own foretells an agent's moves, so it is no part of its name.
    if isinstance(agent, AgentSpec):
        return str(dataclasses.replace(agent, seed=None))
    return str(getattr(agent, "__name__", type(agent).__name__))


def _told_apart(names: Sequence[str]) -> list[str]:
    """The names, with numbers behind those that occur twice."""
    return [f"{name} {place + 1}" if names.count(name) > 1 else name for place, name in enumerate(names)]


def rotations(players: int) -> tuple[tuple[int, ...], ...]:
    """The line-ups in which everybody has every seat once, moving down one seat from game to game."""
    return tuple(tuple((seat + turn) % players for seat in range(players)) for turn in range(players))


def everybody_meets(entrants: int) -> tuple[tuple[int, ...], ...]:
    """The line-ups of duels in which everybody meets everybody on both seats."""
    return tuple(pair for a, b in combinations(range(entrants), 2) for pair in ((a, b), (b, a)))


@dataclass(frozen=True)
class Plan:
    """A match: its games are numbered from 0, and game g has deal ``g // len(lineups)``.

    Attributes:
        game: the game; what it leaves open is drawn for each deal (``Game.settled``).
        entrants: who competes.
        lineups: the games of one deal: for each game the entrant on each seat.
        games: how many in all.
        seed: fixes every deal and every random number of every agent.
        sprt: a test that ends the match once it is decided; None if all games are played.
    """

    game: Game
    entrants: tuple[Entrant, ...]
    lineups: tuple[tuple[int, ...], ...]
    games: int
    seed: int | str
    sprt: SprtPlan | None = None

    def __post_init__(self) -> None:
        if type(self.games) is not int or not 1 <= self.games <= MAX_GAMES:
            raise ParameterError(f"{shown(self.games)} games: from 1 to {MAX_GAMES} can be played")
        for seed in (self.seed, *(e.seed for e in self.entrants if e.seed is not None)):
            _check_seed(seed)
        _check_lineups(self.lineups, self.game.num_players(), len(self.entrants))
        if self.sprt is not None and (len(self.entrants), self.game.num_players()) != (2, 2):
            raise ParameterError("a sequential test compares two agents in a game of two players")
        if not self.game.bounded:
            raise ParameterError(f"{self.game} can go on for ever: agents alone do not play it")

    def lineup(self, number: int) -> tuple[int, ...]:
        """The entrant on each seat of a game."""
        return self.lineups[number % len(self.lineups)]

    def deal_seed(self, number: int) -> str:
        """The seed of the chance draws of a game, the same for all games of its deal."""
        return f"{self.seed}/{number // len(self.lineups)}"

    def seat_seeds(self, number: int) -> list[str]:
        """The seed of the agent on each seat of a game; no other seat of any game has the same."""
        deal, turn = divmod(number, len(self.lineups))
        own = [self.entrants[entrant].seed for entrant in self.lineup(number)]
        return [
            f"{self.seed if seed is None else seed}/{deal}.{turn}.{seat}" for seat, seed in enumerate(own)
        ]

    def streams(self, number: int) -> tuple[Random, list[Random]]:
        """The generators of a game's chance draws and of each seat's agent."""
        return Random(self.deal_seed(number)), [Random(seed) for seed in self.seat_seeds(number)]


class Dealer:
    """Settles what the game of a match leaves open, once for each deal.

    Args:
        plan: the match.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._deal: int | None = None
        self._game = plan.game

    def game(self, number: int) -> Game:
        """The game that is played as a game of the match: the same one for all games of a deal."""
        deal = number // len(self._plan.lineups)
        if deal != self._deal:
            rng = Random(self._plan.deal_seed(number)).spawn(SETTLING)
            self._deal, self._game = deal, self._plan.game.settled(rng)
        return self._game


def plan_match(
    game: Game,
    agents: Sequence[str | AgentSpec | AgentFactory],
    games: int,
    *,
    names: Sequence[str] | None = None,
    seed: int | str | None = None,
    round_robin: bool = False,
    sprt: tuple[float, float] | None = None,
) -> Plan:
    """The plan of a match; for the arguments see :func:`cardgods.arena.run_match`.

    Raises:
        ParameterError: if there are not as many agents as players, or one of the values is wrong.
    """
    entrants = entrants_of(agents, names)
    if round_robin and (game.num_players() != 2 or len(entrants) < 2):
        raise ParameterError(
            f"a round robin takes two agents or more and a game of two players, unlike {game}"
        )
    if not round_robin and len(entrants) != game.num_players():
        raise ParameterError(f"{game} has {game.num_players()} players, {len(entrants)} agents are given")
    lineups = everybody_meets(len(entrants)) if round_robin else rotations(len(entrants))
    drawn = secrets.randbelow(1 << 53) if seed is None else seed
    return Plan(game, entrants, lineups, games, drawn, None if sprt is None else SprtPlan(*sprt))


def _check_lineups(lineups: tuple[tuple[int, ...], ...], players: int, entrants: int) -> None:
    if entrants > MOST_PLAYERS:
        raise ParameterError(f"{entrants} agents: at most {MOST_PLAYERS} can compete")
    everybody = set(range(entrants))
    if {entrant for lineup in lineups for entrant in lineup} != everybody or any(
        len(lineup) != players or len(set(lineup)) != players for lineup in lineups
    ):
        raise ParameterError(
            f"line-ups seat {players} different ones of {entrants}, and everybody once at least"
        )


def _check_seed(seed: int | str) -> None:
    if type(seed) not in (int, str):
        raise ParameterError(f"a seed is an integer or a text, not {type(seed).__name__}")
    if type(seed) is int and abs(seed) >= 10**MAX_SEED:
        raise ParameterError(f"the seed of a match has at most {MAX_SEED} digits")
    check_text("the seed of a match", str(seed), MAX_SEED)
