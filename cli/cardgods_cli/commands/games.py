"""List the games, their variants and rule options."""

from __future__ import annotations

import click

from cardgods_cli.options import json_option, plain_option
from cardgods_cli.words import _


@click.command(params=[json_option(), plain_option()], epilog="Example: cardgods games --json")
def command(as_json: bool, plain: bool) -> None:
    """List the games, their variants and rule options."""
    from cardgods import registered_names
    from cardgods.agents import agent_names
    from cardgods.game import game_class
    from cardgods_cli.look import json_text, look_for

    classes = {name: game_class(name) for name in registered_names()}
    look = look_for(plain=plain)
    if not as_json:
        rows = [
            (name, cls.title[look.lang], ", ".join(cls.presets), ", ".join(agent_names(name)))
            for name, cls in classes.items()
        ]
        look.table((_("game"), _("title"), _("variants"), _("agents")), rows)
        return
    games = []
    for name, cls in classes.items():
        variants = {variant: cls(options).parameters() for variant, options in cls.presets.items()}
        agents = agent_names(name)
        title, summary = dict(cls.title), dict(cls.summary)
        games.append(
            {"game": name, "title": title, "summary": summary, "variants": variants, "agents": agents}
        )
    look.show(json_text({"games": games}))
