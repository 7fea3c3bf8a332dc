"""Writing a log while the game is played: a record is in the file before the next decision is asked for."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Literal, NamedTuple, NoReturn, Self

from cardgods._core.state import State
from cardgods.errors import ParameterError
from cardgods.game import Game
from cardgods.log import codec, frame
from cardgods.log.errors import LogBusyError, LogWriteError
from cardgods.log.reader import shown
from cardgods.log.records import FORMAT, ChanceOutcome, End, Header, Move, Plain, Seat
from cardgods.types import PlayerId

CUT_OFF = 8
"""Exit code when a log is cut off in the middle of a game: a limit was reached, a part was written."""


def make_header(
    game: Game,
    seats: Sequence[Seat],
    *,
    seed: int | str | None = None,
    free: Mapping[str, Plain] | None = None,
) -> Header:
    """The header of a game that is about to be played.

    Args:
        game: the game with its options.
        seats: who plays, one seat for each player.
        seed: the seed of the chance draws if a player chose it.
        free: fields for anybody's use, their names begin with "_".

    Raises:
        ParameterError: for a wrong number of seats, or what a log cannot hold, with the reason.
    """
    from cardgods import __version__

    if len(seats) != game.num_players():
        raise ParameterError(f"{game} has {game.num_players()} players, {len(seats)} seats are given")
    return Header(
        game=game.name,
        variant=game.variant,
        options=game.parameters(),
        digest=game.ruleset_digest(),
        seats=tuple(seats),
        engine=f"cardgods {__version__}",
        seed=seed,
        free=free or {},
    )


class _Head(NamedTuple):
    """Where the log stands: what the next record needs, and where it goes."""

    number: int
    tag: bytes
    size: int
    ended: bool


class LogWriter:
    """A log that grows with its game. Use it as a context manager, from one thread.

    The file is new and belongs to this session alone (mode 0600, advisory lock) until it is closed. Each
    record is one write to the operating system and is there before the method returns, so that a killed
    program loses nothing that was acknowledged.

    Args:
        path: the file.
        header: see :func:`make_header`.
        overwrite: replace a log that is there; a file that is no log is never replaced.
        sync: when to wait for the disk as well, against a power cut: "end" when the log is closed,
            "record" after each record too, or "never".

    Raises:
        ParameterError: if the header is too large or not one that this version writes.
        LogBusyError: if another session is writing this file.
        LogWriteError: if the file exists, or cannot be created or written.
    """

    _fd = -1

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: Header,
        *,
        overwrite: bool = False,
        sync: Literal["end", "record", "never"] = "end",
    ) -> None:
        self._name = shown(path)
        self._sync = sync
        self._head = _Head(0, frame.ORIGIN, 0, False)
        self._pending: _Head | None = None
        if header.fmt != FORMAT or header.must or header.later:
            raise ParameterError(f"this version writes logs of format {FORMAT[0]}.{FORMAT[1]} only")
        record, tag = frame.build(codec.HEADER, 0, codec.encode_header(header), frame.ORIGIN)
        self._fd = _open(path, self._name, overwrite)
        try:
            self._write(frame.MAGIC + record, tag)
            if sync == "record":
                self._sync_folder(path)
        except BaseException:
            # A log without a header is worth nothing, and would be in the way of the next attempt.
            if not overwrite:
                with contextlib.suppress(OSError):
                    os.unlink(path)
            self._release()
            raise

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
        """Bytes written."""
        return self._settled().size

    def append(self, actor: int, action: int) -> None:
        """Record a decision or a chance outcome.

        Args:
            actor: who acted: a player, or -1 for chance.
            action: the number of the action or outcome.

        Raises:
            ParameterError: if one of them is no number that a log can hold.
            LogWriteError: if it cannot be written; what was written before stays valid.
        """
        if actor == PlayerId.CHANCE:
            self._append(codec.CHANCE, codec.encode_chance(ChanceOutcome(action)))
        else:
            self._append(codec.MOVE, codec.encode_move(Move(actor, action)))

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

    def close(self) -> None:
        """Finish writing and give the file free. A log without end record is an unfinished game.

        Raises:
            LogWriteError: if the disk does not take what was written.
        """
        if self._fd < 0:
            return
        try:
            self._settled()
            if self._sync != "never":
                os.fsync(self._fd)
        except OSError as error:
            raise LogWriteError(f"cannot write {self._name}: {error.strerror}", CUT_OFF) from None
        finally:
            self._release()

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

    def __del__(self) -> None:
        self._release()

    def _release(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _append(self, kind: int, body: bytes) -> None:
        head = self._settled()
        if self._fd < 0 or head.ended:
            why = "the game has ended" if head.ended else "the log is closed"
            raise LogWriteError(f"cannot write {self._name}: {why}", CUT_OFF)
        record, tag = frame.build(kind, head.number, body, head.tag)
        if head.size + len(record) > frame.MAX_LOG:
            raise LogWriteError(
                f"cannot write {self._name}: a log has at most {frame.MAX_LOG} bytes", CUT_OFF
            )
        self._write(record, tag, kind == codec.END)

    def _write(self, record: bytes, tag: bytes, ended: bool = False) -> None:
        head = self._head
        after = _Head(head.number + 1, tag, head.size + len(record), ended)
        # Should Ctrl-C strike between here and the last line, _settled() finds out what was written.
        self._pending = after
        try:
            done = os.write(self._fd, record)
            while done < len(record):
                done += os.write(self._fd, record[done:])
            if self._sync == "record":
                os.fsync(self._fd)
        except OSError as error:
            self._give_up(error)
        self._head = after
        self._pending = None

    def _sync_folder(self, path: str | os.PathLike[str]) -> None:
        """Wait until the disk knows the name of a new file."""
        try:
            folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise LogWriteError(f"cannot write {self._name}: {error.strerror}") from None

    def _settled(self) -> _Head:
        """The head, after an interrupted write was found to be whole or was taken back."""
        if self._pending is not None and self._fd >= 0:
            try:
                if os.fstat(self._fd).st_size == self._pending.size:
                    self._head = self._pending
                else:
                    os.ftruncate(self._fd, self._head.size)
            except OSError as error:
                self._give_up(error)
            self._pending = None
        return self._head

    def _give_up(self, error: OSError) -> NoReturn:
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, self._head.size)
        self._release()
        number = self._head.number
        held = f"; the {number} records before stay valid" if number else ""
        raise LogWriteError(
            f"cannot write {self._name}: {error.strerror}{held}",
            CUT_OFF if number else LogWriteError.exit_code,
        ) from None


def _open(path: str | os.PathLike[str], name: str, overwrite: bool) -> int:
    """Create (or empty) and lock the file of a new log.

    Raises:
        LogWriteError: if that cannot or must not be done.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY
    # Without O_NONBLOCK, opening a pipe that nobody reads would wait for ever.
    flags |= os.O_NONBLOCK if overwrite else os.O_EXCL
    try:
        fd = os.open(path, flags, 0o600)
    except FileExistsError:
        raise LogWriteError(
            f"cannot write {name}: it exists and is not overwritten unless asked for"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LogWriteError(f"cannot write {name}: {reason}") from None
    try:
        _lock(fd, path, name)
        if overwrite:
            _empty(fd, name)
    except BaseException as error:
        os.close(fd)
        if isinstance(error, OSError):
            raise LogWriteError(f"cannot write {name}: {error.strerror}") from None
        raise
    return fd


def _lock(fd: int, path: str | os.PathLike[str], name: str) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LogBusyError(f"cannot write {name}: another session is writing it") from None
    except OSError:
        pass  # a file system without locks: nobody can hold one here either
    if not os.path.samestat(os.fstat(fd), os.stat(path)):
        raise LogBusyError(f"cannot write {name}: another session has just removed or replaced it")


def _empty(fd: int, name: str) -> None:
    """Empty an old log; refuse to destroy anything else."""
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or not frame.MAGIC.startswith(os.pread(fd, len(frame.MAGIC), 0)):
        raise LogWriteError(f"cannot write {name}: it exists and is no game log, so it is not overwritten")
    os.fchmod(fd, 0o600)
    os.ftruncate(fd, 0)
