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
    codec.SECRET: codec.decode_secret,
    codec.CUT: codec.decode_cut,
    codec.SEEN: codec.decode_seen,
    codec.END: codec.decode_end,
    codec.UNDO: codec.decode_undo,
}
_OPENING = frozenset({codec.SECRET, codec.CUT})


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
    return parse_log(read_bytes(path), shown(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file if it is a log, else its first bytes.

    Raises:
        LogReadError: if the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(len(frame.MAGIC))
            if data == frame.MAGIC:
                data += file.read(frame.MAX_LOG + 1 - len(data))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LogReadError(f"cannot read {shown(path)}: {reason}") from None
    return data


def parser(data: bytes, name: str = "the log") -> Parser:
    """A parser that stands before the header of a log.

    Raises:
        NotALogError: if the bytes begin as no log does, or are too many.
    """
    if not data.startswith(frame.MAGIC):
        what = "does not begin as a game log does" if data else "is empty"
        raise NotALogError(f"{name} is no game log: it {what}")
    if len(data) > frame.MAX_LOG:
        raise NotALogError(f"{name} is no game log: it has more than {frame.MAX_LOG} bytes")
    return Parser(data, name)


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
    return parser(data, name).run()


class Parser:
    """One pass over the bytes of a log; `at` is where the record numbered `number` begins.

    Args:
        data: the whole log.
        name: what messages call it.

    Attributes:
        tag: tag of the record before.
        offsets: byte at which each record so far begins, the last of them `at`.
        opening_tag: tag of the last record that belongs to no event of the game: the header or its deal's.
    """

    header: Header

    def __init__(self, data: bytes, name: str) -> None:
        self.data = data
        self.name = name
        self.at = len(frame.MAGIC)
        self.number = 0
        self.tag = self.opening_tag = frame.ORIGIN
        self.offsets = array("Q", [self.at])
        self.records: list[Record] = []

    def run(self) -> Log:
        """The whole log."""
        self.read_header()
        while self.at < len(self.data):
            self.records.append(self.read_record())
        return self.log()

    def read_record(self) -> Record:
        """The record here; go on behind it."""
        kind, body, end = self.read_frame()
        record = self.decode(kind, body)
        if kind in _OPENING:
            self.opening_tag = self.tag
        self.step(end)
        if type(record) is End and end < len(self.data):
            self.corrupt("something follows the end record")
        return record

    def log(self) -> Log:
        """What was read."""
        return Log(self.header, tuple(self.records), self.offsets, self.tag, self.opening_tag)

    def offset(self, record: int) -> int:
        """Byte at which a record begins, the last one that was read."""
        return self.offsets[record - self.number - 1]

    def step(self, end: int) -> None:
        """Go on behind the record here."""
        self.at = end
        self.number += 1
        self.offsets.append(end)

    def jump(self, at: int, number: int, tag: bytes) -> None:
        """Go on behind records that somebody else has read."""
        self.at, self.number, self.tag = at, number, tag

    def read_header(self) -> None:
        """Read record 0."""
        kind, body, end = self.read_frame()
        if kind != codec.HEADER:
            self.corrupt("it is no header")
        try:
            self.header = codec.decode_header(body)
        except codec.BadBody as error:
            self.corrupt(str(error))
        except UnsupportedLogError as error:
            raise UnsupportedLogError(f"{self.name} cannot be read: {error}") from None
        self.opening_tag = self.tag
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
        """The record of a kind in a body."""
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
        """Refuse the log at the record here."""
        raise CorruptLogError(
            f"{self.name} is damaged or was changed at record {self.number} (byte {self.at}): {why}",
            self.number,
            self.at,
        ) from None

    def cut_short(self) -> NoReturn:
        """The data ends inside the record here: a torn tail, or damage that looks alike."""
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
