"""Step through a recorded game, print it, or check it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.options import json_option, plain_option

if TYPE_CHECKING:
    from cardgods import State
    from cardgods.log import Log, Verification
    from cardgods.log.records import Record
    from cardgods_cli.render import View

INCOMPLETE = 4


@click.command(params=[json_option(), plain_option()], epilog="Example: cardgods replay game.cglog --verify")
@click.argument("file", type=click.Path())
@click.option("--verify", "check", is_flag=True, help="Only check the log and say in one line what it is.")
@click.option("--spoil", is_flag=True, help="Show what is hidden in a game that is not over.")
@click.pass_context
def command(ctx: click.Context, file: str, check: bool, spoil: bool, as_json: bool, plain: bool) -> None:
    """Step through the game in FILE (Enter: next, b: back, q: quit); without a terminal, print it."""
    from cardgods.log import load_logged_game, verify
    from cardgods_cli.look import look_for
    from cardgods_cli.render import SPECTATOR, view_for

    look = look_for(plain=plain)
    if check:
        found = verify(file)
        look.show(_verdict(file, found))
        ctx.exit(found.exit_code)
    log, code = _read(file)
    step = sys.stdin.isatty() and look.terminal
    view = view_for(load_logged_game(log), [seat.name for seat in log.header.seats], look, boards=step)
    viewer = None if log.complete or spoil else SPECTATOR
    if as_json:
        for line in _json_lines(log, viewer):
            look.show(line)
    elif step:
        _walk(log, view, viewer)
    else:
        for lines in _told(log, view, viewer):
            look.show(*lines)
    ctx.exit(code)


def _read(file: str) -> tuple[Log, int]:
    """The log, and the exit code: an unfinished or torn one can be shown as far as it goes."""
    from cardgods.log import TornTailError, read_log

    try:
        log = read_log(file)
    except TornTailError as error:
        if error.log is None:
            raise
        return error.log, INCOMPLETE
    return log, 0 if log.complete else INCOMPLETE


def _verdict(file: str, found: Verification) -> str:
    """One line on a log that passed the check."""
    from cardgods.log import load_logged_game
    from cardgods_cli.streams import clean

    log = found.log
    game = load_logged_game(log)
    names = ", ".join(clean(seat.name) for seat in log.header.seats)
    what = f"{clean(file)}: valid: {game}, {names}, {len(log.records)} records"
    if log.end is not None:
        winners = " and ".join(clean(log.header.seats[p].name) for p in log.end.winners)
        drawn = len(log.end.winners) == len(log.header.seats)
        return f"{what}, complete, {'a draw' if drawn else f'won by {winners}'}"
    torn = f", then {found.torn} bytes of a record whose writing was cut short" if found.torn else ""
    return f"{what}, {'without its end record' if found.terminal else 'the game is not over'}{torn}"


def _events(log: Log) -> Iterator[tuple[Record | None, State]]:
    """The initial state (with None) and the state after each decision, chance outcome and end."""
    from cardgods.log import Header, Skipped, replay

    for record, state in replay(log):
        if not isinstance(record, Skipped):
            yield (None if isinstance(record, Header) else record), state


def _told(log: Log, view: View, viewer: int | None) -> Iterable[list[Any]]:
    """What is shown at each step: what happened and, if the view has boards, the board before a decision."""
    from cardgods.log import End

    seen = None
    for record, state in _events(log):
        now = state.view(viewer)
        if isinstance(record, End):
            yield [*([] if view.boards else view.board(now, viewer)), view.result(now, record.returns)]
        elif seen is None:
            header = log.header
            seed = "" if header.seed is None or viewer is not None else f", seed {header.seed}"
            yield [f"{state.game}{seed}: {', '.join(view.names)}.", *view.opening(now, viewer)]
        else:
            news = view.news(seen, now, viewer)
            board = view.boards and not state.is_chance_node()
            yield [*news, *(view.board(now, viewer) if board else [])]
        seen = now


def _walk(log: Log, view: View, viewer: int | None) -> None:
    """Step through the game with keys."""
    from cardgods_cli.reader import Reader

    reader = Reader(what="the replay")
    steps = [lines for lines in _told(log, view, viewer) if lines]
    at = 0
    while at < len(steps):
        view.look.show(*steps[at])
        if at == len(steps) - 1:
            break
        answer = reader.ask(f"[{at + 1}/{len(steps)}] Enter: next, b: back, q: quit > ").lower()
        if answer in ("q", "quit"):
            return
        at = max(at - 1, 0) if answer in ("b", "back") else at + 1


def _json_lines(log: Log, viewer: int | None) -> Iterator[str]:
    """The header, then one object per record; without what is hidden if the game is not over."""
    from cardgods.log import End, record_of
    from cardgods_cli.look import json_text

    before = None
    for number, (record, state) in enumerate(_events(log)):
        line: dict[str, Any] = {"record": number}
        if record is None:
            line |= _json_header(log, secret=viewer is not None)
        elif isinstance(record, End):
            line |= {"end": record_of(log)["end"]}
        else:
            actor, action = state.full_history()[-1]
            line["actor"] = "chance" if actor < 0 else actor
            if viewer is None and before is not None:
                line |= {"action": action, "text": before.action_to_string(action)}
        yield json_text(line | {"view": state.view(viewer)})
        before = state


def _json_header(log: Log, *, secret: bool) -> dict[str, Any]:
    """What the log says of the game as a whole; the seeds, which foretell it, only if nothing is secret."""
    from cardgods.log import record_of

    header = {key: value for key, value in record_of(log).items() if key not in ("records", "end", "tag")}
    if secret:
        del header["seed"]
        header["seats"] = [{k: v for k, v in seat.items() if k != "seed"} for seat in header["seats"]]
    return header
