"""Games: frozen rules with a name, and the registry, which is the folder ``games/``."""

import dataclasses
import functools
import hashlib
import importlib
import json
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import cardgods.games
from cardgods.errors import ActionTextError, ParameterError, shown
from cardgods.options import option_fields, replaced

if TYPE_CHECKING:
    from cardgods._core.rng import Random
    from cardgods._core.state import Rules, State

STATE_FORMAT = "cardgods-state-1"


class Game(ABC):
    """One member of a family of games: a name and frozen rule options.

    Games are made by :func:`load_game`; two games with equal options are equal.

    Attributes:
        options: the frozen dataclass of rule options.
        variant: name of the preset that has these options, or ``"custom"``.
    """

    name: ClassVar[str]
    title: ClassVar[Mapping[str, str]]
    summary: ClassVar[Mapping[str, str]]
    rules_version: ClassVar[int]
    """Raised whenever the meaning of an option or a rule changes; part of the ruleset digest."""
    presets: ClassVar[Mapping[str, Any]]
    """Options of the named variants; the first is the default."""

    def __init__(self, options: Any) -> None:  # noqa: ANN401
        self.options = options
        self.variant = next((name for name, preset in self.presets.items() if preset == options), "custom")

    @functools.cached_property
    def rules(self) -> "Rules":
        """The options compiled for the core."""
        return self._compile()

    @abstractmethod
    def _compile(self) -> "Rules": ...

    def settled(self, rng: "Random") -> "Game":
        """The game with nothing left open: what its options leave to a draw is drawn.

        Args:
            rng: the same generator gives the same game.
        """
        return self

    @abstractmethod
    def new_initial_state(self, turn_based: bool = False) -> "State":
        """The start of the game.

        Args:
            turn_based: let sealed decisions come one after the other, hidden until the last is made,
                instead of as one simultaneous move. The history is the same.
        """

    def new_position(self, *args: Any, **fields: Any) -> "State":  # noqa: ANN401
        """A position set up by hand, with an empty history.

        Raises:
            ParameterError: if the game has no such positions, or this one is impossible.
        """
        raise ParameterError(f"{self.name} takes no positions set up by hand")

    # What the outside asks of a game ----------------------------------------------------------------------

    def parameters(self) -> dict[str, Any]:
        """All rule options as plain values (tuples as lists), in the order of their declaration."""
        return {name: _plain(value) for name, value in dataclasses.asdict(self.options).items()}

    def secret_parameters(self) -> dict[str, Any]:
        """Those of :meth:`parameters` that no player may know before the game is over; few games have any."""
        fields = option_fields(type(self.options))
        return {
            name: value for name, value in self.parameters().items() if fields[name].metadata.get("secret")
        }

    def ruleset_digest(self) -> str:
        """SHA-256, in hex, of the name, the version of the rules and the options not at their default.

        The default is that of the class of options, whatever the preset. Options at their default are left
        out so that a game can gain an option without orphaning what was recorded before: its old rules are
        the new ones with the default, under the same digest. For the same reason the default of a released
        option is never changed without raising ``rules_version``.
        """
        defaults = {name: _plain(field.default) for name, field in option_fields(type(self.options)).items()}
        changed = {name: value for name, value in self.parameters().items() if value != defaults[name]}
        text = json.dumps([self.name, self.rules_version, changed], sort_keys=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def num_players(self) -> int:
        """Number of players."""
        return self.rules.num_players

    def num_distinct_actions(self) -> int:
        """Actions are 0..this-1 (chance outcomes are counted on their own)."""
        return self.rules.num_distinct_actions

    def max_game_length(self) -> int:
        """Upper bound of the length of a history, chance outcomes included."""
        return self.rules.max_game_length

    @property
    def bounded(self) -> bool:
        """Whether every game ends, whatever the players do."""
        return True

    @abstractmethod
    def min_utility(self) -> float:
        """Lower bound of a player's return."""

    @abstractmethod
    def max_utility(self) -> float:
        """Upper bound of a player's return."""

    def utility_sum(self) -> float | None:
        """Sum of all returns at the end if it is the same in every game, else None."""
        return 0.0

    # Wording ----------------------------------------------------------------------------------------------

    @abstractmethod
    def action_to_string(self, state: "State", action: int, lang: str = "en") -> str:
        """An action or chance outcome at a state in words; :meth:`string_to_action` reads it back."""

    def action_texts(self, state: "State", action: int, lang: str) -> Sequence[str]:
        """Further texts that name the action, beside :meth:`action_to_string`'s."""
        return ()

    def string_to_action(self, state: "State", text: str, lang: str = "en") -> int:
        """The legal action that a text names; case and outer blanks do not matter.

        Raises:
            ActionTextError: if it names none or more than one; the message lists what is allowed.
        """
        wanted = " ".join(text.split()).casefold()
        actor = state.current_player()
        actions = state.legal_actions(0) if actor == -2 else state.legal_actions()
        found, words = [], []
        for action in actions:
            word = self.action_to_string(state, action, lang)
            words.append(word)
            if wanted in {t.casefold() for t in (word, *self.action_texts(state, action, lang))}:
                found.append(action)
        if len(found) == 1:
            return found[0]
        problem = "could mean several things" if found else "is not possible here"
        raise ActionTextError(f"{shown(text, 40)} {problem}: {', '.join(words)}")

    # States as bytes --------------------------------------------------------------------------------------

    def serialize_state(self, state: "State") -> bytes:
        """A state as msgpack bytes, free of the platform and of the core's layout."""
        import msgpack

        body = [STATE_FORMAT, self.name, self.rules_version, self.parameters(), state.turn_based, state.setup]
        packed: bytes = msgpack.packb([*body, state.history()])
        return packed

    def deserialize_state(self, data: bytes) -> "State":
        """A state of this game from the bytes of ``State.serialize``.

        Raises:
            ParameterError: if the bytes are no state, or one of another game or other rules.
            IllegalActionError: if its history is not legal.
        """
        state = deserialize_state(data)
        if state.game != self:
            raise ParameterError(f"these bytes hold a state of {state.game}, not of {self}")
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        # What the core has compiled stays here; another process compiles it anew.
        return game_with, (self.name, self.parameters())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.name == other.name and bool(self.options == other.options)

    def __hash__(self) -> int:
        return hash((self.name, self.options))

    def __str__(self) -> str:
        base = self.variant if self.variant in self.presets else next(iter(self.presets))
        defaults = dataclasses.asdict(self.presets[base])
        secret = self.secret_parameters()
        changed = [
            f"{k}={_plain(v)}"
            for k, v in dataclasses.asdict(self.options).items()
            if defaults[k] != v and k not in secret
        ]
        return f"{self.name}({', '.join([base, *changed])})"

    def __repr__(self) -> str:
        return f"<{self}>"


def _plain(value: Any) -> Any:  # noqa: ANN401
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else value


# The registry ---------------------------------------------------------------------------------------------


def registered_names() -> list[str]:
    """Names of all games, ascending: the modules of ``cardgods.games``."""
    return sorted(module.name for module in pkgutil.iter_modules(cardgods.games.__path__))


def game_class(name: str) -> type[Game]:
    """The class of a game, its module imported now.

    Raises:
        ParameterError: if there is no such game.
    """
    if name not in registered_names():
        raise ParameterError(f"unknown game {shown(name)}: games are {', '.join(registered_names())}")
    cls: type[Game] = importlib.import_module(f"cardgods.games.{name}").GAME
    return cls


def load_game(name: str, variant: str | None = None, **options: Any) -> Game:  # noqa: ANN401
    """A game by name.

    Args:
        name: one of :func:`registered_names`.
        variant: a preset of the game; its standard rules by default.
        **options: rule options that differ from the preset.

    Raises:
        ParameterError: if the name, variant or an option is unknown, or a value impossible; the message
            says what is allowed.
    """
    cls = game_class(name)
    if variant is None:
        variant = next(iter(cls.presets))
    if not isinstance(variant, str) or variant not in cls.presets:
        raise ParameterError(
            f"unknown variant {shown(variant)} of {name}: variants are {', '.join(cls.presets)}"
        )
    return cls(replaced(cls.presets[variant], options))


def game_with(name: str, options: Mapping[str, Any]) -> Game:
    """A game by its options alone, as a record of it names them; one that is not named has its default.

    Args:
        name: one of :func:`registered_names`.
        options: rule options, lists in place of tuples allowed.

    Raises:
        ParameterError: if the name or an option is unknown, or a value impossible.
    """
    cls = game_class(name)
    defaults = type(next(iter(cls.presets.values())))()
    return cls(replaced(defaults, {str(key): _frozen(value) for key, value in options.items()}))


def _frozen(value: Any) -> Any:  # noqa: ANN401
    return tuple(_frozen(item) for item in value) if isinstance(value, (tuple, list)) else value


def deserialize_state(data: bytes) -> "State":
    """A state of any game from the bytes of ``State.serialize``.

    Raises:
        ParameterError: if the bytes are no state of a known game and version of its rules.
        IllegalActionError: if its history is not legal.
    """
    import msgpack

    try:
        body = msgpack.unpackb(data)
    except (TypeError, ValueError, msgpack.exceptions.UnpackException) as error:
        raise ParameterError(f"these bytes are no state ({type(error).__name__})") from None
    if not isinstance(body, list) or len(body) != 7 or body[0] != STATE_FORMAT:
        raise ParameterError("these bytes are no state")
    _, name, version, parameters, turn_based, setup, history = body
    if not isinstance(name, str) or not isinstance(parameters, dict) or not isinstance(history, list):
        raise ParameterError("these bytes are no state")
    cls = game_class(name)
    if version != cls.rules_version:
        raise ParameterError(
            f"this state follows version {version} of the rules of {name}, not {cls.rules_version}"
        )
    game = game_with(name, parameters)
    state = _start(game, bool(turn_based), setup)
    _replay(state, history)
    return state


def _start(game: Game, turn_based: bool, setup: Any) -> "State":  # noqa: ANN401
    if setup is None:
        return game.new_initial_state(turn_based)
    if not isinstance(setup, dict) or not all(isinstance(key, str) for key in setup):
        raise ParameterError("these bytes are no state")
    try:
        return game.new_position(**{**setup, "turn_based": turn_based})
    except TypeError as error:
        # Names that the game's positions do not have, or too few of them.
        raise ParameterError(f"these bytes are no state ({error})") from None


def _replay(state: "State", history: list[int]) -> None:
    at = 0
    while at < len(history):
        if state.is_simultaneous_node():
            width = sum(bool(state.legal_actions(p)) for p in range(state.num_players()))
            state.apply_actions(history[at : at + width])
            at += width
        else:
            state.apply_action(history[at])
            at += 1
