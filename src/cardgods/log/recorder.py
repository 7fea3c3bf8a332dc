"""The records of a game while it is played: a Recorder makes them, a LogBuffer keeps them in memory."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import NamedTuple, Self

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.log import codec, frame
from cardgods.log.deal import commitment, deal_seed
from cardgods.log.errors import LogWriteError
from cardgods.log.records import (
    FORMAT,
    ChanceOutcome,
    Commitment,
    Cut,
    End,
    Header,
    Move,
    Seat,
    Secret,
    Undo,
)
from cardgods.log.values import Plain
from cardgods.types import PlayerId

CUT_OFF = 8
"""Exit code when a log is cut off in the middle of a game: a limit was reached, a part was written."""


def make_header(
    game: Game,
    seats: Sequence[Seat],
    *,
    seed: int | str | None = None,
    secret: bytes | None = None,
    cuts: Sequence[int] = (),
    free: Mapping[str, Plain] | None = None,
) -> Header:
    """The header of a game that is about to be played.

    Args:
        game: the game with its options.
        seats: who plays, one seat for each player.
        seed: the seed of the chance draws if a player chose it.
        secret: the secret of a committed deal (see deal.py); the header holds its commitment only.
        cuts: players who will cut a committed deal, ascending.
        free: fields for anybody's use, their names begin with "_".

    Raises:
        ParameterError: for a wrong number of seats, or what a log cannot hold, with the reason.
    """
    from cardgods import __version__

    if len(seats) != game.num_players():
        raise ParameterError(f"{game} has {game.num_players()} players, {len(seats)} seats are given")
    if cuts and secret is None:
        raise ParameterError("only a committed deal can be cut: it needs a secret")
    deal = None
    if secret is not None:
        deal = Commitment(commitment(Secret(secret).value, game.secret_parameters()), tuple(cuts))
    return Header(
        game=game.name,
        variant=game.variant,
        options=game.parameters(),
        digest=game.ruleset_digest(),
        seats=tuple(seats),
        engine=f"cardgods {__version__}",
        seed=seed,
        deal=deal,
        free=free or {},
    )


class Head(NamedTuple):
    """Where a log stands: what the next record needs, and where it goes.

    Attributes:
        number: of the next record.
        tag: of the last record.
        size: bytes so far.
        opening_tag: tag of the last record before the game.
        due: players who have not cut yet.
        ended: True after the end record.
        events: moves and chance outcomes that stand.
    """

    number: int = 0
    tag: bytes = frame.ORIGIN
    size: int = 0
    opening_tag: bytes = frame.ORIGIN
    due: tuple[int, ...] = ()
    ended: bool = False
    events: int = 0


def opening(header: Header, secret: bytes | None) -> tuple[bytes, Head]:
    """The first bytes of a log: the header, and what opens its commitment.

    Raises:
        ParameterError: if the header is too large or not one that this version writes, or the secret is
            missing or out of place.
    """
    if header.fmt != FORMAT or header.must or header.later:
        raise ParameterError(f"this version writes logs of format {FORMAT[0]}.{FORMAT[1]} only")
    if (header.deal is None) != (secret is None):
        raise ParameterError("a secret goes with a header that commits to it, and with no other")
    data, tag = frame.build(codec.HEADER, 0, codec.encode_header(header), frame.ORIGIN)
    number = 1
    if secret is not None:
        record, tag = frame.build(codec.SECRET, 1, codec.encode_secret(Secret(secret)), tag)
        data += record
        number = 2
    due = header.deal.cuts if header.deal else ()
    return frame.MAGIC + data, Head(number, tag, len(frame.MAGIC) + len(data), tag, due)


class Recorder(ABC):
    """Makes the records of a game; a subclass keeps them."""

    _head = Head()
    _secret: bytes | None = None

    @abstractmethod
    def _put(self, data: bytes, after: Head) -> None:
        """Keep the bytes; the log then stands at `after`."""

    @abstractmethod
    def _settled(self) -> Head:
        """Where the log stands now."""

    @abstractmethod
    def _refuse(self, why: str) -> LogWriteError:
        """The error that says why nothing can be added."""

    @property
    def number(self) -> int:
        """Number of the next record; the header is 0."""
        return self._settled().number

    @property
    def tag(self) -> bytes:
        """Tag of the last record, which vouches for all of them."""
        return self._settled().tag

    @property
    def size(self) -> int:
        """Bytes of the log."""
        return self._settled().size

    @property
    def due(self) -> tuple[int, ...]:
        """Players who have to cut before the game can begin, ascending."""
        return self._settled().due

    @property
    def deal(self) -> Random | None:
        """The generator of a committed deal once all have cut; else None."""
        head = self._settled()
        if self._secret is None or head.due:
            return None
        return Random(deal_seed(self._secret, head.opening_tag))

    @abstractmethod
    def close(self) -> None:
        """Give free what the log holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            with contextlib.suppress(LogWriteError):
                self.close()

    def cut(self, player: int, value: bytes) -> None:
        """Record a player's cut, which must be the next one that is due.

        Args:
            player: who cuts.
            value: what he adds to the deal, at most 64 bytes.

        Raises:
            ParameterError: if he is not the next to cut, or the value is too long.
            LogWriteError: if it cannot be written; what was written before stays valid.
        """
        head = self._settled()
        if not head.due or head.due[0] != player:
            whose = f"player {head.due[0]}'s" if head.due else "nobody's"
            raise ParameterError(f"it is {whose} turn to cut, not player {player}'s")
        self._append(codec.CUT, codec.encode_cut(Cut(player, value)))

    def append(self, actor: int, action: int) -> None:
        """Record a decision or a chance outcome.

        Args:
            actor: who acted: a player, or -1 for chance.
            action: the number of the action or outcome.

        Raises:
            ParameterError: if one of them is no number that a log can hold, or somebody has not cut yet.
            LogWriteError: if it cannot be written; what was written before stays valid.
        """
        if actor == PlayerId.CHANCE:
            self._append(codec.CHANCE, codec.encode_chance(ChanceOutcome(action)), 1)
        else:
            self._append(codec.MOVE, codec.encode_move(Move(actor, action)), 1)

    def undo(self, player: int, events: int) -> None:
        """Record that a player took back what had happened last; nothing is erased.

        Args:
            player: who took it back.
            events: how many moves and chance outcomes, of those that stand.

        Raises:
            ParameterError: if there are not so many, or the player is no number that a log can hold.
            LogWriteError: if it cannot be written; what was written before stays valid.
        """
        undo = Undo(player, events)
        stand = self._settled().events
        if undo.events > stand:
            raise ParameterError(f"{undo.events} events cannot be taken back: {stand} stand")
        self._append(codec.UNDO, codec.encode_undo(undo), -undo.events)

    def finish(self, state: State, reason: str = "finished") -> None:
        """Record the end of the game; nothing can follow.

        Args:
            state: the terminal state.
            reason: why it ended, a short word.

        Raises:
            ParameterError: if the state is not terminal, or the reason no short text.
            LogWriteError: if it cannot be written; what was written before stays valid.
        """
        if not state.is_terminal():
            raise ParameterError("only a game that is over has an end record: this one goes on")
        self._append(codec.END, codec.encode_end(End(reason, tuple(state.returns()))))

    def _append(self, kind: int, body: bytes, events: int = 0) -> None:
        head = self._settled()
        if head.ended:
            raise self._refuse("the game has ended")
        if head.due and kind != codec.CUT:
            raise ParameterError(f"the game begins when player {head.due[0]} has cut")
        record, tag = frame.build(kind, head.number, body, head.tag)
        size = head.size + len(record)
        if size > frame.MAX_LOG:
            raise self._refuse(f"a log has at most {frame.MAX_LOG} bytes")
        cut = kind == codec.CUT
        self._put(
            record,
            Head(
                head.number + 1,
                tag,
                size,
                tag if cut else head.opening_tag,
                head.due[1:] if cut else head.due,
                kind == codec.END,
                head.events + events,
            ),
        )


class LogBuffer(Recorder):
    """A log in memory, for many short games; see archive.py for a file of many logs.

    Args:
        header: see :func:`make_header`.
        secret: what opens its commitment, if it has one.

    Raises:
        ParameterError: if the header is too large or not one that this version writes.
    """

    def __init__(self, header: Header, secret: bytes | None = None) -> None:
        data, self._head = opening(header, secret)
        self._parts = [data]
        self._secret = secret

    def getvalue(self) -> bytes:
        """The log so far."""
        return b"".join(self._parts)

    def close(self) -> None:
        """Nothing is held."""

    def _put(self, data: bytes, after: Head) -> None:
        self._parts.append(data)
        self._head = after

    def _settled(self) -> Head:
        return self._head

    def _refuse(self, why: str) -> LogWriteError:
        return LogWriteError(f"cannot go on with the log: {why}", CUT_OFF)
