"""Bodies of records as canonical msgpack. See docs/log-format.md.

Canonical means: what msgpack writes in its shortest form, floats in 64 bits, the keys of a map ascending.
A body is read by unpacking it and packing it again: other bytes for the same value are refused, and so is a
key given twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgpack

from cardgods.errors import ParameterError
from cardgods.log.errors import UnsupportedLogError
from cardgods.log.frame import MAX_BODY
from cardgods.log.records import (
    FORMAT,
    VIEW,
    ChanceOutcome,
    Commitment,
    Cut,
    End,
    Header,
    Move,
    Seat,
    Secret,
    Seen,
    Undo,
    ViewOf,
)
from cardgods.log.values import MAX_DEPTH, Plain

HEADER, MOVE, CHANCE, SECRET, CUT, SEEN, END, UNDO = 0, 1, 2, 3, 4, 5, 9, 128
"""The kinds of records of format 1.1. A reader that passed over an undo would misjudge all that follows."""

UNDERSTOOD = frozenset({VIEW})
"""The extensions that this version understands."""

MAX_MOVE = 1 + 1 + 5
"""Bytes of the largest body of a move, chance outcome or undo."""
_SCALARS = (type(None), bool, int, float, str, bytes)


class BadBody(Exception):
    """A body that no writer of this format makes; the text says why."""


def pack(value: Plain) -> bytes:
    """The canonical bytes of a plain value whose maps have ascending keys.

    Raises:
        ParameterError: if they are too many for one record.
    """
    body: bytes = msgpack.packb(value)
    if len(body) > MAX_BODY:
        raise ParameterError(f"the record would have {len(body)} bytes, at most {MAX_BODY} are allowed")
    return body


def unpack(body: bytes) -> Plain:
    """The value of canonical bytes.

    Raises:
        BadBody: if they are not canonical msgpack of plain values.
    """
    try:
        value = msgpack.unpackb(body, raw=False, strict_map_key=True, max_ext_len=0)
        _inspect(value, MAX_DEPTH)
        again = msgpack.packb(value)
    except BadBody:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        raise BadBody(f"its body is no valid msgpack ({type(error).__name__})") from None
    if again != body:
        raise BadBody("its body is not in canonical form")
    return value


def _inspect(value: object, depth: int) -> None:
    """Refuse extension types, deep nesting and keys that do not ascend."""
    if type(value) in _SCALARS:
        return
    if type(value) is list:
        inner: Any = value
    elif type(value) is dict:
        keys = list(value)
        if any(type(key) is not str for key in keys):
            raise BadBody("a key is not a text")
        if keys != sorted(keys):
            raise BadBody("the keys of a map do not ascend")
        inner = value.values()
    else:
        raise BadBody("it holds an extension type")
    if depth == 0:
        raise BadBody(f"it is nested more than {MAX_DEPTH} levels deep")
    for item in inner:
        if type(item) not in _SCALARS:
            _inspect(item, depth - 1)


def ascending(fields: Mapping[str, Plain]) -> dict[str, Plain]:
    """A map with its keys in the order in which they are written."""
    return {key: fields[key] for key in sorted(fields)}


def _pack_seed(seed: int | str | None) -> Plain:
    if seed is None:
        return None
    return ("i", str(seed)) if isinstance(seed, int) else ("s", seed)


def _unpack_seed(value: Plain) -> int | str | None:
    match value:
        case None:
            return None
        case ["s", str(text)]:
            return text
        case ["i", str(digits)] if len(digits) <= 256 and digits.isascii():
            try:
                seed = int(digits)
            except ValueError:
                seed = 0
            if str(seed) == digits:
                return seed
    raise BadBody("a seed is nil, ['i', digits] or ['s', text]")


def encode_header(header: Header) -> bytes:
    """The body of record 0.

    Raises:
        ParameterError: if it is too large.
    """
    fields: dict[str, Plain] = {
        "digest": header.digest,
        "engine": header.engine,
        "fmt": header.fmt,
        "game": header.game,
        "must": header.must,
        "options": header.options,
        "rng": header.rng,
        "seats": [
            {"agent": seat.agent, "kind": seat.kind, "name": seat.name, "seed": _pack_seed(seat.seed)}
            for seat in header.seats
        ],
        "seed": _pack_seed(header.seed),
        "variant": header.variant,
    }
    if header.deal is not None:
        fields["deal"] = {"commit": header.deal.digest, "cuts": header.deal.cuts}
    if header.view is not None:
        fields["view"] = {"of": header.view.source, "seat": header.view.seat}
    return pack(ascending(dict(header.later) | dict(header.free) | fields))


def _take(fields: dict[str, Plain], key: str, *types: type) -> Plain:
    if key not in fields:
        raise BadBody(f"its field {key!r} is missing")
    value = fields.pop(key)
    if type(value) not in types:
        raise BadBody(f"its field {key!r} has a wrong type")
    return value


def _version(fields: dict[str, Plain]) -> tuple[int, int]:
    match _take(fields, "fmt", list):
        case [major, minor] if type(major) is int and type(minor) is int and major >= 0 <= minor:
            if major != FORMAT[0]:
                raise UnsupportedLogError(
                    f"it has format {major}.{minor}, this version reads format {FORMAT[0]} only"
                )
            return major, minor
    raise BadBody("its format version is no pair of integers")


def _extensions(fields: dict[str, Plain]) -> tuple[str, ...]:
    names = _take(fields, "must", list)
    if any(type(name) is not str for name in names):
        raise BadBody("the name of an extension is not a text")
    unknown = [name for name in names if name not in UNDERSTOOD]
    if unknown:
        raise UnsupportedLogError(f"it needs an extension that this version does not know: {unknown[0]!r}")
    return tuple(names)


def _seat(fields: Plain) -> Seat:
    if type(fields) is not dict:
        raise BadBody("a seat is not a map")
    return Seat(
        name=_take(fields, "name", str),
        kind=_take(fields, "kind", str),
        agent=_take(fields, "agent", str, type(None)),
        seed=_unpack_seed(_take(fields, "seed", list, type(None))),
    )


def _commitment(fields: dict[str, Plain]) -> Commitment | None:
    if "deal" not in fields:
        return None
    deal = _take(fields, "deal", dict)
    _only(deal, "deal", "commit", "cuts")
    return Commitment(_take(deal, "commit", bytes), _take(deal, "cuts", list))


def _view(fields: dict[str, Plain]) -> ViewOf | None:
    if "view" not in fields:
        return None
    view = _take(fields, "view", dict)
    _only(view, "view", "of", "seat")
    return ViewOf(_take(view, "of", bytes), _take(view, "seat", int, type(None)))


def _only(fields: dict[str, Plain], label: str, *keys: str) -> None:
    for key in fields:
        if key not in keys:
            raise BadBody(f"its field {label!r} has no part {key!r}")


def decode_header(body: bytes) -> Header:
    """The header in the body of record 0.

    Raises:
        BadBody: if it is none.
        UnsupportedLogError: if its format or an extension that it needs is unknown here.
    """
    fields = unpack(body)
    if type(fields) is not dict:
        raise BadBody("its body is not a map")
    fmt = _version(fields)
    must = _extensions(fields)
    try:
        return Header(
            game=_take(fields, "game", str),
            variant=_take(fields, "variant", str, type(None)),
            options=_take(fields, "options", dict),
            digest=_take(fields, "digest", str),
            seats=tuple(_seat(seat) for seat in _take(fields, "seats", list)),
            engine=_take(fields, "engine", str),
            seed=_unpack_seed(_take(fields, "seed", list, type(None))),
            rng=_take(fields, "rng", str),
            deal=_commitment(fields),
            view=_view(fields),
            must=must,
            fmt=fmt,
            free={key: value for key, value in fields.items() if key.startswith("_")},
            later={key: value for key, value in fields.items() if not key.startswith("_")},
        )
    except ParameterError as error:
        raise BadBody(str(error)) from None


def encode_move(move: Move) -> bytes:
    """The body ``[player, action]``."""
    return pack((move.player, move.action))


@lru_cache(maxsize=4096)  # few different bodies make up all logs, and equal records can be one object
def decode_move(body: bytes) -> Move:
    """The move in a body.

    Raises:
        BadBody: if it is none.
    """
    match unpack(body) if len(body) <= MAX_MOVE else None:
        case [player, action] if type(player) is int and type(action) is int:
            try:
                return Move(player, action)
            except ParameterError as error:
                raise BadBody(str(error)) from None
    raise BadBody("a move is [player, action]")


def encode_chance(chance: ChanceOutcome) -> bytes:
    """The body ``[outcome]``."""
    return pack((chance.outcome,))


@lru_cache(maxsize=1024)
def decode_chance(body: bytes) -> ChanceOutcome:
    """The chance outcome in a body.

    Raises:
        BadBody: if it is none.
    """
    match unpack(body) if len(body) <= MAX_MOVE else None:
        case [outcome] if type(outcome) is int:
            try:
                return ChanceOutcome(outcome)
            except ParameterError as error:
                raise BadBody(str(error)) from None
    raise BadBody("a chance outcome is [outcome]")


def encode_undo(undo: Undo) -> bytes:
    """The body ``[player, events]``."""
    return pack((undo.player, undo.events))


def decode_undo(body: bytes) -> Undo:
    """The undo in a body.

    Raises:
        BadBody: if it is none.
    """
    match unpack(body) if len(body) <= MAX_MOVE else None:
        case [player, events] if type(player) is int and type(events) is int:
            try:
                return Undo(player, events)
            except ParameterError as error:
                raise BadBody(str(error)) from None
    raise BadBody("an undo is [player, events]")


def encode_secret(secret: Secret) -> bytes:
    """The body: 32 bytes."""
    return pack(secret.value)


def decode_secret(body: bytes) -> Secret:
    """The secret in a body.

    Raises:
        BadBody: if it is none.
    """
    value = unpack(body)
    try:
        return Secret(value)
    except ParameterError as error:
        raise BadBody(str(error)) from None


def encode_cut(cut: Cut) -> bytes:
    """The body ``[player, bytes]``."""
    return pack((cut.player, cut.value))


def decode_cut(body: bytes) -> Cut:
    """The cut in a body.

    Raises:
        BadBody: if it is none.
    """
    match unpack(body):
        case [player, value] if type(player) is int:
            try:
                return Cut(player, value)
            except ParameterError as error:
                raise BadBody(str(error)) from None
    raise BadBody("a cut is [player, bytes]")


def encode_seen(seen: Seen) -> bytes:
    """The body ``[actor, learnt, changes]``."""
    return pack((seen.actor, seen.learnt, seen.changes))


def decode_seen(body: bytes) -> Seen:
    """What a seat saw, in a body.

    Raises:
        BadBody: if it is none.
    """
    match unpack(body):
        case [actor, learnt, dict(changes)] if type(actor) is int or actor is None:
            try:
                return Seen(actor, learnt, changes)
            except ParameterError as error:
                raise BadBody(str(error)) from None
    raise BadBody("what a seat saw is [actor, bytes, map]")


def encode_end(end: End) -> bytes:
    """The body ``{"reason": text, "returns": [floats]}``."""
    return pack(ascending({**end.later, "reason": end.reason, "returns": end.returns}))


def decode_end(body: bytes) -> End:
    """The end record in a body.

    Raises:
        BadBody: if it is none.
    """
    fields = unpack(body)
    if type(fields) is not dict:
        raise BadBody("its body is not a map")
    reason = _take(fields, "reason", str)
    returns = _take(fields, "returns", list)
    if any(type(value) is not float or str(value) == "-0.0" for value in returns):
        raise BadBody("a return is no float, or a negative zero")
    try:
        return End(reason, tuple(returns), fields)
    except ParameterError as error:
        raise BadBody(str(error)) from None
