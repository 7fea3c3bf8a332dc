"""The language of what the program says: English in the source, the others from catalogs.

Texts are marked where they stand, ``_("{name} wins.").format(name=name)``, and looked up when they are
shown. The catalogs are ``locale/<language>/*.po``, one for each part of the program; the build puts those
of a language together in the one file that :mod:`gettext` reads.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from cardgods.types import Language

LANGUAGES: tuple[Language, ...] = ("en", "fr")
DOMAIN = "cardgods"
LOCALE = Path(__file__).parent / "locale"
VARIABLE = "CARDGODS_LANG"
"""Of the environment, the language of this program alone; it comes before those of all programs."""
OPTION = "--lang"
LIBRARY = "library"
"""Context of what the library says (:mod:`cardgods_cli.told`)."""
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Of the environment, the first that is set counts (GNU gettext, "Locale Environment Variables")."""

_current: Language = "en"
_asked = False
_variable = ""
_catalog: gettext.NullTranslations = gettext.NullTranslations()


def language() -> Language:
    """The language in force."""
    return _current


def asked() -> bool:
    """Whether the language in force was asked for on the command line."""
    return _asked


def variable() -> str:
    """The variable of the environment that named the language when it was last asked; none if empty."""
    return _variable


def speak(lang: Language, *, asked: bool = False) -> None:
    """Put a language in force, for click's own texts too.

    Args:
        lang: one of LANGUAGES.
        asked: the command line names it.
    """
    global _current, _asked, _catalog
    _current, _asked = lang, asked
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
def kept() -> Iterator[None]:
    """Whatever language is put in force meanwhile, the one of before is again in the end."""
    before, was_asked, variable = _current, _asked, os.environ.get("LANGUAGE")
    try:
        yield
    finally:
        speak(before, asked=was_asked)
        if variable is None:
            os.environ.pop("LANGUAGE", None)
        else:
            os.environ["LANGUAGE"] = variable


@contextmanager
def speaking(lang: Language) -> Iterator[None]:
    """Put a language in force for a while."""
    with kept():
        speak(lang)
        yield


def taken_from(args: Sequence[str]) -> tuple[list[str], Language | None]:
    """A command line without ``--lang``, which may stand anywhere in it, and the language that it names.

    Args:
        args: the words after the name of the program.

    Raises:
        ParameterError: if there is no such language.
    """
    rest: list[str] = []
    lang: Language | None = None
    words = iter(args)
    for word in words:
        if word == "--":
            return [*rest, word, *words], lang
        name, has_value, value = word.partition("=")
        if name != OPTION:
            rest.append(word)
            continue
        lang = named(value if has_value else next(words, ""), OPTION)
    return rest, lang


def named(text: str, where: str) -> Language:
    """The language of a name, as some place has it.

    Raises:
        ParameterError: if it names none that we have.
    """
    if text in LANGUAGES:
        return text
    from cardgods.errors import ParameterError, shown

    raise ParameterError(f"{where}: unknown language {shown(text)}: languages are {', '.join(LANGUAGES)}")


def from_environment() -> Language:
    """The language that the environment asks for; English where it names none that we have.

    Raises:
        ParameterError: if it is the variable of this program that names none.
    """
    global _variable
    own = os.environ.get(VARIABLE)
    _variable = VARIABLE if own else next(filter(os.environ.get, VARIABLES), "")
    if own:
        return named(own, VARIABLE)
    for name in os.environ.get(_variable, "").split(":"):
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


def p_(context: str, text: str) -> str:
    """A text of some context in the language in force."""
    return _catalog.pgettext(context, text)


def texts_of(context: str) -> dict[str, str]:
    """All texts of a context with their translations in the language in force."""
    # The class has no public way to go through them.
    entries: dict[object, str] = getattr(_catalog, "_catalog", {})
    start = f"{context}\x04"
    return {
        key.removeprefix(start): text
        for key, text in entries.items()
        if isinstance(key, str) and key.startswith(start)
    }


def N_(text: str) -> str:
    """Mark a text that is looked up later, when it is shown."""
    return text
