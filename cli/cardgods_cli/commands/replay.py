"""Step through a recorded game, print it, or check it."""

from __future__ import annotations

import click

from cardgods_cli.completing import files
from cardgods_cli.options import game_option, json_option, plain_option
from cardgods_cli.words import _


@click.command(
    params=[game_option(), json_option(), plain_option()],
    epilog="Example: cardgods replay game.cglog --verify",
)
@click.argument("file", type=click.Path())
@click.option("--verify", "check", is_flag=True, help="Only check the log and say in one line what it is.")
@click.option("--spoil", is_flag=True, help="Show what is hidden in a game that is not over.")
@click.option(
    "--notes",
    metavar="FILE",
    shell_complete=files,
    help="Show what analyze --out has kept, beside each decision.",
)
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    check: bool,
    spoil: bool,
    notes: str | None,
    game: int | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Step through the game in FILE (Enter: next, b: back, q: quit); without a terminal, print it."""
    from cardgods_cli.logfile import load, verdict
    from cardgods_cli.look import look_for
    from cardgods_cli.telling import show

    look = look_for(plain=plain)
    found = load(file, game)
    if check:
        line, code = verdict(found)
        look.show(line)
        ctx.exit(code)
    noter = None
    if notes is not None:
        from cardgods_cli.logfile import may_be_shown
        from cardgods_cli.verdicts import noter_from

        may_be_shown(found.log, _("what is hidden"), spoil=spoil)
        noter = noter_from(notes, found, look)
    show(found.log, look, game=found.game, spoil=spoil, as_json=as_json, noter=noter)
    ctx.exit(found.exit_code)
