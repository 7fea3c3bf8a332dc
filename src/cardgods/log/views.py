"""Views: what one seat has seen of a game, as a log of its own that can be given to that seat.

A view is built from the engine's account of what a player knows (``State.events`` and ``State.view``), never
by striking things out of the game's log. Two games that the seat cannot tell apart have the same view, byte
for byte. docs/log-format.md, section "Views".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from cardgods._core.state import State
from cardgods.errors import ParameterError
from cardgods.game import Game, game_with
from cardgods.log import codec, frame
from cardgods.log.errors import IllegalLogError
from cardgods.log.records import (
    VIEW,
    ChanceOutcome,
    Cut,
    End,
    Header,
    Log,
    Move,
    Seat,
    Seen,
    Skipped,
    Undo,
    ViewOf,
)
from cardgods.log.replay import Replayer, load_logged_game
from cardgods.log.values import plain
from cardgods.types import PlayerId

SPECTATOR = -1
"""The viewer who is no player."""

Shown = Mapping[str, Any]
"""A position in plain values, as ``State.view`` gives it."""


def public(header: Header, game: Game) -> Header:
    """What everybody may know of a header while the game goes on.

    Seeds are left out, for they tell the cards and the agents' moves to come; so are rule options that
    players may not know, with the digest that would betray them, and free fields, which may hold anything.

    Args:
        header: of a game's log.
        game: its game.
    """
    secret = game.secret_parameters()
    return dataclasses.replace(
        header,
        options={name: value for name, value in header.options.items() if name not in secret},
        digest="" if secret else header.digest,
        seats=tuple(dataclasses.replace(seat, agent=_unseeded(seat), seed=None) for seat in header.seats),
        seed=None,
        free={},
        later={},
    )


def _unseeded(seat: Seat) -> str | None:
    """The words of an agent without a seed among its parameters."""
    if seat.agent is None:
        return None
    kind, colon, rest = seat.agent.partition(":")
    kept = [pair for pair in rest.split(",") if pair.partition("=")[0].strip() != "seed"]
    return f"{kind}{colon}{','.join(kept)}" if any(kept) else kind


def derive(log: Log, viewer: int) -> bytes:
    """The view of a seat.

    Args:
        log: the log of a game, whole or unfinished; it is checked by the rules on the way.
        viewer: the seat, or SPECTATOR.

    Returns:
        The bytes of a log that holds nothing but what the seat has seen.

    Raises:
        ParameterError: if there is no such seat, or a position is too large for a record.
        IllegalLogError: at the first record that the rules refuse.
        UnsupportedLogError: if the rules are not known here, or the log is a view itself.
    """
    game = load_logged_game(log)
    if not SPECTATOR <= viewer < game.num_players():
        raise ParameterError(f"seat {viewer} does not exist: seats are 0..{game.num_players() - 1}")
    open_header = public(log.header, game)
    source = frame.build(codec.HEADER, 0, codec.encode_header(open_header), frame.ORIGIN)[1]
    header = dataclasses.replace(
        open_header, view=ViewOf(source, None if viewer == SPECTATOR else viewer), must=(VIEW,)
    )
    parts, tag = [frame.MAGIC], frame.ORIGIN
    bodies = [(codec.HEADER, codec.encode_header(header)), *_bodies(log, viewer)]
    for number, (kind, body) in enumerate(bodies):
        record, tag = frame.build(kind, number, body, tag)
        parts.append(record)
    return b"".join(parts)


def _bodies(log: Log, viewer: int) -> Iterator[tuple[int, bytes]]:
    """Kind and body of each record of a view."""
    for record in log.records:
        if isinstance(record, Cut):
            yield codec.CUT, codec.encode_cut(record)
    player = Replayer(log)
    learnt = iter(_learnt(log, viewer))
    seen = plain("a position", player.state.view(viewer))
    yield codec.SEEN, codec.encode_seen(Seen(None, None, seen))
    for record in log.records:
        player.step(record)
        if isinstance(record, Move | ChanceOutcome | Undo):
            now = plain("a position", player.state.view(viewer))
            changes = {key: value for key, value in now.items() if seen[key] != value}
            seen = now
        if isinstance(record, Move | ChanceOutcome):
            actor = record.player if isinstance(record, Move) else int(PlayerId.CHANCE)
            yield codec.SEEN, codec.encode_seen(Seen(actor, next(learnt), changes))
        elif isinstance(record, Undo):
            yield codec.UNDO, codec.encode_undo(record)
            yield codec.SEEN, codec.encode_seen(Seen(None, None, changes))
        elif isinstance(record, End):
            yield codec.END, codec.encode_end(End(record.reason, record.returns))


def _learnt(log: Log, viewer: int) -> Iterator[bytes | None]:
    """What the viewer learnt from each event; of a spectator there is no account but the positions."""
    player = Replayer(log)
    state: State = player.state
    told = 0
    # The account of a state ends with the state: what is taken back has to be asked for before.
    for record in (*log.records, None):
        if not isinstance(record, Undo | None):
            player.step(record)
            continue
        yield from [None] * (len(state) - told) if viewer == SPECTATOR else state.events(viewer, told)
        if record is not None:
            player.step(record)
            told = len(state)


def viewed_game(log: Log) -> Game:
    """The game that a view is of, with its rules as far as the view tells them.

    Raises:
        ParameterError: if this version does not know the game or an option.
    """
    return game_with(log.header.game, log.header.options)


def positions(log: Log) -> Iterator[tuple[Seen | Undo | End, Shown]]:
    """The records of a view, each with the position that the seat then saw.

    An undo comes with the position that it takes back; the record after it, whose actor is None, with the one
    that it leads to.

    Args:
        log: a view.

    Raises:
        IllegalLogError: at a record that has no place in a view.
    """
    now: dict[str, Any] = {}
    lost = True  # no position is known: none yet, or an undo has just taken it back
    events = 0
    for number, record in enumerate(log.records, 1):
        start = isinstance(record, Seen) and record.actor is None
        if isinstance(record, Skipped) or (isinstance(record, Cut) and not now):
            continue
        if isinstance(record, Undo):
            events -= record.events
        elif isinstance(record, Seen):
            events += not start
        if start != lost or not isinstance(record, Seen | Undo | End) or events < 0:
            offset = log.offset(number)
            raise IllegalLogError(
                f"record {number} (byte {offset}) has no place in a view there",
                number,
                offset,
            )
        if isinstance(record, Seen):
            now = {**now, **record.changes}
        lost = isinstance(record, Undo)
        yield record, now
