"""Options that several commands share, and groups with one subcommand per game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli import settings
from cardgods_cli.completing import among
from cardgods_cli.main import CONTEXT, TITLES, refuse_unknown
from cardgods_cli.pages import in_language
from cardgods_cli.told import told
from cardgods_cli.words import N_, _, language

if TYPE_CHECKING:
    from dataclasses import Field

    from cardgods import Game

GameCommand = Callable[..., None]
"""Body of a command for one game: called with the Game and the values of the command's own options."""


class SetOption(click.Option):
    """An option whose value, where the command line has none, is a setting (:mod:`cardgods_cli.settings`).

    Args:
        setting: its name.
        args: as for :class:`click.Option`.
        kwargs: likewise.
    """

    def __init__(self, *args: Any, setting: str, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.setting = setting

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:  # noqa: ANN401
        """The setting's value."""
        try:
            return settings.value(self.setting)
        except Exception:
            # A help page, or a word to be completed: nothing is done with the value.
            if not ctx.resilient_parsing:
                raise
            return settings.SETTINGS[self.setting].default


def plain_option() -> click.Option:
    """``--plain``."""
    return SetOption(
        ["--plain/--no-plain"], setting="plain", help=N_("Lines of text only: no boxes, no colour.")
    )


def given(context: click.Context, name: str) -> bool:
    """Whether the command line has an option."""
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def json_option() -> click.Option:
    """``--json``."""
    return click.Option(["--json", "as_json"], is_flag=True, help=N_("Print JSON and nothing else."))


def game_option() -> click.Option:
    """``--game``."""
    return click.Option(
        ["--game"],
        type=click.IntRange(min=0),
        metavar="N",
        help=N_("Which log of an archive, counted from 0."),
    )


def threads_option(words: str = N_("Threads that work.")) -> click.Option:
    """``--threads``, told in some words."""
    kind = click.IntRange(1, settings.MAX_THREADS)
    return SetOption(["--threads"], setting="threads", type=kind, show_default=True, help=words)


class GameGroup(click.Group):
    """A group with a subcommand for each registered game, which takes the game's rule options.

    Args:
        body: what a subcommand does.
        example: example for the help of a subcommand; ``{game}`` stands for its name.
        extra: the command's own options.
        kwargs: as for :class:`click.Group`.
    """

    def __init__(
        self,
        *,
        body: GameCommand,
        example: str,
        extra: Callable[[], list[click.Parameter]],
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(
            subcommand_metavar="GAME [OPTIONS]",
            context_settings=CONTEXT,
            epilog=f"Example: {example.format(game='encan')}",
            **kwargs,
        )
        self.body = body
        self.example = example
        self.extra = extra

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the games."""
        from cardgods import registered_names

        return registered_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command for a game, made from the game's rule options."""
        if cmd_name not in self.list_commands(ctx):
            return None
        recipe = GameRecipe(cmd_name, self.body, self.help or "", self.example, self.extra())
        return in_language(recipe.made())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As in click, but an unknown game is answered with the games there are."""
        refuse_unknown(self, ctx, args[0], "game")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of games, without the making of a command for each."""
        from cardgods.game import game_class

        rows = [(name, _short_help(game_class(name))) for name in self.list_commands(ctx)]
        with formatter.section(_(TITLES["game"])):
            formatter.write_dl(rows)


@dataclass(frozen=True)
class GameRecipe:
    """How a command for one game is made, which takes the game's rule options; see :func:`game_command`."""

    name: str
    body: GameCommand
    help: str
    example: str
    extra: Sequence[click.Parameter]

    def made(self) -> click.Command:
        """The command, with the game's own texts in the language in force."""
        from cardgods.game import game_class

        cls = game_class(self.name)
        line = _("{title}: {summary}.").format(title=cls.title[language()], summary=cls.summary[language()])
        return click.Command(
            self.name,
            callback=lambda **values: self.body(_game_from(cls, values), **values),
            params=[*self.extra, *rule_options(cls)],
            help=f"{self.help}\n\n{line}",
            short_help=_short_help(cls),
            epilog=f"Example: {self.example.format(game=self.name)}",
            context_settings=CONTEXT,
        )


def game_command(
    name: str, *, body: GameCommand, help: str, example: str, extra: Sequence[click.Parameter]
) -> GameRecipe:
    """A command for one game, which takes the game's rule options, made when it is run or shown.

    Args:
        name: the game.
        body: what the command does.
        help: what its help page says, before the game's own line.
        example: its example; ``{game}`` stands for the name.
        extra: the command's own options.
    """
    return GameRecipe(name, body, help, example, extra)


def _short_help(cls: type[Game]) -> str:
    return f"{cls.title[language()]}, {cls.summary[language()]}"


def rule_options(cls: type[Game]) -> list[click.Parameter]:
    """Command line options for a game: its variants and every rule option it has."""
    from cardgods.options import option_fields

    presets = cls.presets
    default = next(iter(presets))
    variant = click.Option(
        ["--variant"],
        metavar="|".join(presets),
        shell_complete=among(presets),
        help=_("Named set of rules the options below change. [{default}]").format(default=default),
    )
    fields = option_fields(type(presets[default]))
    return [variant, *(_rule_option(cls, name, field) for name, field in fields.items())]


def _rule_option(cls: type[Game], name: str, field: Field[Any]) -> click.Option:
    word = name.replace("_", "-")
    values = " ".join(f"{variant}: {_short(getattr(o, name))}." for variant, o in cls.presets.items())
    words = field.metadata["help"][language()]
    text = f"{words[0].upper()}{words[1:]}. [{values.rstrip('.')}]"
    choices = field.metadata["choices"]
    if isinstance(field.default, bool):
        return click.Option([f"--{word}/--no-{word}", name], default=None, help=text)
    form = "|".join(choices) if choices else field.metadata["form"] or type(field.default).__name__.upper()
    if not choices:
        text += " " + _("Form: {form}.").format(form=told(form))
        form = "TEXT"
    return click.Option(
        [f"--{word}", name], metavar=form, help=text, shell_complete=among(choices) if choices else None
    )


def _short(value: object) -> str:
    """An option's value as a user writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        numbers = all(type(item) is int for item in value) and len(value) > 1
        if numbers and list(value) == list(range(value[0], value[0] + len(value))):
            return f"{value[0]}-{value[-1]}"
        return (" | " if any(isinstance(item, str) for item in value) else ",").join(map(str, value))
    return "none" if value is None else str(value)


def _game_from(cls: type[Game], values: dict[str, Any]) -> Game:
    """The game of a command line; takes the rule options out of `values`."""
    from cardgods import load_game
    from cardgods.options import option_fields, parse_option

    options_class = type(next(iter(cls.presets.values())))
    given = {name: values.pop(name) for name in option_fields(options_class)}
    read = {
        name: parse_option(options_class, name, value) if isinstance(value, str) else value
        for name, value in given.items()
        if value is not None
    }
    return load_game(cls.name, values.pop("variant"), **read)
