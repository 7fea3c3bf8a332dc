"""What is in force where the command line says nothing: the environment's word, the file's, or a default.

The file is TOML, ``$CARDGODS_CONFIG`` or ``config.toml`` in the folder where programs of this system keep
such files. It is read once for each command line.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgods_cli import words
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods.errors import ParameterError

VARIABLE = "CARDGODS_CONFIG"
MAX_BYTES = 65_536
MAX_THREADS = 256
SEATS = "seats"
"""The table of the file whose keys are games."""
TRUE, FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@dataclass(frozen=True)
class Setting:
    """One thing that can be set.

    Attributes:
        default: its value where nobody says anything.
        allowed: what it may be, in words.
        variable: of the environment, which comes before the file.
        help: what it does; marked for translation.
        example: a line of the file.
    """

    default: Any
    allowed: str
    variable: str
    help: str
    example: str


SETTINGS: Mapping[str, Setting] = {
    "lang": Setting(
        "en",
        N_("en or fr"),
        words.VARIABLE,
        N_("Language of all texts; without it, that of the environment."),
        'lang = "fr"',
    ),
    "plain": Setting(
        False,
        N_("true or false"),
        "CARDGODS_PLAIN",
        N_("Lines of text only: no boxes, no colour."),
        "plain = true",
    ),
    "color": Setting(
        True, N_("true or false"), "NO_COLOR", N_("Colours, where a terminal shows them."), "color = false"
    ),
    "threads": Setting(
        1,
        N_("a whole number from 1 to 256"),
        "CARDGODS_THREADS",
        N_("Threads of every command that takes --threads."),
        "threads = 2",
    ),
}


class Found(NamedTuple):
    """A value and where it comes from.

    Attributes:
        value: the value in force.
        source: "option", "environment", "file" or "default".
        where: the variable, or the line of the file; else empty.
    """

    value: Any
    source: str
    where: str = ""


@dataclass(frozen=True)
class File:
    """The file of settings as it was read.

    Attributes:
        path: where it is, or would be.
        values: what it sets; seats by the game.
        lines: the line of each key, seats as ``seats.GAME``.
        exists: False if there is none.
    """

    path: str
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    exists: bool = False


_file = File("")


@contextmanager
def kept() -> Iterator[None]:
    """Whatever file is read meanwhile, that of before is in force again in the end."""
    global _file
    before = _file
    try:
        yield
    finally:
        _file = before


def load() -> None:
    """Read the file and put its settings in force, its language too unless something else names one.

    Raises:
        ParameterError: if it cannot be read, is no TOML, or sets what cannot be set so.
    """
    global _file
    _file = File(where())
    data = _content(_file.path)
    if data is None:
        return
    if not data.strip():
        _file = File(_file.path, exists=True)
        return
    from cardgods_cli.settings_file import read

    _file = read(_file.path, data)
    if "lang" in _file.values and not words.asked() and words.variable() != words.VARIABLE:
        words.speak(_file.values["lang"])


def where() -> str:
    """The path of the file, whether there is one or not."""
    import click

    named = os.environ.get(VARIABLE)
    if named:
        return named
    folder = click.get_app_dir("cardgods")
    if not os.path.isabs(folder):
        # An empty or relative XDG_CONFIG_HOME does not count (XDG Base Directory Specification).
        folder = os.path.expanduser("~/.config/cardgods")
    return os.path.join(folder, "config.toml")


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as source:
            data = source.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        from cardgods_cli.told import told

        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(_("cannot read the settings in {file}: {reason}"), path, reason=told(reason)) from None
    if len(data) > MAX_BYTES:
        raise refusal(_("the settings in {file} have more than {limit} bytes"), path, limit=MAX_BYTES)
    return data


def refusal(text: str, path: str, **values: object) -> ParameterError:
    """The error that says what is wrong with the file."""
    from cardgods.errors import ParameterError
    from cardgods_cli.streams import clean

    return ParameterError(clean(text.format(file=path, **values)))


def file() -> File:
    """The file in force."""
    return _file


def found(name: str) -> Found:
    """A setting's value and where it comes from.

    Args:
        name: one of SETTINGS.

    Raises:
        ParameterError: if the environment gives it a value that it cannot have.
    """
    setting = SETTINGS[name]
    text = os.environ.get(setting.variable)
    if name == "lang":
        return _language()
    if text:
        return Found(_from_variable(name, text), "environment", setting.variable)
    if name in _file.values:
        return Found(_file.values[name], "file", str(_file.lines.get(name, "")))
    return Found(setting.default, "default")


def value(name: str) -> Any:  # noqa: ANN401
    """A setting's value; see :func:`found`."""
    return found(name).value


def seats(game: str) -> Sequence[str]:
    """Who plays a game where the command line names nobody; nothing if the file does not say."""
    chosen: Sequence[str] = _file.values.get(SEATS, {}).get(game, ())
    return chosen


def _language() -> Found:
    lang, variable = words.language(), words.variable()
    if words.asked():
        return Found(lang, "option")
    if "lang" in _file.values and variable != words.VARIABLE:
        return Found(lang, "file", str(_file.lines.get("lang", "")))
    return Found(lang, "environment", variable) if variable else Found(lang, "default")


def _from_variable(name: str, text: str) -> Any:  # noqa: ANN401
    """The value that a variable of the environment gives a setting."""
    from cardgods.errors import ParameterError, shown

    setting, word = SETTINGS[name], text.strip().lower()
    if name == "color":
        # Whatever it holds, NO_COLOR asks for none (no-color.org).
        return False
    if name == "plain" and word in TRUE + FALSE:
        return word in TRUE
    if name == "threads" and word.isascii() and word.isdigit() and allowed(name, int(word[:9])):
        return int(word)
    problem = _("{variable}: {value} is not {allowed}")
    raise ParameterError(
        problem.format(variable=setting.variable, value=shown(text), allowed=_(setting.allowed))
    )


def allowed(name: str, value: object) -> bool:
    """Whether a setting of the file may have a value."""
    if name == "lang":
        return isinstance(value, str) and value in words.LANGUAGES
    if name == "threads":
        return type(value) is int and 1 <= value <= MAX_THREADS
    return isinstance(value, bool)
