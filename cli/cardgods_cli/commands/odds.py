"""Odds of a hand: what it wins against hands that are not known."""

from __future__ import annotations

from cardgods_cli.main import CONTEXT, FolderGroup

command = FolderGroup(
    name="odds",
    package="cardgods_cli.odds",
    what="game",
    context_settings=CONTEXT,
    subcommand_metavar="GAME [OPTIONS]",
    help="Odds of a hand: what it wins against hands that are not known.",
    epilog="Example: cardgods odds commerce Ah Kh 4s",
)
