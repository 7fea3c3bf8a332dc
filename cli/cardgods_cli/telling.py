"""Telling a recorded game: from its log, or from the view of one seat."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from cardgods.log import ChanceOutcome, End, Header, Log, Move, Secret, Undo, replay
from cardgods.log.plain import header_of, jsonable
from cardgods.log.views import SPECTATOR, positions, public, viewed_game
from cardgods_cli.look import Look, json_text
from cardgods_cli.render import Shown, View, view_for
from cardgods_cli.session import deal_lines, opening_line, reveal
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game, State


@dataclass(frozen=True)
class Step:
    """An event, an undo, or the start or end of a game, as somebody saw it.

    Attributes:
        actor: who acted or took something back; -1 for chance, None at the start and the end.
        now: what was to be seen after it.
        end: the end record, at the end.
        action: the action or outcome, if everything is open.
        text: the same in words.
        learnt: what the seat learnt from it, of a view.
        undone: how many events were taken back.
        note: what an analysis says of the action, in a line.
    """

    actor: int | None
    now: Shown
    end: End | None = None
    action: int | None = None
    text: str | None = None
    learnt: bytes | None = None
    undone: int = 0
    note: str = ""


Noter: TypeAlias = Callable[[int, "State"], str]
"""Given the number of an event and the state before it: a line about it, or nothing."""


def steps_of(log: Log, viewer: int | None, noter: Noter | None = None) -> Iterator[Step]:
    """The game in a log, or in the view of a seat.

    Args:
        log: the log.
        viewer: of the log of a game, who looks on; None if everything is open.
        noter: has something to say of single actions of a game that is all open.

    Raises:
        LogError: at the first record that the rules refuse.
    """
    if log.header.view is not None:
        undo = None
        for record, now in positions(log):
            if isinstance(record, End):
                yield Step(None, now, end=record)
            elif isinstance(record, Undo):
                undo = record
            elif undo is not None:
                yield Step(undo.player, now, undone=undo.events)
                undo = None
            else:
                yield Step(record.actor, now, learnt=record.learnt)
        return
    before = None
    number = 0
    for entry, state in replay(log):
        now = state.view(viewer)
        number += isinstance(entry, Move | ChanceOutcome | Undo)
        if before is None:
            yield Step(None, now)
        elif isinstance(entry, Move | ChanceOutcome):
            actor, action = (entry.player, entry.action) if isinstance(entry, Move) else (-1, entry.outcome)
            if viewer is None:
                note = noter(number, before) if noter else ""
                yield Step(actor, now, action=action, text=before.action_to_string(action), note=note)
            else:
                yield Step(actor, now)
        elif isinstance(entry, Undo):
            yield Step(entry.player, now, undone=entry.events)
        elif isinstance(entry, End):
            yield Step(None, now, end=entry)
        before = state


def show(
    log: Log,
    look: Look,
    *,
    game: Game | None = None,
    spoil: bool = False,
    as_json: bool = False,
    noter: Noter | None = None,
) -> None:
    """Show a game: with keys on a terminal, else all of it.

    Args:
        log: the log of a game, of which nothing hidden is shown before it is over, or a view.
        look: what the output can show.
        game: the log's game; not needed for a view.
        spoil: show what is hidden.
        as_json: as lines of JSON.
        noter: see :func:`steps_of`.
    """
    game = game or viewed_game(log)
    header = log.header
    viewer: int | None
    if header.view is not None:
        viewer = SPECTATOR if header.view.seat is None else header.view.seat
    elif log.complete or spoil:
        viewer = None
    else:
        viewer = SPECTATOR
        header = public(header, game)
    steps = steps_of(log, viewer, noter)
    if as_json:
        for line in _json_lines(header, steps):
            look.show(line)
        return
    by_key = sys.stdin.isatty() and look.terminal
    view = view_for(game, [seat.name for seat in header.seats], look, boards=by_key)
    told = _told(steps, view, viewer, [opening_line(header, game, view), *deal_lines(header)])
    if log.complete:
        told = itertools.chain(told, [reveal(_secret(log))])
    if by_key:
        _walk([lines for lines in told if lines], look)
    else:
        for lines in told:
            look.show(*lines)


def told_steps(
    steps: Iterable[Step], header: Header, game: Game, look: Look, viewer: int | None
) -> list[str]:
    """A whole game in lines, for a look that is plain.

    Args:
        steps: of :func:`steps_of`.
        header: of the log, without what the viewer may not know.
        game: the game.
        look: a plain one.
        viewer: as of :func:`steps_of`.
    """
    view = view_for(game, [seat.name for seat in header.seats], look, boards=False)
    first = [opening_line(header, game, view), *deal_lines(header)]
    return [str(line) for lines in _told(steps, view, viewer, first) for line in lines]


def _secret(log: Log) -> bytes | None:
    return next((record.value for record in log.records if isinstance(record, Secret)), None)


def _told(steps: Iterable[Step], view: View, viewer: int | None, first: Sequence[str]) -> Iterator[list[Any]]:
    """What is shown at each step: what happened and, if the view has boards, the board before a decision."""
    seen: Shown | None = None
    steps = iter(steps)
    step = next(steps, None)
    while step is not None:
        now, following = step.now, next(steps, None)
        if step.end is not None:
            yield [*([] if view.boards else view.board(now, viewer)), view.result(now, step.end.returns)]
        elif seen is None:
            yield [*first, *view.opening(now, viewer)]
        else:
            board = view.boards and (following is None or following.actor != SPECTATOR)
            news = [*news_of(step, seen, view, viewer), *([step.note] if step.note else [])]
            yield [*news, *(view.board(now, viewer) if board else [])]
        seen, step = now, following


def news_of(step: Step, seen: Shown, view: View, viewer: int | None) -> list[str]:
    """What a step brought, in sentences.

    Args:
        step: an event or an undo.
        seen: what was to be seen before it.
        view: how the game is told.
        viewer: as of :func:`steps_of`.
    """
    if step.actor is not None and step.undone:
        return view.undone(step.actor, step.undone)
    return view.news(seen, step.now, viewer)


QUIT = ("q", "quit", "quitter")
BACK = ("b", "back", "r", "retour")


def _walk(pages: Sequence[list[Any]], look: Look) -> None:
    """Step through the game with keys."""
    from cardgods_cli.reader import Reader

    reader = Reader(what=N_("the replay"))
    at = 0
    while at < len(pages):
        look.show(*pages[at])
        if at == len(pages) - 1:
            break
        keys = _("Enter: next, b: back, q: quit >")
        answer = reader.ask(f"[{at + 1}/{len(pages)}] {keys} ").lower()
        if answer in QUIT:
            return
        at = max(at - 1, 0) if answer in BACK else at + 1


def _json_lines(header: Header, steps: Iterable[Step]) -> Iterator[str]:
    """The header, then one object per event; without what is hidden."""
    for number, step in enumerate(steps):
        line: dict[str, Any] = {"record": number}
        if number == 0:
            line |= header_of(header)
        elif step.end is not None:
            end = step.end
            line["end"] = {"reason": end.reason, "returns": list(end.returns), "winners": list(end.winners)}
        else:
            line["actor"] = "chance" if step.actor == -1 else step.actor
            if step.undone:
                line["undo"] = step.undone
            if step.action is not None:
                line |= {"action": step.action, "text": step.text}
            if step.note:
                line["note"] = step.note
            if step.learnt is not None:
                pairs = zip(step.learnt[::2], step.learnt[1::2], strict=True)
                line["learnt"] = [low | high << 8 for low, high in pairs]
        yield json_text(line | {"view": jsonable(step.now)})
