"""The rules of a game, in English or French, through a pager on a terminal."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cardgods_cli.completing import games
from cardgods_cli.options import plain_option
from cardgods_cli.words import language


def rules_text(game: str, lang: str) -> str:
    """The rules page of a game.

    Args:
        game: name of a game.
        lang: ``en`` or ``fr``.
    """
    name = f"{game}.md" if lang == "en" else f"{game}.{lang}.md"
    installed = Path(__file__).parents[1] / "rules" / name
    checkout = Path(__file__).parents[3] / "docs" / "rules" / name
    return (installed if installed.exists() else checkout).read_text(encoding="utf-8")


@click.command(
    params=[
        click.Argument(["game"], shell_complete=games),
        plain_option(),
    ],
    epilog="Example: cardgods rules eleusis --lang fr",
)
def command(game: str, plain: bool) -> None:
    """Show the rules of a game."""
    from cardgods.game import game_class
    from cardgods_cli.look import look_for

    game_class(game)
    text = rules_text(game, language())
    look = look_for(plain=plain)
    if look.plain or not look.terminal:
        look.show(text.rstrip())
    else:
        # Where the locale is not installed, less would show the bytes of every accent.
        os.environ.setdefault("LESSCHARSET", "utf-8")
        click.echo_via_pager(_rendered(text, look.width, colour=look.colour))


def _rendered(text: str, width: int | None, *, colour: bool) -> str:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=min(width or 80, 100), force_terminal=colour, no_color=not colour)
    with console.capture() as capture:
        console.print(Markdown(text))
    return capture.get()
