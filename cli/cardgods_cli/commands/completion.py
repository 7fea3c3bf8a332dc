"""Print the script that makes a shell complete commands, games, variants, agents and files."""

from __future__ import annotations

import os

import click

from cardgods_cli.completing import CLASSES, SHELLS
from cardgods_cli.words import _


@click.command(epilog="Example: cardgods completion bash")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.pass_context
def command(ctx: click.Context, shell: str | None) -> None:
    """Print the script that makes a shell complete commands, games, variants, agents and files.

    bash, in ~/.bashrc: eval "$(cardgods completion bash)"

    zsh, in ~/.zshrc, below compinit: eval "$(cardgods completion zsh)"

    fish: cardgods completion fish > ~/.config/fish/completions/cardgods.fish

    Without SHELL it is the one that the environment names.
    """
    from cardgods_cli.__main__ import COMPLETE, PROGRAM

    chosen = shell or os.path.basename(os.environ.get("SHELL", ""))
    if chosen not in CLASSES:
        text = _("which shell? choose from {choices}")
        raise click.UsageError(text.format(choices=", ".join(SHELLS)), ctx)
    click.echo(CLASSES[chosen](ctx.find_root().command, {}, PROGRAM, COMPLETE).source())
