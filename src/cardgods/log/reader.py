"""The strict reader: a log is what a writer of this format wrote, or it is refused at the exact record."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from typing import NoReturn

from cardgods.log import codec, frame
from cardgods.log.errors import (
    CorruptLogError,
    LogReadError,
    NotALogError,
    TornTailError,
    UnsupportedLogError,
)
from cardgods.log.records import End, Header, Log, Record, Skipped

_DECODERS: dict[int, Callable[[bytes], Record]] = {
    codec.MOVE: codec.decode_move,
    codec.CHANCE: codec.decode_chance,
    codec.END: codec.decode_end,
}


def shown(path: str | os.PathLike[str]) -> str:
    """A file's name for a message of one line."""
    name = os.fspath(path)
    return name if name.isprintable() else ascii(name)


def read_log(path: str | os.PathLike[str]) -> Log:
    """Read a log and check all that can be checked without the rules.

    Args:
        path: the file.

    Returns:
        The log. It may be unfinished: see ``Log.complete``.

    Raises:
        LogReadError: if the file cannot be read.
        NotALogError: if it is no log.
        CorruptLogError: if it was damaged or edited; names the first bad record.
        TornTailError: if the last write was cut short; carries the valid beginning.
        UnsupportedLogError: if its format is not known here.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(len(frame.MAGIC))
            if data == frame.MAGIC:
                data += file.read(frame.MAX_LOG + 1 - len(data))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LogReadError(f"cannot read {shown(path)}: {reason}") from None
    return parse_log(data, shown(path))


def parse_log(data: bytes, name: str = "the log") -> Log:
    """The log in a string of bytes, checked as :func:`read_log` does.

    Args:
        data: the whole log.
        name: what messages call it.

    Raises:
        NotALogError: if it is no log.
        CorruptLogError: if it was damaged or edited; names the first bad record.
        TornTailError: if the last write was cut short; carries the valid beginning.
        UnsupportedLogError: if its format is not known here.
    """
    if not data.startswith(frame.MAGIC):
        what = "does not begin as a game log does" if data else "is empty"
        raise NotALogError(f"{name} is no game log: it {what}")
    if len(data) > frame.MAX_LOG:
        raise NotALogError(f"{name} is no game log: it has more than {frame.MAX_LOG} bytes")
    return _Parser(data, name).run()


class _Parser:
    """One pass over the bytes of a log; `at` is where the record numbered `number` begins."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        self.at = len(frame.MAGIC)
        self.number = 0
        self.tag = frame.ORIGIN
        self.offsets = array("Q", [self.at])
        self.header: Header | None = None
        self.records: list[Record] = []

    def run(self) -> Log:
        self.read_header()
        size = len(self.data)
        while self.at < size:
            kind, body, end = self.read_frame()
            record = self.decode(kind, body)
            self.records.append(record)
            self.step(end)
            if type(record) is End and end < size:
                self.corrupt("something follows the end record")
        return self.log()

    def log(self) -> Log:
        assert self.header is not None
        return Log(self.header, tuple(self.records), self.offsets, self.tag)

    def step(self, end: int) -> None:
        self.at = end
        self.number += 1
        self.offsets.append(end)

    def read_header(self) -> None:
        kind, body, end = self.read_frame()
        if kind != codec.HEADER:
            self.corrupt("it is no header")
        try:
            self.header = codec.decode_header(body)
        except codec.BadBody as error:
            self.corrupt(str(error))
        except UnsupportedLogError as error:
            raise UnsupportedLogError(f"{self.name} cannot be read: {error}") from None
        self.step(end)

    def read_frame(self) -> tuple[int, bytes, int]:
        """Kind, body and end of the record here, its tag checked and taken over."""
        data, at = self.data, self.at
        try:
            kind, body, covered, end = frame.parse(data, at, self.number)
        except frame.Malformed as error:
            self.corrupt(str(error))
        except frame.Short:
            self.cut_short()
        tag = frame.digest(self.tag, data[at:covered])
        if tag != data[end - 16 : end]:
            self.corrupt("its tag does not fit: it, or the order of records, was changed")
        self.tag = tag
        return kind, data[body:covered], end

    def decode(self, kind: int, body: bytes) -> Record:
        decoder = _DECODERS.get(kind)
        if decoder is not None:
            try:
                return decoder(body)
            except codec.BadBody as error:
                self.corrupt(str(error))
        if kind == codec.HEADER:
            self.corrupt("it is a second header")
        if kind >= frame.FIRST_CRITICAL:
            raise UnsupportedLogError(
                f"{self.name} cannot be read: record {self.number} is of kind {kind}, unknown to this version"
            )
        return Skipped(kind, body)

    def corrupt(self, why: str) -> NoReturn:
        raise CorruptLogError(
            f"{self.name} is damaged or was changed at record {self.number} (byte {self.at}): {why}",
            self.number,
            self.at,
        ) from None

    def cut_short(self) -> NoReturn:
        why = frame.why_not_torn(self.data, self.at, self.number, self.tag)
        if why is not None:
            self.corrupt(why)
        torn = len(self.data) - self.at
        held = f"{self.number - 1} records before it are valid" if self.number else "it holds no game"
        raise TornTailError(
            f"{self.name} ends inside record {self.number} (byte {self.at}, {torn} bytes of it): {held}",
            self.log() if self.number else None,
            self.at,
            torn,
        ) from None
