"""The file of settings: its text, checked key by key, and the template of a new one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from typing import Any

from cardgods_cli.settings import SEATS, SETTINGS, File, allowed, refusal
from cardgods_cli.told import told
from cardgods_cli.words import N_, _

KEY = re.compile(r"""\s*(["']?)([\w-]+)\1\s*(?:\.\s*(["']?)([\w-]+)\3\s*)?=""")
TABLE = re.compile(r"""\s*\[\[?\s*(["']?)([\w-]+)\1""")
PLACE = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")
SEATS_HELP = N_("Who plays a game when --seat names nobody, as --seat takes it: a list for each game.")
SEATS_EXAMPLE = ('encan = ["human:Ana", "ismcts"]', 'trones = ["human:Ana", "pimc"]')


def read(path: str, data: bytes) -> File:
    """The settings in the content of a file.

    Raises:
        ParameterError: if it is no TOML in UTF-8, or sets what cannot be set so; names the line and the key.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        values = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise refusal(_("{file}, line {line}: this is no UTF-8"), path, line=line) from None
    except (ValueError, RecursionError) as error:
        place = PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else data.count(b"\n") + 1
        problem = told(PLACE.sub("", str(error)))
        text = _("{file}, line {line}: this is no TOML: {problem}")
        raise refusal(text, path, line=line, problem=problem) from None
    lines = _lines(text)
    for key, value in values.items():
        _check(path, key, value, lines)
    return File(path, values, lines, exists=True)


def _lines(text: str) -> dict[str, int]:
    """The line of each key, in the table ``[seats]`` as ``seats.KEY``."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), 1):
        begun, key = TABLE.match(line), KEY.match(line)
        if begun:
            table = begun[2]
            found.setdefault(table, number)
        elif key:
            names = [name for name in (table, key[2], key[4]) if name]
            found.setdefault(".".join(names), number)
            found.setdefault(names[0], number)
    return found


def _check(path: str, key: str, value: Any, lines: dict[str, int]) -> None:  # noqa: ANN401
    """Refuse a key that is none of ours, or a value that it cannot have."""
    line = lines.get(key, 1)
    if key == SEATS:
        _check_seats(path, value, lines)
    elif key not in SETTINGS:
        from cardgods.errors import shown

        keys = (*SETTINGS, SEATS)
        text = _("{file}, line {line}: unknown key {key}{hint}: keys are {keys}")
        raise refusal(text, path, line=line, key=shown(key, 40), hint=_near(key, keys), keys=", ".join(keys))
    elif not allowed(key, value):
        text = _("{file}, line {line}: {key} = {value} is not {allowed}")
        raise refusal(text, path, line=line, key=key, value=_shown(value), allowed=_(SETTINGS[key].allowed))


def _check_seats(path: str, table: Any, lines: dict[str, int]) -> None:  # noqa: ANN401
    from cardgods import registered_names
    from cardgods.errors import shown

    line = lines.get(SEATS, 1)
    if not isinstance(table, dict):
        text = _("{file}, line {line}: {key} is a table of lists, one for each game: [seats]")
        raise refusal(text, path, line=line, key=SEATS)
    for game, seats in table.items():
        line = lines.get(f"{SEATS}.{game}", line)
        if game not in registered_names():
            names = registered_names()
            text = _("{file}, line {line}: unknown game {key}{hint}: games are {keys}")
            raise refusal(
                text, path, line=line, key=shown(game, 40), hint=_near(game, names), keys=", ".join(names)
            )
        if not isinstance(seats, list) or not seats or not all(isinstance(seat, str) for seat in seats):
            text = _("{file}, line {line}: {key} = {value} is not {allowed}")
            words = _("a list of seats in quotes")
            raise refusal(text, path, line=line, key=f"{SEATS}.{game}", value=_shown(seats), allowed=words)


def _shown(value: object) -> str:
    from cardgods.errors import shown

    return {True: "true", False: "false"}[value] if isinstance(value, bool) else shown(value, 40)


def _near(key: str, keys: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(key.lower(), list(keys), 1)
    return _(" (did you mean {word}?)").format(word=near[0]) if near else ""


def template() -> str:
    """A file with every setting behind a ``#``, in the language in force."""
    parts = [
        [_("Settings of cardgods. A line counts once the # before it is gone.")],
        [_("What the command line says comes first, then the environment, then this file.")],
    ]
    lines = [f"# {line}" for part in parts for line in part]
    for setting in SETTINGS.values():
        words = _("{help} Here: {allowed}; in the environment: {variable}.")
        told = words.format(help=_(setting.help), allowed=_(setting.allowed), variable=setting.variable)
        lines += ["", f"# {told}", f"# {setting.example}"]
    lines += ["", f"# {_(SEATS_HELP)}", f"# [{SEATS}]", *(f"# {line}" for line in SEATS_EXAMPLE)]
    return "\n".join(lines) + "\n"
