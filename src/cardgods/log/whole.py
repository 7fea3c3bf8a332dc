"""The log of a game that is over already, in one go: for those who play more games than they watch."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from cardgods.log import codec, frame
from cardgods.log.recorder import opening
from cardgods.log.records import ChanceOutcome, End, Header, Move
from cardgods.types import PlayerId


def whole_log(header: Header, events: Iterable[tuple[int, int]], end: End | None) -> bytes:
    """The bytes that a ``LogBuffer`` gives which was told of the same events one by one.

    Args:
        header: see :func:`cardgods.log.make_header`; without a committed deal.
        events: who acted (-1: chance) and the action, from the start of the game.
        end: how it ended; None if it has not.

    Raises:
        ParameterError: if the header commits to a deal, or something is more than a log can hold.
    """
    data, head = opening(header, None)
    parts, tag = [data], head.tag
    for number, (actor, action) in enumerate(events, head.number):
        kind, body = _body(actor, action)
        record, tag = frame.build(kind, number, body, tag)
        parts.append(record)
    if end is not None:
        record, _ = frame.build(codec.END, len(parts), codec.encode_end(end), tag)
        parts.append(record)
    return b"".join(parts)


@lru_cache(maxsize=4096)  # few different events make up all logs
def _body(actor: int, action: int) -> tuple[int, bytes]:
    if actor == PlayerId.CHANCE:
        return codec.CHANCE, codec.encode_chance(ChanceOutcome(action))
    return codec.MOVE, codec.encode_move(Move(actor, action))
