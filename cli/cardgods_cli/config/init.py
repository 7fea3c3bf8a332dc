"""Write a file of settings in which each is explained and none is set."""

from __future__ import annotations

import os

import click

from cardgods_cli.words import _


@click.command(epilog="Example: cardgods config init")
def command() -> None:
    """Write a file of settings in which each is explained and none is set; an old one is left alone."""
    from cardgods.errors import ParameterError
    from cardgods_cli import settings
    from cardgods_cli.look import look_for
    from cardgods_cli.settings_file import template

    path = settings.file().path
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(template())
    except FileExistsError:
        raise ParameterError(_("{file} is there already and is left alone").format(file=path)) from None
    look_for().show(_("Written: {file}").format(file=path))
