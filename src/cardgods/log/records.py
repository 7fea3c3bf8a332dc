"""What a game log says, as frozen dataclasses. Bytes are the business of codec.py and frame.py."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import index
from typing import Any, TypeAlias

from cardgods.errors import ParameterError

FORMAT = (1, 0)
"""Major and minor version of the format that this package writes."""

RNG = "chacha8-v1"
"""Name of the generator of docs/log-format.md, section "Random numbers"."""

MAX_SEATS = 12
MAX_NAME = 4096
"""Bytes of UTF-8 of a player's name."""
MAX_AGENT = 512
MAX_SEED = 256
MAX_TOKEN = 128
"""Bytes of a short text: game, variant, kind of seat, engine, generator, reason, name of an extension."""
MAX_EXTENSIONS = 16
MAX_DEPTH = 16
"""Maps and arrays inside one another in one body, the outermost included."""
MAX_TEXT = 65_535
"""Bytes of UTF-8 of any other text; the record as a whole has a limit too."""
MAX_ACTION = 2**31 - 1

Plain: TypeAlias = Any
"""None, bool, int of 64 bits, finite float, str, tuple or str-keyed dict of such values."""


def _text(label: str, value: object, limit: int) -> None:
    """Refuse what is no text of at most `limit` bytes, or what no file can hold."""
    if type(value) is not str:
        raise ParameterError(f"{label} is a text, not {type(value).__name__}")
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError as error:
        code = ord(value[error.start])
        raise ParameterError(
            f"{label} has a lone surrogate, U+{code:04X}, as character {error.start + 1}: "
            "it must be valid Unicode text"
        ) from None
    if size > limit:
        raise ParameterError(f"{label} has {size} bytes of UTF-8, at most {limit} are allowed")


def _seed(label: str, value: object) -> None:
    if value is None:
        return
    if type(value) is int:
        if abs(value) >= 10**MAX_SEED // 10:
            raise ParameterError(f"{label} has more than {MAX_SEED - 1} digits")
    elif type(value) is str:
        _text(label, value, MAX_SEED)
    else:
        raise ParameterError(f"{label} is an integer or a text, not {type(value).__name__}")


def integer(label: str, value: object, most: int) -> int:
    """A plain int 0..most from any integer type but bool.

    Raises:
        ParameterError: for anything else.
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ParameterError(f"{label} is an integer, not {type(value).__name__}")
    number = index(value)
    if not 0 <= number <= most:
        raise ParameterError(f"{label} is {number}, allowed are 0..{most}")
    return number


def plain(label: str, value: object, depth: int = MAX_DEPTH) -> Plain:
    """A copy of a value in which lists are tuples, for a header's options and free fields.

    Args:
        label: what the value is, for the message.
        value: what a log can hold (see Plain).
        depth: how many levels of maps and arrays are left.

    Raises:
        ParameterError: for anything that a log cannot hold.
    """
    if value is None or type(value) in (bool, bytes):
        return value
    if type(value) is int:
        if not -(2**63) <= value < 2**64:
            raise ParameterError(f"{label} holds an integer of more than 64 bits")
        return value
    if type(value) is float:
        if not math.isfinite(value):
            raise ParameterError(f"{label} holds {value}, which is no finite number")
        return value
    if type(value) is str:
        _text(label, value, MAX_TEXT)
        return value
    if not isinstance(value, list | tuple | Mapping):
        raise ParameterError(f"{label} holds a {type(value).__name__}, which a log has no room for")
    if depth == 0:
        raise ParameterError(
            f"{label} is nested too deeply: {MAX_DEPTH} levels are allowed, the header's own included"
        )
    if not isinstance(value, Mapping):
        return tuple(plain(label, item, depth - 1) for item in value)
    for key in value:
        _text(f"a key of {label}", key, MAX_TOKEN)
    return {key: plain(label, value[key], depth - 1) for key in sorted(value)}


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where; the seat's place in the header is the player's number.

    Args:
        name: any Unicode text of at most 4096 bytes.
        kind: "human", "agent", or another short word.
        agent: the text that makes the agent again ("greedy", "search:nodes=1000"); None for a person.
        seed: seed of the agent's own draws, if it has one.

    Raises:
        ParameterError: for a text that is too long or no valid Unicode, or a value of a wrong type.
    """

    name: str
    kind: str
    agent: str | None = None
    seed: int | str | None = None

    def __post_init__(self) -> None:
        _text("a player's name", self.name, MAX_NAME)
        _text("the kind of a seat", self.kind, MAX_TOKEN)
        if self.agent is not None:
            _text("an agent", self.agent, MAX_AGENT)
        _seed("an agent's seed", self.seed)


