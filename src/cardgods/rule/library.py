"""The graded library of rules that comes with the package (``library.txt``)."""

import functools
from dataclasses import dataclass
from importlib.resources import files

from cardgods.errors import RuleTextError
from cardgods.rule.rule import Rule, parse_rule
from cardgods.rule.words import suggestion_among


@dataclass(frozen=True)
class Entry:
    """A rule of the library.

    Attributes:
        name: stable name.
        level: 1 easy .. 4 very hard; 0 for rules that show what God should not do.
        text: the rule as it was written.
    """

    name: str
    level: int
    text: str

    @property
    def rule(self) -> Rule:
        """The rule, parsed."""
        return parse_rule(self.text)


@functools.cache
def library() -> tuple[Entry, ...]:
    """All rules of the library, good ones first, in the order of the file."""
    lines = (files("cardgods.rule") / "library.txt").read_text(encoding="utf-8").splitlines()
    entries = []
    for line in lines:
        if line and not line.startswith("#"):
            name, level, text = (part.strip() for part in line.split("|", 2))
            entries.append(Entry(name, int(level), text))
    return tuple(entries)


def find_rule(text: str, lang: str = "en") -> Rule:
    """The rule that a text states, or the one of the library that it names.

    Raises:
        RuleTextError: if it is neither.
    """
    names = {entry.name: entry for entry in library()}
    wanted = text.strip().lower()
    if wanted in names:
        return names[wanted].rule
    try:
        return parse_rule(text, lang)
    except RuleTextError:
        if "-" in wanted and " " not in wanted:
            near = suggestion_among(wanted, list(names))
            raise RuleTextError(f"'{text[:40]}' is neither a rule nor one of the library{near}") from None
        raise
