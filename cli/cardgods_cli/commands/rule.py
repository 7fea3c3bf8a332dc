"""Examine, compare and list secret rules for Eleusis."""

from __future__ import annotations

from cardgods_cli.main import CONTEXT, FolderGroup

command = FolderGroup(
    name="rule",
    package="cardgods_cli.rule",
    context_settings=CONTEXT,
    subcommand_metavar="COMMAND [OPTIONS]",
    help="Examine, compare and list secret rules for Eleusis (docs/rule-language.md has the language).",
    epilog='Example: cardgods rule check "not same(colour)"',
)
