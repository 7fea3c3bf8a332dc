"""Show a game as one seat has seen it, or write that down as a log for the seat."""

from __future__ import annotations

import click

from cardgods_cli.completing import files
from cardgods_cli.options import game_option, json_option, plain_option
from cardgods_cli.words import _


@click.command(
    params=[game_option(), json_option(), plain_option()],
    epilog="Example: cardgods log view game.cglog --as Ana --out ana.cglog",
)
@click.argument("file", type=click.Path())
@click.option(
    "--as",
    "seat",
    metavar="SEAT",
    default="spectator",
    show_default=True,
    help="Whose view: a player's name, his number from 0, or spectator.",
)
@click.option(
    "--out",
    metavar="FILE",
    shell_complete=files,
    help="Write the view into a new file instead of showing it.",
)
@click.option("--overwrite", is_flag=True, help="Replace the log that the new file may be already.")
@click.option("--spoil", is_flag=True, help="Allow a seat's view of a game that is not over.")
def command(
    file: str,
    seat: str,
    out: str | None,
    overwrite: bool,
    spoil: bool,
    game: int | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Show the game in FILE as one seat has seen it, or write that down as a log for the seat."""
    from cardgods.log import derive, parse_log
    from cardgods_cli.logfile import load, may_be_shown, write_view
    from cardgods_cli.look import look_for
    from cardgods_cli.render import SPECTATOR
    from cardgods_cli.telling import show

    found = load(file, game)
    viewer = found.seat(seat)
    if viewer != SPECTATOR:
        may_be_shown(found.log, _("what one seat alone may see"), spoil=spoil)
    data = derive(found.log, viewer)
    look = look_for(plain=plain)
    if out is None:
        show(parse_log(data), look, as_json=as_json)
    else:
        write_view(out, data, overwrite=overwrite)
        text = _("{file}: the view of {seat}, {size} bytes")
        look.show(text.format(file=out, seat=seat, size=len(data)))
