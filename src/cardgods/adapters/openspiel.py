"""The games under OpenSpiel's names, so that its algorithms run on them.

Importing this module registers every game with pyspiel as ``cardgods_<game>``, with sealed decisions taken in
turns, the first hidden. A game that has such decisions is registered once more as
``cardgods_<game>_simultaneous``, where they are simultaneous moves. It needs OpenSpiel:
``pip install 'cardgods[openspiel]'``.

All rule options are one parameter, ``options``: the variant, then options as on the command line, with ``:``
for the equals sign, ``+`` for a comma and ``/`` between them, because OpenSpiel keeps the usual signs for
itself: ``cardgods_encan(options=goofspiel/cards:1-4)``, ``cardgods_encan(options=/cards:1+3+9/target:none)``.
Other signs are written as in web addresses.
"""

import json
from typing import Any
from urllib.parse import quote, unquote

import cardgods
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.errors import MissingExtraError
from cardgods.game import Game, game_class
from cardgods.options import parse_option

try:
    import numpy
    import pyspiel
except ImportError:
    raise MissingExtraError("this adapter needs OpenSpiel: pip install 'cardgods[openspiel]'") from None

PREFIX = "cardgods_"
SIMULTANEOUS = "_simultaneous"
MAX_CHANCE_OUTCOMES = 256

_TYPE = pyspiel.GameType
_UTILITY = {None: _TYPE.Utility.GENERAL_SUM, 0.0: _TYPE.Utility.ZERO_SUM}


def load_game(game: Game, simultaneous: bool = False) -> Any:  # noqa: ANN401
    """The pyspiel game of a game of ours.

    Args:
        game: any variant of a registered game.
        simultaneous: whether sealed decisions are simultaneous moves.
    """
    suffix = SIMULTANEOUS if simultaneous else ""
    options = "/".join(["", *(f"{name}:{_text(value)}" for name, value in game.parameters().items())])
    return pyspiel.load_game(f"{PREFIX}{game.name}{suffix}", {"options": options})


def _text(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, list) and not all(type(item) is int for item in value):
        return quote(json.dumps(value), safe="")
    if isinstance(value, list):
        return "+".join(map(str, value))
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _game(name: str, text: str) -> Game:
    """The game of a text of options.

    Raises:
        ParameterError: if the text names what is no variant, no option, or no value of it.
    """
    variant, *given = text.split("/")
    cls = type(next(iter(game_class(name).presets.values())))
    values = {}
    for part in given:
        key, _, value = part.partition(":")
        plain = unquote(value.replace("+", ","))
        values[key] = tuple(json.loads(plain)) if plain.startswith("[") else parse_option(cls, key, plain)
    return cardgods.load_game(name, variant or None, **values)


def _has_sealed_decisions(game: Game) -> bool:
    """Whether a random game comes to a simultaneous move."""
    state, rng = game.new_initial_state(), Random("sealed")
    while not state.is_terminal() and not state.is_simultaneous_node():
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(rng) if chance else rng.choice(state.legal_actions()))
    return state.is_simultaneous_node()


