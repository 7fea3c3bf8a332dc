"""The language of what the program says: English in the source, the others from catalogs.

Texts are marked where they stand, ``_("{name} wins.").format(name=name)``, and looked up when they are
shown. The catalogs are ``locale/<language>/*.po``, one for each part of the program; the build puts those
of a language together in the one file that :mod:`gettext` reads.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from cardgods.types import Language

LANGUAGES: tuple[Language, ...] = ("en", "fr")
DOMAIN = "cardgods"
LOCALE = Path(__file__).parent / "locale"
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Of the environment, the first that is set counts (GNU gettext, "Locale Environment Variables")."""

_current: Language = "en"
_catalog: gettext.NullTranslations = gettext.NullTranslations()


def language() -> Language:
    """The language in force."""
    return _current


def speak(lang: Language) -> None:
    """Put a language in force, for click's own texts too.

    Args:
        lang: one of LANGUAGES.
    """
    global _current, _catalog
    _current = lang
    # English is what stands in the source: there is no catalog to look for.
    _catalog = (
        gettext.NullTranslations()
        if lang == "en"
        else gettext.translation(DOMAIN, LOCALE, [lang], fallback=True)
    )
    # click looks its texts up by the environment and the domain in force.
    gettext.bindtextdomain(DOMAIN, LOCALE)
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = lang


@contextmanager
def speaking(lang: Language) -> Iterator[None]:
    """Put a language in force for a while."""
    before, variable = _current, os.environ.get("LANGUAGE")
    speak(lang)
    try:
        yield
    finally:
        speak(before)
        if variable is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = variable


def from_environment() -> Language:
    """The language that the environment asks for; English where it names none that we have."""
    wanted = next(filter(None, map(os.environ.get, VARIABLES)), "")
    for name in wanted.split(":"):
        if name[:2] in LANGUAGES and not name[2:3].isalpha():
            return cast("Language", name[:2])
        if name in ("C", "POSIX"):
            break
    return "en"


def _(text: str) -> str:
    """A text in the language in force."""
    # gettext answers the empty text with the head of the catalog.
    return _catalog.gettext(text) if text else text


def n_(one: str, many: str, number: int) -> str:
    """A text in the language in force, in the form for a number of things."""
    return _catalog.ngettext(one, many, number)


def N_(text: str) -> str:
    """Mark a text that is looked up later, when it is shown."""
    return text
