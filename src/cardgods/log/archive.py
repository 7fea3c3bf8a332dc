"""Archives: files of many whole logs, for those who play more games than a folder should hold files.

An archive is a chain of its own around logs that stay as they are. What an entry says of its length has a
tag of its own, so that a write that was cut short and a damaged length are never taken for one another.
docs/log-format.md, section "Archives".
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from types import TracebackType
from typing import BinaryIO, NamedTuple, NoReturn, Self

from cardgods.errors import ParameterError
from cardgods.log import files, frame
from cardgods.log.errors import CorruptLogError, LogReadError, LogWriteError, NotALogError, TornTailError
from cardgods.log.reader import shown
from cardgods.log.recorder import CUT_OFF

MAGIC = b"\xaecardgods-logs\n"
"""The msgpack string that begins every archive."""
ORIGIN = frame.digest(b"", MAGIC)
"""What stands for the previous tag of the first entry."""

_ARRAY = b"\x95"
_TAG_MARK = b"\xc4\x10"
_TAG_FIELD = 18
_MAX_HEAD = 1 + 5 + 5


class Entry(NamedTuple):
    """One log of an archive.

    Attributes:
        number: its place, from 0.
        offset: byte at which the entry begins.
        data: the bytes of the log, which are still to be checked.
    """

    number: int
    offset: int
    data: bytes


def is_archive(path: str | os.PathLike[str]) -> bool:
    """True if a file begins as an archive does. A pipe, which can be read only once, is taken for a log.

    Raises:
        LogReadError: if it cannot be read.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError) as error:
        raise LogReadError(f"cannot read {shown(path)}: {files.reason(error)}") from None


def entries(path: str | os.PathLike[str]) -> Iterator[Entry]:
    """The logs of an archive, one at a time in memory.

    Args:
        path: the file.

    Raises:
        LogReadError: if the file cannot be read.
        NotALogError: if it is no archive.
        CorruptLogError: if it was damaged or edited; names the first bad entry.
        TornTailError: behind the last whole entry, if a further one was cut short.
    """
    try:
        with open(path, "rb") as file:
            yield from _Scanner(file, shown(path))
    except (OSError, ValueError) as error:
        raise LogReadError(f"cannot read {shown(path)}: {files.reason(error)}") from None


def entry(path: str | os.PathLike[str], number: int) -> Entry:
    """One log of an archive.

    Raises:
        ParameterError: if the archive has no such log.
        LogError: as :func:`entries` does.
    """
    count = 0
    for found in entries(path):
        if found.number == number:
            return found
        count += 1
    raise ParameterError(f"{shown(path)} has no log {number}: it has {count}, numbered from 0")


def build(number: int, log: bytes, previous: bytes) -> tuple[bytes, bytes]:
    """A whole entry and its tag.

    Args:
        number: its place, from 0.
        log: bytes of a log.
        previous: tag of the entry before; ORIGIN for the first.

    Raises:
        ParameterError: if the log is too long or none.
    """
    if not log.startswith(frame.MAGIC) or len(log) > frame.MAX_LOG:
        raise ParameterError(f"an archive takes logs of at most {frame.MAX_LOG} bytes and nothing else")
    start = _ARRAY + frame.pack_number(number) + frame.pack_number(len(log))
    head = frame.digest(previous, start)
    tag = frame.digest(head, log)
    return b"".join((start, _TAG_MARK, head, _binary(len(log)), log, _TAG_MARK, tag)), tag


def _binary(size: int) -> bytes:
    """The head of a binary field in its shortest form."""
    if size < 0x100:
        return bytes((0xC4, size))
    return b"\xc5" + size.to_bytes(2, "big") if size < 0x10000 else b"\xc6" + size.to_bytes(4, "big")


