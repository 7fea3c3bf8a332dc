"""Writing a log while the game is played: a record is in the file before the next decision is asked for."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import Literal, NoReturn, Self

from cardgods.log import files, frame
from cardgods.log.errors import LogWriteError, TornTailError
from cardgods.log.reader import shown
from cardgods.log.recorder import CUT_OFF, Head, LogBuffer, Recorder, opening
from cardgods.log.records import Header
from cardgods.log.verify import Verification, verify_bytes

Sync = Literal["end", "record", "never"]


class LogWriter(Recorder):
    """A log that grows with its game. Use it as a context manager, from one thread.

    The file is new and belongs to this session alone (mode 0600, advisory lock) until it is closed. Each
    record is one write to the operating system and is there before the method returns, so that a killed
    program loses nothing that was acknowledged.

    Args:
        path: the file.
        header: see :func:`make_header`.
        secret: what opens the header's commitment, if it has one.
        overwrite: replace a log that is there; a file that is no log is never replaced.
        sync: when to wait for the disk as well, against a power cut: "end" when the log is closed,
            "record" after each record too, or "never".

    Attributes:
        found: of a log that was resumed: what it held. Else None.
        aside: of a log that was resumed: the file that took its torn tail. Else None.

    Raises:
        ParameterError: if the header is too large or not one that this version writes.
        LogBusyError: if another session is writing this file.
        LogWriteError: if the file exists, or cannot be created or written.
    """

    _fd = -1
    _pending: Head | None = None
    found: Verification | None = None
    aside: str | None = None

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: Header,
        *,
        secret: bytes | None = None,
        overwrite: bool = False,
        sync: Sync = "end",
    ) -> None:
        data, head = opening(header, secret)
        self._begin(path, data, head, secret, overwrite, sync)

    @classmethod
    def take_over(
        cls, path: str | os.PathLike[str], buffer: LogBuffer, *, overwrite: bool = False, sync: Sync = "end"
    ) -> Self:
        """Go on in a new file with a log that was kept in memory so far.

        Args:
            path: the file.
            buffer: the log; it stays as it is and is not to be written to any more.
            overwrite: as for the class.
            sync: as for the class.

        Raises:
            LogBusyError: if another session is writing this file.
            LogWriteError: if the file exists, or cannot be created or written.
        """
        log = cls.__new__(cls)
        log._begin(path, buffer.getvalue(), buffer._settled(), buffer._secret, overwrite, sync)
        return log

    def _begin(
        self,
        path: str | os.PathLike[str],
        data: bytes,
        head: Head,
        secret: bytes | None,
        overwrite: bool,
        sync: Sync,
    ) -> None:
        """Create the file with its first bytes, after which the log stands at `head`."""
        self._name = shown(path)
        self._sync = sync
        self._fd = files.open_new(path, frame.MAGIC, overwrite)
        try:
            self._put(data, head)
            if sync == "record":
                self._sync_folder(path)
        except BaseException:
            # A log without a header is worth nothing, and would be in the way of the next attempt.
            if not overwrite:
                with contextlib.suppress(OSError):
                    os.unlink(path)
            self._release()
            raise
        self._secret = secret

    @classmethod
    def resume(cls, path: str | os.PathLike[str], *, sync: Sync = "end") -> Self:
        """Go on with the log of an unfinished game, which is checked completely first.

        A torn tail is copied aside, and only then cut off (see ``aside``); nothing else is ever put right.

        Args:
            path: the file.
            sync: as for the class.

        Raises:
            LogBusyError: if another session is writing this file.
            LogReadError: if there is no such file.
            LogWriteError: if the game is over, or the file cannot be written; it is then as it was.
            LogError: whatever :func:`verify` has to say against the log.
        """
        fd = files.open_old(path)
        try:
            found, aside = checked(fd, path, whole=False)
        except BaseException:
            os.close(fd)
            raise
        log = cls.__new__(cls)
        log._name, log._sync, log._fd = shown(path), sync, fd
        log.found, log.aside = found, aside
        log._head = found.head
        log._secret = found.secret
        return log

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

    def __del__(self) -> None:
        self._release()

    def _release(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def _refuse(self, why: str) -> LogWriteError:
        return LogWriteError(f"cannot write {self._name}: {why}", CUT_OFF)

    def _put(self, data: bytes, after: Head) -> None:
        if self._fd < 0:
            raise self._refuse("the log is closed")
        # Should Ctrl-C strike between here and the last line, _settled() finds out what was written.
        self._pending = after
        try:
            files.write_all(self._fd, data)
            if self._sync == "record":
                os.fsync(self._fd)
        except OSError as error:
            self._give_up(error)
        self._head = after
        self._pending = None

    def _sync_folder(self, path: str | os.PathLike[str]) -> None:
        try:
            files.sync_folder(path)
        except OSError as error:
            raise LogWriteError(f"cannot write {self._name}: {error.strerror}") from None

    def _settled(self) -> Head:
        """Where the log stands, after an interrupted write was found to be whole or was taken back."""
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
        held = f"; header and {number - 1} records stay valid" if number else ""
        raise LogWriteError(
            f"cannot write {self._name}: {error.strerror}{held}",
            CUT_OFF if number else LogWriteError.exit_code,
        ) from None


@dataclass(frozen=True, slots=True)
class Recovery:
    """What :func:`recover` found and did.

    Args:
        found: the log, valid to its last byte now.
        aside: the file that took the torn tail; None if there was none.
        torn: bytes of that tail.
    """

    found: Verification
    aside: str | None
    torn: int


def recover(path: str | os.PathLike[str]) -> Recovery:
    """Copy the torn tail of a log aside, then cut it off. A log without one is left alone.

    Only a record whose writing was cut short is a torn tail; damage is never put right.

    Raises:
        LogBusyError: if another session is writing this file.
        LogReadError: if there is no such file.
        LogWriteError: if the file, or one beside it, cannot be written; the log is then as it was.
        LogError: whatever :func:`verify` has to say against the log.
    """
    fd = files.open_old(path)
    try:
        found, aside = checked(fd, path, whole=True)
    finally:
        os.close(fd)
    return Recovery(found, aside, found.torn)


def checked(fd: int, path: str | os.PathLike[str], *, whole: bool) -> tuple[Verification, str | None]:
    """Check a locked file and rid it of a torn tail.

    Args:
        fd: the file.
        path: its name.
        whole: a finished game will do.

    Returns:
        What was found, and the name of the file that took the tail.
    """
    name = shown(path)
    data = files.read_locked(fd)
    found = verify_bytes(data, name)
    if found.complete and not whole:
        raise LogWriteError(f"cannot go on with {name}: the game is over")
    if found.header.deal is not None and found.secret is None and not whole:
        raise LogWriteError(
            f"cannot go on with {name}: it was cut off before the secret of its deal was written",
            TornTailError.exit_code,
        )
    aside = files.cut_off(fd, path, found.size, data[found.size :]) if found.torn else None
    return found, aside
