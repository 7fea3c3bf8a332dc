"""Turn a recorded game into a page to step through, a picture of a position, or a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardgods_cli.completing import files
from cardgods_cli.options import game_option
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods_cli.export.record import Telling
    from cardgods_cli.logfile import Found

STANDARD_OUTPUT = "-"


@click.command(
    params=[game_option()],
    epilog="Example: cardgods export game.cglog --html game.html",
)
@click.argument("file", type=click.Path())
@click.option(
    "--html",
    "page_path",
    metavar="FILE",
    shell_complete=files,
    help="Write one page to step through the game.",
)
@click.option(
    "--svg", "picture_path", metavar="FILE", shell_complete=files, help="Write a picture of one position."
)
@click.option(
    "--text",
    "text_path",
    metavar="FILE",
    shell_complete=files,
    help="Write the game as a text; - for standard output.",
)
@click.option(
    "--at",
    type=click.IntRange(min=0),
    metavar="N",
    help="Position of the picture: after event N, as replay --json counts; default: the last.",
)
@click.option(
    "--as",
    "seat",
    metavar="SEAT",
    help="Only what one seat saw: a player's name, his number from 0, or spectator. Default: everything.",
)
@click.option("--overwrite", is_flag=True, help="Replace files that are there already.")
@click.option("--spoil", is_flag=True, help="Show what is hidden in a game that is not over.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    page_path: str | None,
    picture_path: str | None,
    text_path: str | None,
    at: int | None,
    seat: str | None,
    overwrite: bool,
    spoil: bool,
    game: int | None,
) -> None:
    """Turn the game in FILE into a page to step through, a picture of a position, or a text."""
    from cardgods_cli.logfile import load, refuse_existing

    targets = [path for path in (page_path, picture_path, text_path) if path not in (None, STANDARD_OUTPUT)]
    if page_path is None and picture_path is None and text_path is None:
        raise click.UsageError(_("say what to write: --html FILE, --svg FILE or --text FILE"))
    if at is not None and picture_path is None:
        raise click.UsageError(_("--at needs --svg"))
    found = load(file, game)
    told = _told(found, seat, spoil=spoil)
    for path in targets:
        if path is not None and not overwrite:
            refuse_existing(path)
    title = _title(found, told)
    if page_path is not None:
        from cardgods_cli.export.page import page

        _write(page_path, page(told, title))
    if picture_path is not None:
        _write(picture_path, _picture(told, title, at))
    if text_path is not None:
        _write(text_path, "".join(f"{line}\n" for line in _lines(told)))
    ctx.exit(found.exit_code)


def _told(found: Found, seat: str | None, *, spoil: bool) -> Telling:
    """The game as it is to be seen."""
    from cardgods.log import derive, parse_log
    from cardgods.log.views import SPECTATOR, viewed_game
    from cardgods_cli.export.record import telling
    from cardgods_cli.logfile import may_be_shown

    log = found.log
    if log.header.view is None:
        if seat is None:
            may_be_shown(log, _("what is hidden"), spoil=spoil)
            return telling(log, log.header, found.game, None)
        viewer = found.seat(seat)
        if viewer != SPECTATOR:
            may_be_shown(log, _("what one seat alone may see"), spoil=spoil)
        log = parse_log(derive(log, viewer))
    elif seat is not None:
        raise click.UsageError(_("{file} is a view already: --as has no meaning").format(file=found.name))
    view = log.header.view
    assert view is not None
    return telling(log, log.header, viewed_game(log), SPECTATOR if view.seat is None else view.seat)


def _title(found: Found, told: Telling) -> str:
    from cardgods_cli.words import language

    game = told.table.game
    names = ", ".join(told.table.names)
    return _("{title}: {players}").format(title=game.title[language()], players=names)


def _picture(told: Telling, title: str, at: int | None) -> str:
    from cardgods.errors import ParameterError
    from cardgods_cli.export.scene import face, scene
    from cardgods_cli.export.svg import picture

    last = len(told.steps) - 1
    if at is not None and at > last:
        raise ParameterError(_("the log has events 0 to {last}, not {at}").format(last=last, at=at))
    number = last if at is None else at
    news = [line for moment in told.moments() if moment.step == number for line in moment.news]
    zones = scene(told.table, told.steps[number].now)
    return picture(title, news, zones, lambda card: face(told.table.game, card))


def _lines(told: Telling) -> list[str]:
    from cardgods_cli.look import Look
    from cardgods_cli.telling import told_steps

    look = Look(plain=True, colour=False, terminal=False, dumb=True)
    return told_steps(told.steps, told.header, told.table.game, look, told.table.viewer)


def _write(path: str, text: str) -> None:
    """A file, written whole or not at all; or standard output."""
    import sys
    from pathlib import Path

    from cardgods.solve.whole_file import whole_file

    if path == STANDARD_OUTPUT:
        sys.stdout.write(text)
        return
    with whole_file(Path(path), 0o600) as file:
        file.write(text.encode("utf-8", "backslashreplace"))
