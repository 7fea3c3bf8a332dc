"""Throws bytes at everything that reads a log and holds what comes of it against what must be.

The tests throw a short volley; `make fuzz` lets atheris look for better bytes (fuzz_atheris.py). An input is
one byte that picks a way, then what that way is fed with.
"""

import io
import itertools
import json

import msgpack
from logcraft import dealt, forge, games, seats_for

from cardgods import Random
from cardgods.log import (
    Cut,
    LogBuffer,
    LogError,
    derive,
    frame,
    make_header,
    parse_log,
    record_of,
    verify_bytes,
)
from cardgods.log.archive import MAGIC, _Scanner, build
from cardgods.log.archive import ORIGIN as ARCHIVE_ORIGIN
from cardgods.log.reader import parser
from cardgods.log.verify import _quickly
from cardgods.log.views import SPECTATOR, positions

SECRET = bytes(32)


def whole_logs():
    """A game of each kind and a view of it."""
    for game in games():
        log = LogBuffer(make_header(game, seats_for(game), secret=SECRET, cuts=(0,)), SECRET)
        log.cut(0, b"word")
        dealt(game, log)
        yield log.getvalue()
        yield derive(parse_log(log.getvalue()), 0)


WHOLE = list(whole_logs())
HEADERS = [
    msgpack.unpackb(msgpack.unpackb(data[len(frame.MAGIC) : parse_log(data).offsets[1]])[2]) for data in WHOLE
]


def in_one_line(error):
    assert str(error).isprintable()
    return error


def judge(data, original=None):
    """Read bytes in every way; whatever is wrong with them is a LogError of one line.

    Args:
        data: what may be a log.
        original: the whole log that it was made from by damage, not by forging.
    """
    try:
        log = parse_log(data)
    except LogError as error:
        in_one_line(error)
        log = None
    if log is not None:
        assert original is None or not log.complete or data == original
        assert log.size == len(data)
        json.dumps(record_of(log), allow_nan=False)
    try:
        found = verify_bytes(data)
    except LogError as error:
        in_one_line(error)
    else:
        assert found.torn or found.log == log
        assert original is None or not found.complete or data == original
        quick = None if found.torn else _quickly(parser(data))
        assert quick is None or (quick.head, quick.state) == (found.head, found.state)
        for viewer in (SPECTATOR, 0):
            view = parse_log(derive(found.log, viewer))
            assert sum(1 for _ in positions(view)) == len(view.records) - sum(
                isinstance(record, Cut) for record in view.records
            )
    if log is not None and log.header.view is not None:
        try:
            for _ in positions(log):
                pass
        except LogError as error:
            in_one_line(error)


def raw(data):
    """Any bytes behind the magic, or without it."""
    judge(data)
    judge(frame.MAGIC + data)


def chained(data):
    """Bodies of any kind in a sound chain behind a sound header: kind, length, body, and so on."""
    header = HEADERS[data[0] % len(HEADERS)] if data else HEADERS[0]
    bodies, at = [], 1
    while at + 2 <= len(data):
        kind, size = data[at], data[at + 1]
        bodies.append((kind, data[at + 2 : at + 2 + size]))
        at += 2 + size
    judge(forge(*bodies, header_body=msgpack.packb(header)))


def headed(data):
    """Any body of a header in a sound chain."""
    judge(forge(header_body=data))


def damaged(data):
    """A whole log: cut, and bytes of it replaced."""
    if len(data) < 4:
        return
    original = WHOLE[data[0] % len(WHOLE)]
    changed = bytearray(original[: len(original) - int.from_bytes(data[1:3], "big") % len(original)])
    for at in range(3, len(data) - 2, 3):
        place = int.from_bytes(data[at : at + 2], "big")
        if place < len(changed):
            changed[place] = data[at + 2]
    judge(bytes(changed), original)


def archived(data):
    """Any bytes in an archive behind a sound entry."""
    for start in (MAGIC, MAGIC + build(0, frame.MAGIC, ARCHIVE_ORIGIN)[0], b""):
        try:
            for entry in _Scanner(io.BytesIO(start + data), "an archive"):
                judge(entry.data)
        except LogError as error:
            in_one_line(error)


WAYS = (raw, chained, headed, damaged, archived)


def one(data):
    """Throw one input."""
    if data:
        WAYS[data[0] % len(WAYS)](data[1:])


def seeds():
    """Inputs to begin with: sound ones for each way."""
    for number, data in enumerate(WHOLE):
        rows = [(kind, body) for kind, _, body, _ in map(msgpack.unpackb, _records(data)[1:])]
        yield bytes((0,)) + data[len(frame.MAGIC) :]
        yield bytes((1, number)) + b"".join(
            bytes((kind, len(body))) + body for kind, body in rows if len(body) < 256
        )
        yield bytes((2,)) + msgpack.packb(HEADERS[number])
        yield bytes((3, number, 0, 0))
        yield bytes((4,)) + build(0, data, ARCHIVE_ORIGIN)[0]


def _records(data):
    offsets = parse_log(data).offsets
    return [data[a:b] for a, b in itertools.pairwise(offsets)]


def volley(count):
    """Throw so many inputs: seeds with a few bytes changed, by a generator of ours; how many were thrown."""
    rng = Random("volley")
    start = [seed for seed in seeds() if len(seed) < 6000]
    for number in range(count):
        data = bytearray(start[number % len(start)])
        for _ in range(rng.below(4)):
            at = rng.below(len(data))
            data[at : at + rng.below(3)] = bytes(rng.below(256) for _ in range(rng.below(3)))
            data = data or bytearray(1)
        one(bytes(data))
    return count
