"""What the library says, in the language in force.

The library speaks English. Its messages are matched against their templates, whose translations stand in
the catalogs under the context ``library``: ``msgid "unknown game {0}: games are {1}"``.
"""

from __future__ import annotations

import functools
import re

from cardgods_cli import words

HOLE = re.compile(r"\{\d+\}")
JOINTS = ("; ",)
"""What stands between messages that are told in one."""


def told(text: str) -> str:
    """A message of the library in the language in force; as it is where there is no template for it."""
    if words.language() == "en" or not text:
        return text
    found = _matched(text)
    if found is not None:
        return found
    for joint in JOINTS:
        parts = text.split(joint)
        if len(parts) > 1:
            return words._(joint).join(map(told, parts))
    return text


def _matched(text: str) -> str | None:
    exact = words.p_(words.LIBRARY, text)
    if exact != text:
        return exact
    for parts, pattern, translation in _templates(words.language()):
        if all(part in text for part in parts):
            match = re.fullmatch(pattern, text, re.DOTALL)
            if match:
                return translation.format(*map(told, match.groups()))
    return None


@functools.cache
def _templates(lang: str) -> list[tuple[list[str], str, str]]:
    """Literal parts, pattern and translation of each template with holes, the most particular first."""
    found = []
    for message, translation in words.texts_of(words.LIBRARY).items():
        parts = HOLE.split(message)
        if len(parts) > 1:
            pattern = "(.+?)".join(map(re.escape, parts))
            found.append((parts, pattern, translation))
    return sorted(found, key=lambda entry: -len("".join(entry[0])))
