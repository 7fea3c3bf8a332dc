"""Who plays: seats in words, as ``--seat`` takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgods.errors import ParameterError
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game, Random
    from cardgods.agents import AgentSpec

HUMAN = N_("human")
HUMANS = (HUMAN, "humain")
"""Words for a person at the keyboard, whatever the language in force."""


@dataclass(frozen=True)
class Seat:
    """One player.

    Attributes:
        name: as it is shown and logged.
        spec: the agent that plays; None for a person at the keyboard.
    """

    name: str
    spec: AgentSpec | None

    @property
    def rng(self) -> Random | None:
        """Random numbers of an agent that brings its own seed."""
        from cardgods import Random

        return Random(self.spec.seed) if self.spec is not None and self.spec.seed is not None else None


def seats_for(texts: Sequence[str], game: Game) -> list[Seat]:
    """The seats of a game; missing ones are a person on the first and the game's default agent elsewhere.

    Raises:
        ParameterError: if there are too many, or one is neither a person nor an agent that plays this game;
            or if agents alone would play a game that need not end.
    """
    count = game.num_players()
    if len(texts) > count:
        text = _("{given} seats given: {game} has {count} players")
        raise ParameterError(text.format(given=len(texts), game=game, count=count))
    filled = list(texts) or [HUMAN]
    filled += [default_agent(game.name)] * (count - len(filled))
    seats = [_seat(text, game.name) for text in filled]
    if not game.bounded and not any(seat.spec is None for seat in seats):
        text = _("{game} can go on for ever: one of its seats has to be human")
        raise ParameterError(text.format(game=game))
    return _told_apart(seats)


def default_agent(game: str) -> str:
    """The agent that fills an empty seat."""
    from cardgods.agents import agent_names

    return "greedy" if "greedy" in agent_names(game) else "random"


def _seat(text: str, game: str) -> Seat:
    from cardgods.agents import agent_names, parse_spec

    kind, name = (text.partition(":")[k] for k in (0, 2))
    if kind.strip().lower() in HUMANS:
        # An argument that is not UTF-8 arrives with lone surrogates, which no log can hold.
        name = name.encode("utf-8", "replace").decode("utf-8")
        return Seat(name.strip() or _(HUMAN), None)
    spec = parse_spec(text)
    if spec.kind not in agent_names(game):
        problem = _("unknown seat '{text}': a seat is human, human:NAME or one of the agents {agents}")
        raise ParameterError(problem.format(text=text, agents=", ".join(agent_names(game))))
    # The name is for everybody, a seed of the agent's own is not: it foretells his moves.
    return Seat(str(replace(spec, seed=None)), spec)


def _told_apart(seats: Sequence[Seat]) -> list[Seat]:
    """The seats with numbers behind names that occur twice."""
    names = [seat.name for seat in seats]
    return [
        Seat(f"{seat.name} {place + 1}", seat.spec) if names.count(seat.name) > 1 else seat
        for place, seat in enumerate(seats)
    ]
