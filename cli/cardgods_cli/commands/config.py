"""Show the settings in force and where each comes from, or write a file to set them in."""

from __future__ import annotations

import click

from cardgods_cli.main import CONTEXT, FolderGroup
from cardgods_cli.options import json_option
from cardgods_cli.words import N_, _

SOURCES = {
    "option": N_("the command line"),
    "environment": N_("the environment, {where}"),
    "file": N_("the file, line {where}"),
    "default": N_("by default"),
}


@click.pass_context
def show(ctx: click.Context, path: bool, as_json: bool) -> None:
    """Show the settings, unless a command of the group is to be run."""
    if ctx.invoked_subcommand is not None:
        if path or as_json:
            raise click.UsageError(_("--path and --json stand alone"), ctx)
        return
    from cardgods_cli import settings
    from cardgods_cli.look import json_text, look_for

    file = settings.file()
    look = look_for(plain=settings.value("plain"))
    found = {name: settings.found(name) for name in settings.SETTINGS}
    for game, seats in file.values.get(settings.SEATS, {}).items():
        name = f"{settings.SEATS}.{game}"
        found[name] = settings.Found(seats, "file", str(file.lines.get(name, "")))
    if path:
        look.show(file.path)
    elif as_json:
        rows = {name: one._asdict() for name, one in found.items()}
        look.show(json_text({"path": file.path, "exists": file.exists, "settings": rows}))
    else:
        text = _("{file}:") if file.exists else _("There is no {file}; cardgods config init writes one.")
        look.show(text.format(file=file.path))
        headers = (_("setting"), _("value"), _("from"))
        look.table(headers, [(name, _words(one.value), _source(one)) for name, one in found.items()])


def _words(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _source(found: tuple[object, str, str]) -> str:
    return _(SOURCES[found[1]]).format(where=found[2])


command = FolderGroup(
    name="config",
    package="cardgods_cli.config",
    context_settings=CONTEXT,
    callback=show,
    invoke_without_command=True,
    help="Show the settings in force and where each comes from: the command line, the environment, the file "
    "or a default.\n\nThe file is the one that CARDGODS_CONFIG names, or else the one that --path shows.",
    params=[
        click.Option(["--path"], is_flag=True, help=N_("Print the path of the file alone.")),
        json_option(),
    ],
    epilog="Example: cardgods config --json",
)
