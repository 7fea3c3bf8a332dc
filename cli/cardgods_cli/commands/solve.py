"""Solve a game exactly: its value and how to play it."""

from __future__ import annotations

from cardgods_cli.main import CONTEXT, FolderGroup

command = FolderGroup(
    name="solve",
    package="cardgods_cli.solve",
    what="game",
    context_settings=CONTEXT,
    subcommand_metavar="GAME [OPTIONS]",
    help="Solve a game exactly: its value and how to play it.",
    epilog="Example: cardgods solve encan --variant express",
)
