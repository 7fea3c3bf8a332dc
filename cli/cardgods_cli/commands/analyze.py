"""Say of every decision of a recorded game what it gave up, and how lucky everybody was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardgods_cli.completing import files
from cardgods_cli.options import game_option, json_option, plain_option
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods.analysis import Analysis
    from cardgods_cli.logfile import Found


@click.command(
    params=[game_option(), json_option(), plain_option()],
    epilog="Example: cardgods analyze game.cglog --seat Ana",
)
@click.argument("file", type=click.Path())
@click.option(
    "--seat", "seats", multiple=True, metavar="SEAT", help="Whose decisions: a name, or a number from 0."
)
@click.option("--all", "every", is_flag=True, help="List every decision, not those alone that have a mark.")
@click.option(
    "--stored",
    metavar="FILE",
    help="A stored solution of the Auction of Hermes, in place of the one in its usual place.",
)
@click.option(
    "--out", metavar="FILE", shell_complete=files, help="Keep the analysis too, for replay --notes."
)
@click.option("--overwrite", is_flag=True, help="Replace the file that --out may name already.")
@click.option("--spoil", is_flag=True, help="Analyze a game that is not over, which shows what is hidden.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    seats: tuple[str, ...],
    every: bool,
    stored: str | None,
    out: str | None,
    overwrite: bool,
    spoil: bool,
    game: int | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Say of every decision in FILE what it gave up, and how lucky everybody was.

    Decisions are judged by what their player knew, forced ones left out.
    """
    from pathlib import Path

    from cardgods.analysis.sidecar import write_analysis
    from cardgods_cli.logfile import load, may_be_shown, refuse_existing
    from cardgods_cli.look import json_text, look_for
    from cardgods_cli.verdicts import tell

    found = load(file, game)
    may_be_shown(found.log, _("what is hidden"), spoil=spoil)
    if out is not None and not overwrite:
        refuse_existing(out)
    analysis = _analysis(found, sorted({found.player(seat) for seat in seats}), stored, plain)
    if out is not None:
        write_analysis(Path(out), analysis)
    look = look_for(plain=plain)
    if as_json:
        look.show(json_text({"file": found.name, **analysis.to_dict()}))
    else:
        tell(analysis, found, look, every=every)
    ctx.exit(found.exit_code)


def _analysis(found: Found, players: list[int], stored: str | None, plain: bool) -> Analysis:
    from cardgods.analysis import analyze
    from cardgods.log import Replayer
    from cardgods_cli.progress import Progress

    Replayer(found.log).run(found.log.records)
    with Progress(_("analyzing {file}").format(file=found.name), plain=plain) as progress:
        return analyze(found.log, players=players or None, stored=stored, progress=progress)