class _Scanner:
    """One pass over the entries of a file; `at` is where the entry numbered `number` begins."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file = file
        self.name = name
        self.at = len(MAGIC)
        self.number = 0
        self.tag = ORIGIN
        if file.read(len(MAGIC)) != MAGIC:
            raise NotALogError(f"{name} is no archive of game logs: it does not begin as one does")

    def __iter__(self) -> Iterator[Entry]:
        """The logs."""
        while (found := self.next()) is not None:
            yield found

    def next(self) -> Entry | None:
        """The log here; go on behind it. None at the end of the file."""
        head = self.file.read(_MAX_HEAD + _TAG_FIELD)
        if not head:
            return None
        size, head_tag, rest = self._head(head)
        binary = _binary(size)
        wanted = len(binary) + size + _TAG_FIELD
        body = rest + self.file.read(max(wanted - len(rest), 0))
        if not body[:wanted].startswith(binary[: len(body)]):
            self._corrupt("its length does not fit")
        if len(body) < wanted:
            self._torn(len(head) - len(rest) + len(body))
        log = body[len(binary) : len(binary) + size]
        tag = frame.digest(head_tag, log)
        if body[len(binary) + size : wanted] != _TAG_MARK + tag:
            self._corrupt("its tag does not fit")
        found = Entry(self.number, self.at, log)
        self.at += len(head) - len(rest) + wanted
        self.number += 1
        self.tag = tag
        self.file.seek(self.at)
        return found

    def _head(self, data: bytes) -> tuple[int, bytes, bytes]:
        """Length of the log and tag of what says so; the bytes behind them."""
        start = _ARRAY + frame.pack_number(self.number)
        if not data.startswith(start[: len(data)]):
            self._corrupt(f"the entry numbered {self.number} does not begin here")
        size = frame.read_number(data, len(start))
        if size is None:
            if len(data) <= len(start) or _begins_number(data[len(start) :]):
                self._torn(len(data))
            self._corrupt("its length is no integer in canonical form")
        start += frame.pack_number(size)
        tag = frame.digest(self.tag, start)
        field = _TAG_MARK + tag
        found = data[len(start) : len(start) + _TAG_FIELD]
        if found != field[: len(found)] or size > frame.MAX_LOG:
            self._corrupt("its number or length was changed")
        if len(found) < _TAG_FIELD:
            self._torn(len(data))
        return size, tag, data[len(start) + _TAG_FIELD :]

    def _corrupt(self, why: str) -> NoReturn:
        raise CorruptLogError(
            f"{self.name} is damaged or was changed at its log {self.number} (byte {self.at}): {why}",
            self.number,
            self.at,
        )

    def _torn(self, torn: int) -> NoReturn:
        raise TornTailError(
            f"{self.name} ends inside its log {self.number} (byte {self.at}, {torn} bytes of it): "
            f"{self.number} logs before it are whole",
            None,
            self.at,
            torn,
        )


def _begins_number(data: bytes) -> bool:
    """True if the bytes, which hold no whole number, are the beginning of one."""
    return len(data) <= {0xCC: 1, 0xCD: 2, 0xCE: 4}.get(data[0], -1)


class ArchiveWriter:
    """An archive that grows by whole logs. Use it as a context manager, from one thread.

    The file belongs to this session alone (mode 0600, advisory lock) until it is closed. A log is in it when
    :meth:`add` returns.

    Args:
        path: the file, which is new.
        overwrite: replace an archive that is there; nothing else is ever replaced.

    Attributes:
        number: of the next log.
        aside: of an archive that was resumed: the file that took its torn tail. Else None.

    Raises:
        LogBusyError: if another session is writing this file.
        LogWriteError: if the file exists, or cannot be created or written.
    """

    _fd = -1
    aside: str | None = None

    def __init__(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        self._name = shown(path)
        self.number, self._tag, self._size = 0, ORIGIN, 0
        self._fd = files.open_new(path, MAGIC, overwrite)
        self._put(MAGIC)

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Self:
        """Go on with an archive, whose chain is checked first; a torn tail is copied aside and cut off.

        Raises:
            LogBusyError: if another session is writing this file.
            LogReadError: if there is no such file.
            LogWriteError: if it cannot be written; it is then as it was.
            NotALogError: if it is no archive.
            CorruptLogError: if it was damaged or edited.
        """
        archive = cls.__new__(cls)
        archive._name = shown(path)
        archive._fd = files.open_old(path)
        try:
            archive._take_over(path)
        except BaseException:
            archive.close()
            raise
        return archive

    def _take_over(self, path: str | os.PathLike[str]) -> None:
        torn = 0
        with open(self._fd, "rb", closefd=False) as file:
            scanner = _Scanner(file, self._name)
            try:
                for _ in scanner:
                    pass
            except TornTailError as error:
                torn = error.torn
        self.number, self._tag, self._size = scanner.number, scanner.tag, scanner.at
        if torn:
            self.aside = files.cut_off(self._fd, path, self._size, os.pread(self._fd, torn, self._size))

    def add(self, log: bytes) -> int:
        """Add a log.

        Args:
            log: its bytes, as ``LogBuffer.getvalue`` gives them.

        Returns:
            Its number.

        Raises:
            ParameterError: if it is too long or no log.
            LogWriteError: if it cannot be written; the logs before stay valid.
        """
        data, tag = build(self.number, log, self._tag)
        self._put(data)
        self._tag = tag
        self.number += 1
        return self.number - 1

    def _put(self, data: bytes) -> None:
        if self._fd < 0:
            raise LogWriteError(f"cannot write {self._name}: the archive is closed", CUT_OFF)
        try:
            # What an interrupted attempt may have left goes first.
            if os.fstat(self._fd).st_size != self._size:
                os.ftruncate(self._fd, self._size)
            files.write_all(self._fd, data)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._size)
            self.close()
            raise LogWriteError(
                f"cannot write {self._name}: {error.strerror}; the {self.number} logs before stay valid",
                CUT_OFF if self._size else LogWriteError.exit_code,
            ) from None
        self._size += len(data)

    def close(self) -> None:
        """Give the file free."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()