@dataclass(frozen=True, slots=True)
class Header:
    """What was played, by whom, under which rules.

    Args:
        game: name of the game.
        variant: name of the preset, None if there was none.
        options: every option of the rules, by name, in plain values.
        digest: the ruleset digest of the engine that played.
        seats: the players, in order.
        engine: the program that wrote the log.
        seed: the seed of the chance draws if a player chose it, so that the game can be dealt again.
        rng: name of the generator behind seed.
        must: names of extensions without which the log must not be read.
        free: fields for anybody's use, their names begin with "_"; readers pass over them.
        later: fields of a later minor version, which this version passes over.
        fmt: major and minor version of the format.

    Raises:
        ParameterError: for what a log cannot hold, with the field named.
    """

    game: str
    variant: str | None
    options: Mapping[str, Plain]
    digest: str
    seats: tuple[Seat, ...]
    engine: str
    seed: int | str | None = None
    rng: str = RNG
    must: tuple[str, ...] = ()
    free: Mapping[str, Plain] = field(default_factory=dict, hash=False)
    later: Mapping[str, Plain] = field(default_factory=dict, hash=False)
    fmt: tuple[int, int] = FORMAT

    def __post_init__(self) -> None:
        for label in ("game", "digest", "engine", "rng"):
            _text(f"the header's {label}", getattr(self, label), MAX_TOKEN)
        if self.variant is not None:
            _text("the header's variant", self.variant, MAX_TOKEN)
        _seed("the seed", self.seed)
        self._freeze("options", plain("the options", self.options, MAX_DEPTH - 1))
        self._freeze("free", plain("the free fields", self.free))
        self._freeze("later", plain("the later fields", self.later))
        self._freeze("seats", tuple(self.seats))
        self._freeze("must", tuple(self.must))
        if not 1 <= len(self.seats) <= MAX_SEATS:
            raise ParameterError(f"a log has 1..{MAX_SEATS} seats, not {len(self.seats)}")
        if len(self.must) > MAX_EXTENSIONS:
            raise ParameterError(f"a log names at most {MAX_EXTENSIONS} extensions, not {len(self.must)}")
        for name in self.must:
            _text("the name of an extension", name, MAX_TOKEN)
        for key in self.free:
            if not key.startswith("_"):
                raise ParameterError(f'a free field\'s name begins with "_", unlike {key!r}')

    def _freeze(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


@dataclass(frozen=True, slots=True)
class Move:
    """A player's decision; sealed ones too are single records, in the order of the players.

    Args:
        player: 0..11.
        action: the action's number in that game.
    """

    player: int
    action: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", integer("a player", self.player, MAX_SEATS - 1))
        object.__setattr__(self, "action", integer("an action", self.action, MAX_ACTION))


@dataclass(frozen=True, slots=True)
class ChanceOutcome:
    """What chance did: a card dealt or drawn, a cut, a lot.

    Args:
        outcome: the outcome's number in that game.
    """

    outcome: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcome", integer("a chance outcome", self.outcome, MAX_ACTION))


@dataclass(frozen=True, slots=True)
class End:
    """The end of a finished game.

    Args:
        reason: why it ended, a short word.
        returns: what each player won, as State.returns gives it.
        later: fields of a later minor version, which this version passes over.
    """

    reason: str
    returns: tuple[float, ...]
    later: Mapping[str, Plain] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _text("the reason of the end", self.reason, MAX_TOKEN)
        returns = tuple(float(value) + 0.0 for value in self.returns)  # -0.0 + 0.0 is 0.0
        if not all(map(math.isfinite, returns)):
            raise ParameterError("a return must be a finite number")
        if not 1 <= len(returns) <= MAX_SEATS:
            raise ParameterError(f"a game has 1..{MAX_SEATS} returns, not {len(returns)}")
        object.__setattr__(self, "returns", returns)
        object.__setattr__(self, "later", plain("the later fields", self.later))

    @property
    def winners(self) -> tuple[int, ...]:
        """The players with the highest return, ascending."""
        best = max(self.returns)
        return tuple(player for player, value in enumerate(self.returns) if value == best)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record of a later minor version, which this version passes over.

    Args:
        kind: its kind, below 128.
        body: its body, unread.
    """

    kind: int
    body: bytes


Record: TypeAlias = Move | ChanceOutcome | End | Skipped
"""Everything that can follow the header."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log whose bytes are sound: a whole game, or the beginning of one.

    Args:
        header: record 0.
        records: records 1, 2, ...; the last one is an End if the game is finished.
        offsets: byte at which each record begins, the header first, and at last the size of it all.
        tag: tag of the last record, which vouches for all of them.
    """

    header: Header
    records: tuple[Record, ...]
    offsets: array[int] = field(repr=False, compare=False)
    tag: bytes

    @property
    def end(self) -> End | None:
        """The end record, None while the game is unfinished."""
        last = self.records[-1] if self.records else None
        return last if isinstance(last, End) else None

    @property
    def complete(self) -> bool:
        """True if the game was recorded to its end."""
        return self.end is not None

    @property
    def size(self) -> int:
        """Bytes of the records."""
        return self.offsets[-1]


def history(records: Iterable[Record]) -> list[int]:
    """The flat list of actions and chance outcomes, as State.history gives it."""
    flat = []
    for record in records:
        if isinstance(record, Move):
            flat.append(record.action)
        elif isinstance(record, ChanceOutcome):
            flat.append(record.outcome)
    return flat
