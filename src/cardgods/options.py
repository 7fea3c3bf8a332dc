"""Rule options: fields of a frozen dataclass that also say how they are read, worded and checked."""

import dataclasses
import itertools
from collections.abc import Callable, Mapping
from typing import Any

from cardgods.errors import ParameterError, shown

TRUE_TEXTS = ("true", "yes", "on", "1", "oui")
FALSE_TEXTS = ("false", "no", "off", "0", "non")


def rule_option(
    default: Any,  # noqa: ANN401
    *,
    help: str,
    help_fr: str,
    choices: tuple[str, ...] | None = None,
    parse: Callable[[str], Any] | None = None,
    form: str | None = None,
    secret: bool = False,
) -> Any:  # noqa: ANN401
    """A field of a game's options.

    Args:
        default: value of the standard game.
        help: one line for users, in English.
        help_fr: the same in French.
        choices: the texts it may be, for options that are one of a few words.
        parse: reads the value from a text, raising ValueError with the reason; by default the reading
            follows from the type of the default (bool, int, str).
        form: what such a text looks like, for help and error messages (``"7-14 or 7,9,11"``).
        secret: players may not know the value before the game is over, as with a rule that is to be found.
    """
    metadata = {
        "help": {"en": help, "fr": help_fr},
        "choices": choices,
        "parse": parse,
        "form": form,
        "secret": secret,
    }
    return dataclasses.field(default=default, metadata=metadata)


def option_fields(options: type) -> dict[str, "dataclasses.Field[Any]"]:
    """The rule options of a class of options, by name, in the order of their declaration."""
    return {field.name: field for field in dataclasses.fields(options)}


def parse_option(options: type, name: str, text: str) -> Any:  # noqa: ANN401
    """Read the value of one option from a text.

    Raises:
        ParameterError: if there is no such option or the text is no value of it.
    """
    fields = option_fields(options)
    if name not in fields:
        raise ParameterError(f"unknown option {shown(name)}: options are {', '.join(fields)}")
    field = fields[name]
    try:
        return _read(field, text.strip())
    except ValueError as error:
        raise ParameterError(f"option {name}: {error}") from None


def _read(field: "dataclasses.Field[Any]", text: str) -> Any:  # noqa: ANN401
    parse: Callable[[str], Any] | None = field.metadata["parse"]
    if parse is not None:
        return parse(text)
    if isinstance(field.default, bool):
        if text.lower() in TRUE_TEXTS:
            return True
        if text.lower() in FALSE_TEXTS:
            return False
        raise ValueError(f"'{text}' is neither on nor off")
    if isinstance(field.default, int):
        return int_from(text)
    return text


def int_from(text: str) -> int:
    """An integer in plain ASCII digits.

    Raises:
        ValueError: if the text is anything else.
    """
    if not text.removeprefix("-").isdigit() or not text.isascii() or len(text) > 12:
        raise ValueError(f"'{text[:40]}' is not a whole number")
    return int(text)


def check_types(options: Any) -> None:  # noqa: ANN401
    """Refuse values whose type is not that of the option's default, and words that are no choice.

    Raises:
        ParameterError: naming the option and what it may be.
    """
    for name, field in option_fields(type(options)).items():
        value = getattr(options, name)
        choices = field.metadata["choices"]
        if choices is not None and (type(value) is not str or value not in choices):
            raise ParameterError(f"option {name}: {shown(value)} is not one of {', '.join(choices)}")
        kind = type(field.default)
        if kind in (bool, int, str) and field.metadata["parse"] is None and type(value) is not kind:
            raise ParameterError(f"option {name}: {shown(value)} is not of type {kind.__name__}")


def replaced(options: Any, changes: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """The options with some of them changed.

    Raises:
        ParameterError: if one is unknown or the result is impossible.
    """
    fields = option_fields(type(options))
    for name in changes:
        if name not in fields:
            raise ParameterError(f"unknown option {shown(name)}: options are {', '.join(fields)}")
    return dataclasses.replace(options, **changes)


def whole_numbers(name: str, values: Any, most: int) -> tuple[int, ...]:  # noqa: ANN401
    """The value of an option that is a list of 1 to `most` whole numbers, distinct and ascending.

    Raises:
        ParameterError: if it is anything else.
    """
    # Counted by its slice: a range may be longer than memory, or than its own len() can tell.
    if not isinstance(values, (tuple, list, range)) or not all(type(v) is int for v in values[: most + 1]):
        raise ParameterError(f"option {name}: {shown(values)} is not a list of whole numbers")
    numbers = tuple(values[: most + 1])
    if not 1 <= len(numbers) <= most:
        raise ParameterError(f"option {name}: it takes 1 to {most} values, not {shown(values)}")
    if any(a >= b for a, b in itertools.pairwise(numbers)):
        raise ParameterError(f"option {name}: values must be distinct and ascend, not {shown(values)}")
    return numbers
