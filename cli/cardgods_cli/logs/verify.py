"""Check a log, a view or an archive completely and say in one line what it is."""

from __future__ import annotations

import click

from cardgods_cli.options import game_option


@click.command(params=[game_option()], epilog="Example: cardgods log verify game.cglog")
@click.argument("file", type=click.Path())
@click.option("--of", "source", metavar="LOG", help="FILE is a view: hold it against the game's own log.")
@click.pass_context
def command(ctx: click.Context, file: str, source: str | None, game: int | None) -> None:
    """Check FILE completely and say in one line what it is.

    Bytes, chain, rules, deal and result have to be right; of an archive those of every log in it.
    """
    from cardgods.log import is_archive
    from cardgods_cli.logfile import load, verdict, verify_archive
    from cardgods_cli.look import look_for

    look = look_for(plain=True)
    if source is not None:
        line, code = load(file, game).hold_against(load(source, None)), 0
    elif game is None and is_archive(file):
        line, code = verify_archive(file)
    else:
        line, code = verdict(load(file, game))
    look.show(line)
    ctx.exit(code)
