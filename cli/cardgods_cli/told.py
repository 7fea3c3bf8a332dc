"""What the library says, in the language in force.

The library speaks English. Its messages are matched against their templates, whose translations stand in
the catalogs under the context ``library``: ``msgid "unknown game {0}: games are {1}"``. What stands in a hole
is somebody's data and stays as it is; a hole ``{1:told}`` holds a message again, ``{1:list}`` several between
commas.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from cardgods_cli import words

HOLE = re.compile(r"\{\d+(?::told|:list)?\}")
JOINTS = ("; ",)
"""What stands between messages that are told in one."""
COMMA = ", "


class _Held(str):
    """What was found in a hole; it knows what is to become of it."""

    def __format__(self, form: str) -> str:
        if form == "told":
            return told(str(self))
        return COMMA.join(map(told, self.split(COMMA))) if form == "list" else str(self)


def told(text: str) -> str:
    """A message of the library in the language in force; as it is where there is no template for it."""
    if words.language() == "en" or not text:
        return text
    found = _matched(text)
    if found is None:
        for joint in JOINTS:
            parts = text.split(joint)
            whole = [_matched(part) for part in parts]
            if len(parts) > 1 and None not in whole:
                return words._(joint).join(map(str, whole))
        # A hole may hold a joint: somebody's file is called so.
        found = _matched(text, anything=True)
    return text if found is None else found


def _matched(text: str, *, anything: bool = False) -> str | None:
    """A message whose template is known; no hole holds what joins messages, unless it may hold anything."""
    exact = words.p_(words.LIBRARY, text)
    if exact != text:
        return exact
    for one in _templates(words.language(), anything):
        if all(part in text for part in one.parts):
            match = re.fullmatch(one.pattern, text, re.DOTALL)
            if match and not (one.around and _matched(match[len(match.groups())]) is None):
                return one.translation.format(*map(_Held, match.groups()))
    return None


class _Template(NamedTuple):
    """A template with holes.

    Attributes:
        parts: what stands between the holes.
        pattern: of a message.
        translation: its holes are filled with what was found.
        around: it only counts if its last hole holds a message that is known.
    """

    parts: list[str]
    pattern: str
    translation: str
    around: bool


@functools.cache
def _templates(lang: str, anything: bool) -> list[_Template]:
    """Those that stand around another message, then all, the most particular first."""
    held = "." if anything else f"(?!{'|'.join(map(re.escape, JOINTS))})."
    found = []
    for message, translation in words.texts_of(words.LIBRARY).items():
        parts = HOLE.split(message)
        if len(parts) > 1:
            pattern = f"((?:{held})+?)".join(map(re.escape, parts))
            found.append(_Template(parts, pattern, translation, around=False))
            if parts[0] and message.endswith(":told}"):
                found.append(_Template(parts, pattern, translation, around=True))
    return sorted(found, key=lambda one: (not one.around, -len("".join(one.parts))))
