"""What a game log says, as frozen dataclasses. Bytes are the business of codec.py and frame.py."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from cardgods.errors import ParameterError
from cardgods.log.values import (
    MAX_ACTION,
    MAX_AGENT,
    MAX_CUT,
    MAX_DEPTH,
    MAX_EXTENSIONS,
    MAX_LEARNT,
    MAX_NAME,
    MAX_SEATS,
    MAX_TOKEN,
    SECRET_BYTES,
    Plain,
    check_bytes,
    check_seed,
    check_text,
    integer,
    plain,
)

FORMAT = (1, 1)
"""Major and minor version of the format that this package writes."""

RNG = "chacha8-v1"
"""Name of the generator of docs/log-format.md, section "Random numbers"."""

VIEW = "view"
"""The extension that a view names in its header, so that nobody takes it for the log of a game."""


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
        check_text("a player's name", self.name, MAX_NAME)
        check_text("the kind of a seat", self.kind, MAX_TOKEN)
        if self.agent is not None:
            check_text("an agent", self.agent, MAX_AGENT)
        check_seed("an agent's seed", self.seed)


@dataclass(frozen=True, slots=True)
class Commitment:
    """What a header says of a deal whose secret was chosen before anybody cut (see deal.py).

    Args:
        digest: the 32 bytes that bind the secret.
        cuts: players who cut, ascending; their cuts follow before the game begins.

    Raises:
        ParameterError: if one of them has another form.
    """

    digest: bytes
    cuts: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_bytes("a commitment", self.digest, SECRET_BYTES, SECRET_BYTES)
        cuts = tuple(integer("a player who cuts", player, MAX_SEATS - 1) for player in self.cuts)
        if list(cuts) != sorted(set(cuts)):
            raise ParameterError("the players who cut are named once each, ascending")
        object.__setattr__(self, "cuts", cuts)


@dataclass(frozen=True, slots=True)
class ViewOf:
    """What the header of a view says (see views.py).

    Args:
        source: names the game: the tag that the public part of its header would have.
        seat: whose view it is; None for a spectator's.

    Raises:
        ParameterError: if one of them has another form.
    """

    source: bytes
    seat: int | None

    def __post_init__(self) -> None:
        check_bytes("the source of a view", self.source, 16, 16)
        if self.seat is not None:
            object.__setattr__(self, "seat", integer("the seat of a view", self.seat, MAX_SEATS - 1))


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
        rng: name of the generator behind seed or the committed deal.
        deal: the commitment, if the deal was committed to; there is no seed then.
        view: whose view of which game this is; None for the log of a game itself.
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
    deal: Commitment | None = None
    view: ViewOf | None = None
    must: tuple[str, ...] = ()
    free: Mapping[str, Plain] = field(default_factory=dict, hash=False)
    later: Mapping[str, Plain] = field(default_factory=dict, hash=False)
    fmt: tuple[int, int] = FORMAT

    def __post_init__(self) -> None:
        for label in ("game", "digest", "engine", "rng"):
            check_text(f"the header's {label}", getattr(self, label), MAX_TOKEN)
        if self.variant is not None:
            check_text("the header's variant", self.variant, MAX_TOKEN)
        check_seed("the seed", self.seed)
        if self.deal is not None and self.seed is not None:
            raise ParameterError("a deal has a seed that everybody may know or a commitment, not both")
        if self.deal is not None and self.deal.cuts and self.deal.cuts[-1] >= len(self.seats):
            raise ParameterError(f"player {self.deal.cuts[-1]} cuts, but there are {len(self.seats)} seats")
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
            check_text("the name of an extension", name, MAX_TOKEN)
        if (self.view is not None) != (VIEW in self.must):
            raise ParameterError(f"a view, and nothing else, names the extension {VIEW!r}")
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
class Undo:
    """A player took back what had happened last; the game goes on as if it had not.

    Nothing is erased: the records of what was taken back stay where they are.

    Args:
        player: who took it back, 0..11.
        events: how many of the moves and chance outcomes that stood until then, at least 1.
    """

    player: int
    events: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", integer("a player", self.player, MAX_SEATS - 1))
        object.__setattr__(self, "events", integer("the number of events", self.events, MAX_ACTION))
        if self.events == 0:
            raise ParameterError("at least one event is taken back")


@dataclass(frozen=True, slots=True)
class Secret:
    """What opens the commitment of the header; private until the game is over.

    Args:
        value: 32 random bytes.
    """

    value: bytes

    def __post_init__(self) -> None:
        check_bytes("the secret of a deal", self.value, SECRET_BYTES, SECRET_BYTES)


@dataclass(frozen=True, slots=True)
class Cut:
    """What a player adds to a committed deal after he has seen the commitment.

    Args:
        player: 0..11.
        value: at most 64 bytes, such as a word of his in UTF-8.
    """

    player: int
    value: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "player", integer("a player who cuts", self.player, MAX_SEATS - 1))
        check_bytes("a cut", self.value, 0, MAX_CUT)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat saw of an event; the records of a view.

    Args:
        actor: who acted, -1 for chance; None at the start, and for the position to which an undo led back.
        learnt: what the seat learnt, as ``State.events`` gives it; None where nobody acted or nobody sits.
        changes: fields of ``State.view`` that have another value than before; all of them at the start.
    """

    actor: int | None
    learnt: bytes | None
    changes: Mapping[str, Plain] = field(hash=False)

    def __post_init__(self) -> None:
        if self.actor is not None and self.actor != -1:
            object.__setattr__(self, "actor", integer("a player", self.actor, MAX_SEATS - 1))
        if self.learnt is not None:
            check_bytes("what a seat learnt", self.learnt, 0, MAX_LEARNT)
        object.__setattr__(self, "changes", plain("what a seat saw", self.changes, MAX_DEPTH - 1))


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
        check_text("the reason of the end", self.reason, MAX_TOKEN)
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


