"""Help pages in the language in force: copies of commands whose texts are looked up."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.words import N_, _, language

if TYPE_CHECKING:
    from collections.abc import Sequence

EXAMPLE = "Example: "
KINDS = ((click.types.IntParamType, N_("INTEGER")), (click.types.FloatParamType, N_("NUMBER")))
"""Words for values of a type, where click would show the English name of the type."""
PATH, TEXT = N_("PATH"), N_("TEXT")
OF_CLICK = (N_("OPTIONS"), N_("COMMAND"), N_("ARGS"))
"""Words of metavars that click makes."""
METAVAR = re.compile(r"[A-Z]{2,}")
"""The words of a metavar that stand for something."""


def in_language(command: click.Command) -> click.Command:
    """A command as it is shown in the language in force; what it does stays the same.

    Args:
        command: a command whose texts are English, marked or told by the part of the source that holds them.
    """
    if language() == "en":
        return command
    told = copy.copy(command)
    # The help option that click made for the original is in the original's language.
    told._help_option = None
    told.help = text_of(command.help)
    told.short_help = text_of(command.short_help)
    told.epilog = _epilog(command.epilog)
    told.options_metavar = _metavar(command.options_metavar)
    told.params = parameters(command.params)
    if isinstance(told, click.Group):
        told.subcommand_metavar = _metavar(told.subcommand_metavar) or told.subcommand_metavar
    return told


def text_of(text: str | None) -> str | None:
    """A text of a help page in the language in force; its paragraphs are looked up one by one."""
    if not text:
        return text
    paragraphs = (re.sub(r"[ \n\t]+", " ", paragraph).strip() for paragraph in text.split("\n\n"))
    return "\n\n".join(_(paragraph) for paragraph in paragraphs)


def parameters(params: Sequence[click.Parameter]) -> list[click.Parameter]:
    """Parameters as they are shown in the language in force."""
    return [_parameter(param) for param in params]


def _parameter(param: click.Parameter) -> click.Parameter:
    told = copy.copy(param)
    told.metavar = _metavar(param.metavar)
    if isinstance(told, click.Option):
        told.help = text_of(told.help)
        if told.metavar is None and not told.is_flag and not told.count:
            told.metavar = _kind(told.type)
    elif told.metavar is None and told.name:
        told.metavar = _metavar(told.name.upper())
    return told


def _kind(kind: click.ParamType[Any]) -> str | None:
    for cls, word in KINDS:
        if isinstance(kind, cls):
            return _(word)
    if isinstance(kind, click.Path | click.File):
        return _(PATH)
    return _(TEXT) if kind is click.STRING else None


def _metavar(text: str | None) -> str | None:
    return text and METAVAR.sub(lambda word: _(word.group()), text)


def _epilog(text: str | None) -> str | None:
    if text is None or not text.startswith(EXAMPLE):
        return text_of(text)
    return _("Example: {line}").format(line=text.removeprefix(EXAMPLE))
