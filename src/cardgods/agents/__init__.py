"""Agents: whoever takes the decisions of a seat, and the registry of them, which is this folder.

A module here is an agent for every game, a module in the folder of a game is one for that game alone and wins
over one of the same name here. Each has one function

    def make(game: Game, *, <parameter>: int | float | bool | str = <default>, ...) -> Agent

whose keyword parameters are what a spec such as ``pimc:iterations=200`` may set.
"""

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import cardgods.agents
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.errors import ParameterError, shown
from cardgods.game import Game
from cardgods.options import FALSE_TEXTS, TRUE_TEXTS, int_from


class Agent(Protocol):
    """Takes the decisions of a player."""

    def choose(self, state: State, player: int, rng: Random) -> int:
        """A legal action of `player` at a turn-based state.

        The choice may depend on nothing but what the player knows (``state.view(player)``,
        ``state.information_state(player)``, ``state.resample(player, rng)``), on `rng` and on what the agent
        was made with. `state` is not to be changed.
        """


@dataclass(frozen=True)
class AgentSpec:
    """An agent in words: the name of its module, its parameters as texts, and a seed of its own.

    Attributes:
        kind: name of the module.
        parameters: parameter name -> value as written.
        seed: seed of the agent's random numbers, None to take the game's.
    """

    kind: str
    parameters: Mapping[str, str]
    seed: int | str | None = None

    def __str__(self) -> str:
        pairs = [f"{name}={value}" for name, value in self.parameters.items()]
        pairs += [] if self.seed is None else [f"seed={self.seed}"]
        return ":".join([self.kind, ",".join(pairs)]) if pairs else self.kind


def parse_spec(text: str) -> AgentSpec:
    """Read ``kind`` or ``kind:name=value,name=value``; the name ``seed`` is common to all agents.

    Raises:
        ParameterError: if the text has another form or sets a parameter twice.
    """
    kind, _, rest = text.strip().partition(":")
    parameters: dict[str, str] = {}
    for pair in rest.split(",") if rest else ():
        name, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not name or name in parameters:
            raise ParameterError(
                f"agent '{text}': '{pair}' does not set a parameter once, as in {kind}:name=value"
            )
        parameters[name] = value
    seed = parameters.pop("seed", None)
    return AgentSpec(kind, parameters, None if seed is None else seed_from(seed))


def seed_from(text: str) -> int | str:
    """A seed from a text: a whole number if it is written as one, else the text itself.

    Raises:
        ParameterError: if it is no valid Unicode text.
    """
    try:
        return int_from(text)
    except ValueError:
        pass
    if not text.isprintable():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise ParameterError(f"a seed is valid Unicode text, unlike {shown(text)}") from None
    return text


def agent_names(game: str) -> list[str]:
    """Names of the agents that can play a game, ascending."""
    places = list(cardgods.agents.__path__)
    inner = importlib.util.find_spec(f"cardgods.agents.{game}")
    own = list(inner.submodule_search_locations or ()) if inner else []
    return sorted(
        {m.name for m in pkgutil.iter_modules(places + own) if not m.ispkg and not m.name.startswith("_")}
    )


def make_agent(spec: str | AgentSpec, game: Game) -> Agent:
    """The agent of a spec, ready to play a game.

    Raises:
        ParameterError: if no such agent plays the game, or a parameter is unknown or has an impossible value;
            the message says what is allowed.
    """
    spec = parse_spec(spec) if isinstance(spec, str) else spec
    names = agent_names(game.name)
    if spec.kind not in names:
        raise ParameterError(f"unknown agent '{spec.kind}' for {game.name}: agents are {', '.join(names)}")
    make = _maker(spec.kind, game.name)
    return make(game, **_arguments(spec, make))


def _maker(kind: str, game: str) -> Callable[..., Agent]:
    own = f"cardgods.agents.{game}"
    inside = importlib.util.find_spec(own) and importlib.util.find_spec(f"{own}.{kind}")
    module = importlib.import_module(f"{own}.{kind}" if inside else f"cardgods.agents.{kind}")
    maker: Callable[..., Agent] = module.make
    return maker


def _arguments(spec: AgentSpec, make: Callable[..., Agent]) -> dict[str, Any]:
    known = {
        p.name: p
        for p in inspect.signature(make, eval_str=True).parameters.values()
        if p.kind is p.KEYWORD_ONLY
    }
    values = {}
    for name, text in spec.parameters.items():
        if name not in known:
            allowed = ", ".join([*known, "seed"])
            raise ParameterError(f"agent '{spec.kind}' has no parameter '{name}': parameters are {allowed}")
        try:
            values[name] = _read(known[name].annotation, text)
        except ValueError as error:
            raise ParameterError(f"agent '{spec.kind}', parameter {name}: {error}") from None
    missing = [p.name for p in known.values() if p.default is p.empty and p.name not in values]
    if missing:
        raise ParameterError(f"agent '{spec.kind}' needs {missing[0]}, as in {spec.kind}:{missing[0]}=...")
    return values


def _read(kind: Any, text: str) -> Any:  # noqa: ANN401
    """A parameter's value; `kind` is int, float, bool or str, or one of them or None."""
    kinds = getattr(kind, "__args__", (kind,))
    if bool in kinds:
        if text.lower() in TRUE_TEXTS or text.lower() in FALSE_TEXTS:
            return text.lower() in TRUE_TEXTS
        raise ValueError(f"'{text}' is neither on nor off")
    if int in kinds:
        return int_from(text)
    if float in kinds:
        try:
            return float(text)
        except ValueError:
            raise ValueError(f"'{text}' is not a number") from None
    return text
