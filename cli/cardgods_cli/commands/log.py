"""Check recorded games, mend their torn ends, and show what one seat has seen."""

from __future__ import annotations

from cardgods_cli.main import CONTEXT, FolderGroup

command = FolderGroup(
    name="log",
    package="cardgods_cli.logs",
    context_settings=CONTEXT,
    help="Check recorded games, mend their torn ends, and show what one seat has seen.",
    epilog="Example: cardgods log verify game.cglog",
)