Record: TypeAlias = Move | ChanceOutcome | Undo | Secret | Cut | Seen | End | Skipped
"""Everything that can follow the header."""

Event: TypeAlias = Move | ChanceOutcome
"""What happens in a game: the records that bring its position on."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log whose bytes are sound: a whole game, or the beginning of one.

    Args:
        header: record 0.
        records: records 1, 2, ...; the last one is an End if the game is finished.
        offsets: byte at which each record begins, the header first, and at last the size of it all.
        tag: tag of the last record, which vouches for all of them.
        opening_tag: tag of the last record before the game: the header, or what belongs to its deal.
    """

    header: Header
    records: tuple[Record, ...]
    offsets: array[int] = field(repr=False, compare=False)
    tag: bytes
    opening_tag: bytes = field(repr=False, compare=False)

    @property
    def end(self) -> End | None:
        """The end record, None while the game is unfinished."""
        last = self.records[-1] if self.records else None
        return last if isinstance(last, End) else None

    @property
    def complete(self) -> bool:
        """True if the game was recorded to its end."""
        return self.end is not None

    def offset(self, record: int) -> int:
        """Byte at which a record begins; the header is record 0."""
        return self.offsets[record]

    @property
    def size(self) -> int:
        """Bytes of the records."""
        return self.offsets[-1]


def standing(records: Iterable[Record]) -> list[Event]:
    """The moves and chance outcomes that were not taken back: the game as it went in the end."""
    events: list[Event] = []
    for record in records:
        if isinstance(record, Move | ChanceOutcome):
            events.append(record)
        elif isinstance(record, Undo):
            del events[-record.events :]
    return events


def history(records: Iterable[Record]) -> list[int]:
    """The flat list of actions and chance outcomes that stand, as State.history gives it."""
    return [event.action if isinstance(event, Move) else event.outcome for event in standing(records)]