def _game_type(game: Game, short_name: str, simultaneous: bool, players: tuple[int, int]) -> Any:  # noqa: ANN401
    total = game.utility_sum()
    return _TYPE(
        short_name=short_name,
        long_name=game.title["en"],
        dynamics=_TYPE.Dynamics.SIMULTANEOUS if simultaneous else _TYPE.Dynamics.SEQUENTIAL,
        chance_mode=_TYPE.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_TYPE.Information.IMPERFECT_INFORMATION,
        utility=_UTILITY.get(total, _TYPE.Utility.CONSTANT_SUM),
        reward_model=_TYPE.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"options": ""},
        default_loadable=True,
        provides_factored_observation_string=False,
    )


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of ours behind OpenSpiel's interface; ``inner`` is ours."""

    def __init__(self, game: "SpielGame") -> None:
        super().__init__(game)
        self.inner: State = game.inner.new_initial_state(turn_based=not game.simultaneous)

    def current_player(self) -> int:
        """Player to act, or OpenSpiel's number for chance, a simultaneous move or the end."""
        return self.inner.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.inner.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Pairs (outcome, probability)."""
        return self.inner.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.inner.apply_action(int(action))

    def _apply_actions(self, actions: list[int]) -> None:
        acting = [p for p in range(self.inner.num_players()) if self.inner.legal_actions(p)]
        self.inner.apply_actions([int(actions[p]) for p in acting])

    def _action_to_string(self, player: int, action: int) -> str:
        return self.inner.action_to_string(action)

    def is_terminal(self) -> bool:
        """True at the end."""
        return self.inner.is_terminal()

    def returns(self) -> list[float]:
        """What each player has won at the end; 0 before."""
        return self.inner.returns() if self.inner.is_terminal() else [0.0] * self.inner.num_players()

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has learnt, as hexadecimal digits."""
        player = self.current_player() if player is None else player
        return f"{player}:{self.inner.information_state(player).hex()}"

    def observation_string(self, player: int | None = None) -> str:
        """What lies on the table for a player, as JSON."""
        player = self.current_player() if player is None else player
        return json.dumps(self.inner.view(player), sort_keys=True)

    def __str__(self) -> str:
        return str(self.inner.history())


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours behind OpenSpiel's interface; ``inner`` is ours.

    Raises:
        ParameterError: if a parameter is no option or no value of it.
    """

    def __init__(self, registered: Any, simultaneous: bool, name: str, params: dict[str, Any]) -> None:  # noqa: ANN401
        self.inner = _game(name, params.get("options", ""))
        self.simultaneous = simultaneous
        game = self.inner
        players = (registered.min_num_players, registered.max_num_players)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_distinct_actions(),
            max_chance_outcomes=MAX_CHANCE_OUTCOMES,
            num_players=game.num_players(),
            min_utility=game.min_utility(),
            max_utility=game.max_utility(),
            utility_sum=game.utility_sum(),
            max_game_length=game.max_game_length(),
        )
        super().__init__(_game_type(game, registered.short_name, simultaneous, players), info, params)

    def new_initial_state(self) -> SpielState:
        """The start of the game."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "SpielObserver":  # noqa: ANN401
        """What OpenSpiel asks for observations."""
        return SpielObserver(self.inner, iig_obs_type)


class SpielObserver:
    """Observations as the bytes of ``State.observation``, one number 0 to 255 each."""

    def __init__(self, game: Game, iig_obs_type: Any) -> None:  # noqa: ANN401
        self.perfect_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        size = len(game.new_initial_state().observation(0))
        self.tensor: Any = None if self.perfect_recall else numpy.zeros(size, numpy.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Take over what a player sees."""
        if self.tensor is not None:
            self.tensor[:] = numpy.frombuffer(state.inner.observation(player), numpy.uint8)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same in text; with perfect recall all that he has learnt."""
        return (
            state.information_state_string(player)
            if self.perfect_recall
            else state.observation_string(player)
        )


def _register(name: str, simultaneous: bool) -> None:
    short_name = PREFIX + name + (SIMULTANEOUS if simultaneous else "")
    game = cardgods.load_game(name)
    registered = _game_type(game, short_name, simultaneous, (1, 12))

    class Registered(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(registered, simultaneous, name, params or {})

    # copies and pickles look the class up in this module
    Registered.__name__ = Registered.__qualname__ = short_name
    globals()[short_name] = Registered
    pyspiel.register_game(registered, Registered)


def _register_all() -> None:
    for name in cardgods.registered_names():
        if PREFIX + name not in pyspiel.registered_names():
            _register(name, simultaneous=False)
            if _has_sealed_decisions(cardgods.load_game(name)):
                _register(name, simultaneous=True)


_register_all()
