"""What a shell is offered when somebody completes a word: games, variants, agents, files, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
)

from cardgods_cli import words

if TYPE_CHECKING:
    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

SHELLS = ("bash", "zsh", "fish")


def among(values: Iterable[str]) -> Completer:
    """Offers some words."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(value) for value in values if value.startswith(incomplete)]

    return complete


def files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Leaves it to the shell to offer files."""
    return [CompletionItem(incomplete, type="file")]


def games(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offers the games."""
    from cardgods import registered_names

    return among(registered_names())(ctx, param, incomplete)


def agents(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offers the agents that play the game whose command it is."""
    from cardgods.agents import agent_names

    return among(agent_names(ctx.info_name or ""))(ctx, param, incomplete)


def seats(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offers a person, in the language in force, and the agents."""
    from cardgods_cli.seats import HUMAN

    person = among([words._(HUMAN)])(ctx, param, incomplete)
    return [*person, *agents(ctx, param, incomplete)]


def rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offers the rules of the library of Eleusis."""
    from cardgods.rule import library

    return among(entry.name for entry in library())(ctx, param, incomplete)


class _AnyPlace(ShellComplete):
    """Knows ``--lang``, which may stand anywhere on the command line."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        if args and args[-1] == words.OPTION:
            return [CompletionItem(lang) for lang in words.LANGUAGES if lang.startswith(incomplete)]
        items = super().get_completions(_without_language(args), incomplete)
        offered = any(item.value == words.OPTION for item in items)
        if len(incomplete) > 1 and words.OPTION.startswith(incomplete) and not offered:
            items.append(CompletionItem(words.OPTION))
        return items


def _without_language(args: Sequence[str]) -> list[str]:
    """A command line without ``--lang``, or as it is if its language is none of ours."""
    try:
        return words.taken_from(args)[0]
    except Exception:
        return list(args)


class _Bash(_AnyPlace, BashComplete):
    pass


class _Zsh(_AnyPlace, ZshComplete):
    pass


class _Fish(_AnyPlace, FishComplete):
    pass


CLASSES: dict[str, type[ShellComplete]] = {"bash": _Bash, "zsh": _Zsh, "fish": _Fish}


def answer(cli: click.Command, program: str, variable: str, instruction: str) -> int:
    """Print what a shell asks for.

    Args:
        cli: the command line.
        program: its name.
        variable: of the environment, in which the shell asks.
        instruction: what it asks, ``bash_source`` or ``bash_complete`` and so on.

    Returns:
        The exit code.
    """
    shell, _, what = instruction.partition("_")
    if shell not in CLASSES or what not in ("source", "complete"):
        return 1
    asked = CLASSES[shell](cli, {}, program, variable)
    text = asked.source() if what == "source" else asked.complete()
    if text:
        click.echo(text)
    return 0
