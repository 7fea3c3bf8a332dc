"""The outer layer of a log: magic, records, hash chain. See docs/log-format.md.

A record is the msgpack array ``[kind, number, body, tag]``. The tag is the BLAKE2b-128 digest of the previous
tag and of the record's own bytes before the tag field, so a record vouches for everything before it.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

MAGIC = b"\xadcardgods-log\n"
"""The msgpack string that begins every log; its line feed shows damage by a text-mode copy."""

MAX_BODY = 65_535
"""Bytes of the largest body."""

MAX_RECORD = 1 + 2 + 5 + 3 + MAX_BODY + 18
"""Bytes of the largest record."""

MAX_LOG = 32 * 1024 * 1024
"""Bytes of the largest log."""

FIRST_CRITICAL = 128
"""Kinds from here on must be understood by a reader; unknown kinds below are passed over."""

_ARRAY = 0x94
_TAG_MARK = b"\xc4\x10"
_TAG_FIELD = 18
_MIN_RECORD = 1 + 1 + 1 + 2 + _TAG_FIELD


class Short(Exception):
    """The bytes end inside a record that is sound so far."""


class Malformed(Exception):
    """The bytes cannot be a record; the text says why."""


class Frame(NamedTuple):
    """Where the parts of one record lie."""

    kind: int
    body: int
    """Offset of the body's first byte."""
    tag: int
    """Offset of the tag field, and so the end of what the tag vouches for."""
    end: int
    """Offset after the record."""


def digest(previous: bytes, covered: bytes) -> bytes:
    """The tag of a record: BLAKE2b-128 of the previous tag and the record's bytes before its tag field."""
    return blake2b(previous + covered, digest_size=16).digest()


ORIGIN = digest(b"", MAGIC)
"""What stands for the previous tag of the header."""


def pack_number(number: int) -> bytes:
    """The canonical (shortest) msgpack bytes of an integer 0..2**32-1."""
    if number < 0x80:
        return bytes((number,))
    if number < 0x100:
        return bytes((0xCC, number))
    if number < 0x10000:
        return b"\xcd" + number.to_bytes(2, "big")
    return b"\xce" + number.to_bytes(4, "big")


def build(kind: int, number: int, body: bytes, previous: bytes) -> tuple[bytes, bytes]:
    """A whole record and its tag.

    Args:
        kind: 0..255.
        number: place of the record in the log, the header is 0.
        body: canonical msgpack bytes, at most MAX_BODY.
        previous: tag of the record before; ORIGIN for the header.
    """
    covered = b"\x94" + pack_number(kind) + pack_number(number) + _length(len(body)) + body
    tag = digest(previous, covered)
    return covered + _TAG_MARK + tag, tag


def parse(data: bytes, start: int, number: int) -> Frame:
    """Find the parts of the record that begins at `start`; the tag's value is not looked at.

    Args:
        data: the whole log.
        start: offset of the record.
        number: the number that the record must have.

    Raises:
        Malformed: if no record with that number begins here.
        Short: if the data ends before the record does.
    """
    try:
        if data[start] != _ARRAY:
            raise Malformed(f"byte 0x{data[start]:02x} does not begin a record")
        kind = data[start + 1]
        at = start + 2
        if kind > 0x7F:
            if kind != 0xCC or data[at] < 0x80:
                raise Malformed("its kind is not an integer in canonical form")
            kind = data[at]
            at += 1
        wanted = pack_number(number)
        found = data[at : at + len(wanted)]
        if found != wanted:
            if wanted.startswith(found):
                raise Short
            raise Malformed(f"the record numbered {number} belongs here, not {_number_text(data, at)}")
        at += len(wanted)
        mark = data[at]
        if mark == 0xC4:
            body = at + 2
            tag = body + data[at + 1]
        elif mark == 0xC5:
            body = at + 3
            size = data[at + 1] << 8 | data[at + 2]
            if size < 0x100:
                raise Malformed("its length is not in canonical form")
            tag = body + size
        else:
            raise Malformed(f"its body is no binary field of at most {MAX_BODY} bytes")
    except IndexError:
        raise Short from None
    if data[tag : tag + 2] != _TAG_MARK:
        if _TAG_MARK.startswith(data[tag : tag + 2]):
            raise Short
        raise Malformed("its tag field is missing")
    if tag + _TAG_FIELD > len(data):
        raise Short
    return Frame(kind, body, tag, tag + _TAG_FIELD)


def read_number(data: bytes, at: int) -> int | None:
    """The canonical integer at an offset, None if there is none."""
    first = data[at] if at < len(data) else 0xFF
    if first < 0x80:
        return first
    width = {0xCC: 1, 0xCD: 2, 0xCE: 4}.get(first)
    if width is None or at + 1 + width > len(data):
        return None
    value = int.from_bytes(data[at + 1 : at + 1 + width], "big")
    return value if len(pack_number(value)) == 1 + width else None


def _number_text(data: bytes, at: int) -> str:
    value = read_number(data, at)
    return "something else" if value is None else f"the one numbered {value}"


def why_not_torn(data: bytes, start: int, number: int, previous: bytes) -> str | None:
    """Why the unfinished record at `start` is damage and not a write that was cut short; None if it may be.

    A damaged length field can run past the end of the file just as a torn record does. It gives itself
    away: either the record is whole once the length is put right, or whole records follow it.

    Args:
        data: the whole log.
        start: offset of a record for which :func:`parse` raised Short.
        number: number of that record.
        previous: tag of the record before.
    """
    if _whole_but_for_length(data[start:], number, previous):
        return "its length field is damaged"
    last = number + (len(data) - start) // _MIN_RECORD
    at = data.find(b"\x94", start + 1)
    while at >= 0:
        behind = at + (3 if data[at + 1 : at + 2] == b"\xcc" else 2)
        later = read_number(data, behind)
        if later is not None and number < later <= last:
            try:
                parse(data, at, later)
            except (Short, Malformed):
                pass
            else:
                return f"record {later} follows it at byte {at}"
        at = data.find(b"\x94", at + 1)
    return None


def _whole_but_for_length(rest: bytes, number: int, previous: bytes) -> bool:
    """True if a tag somewhere in the bytes fits the record that begins them, at the length up to there."""
    head = (3 if rest[1:2] == b"\xcc" else 2) + len(pack_number(number))
    tag = rest.find(_TAG_MARK, head + 2)
    while 0 <= tag <= len(rest) - _TAG_FIELD:
        end = tag + _TAG_FIELD
        if end == len(rest) or rest[end] == _ARRAY:
            for width in (2, 3):
                body = rest[head + width : tag]
                length = _length(len(body))
                if (
                    len(length) == width
                    and digest(previous, rest[:head] + length + body) == rest[tag + 2 : end]
                ):
                    return True
        tag = rest.find(_TAG_MARK, tag + 1)
    return False


def _length(size: int) -> bytes:
    """The head of a binary field."""
    return bytes((0xC4, size)) if size < 0x100 else b"\xc5" + size.to_bytes(2, "big")
