"""Say what a log, a view or an archive is, without playing it again."""

from __future__ import annotations

import click

from cardgods_cli.options import game_option, json_option, plain_option
from cardgods_cli.words import N_, _

KEYS = {
    "file": N_("file"),
    "format": N_("format"),
    "game": N_("game"),
    "variant": N_("variant"),
    "options": N_("options"),
    "digest": N_("digest"),
    "seats": N_("seats"),
    "seed": N_("seed"),
    "rng": N_("rng"),
    "deal": N_("deal"),
    "engine": N_("engine"),
    "view_of": N_("view_of"),
    "must": N_("must"),
    "free": N_("free"),
    "cuts": N_("cuts"),
    "records": N_("records"),
    "undone": N_("undone"),
    "complete": N_("complete"),
    "end": N_("end"),
    "secret": N_("secret"),
    "size": N_("size"),
    "torn": N_("torn"),
    "tag": N_("tag"),
    "logs": N_("logs"),
    "games": N_("games"),
    "bytes of logs": N_("bytes of logs"),
}
"""What a log says of itself, as its fields are called."""


@click.command(
    params=[game_option(), json_option(), plain_option()],
    epilog="Example: cardgods log info game.cglog",
)
@click.argument("file", type=click.Path())
@click.option("--spoil", is_flag=True, help="Show what is hidden in a game that is not over.")
@click.pass_context
def command(ctx: click.Context, file: str, spoil: bool, game: int | None, as_json: bool, plain: bool) -> None:
    """Say what FILE holds: the game and its rules, who played, how it was dealt, how it ended."""
    from cardgods.log import is_archive
    from cardgods_cli.logfile import archive_facts, facts, load
    from cardgods_cli.look import json_text, look_for

    code = 0
    if game is None and is_archive(file):
        rows = archive_facts(file)
    else:
        found = load(file, game)
        rows, code = facts(found, spoil=spoil), found.exit_code
    look = look_for(plain=plain)
    if as_json:
        look.show(json_text(rows))
    else:
        look.table(
            (_("what"), _("value")), [(_(KEYS.get(key, key)), _words(value)) for key, value in rows.items()]
        )
    ctx.exit(code)


def _words(value: object) -> str:
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(_words, value)) or _("none")
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(item)}" for key, item in value.items()) or _("none")
    return str(value)
