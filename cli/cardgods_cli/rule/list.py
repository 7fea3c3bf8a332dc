"""List the graded library of rules."""

from __future__ import annotations

import click

from cardgods_cli.options import json_option, plain_option
from cardgods_cli.words import _


@click.command(
    params=[
        click.Option(
            ["--level"],
            type=click.IntRange(0, 4),
            help="Only rules of this level: 1 easy to 4 very hard, 0 bad examples.",
        ),
        json_option(),
        plain_option(),
    ],
    epilog="Example: cardgods rule list --level 2",
)
def command(level: int | None, as_json: bool, plain: bool) -> None:
    """List the graded library; every name can stand for its rule."""
    from cardgods.rule import analyse, library
    from cardgods_cli.look import json_text, look_for

    look = look_for(plain=plain)
    entries = [entry for entry in library() if level is None or entry.level == level]
    if as_json:
        rows = [
            {
                "name": entry.name,
                "level": entry.level,
                "rule": entry.rule.text,
                "rate": analyse(entry.rule).rate,
                "states": analyse(entry.rule).states,
            }
            for entry in entries
        ]
        look.show(json_text({"rules": rows}))
        return
    table = [
        (entry.name, entry.level or _("bad"), f"{100 * analyse(entry.rule).rate:.1f}", entry.rule.text)
        for entry in entries
    ]
    look.table((_("name"), f">{_('level')}", f">{_('accepts %')}", _("rule")), table)
