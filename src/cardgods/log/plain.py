"""A log in plain values, for JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cardgods.log.records import ChanceOutcome, Cut, End, Header, Log, Move, Record, Secret, Seen, Undo
from cardgods.log.values import Plain


def record_of(log: Log) -> dict[str, Any]:
    """All that a log says, in values that JSON has.

    Args:
        log: the log, whole or unfinished.

    Returns:
        The header's fields, ``records`` (each ``["move", player, action]``, ``["chance", outcome]``,
        ``["undo", player, events]``, ``["secret", hex]``, ``["cut", player, hex]`` or ``["skipped", kind]``),
        ``end`` (None while the game is unfinished), ``complete`` and ``tag``.
    """
    end = log.end
    return {
        **header_of(log.header),
        "complete": log.complete,
        "records": [_record(record) for record in log.records if not isinstance(record, End)],
        "end": end and {"reason": end.reason, "returns": list(end.returns), "winners": list(end.winners)},
        "tag": log.tag.hex(),
    }


def to_json(log: Log) -> str:
    """The log as one line of ASCII JSON, as :func:`record_of` gives it."""
    return json.dumps(record_of(log), allow_nan=False)


def header_of(header: Header) -> dict[str, Any]:
    """What a header says, in values that JSON has."""
    return {
        "format": list(header.fmt),
        "game": header.game,
        "variant": header.variant,
        "options": jsonable(header.options),
        "digest": header.digest,
        "seats": [
            {"name": seat.name, "kind": seat.kind, "agent": seat.agent, "seed": seat.seed}
            for seat in header.seats
        ],
        "seed": header.seed,
        "rng": header.rng,
        "deal": header.deal and {"commit": header.deal.digest.hex(), "cuts": list(header.deal.cuts)},
        "engine": header.engine,
        "view_of": header.view and {"of": header.view.source.hex(), "seat": header.view.seat},
        "must": list(header.must),
        "free": jsonable(header.free),
    }


def _record(record: Record) -> list[Any]:
    if isinstance(record, Move):
        return ["move", record.player, record.action]
    if isinstance(record, ChanceOutcome):
        return ["chance", record.outcome]
    if isinstance(record, Undo):
        return ["undo", record.player, record.events]
    if isinstance(record, Secret):
        return ["secret", record.value.hex()]
    if isinstance(record, Cut):
        return ["cut", record.player, record.value.hex()]
    if isinstance(record, Seen):
        learnt = None if record.learnt is None else record.learnt.hex()
        return ["seen", record.actor, learnt, jsonable(record.changes)]
    assert not isinstance(record, End)
    return ["skipped", record.kind]


def jsonable(value: Plain) -> Plain:
    """A value of a log in values that JSON has: bytes in hex, tuples as lists."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [jsonable(item) for item in value]
    return value
