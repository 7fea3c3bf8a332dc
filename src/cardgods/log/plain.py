"""A log in plain values, for JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cardgods.log.records import ChanceOutcome, End, Header, Log, Move, Plain, Record


def record_of(log: Log) -> dict[str, Any]:
    """All that a log says, in values that JSON has.

    Args:
        log: the log, whole or unfinished.

    Returns:
        The header's fields, ``records`` (each ``["move", player, action]``, ``["chance", outcome]`` or
        ``["skipped", kind]``), ``end`` (None while the game is unfinished), ``complete`` and ``tag``.
    """
    end = log.end
    return {
        **_header(log.header),
        "complete": log.complete,
        "records": [_record(record) for record in log.records if not isinstance(record, End)],
        "end": end and {"reason": end.reason, "returns": list(end.returns), "winners": list(end.winners)},
        "tag": log.tag.hex(),
    }


def to_json(log: Log) -> str:
    """The log as one line of ASCII JSON, as :func:`record_of` gives it."""
    return json.dumps(record_of(log), allow_nan=False)


def _header(header: Header) -> dict[str, Any]:
    return {
        "format": list(header.fmt),
        "game": header.game,
        "variant": header.variant,
        "options": _jsonable(header.options),
        "digest": header.digest,
        "seats": [
            {"name": seat.name, "kind": seat.kind, "agent": seat.agent, "seed": seat.seed}
            for seat in header.seats
        ],
        "seed": header.seed,
        "rng": header.rng,
        "engine": header.engine,
        "must": list(header.must),
        "free": _jsonable(header.free),
    }


def _record(record: Record) -> list[Any]:
    if isinstance(record, Move):
        return ["move", record.player, record.action]
    if isinstance(record, ChanceOutcome):
        return ["chance", record.outcome]
    assert not isinstance(record, End)
    return ["skipped", record.kind]


def _jsonable(value: Plain) -> Plain:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {key: _jsonable(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_jsonable(item) for item in value]
    return value
