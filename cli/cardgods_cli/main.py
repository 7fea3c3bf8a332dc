"""The group ``cardgods`` and groups whose commands are files found by name."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli import words
from cardgods_cli.pages import in_language
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods_cli.options import GameRecipe

TITLES = {"command": N_("Commands"), "game": N_("Games")}
"""Of the list of what a group holds."""
UNKNOWN = {
    "command": N_("unknown command {name!r}: choose from {choices}"),
    "game": N_("unknown game {name!r}: choose from {choices}"),
}
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class FolderGroup(click.Group):
    """A group whose commands are the modules of a package, imported only when they are run.

    The help page needs the first line of each module's docstring, which is read without importing it.

    Args:
        package: name of the package; each module in it has a :class:`click.Command` called ``command``.
        what: what a command of the group is called in messages.
        kwargs: as for :class:`click.Group`.
    """

    def __init__(self, *, package: str, what: str = "command", **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(**kwargs)
        self.package = package
        self.what = what

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the modules, sorted."""
        spec = importlib.util.find_spec(self.package)
        places = spec.submodule_search_locations if spec else None
        return sorted(m.name for m in pkgutil.iter_modules(places) if not m.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name; None if there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command | GameRecipe
        command = importlib.import_module(f"{self.package}.{cmd_name}").command
        return in_language(command if isinstance(command, click.Command) else command.made())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click, but an unknown name is answered with the names there are."""
        refuse_unknown(self, ctx, args[0], self.what)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands with their first lines."""
        rows = [(name, self._first_line(name)) for name in self.list_commands(ctx)]
        if rows:
            with formatter.section(_(TITLES[self.what])):
                formatter.write_dl(rows)

    def _first_line(self, name: str) -> str:
        spec = importlib.util.find_spec(f"{self.package}.{name}")
        source = getattr(spec.loader, "get_source", None) if spec else None
        text = (source(spec.name) or "") if source and spec else ""
        found = re.match(r'\s*"""(.*?)(?:\.?"""|\.?\n|\. )', text)
        return _(" ".join(found.group(1).split())) if found else ""


def refuse_unknown(group: click.Group, ctx: click.Context, name: str, what: str) -> None:
    """Raise a usage error that names the choices if the group has no command `name`."""
    if ctx.resilient_parsing:
        return
    choices = group.list_commands(ctx)
    if name not in choices and not name.startswith("-"):
        raise click.UsageError(_(UNKNOWN[what]).format(name=name, choices=", ".join(choices)), ctx)


@click.group(
    cls=FolderGroup,
    package="cardgods_cli.commands",
    context_settings=CONTEXT,
    epilog="Example: cardgods play encan",
)
@click.version_option(
    package_name="cardgods", message="%(prog)s %(version)s", help=N_("Show the version and exit.")
)
@click.option(
    "--lang",
    type=click.Choice(words.LANGUAGES),
    expose_value=False,
    help=N_(
        "Language of all texts; it may stand anywhere on the command line. Default: CARDGODS_LANG, else that "
        "of the environment."
    ),
)
def cli() -> None:
    """Four card games of gods and merchants: play, replay, solve."""
