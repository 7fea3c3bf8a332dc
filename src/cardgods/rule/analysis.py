"""What a rule does to play: rates, dead ends, traps, and whether God may use it."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgods._core.rng import Random
from cardgods._core.rule.measure import measure, sample, shortest_path
from cardgods.cards import card_name
from cardgods.rule.rule import Rule
from cardgods.rule.vocabulary import FULL

PLAYS = 40
BAND = (0.25, 0.40)
"""Share of random plays that a good rule accepts."""
NARROW = 26
"""Play that closes onto this many kinds of card, or fewer, is a trap."""
SAMPLE_RUNS = 2000


def show_line(cards: Sequence[int], lang: str = "en") -> str:
    """Cards in a row, repeated ones counted: ``2♣ ×104 3♦``."""
    parts = []
    for card, same in itertools.groupby(cards):
        count = len(list(same))
        parts.append(card_name(card, lang) + (f" ×{count}" if count > 1 else ""))
    return " ".join(parts)


@dataclass(frozen=True)
class Problem:
    """One thing that speaks against a rule.

    Attributes:
        severity: "error" (God may not use it), "warning" or "note".
        code: what it is: dead_end, no_start, trap, sterile, below_band, above_band, sampled.
        values: the numbers and texts of the sentence.
    """

    severity: str
    code: str
    values: Mapping[str, Any]

    def sentence(self, lang: str = "en") -> str:
        """The problem in words; cards are shown under the language."""
        shown = {
            key: show_line(value, lang) if isinstance(value, tuple) else value
            for key, value in self.values.items()
        }
        return _SENTENCES[lang][self.code].format(**shown)


_SENTENCES = {
    "en": {
        "no_start": "no card can ever lie first",
        "dead_end": "dead end: after {cards} no card is right",
        "trap": "trap: after {cards} only {kinds} kinds of card are ever right again ({copies} in two packs)",
        "sterile": "{kinds} kinds of card are never right",
        "below_band": "accepts {rate:.1f} % of random plays; a good rule accepts 25 to 40 %",
        "above_band": "accepts {rate:.1f} % of random plays; a good rule accepts 25 to 40 %",
        "sampled": "too many states to examine them all: these figures are sampled, not proved",
    },
    "fr": {
        "no_start": "aucune carte ne peut commencer",
        "dead_end": "blocage : après {cards}, aucune carte n'est juste",
        "trap": "piège : après {cards}, seules {kinds} sortes de cartes seront encore justes"
        " ({copies} dans deux jeux)",
        "sterile": "{kinds} sortes de cartes ne sont jamais justes",
        "below_band": "accepte {rate:.1f} % des cartes au hasard ; une bonne règle en accepte 25 à 40 %",
        "above_band": "accepte {rate:.1f} % des cartes au hasard ; une bonne règle en accepte 25 à 40 %",
        "sampled": "trop d'états pour les examiner tous : ces chiffres sont estimés, non prouvés",
    },
}


@dataclass(frozen=True)
class Analysis:
    """All that can be said of a rule without playing it.

    Attributes:
        text: canonical text of the rule.
        proved: whether the figures are exact; otherwise they are estimates of ``SAMPLE_RUNS`` random runs.
        rate: share of the first 40 plays after the starter that are right, cards drawn uniformly from 52.
        rate_error: standard error of ``rate``; 0 if it is exact.
        long_run: limit of the share, or None if it is unknown.
        states: states of the minimal machine, or None.
        raw_states: states before minimisation, or None.
        look_back: how many earlier cards the rule names.
        size: nodes of its tree.
        fewest: least number of right cards (of 52) at any time after the starter; ``most`` the greatest.
        never: mask of the cards that are never right after the starter.
        dead_end: shortest sequence of right cards after which none is right, or None.
        trap: shortest sequence into the smallest part of play that is never left and closes onto few kinds
            of card, or None; ``trap_mask`` has those cards.
        band: "below", "inside" or "above" 25-40 %.
        problems: what speaks against the rule, gravest first.
    """

    text: str
    proved: bool
    rate: float
    rate_error: float
    long_run: float | None
    states: int | None
    raw_states: int | None
    look_back: int
    size: int
    fewest: int
    most: int
    never: int
    dead_end: tuple[int, ...] | None
    trap: tuple[int, ...] | None
    trap_mask: int
    band: str
    problems: tuple[Problem, ...]

    @property
    def playable(self) -> bool:
        """Whether God may use the rule: no error among the problems."""
        return all(problem.severity != "error" for problem in self.problems)


def analyse(rule: Rule) -> Analysis:
    """Examine a rule; exact if it has a machine, sampled with a fixed seed otherwise."""
    if rule.program.start == 0:
        return _without_start(rule)
    if rule.machine is None:
        return _sampled(rule)
    machine = rule.machine
    rate, far, settled, fewest, most, playable, dead, closing, mask = measure(machine, PLAYS)
    narrow = mask != playable and closing >= 0 and mask.bit_count() <= NARROW
    return _report(
        rule,
        proved=True,
        rate=rate,
        rate_error=0.0,
        long_run=far if settled else None,
        states=machine.states,
        raw_states=machine.raw_states,
        fewest=fewest,
        most=most,
        never=FULL & ~playable,
        dead_end=tuple(shortest_path(machine, dead)) if dead >= 0 else None,
        trap=tuple(shortest_path(machine, closing)) if narrow else None,
        trap_mask=mask if narrow else 0,
    )


def _sampled(rule: Rule) -> Analysis:
    rate, error, fewest, most, playable = sample(rule.program, PLAYS, SAMPLE_RUNS, Random("rule analysis"))
    return _report(
        rule,
        proved=False,
        rate=rate,
        rate_error=error,
        long_run=None,
        states=None,
        raw_states=None,
        fewest=fewest,
        most=most,
        never=FULL & ~playable,
        dead_end=None,
        trap=None,
        trap_mask=0,
    )


def _without_start(rule: Rule) -> Analysis:
    figures = {"rate": 0.0, "rate_error": 0.0, "long_run": 0.0, "fewest": 0, "most": 0, "never": FULL}
    parts = {"states": None, "raw_states": None, "dead_end": (), "trap": None, "trap_mask": 0}
    return _report(rule, proved=True, **figures, **parts)


def _report(rule: Rule, **found: Any) -> Analysis:  # noqa: ANN401
    rate = found["rate"]
    band = "below" if rate < BAND[0] else "above" if rate > BAND[1] else "inside"
    base: dict[str, Any] = {"text": rule.text, "look_back": rule.look_back, "size": rule.size, "band": band}
    return Analysis(**base, **found, problems=tuple(_problems(band, found)))


def _problems(band: str, found: Mapping[str, Any]) -> list[Problem]:
    problems = []
    if found["dead_end"] == ():
        return [Problem("error", "no_start", {})]
    if found["dead_end"] is not None or (found["fewest"] == 0 and not found["proved"]):
        problems.append(Problem("error", "dead_end", {"cards": found["dead_end"] or "…"}))
    if found["trap"] is not None:
        kinds = found["trap_mask"].bit_count()
        problems.append(
            Problem("warning", "trap", {"cards": found["trap"], "kinds": kinds, "copies": 2 * kinds})
        )
    if band != "inside":
        problems.append(Problem("warning", f"{band}_band", {"rate": 100 * found["rate"]}))
    if found["never"]:
        problems.append(Problem("note", "sterile", {"kinds": found["never"].bit_count()}))
    if not found["proved"]:
        problems.append(Problem("note", "sampled", {}))
    return problems
