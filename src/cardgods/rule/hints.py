"""True hints: what God may say of a rule before the round, each one a property that is checked.

A hint is an invariance or a bound that the machine of a rule has or has not; none is taken on trust.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cardgods._core.rule.machine import Machine
from cardgods.rule.rule import Rule
from cardgods.rule.vocabulary import ATTRIBUTES, CARDS, PREDICATES

State = tuple[int, list[int]]


@dataclass(frozen=True)
class Hint:
    """One thing that can be said of a rule.

    Attributes:
        name: its name in logs.
        texts: the sentence, by language.
        holds: whether it is true of a machine, given as its table of (mask, next states).
        weight: how much it gives away, larger is more.
    """

    name: str
    texts: Mapping[str, str]
    holds: Callable[[list[State]], bool]
    weight: int


def _after_start(table: list[State]) -> set[int]:
    """States that can come up once a card lies."""
    seen: set[int] = set()
    todo = [state for state in table[0][1] if state >= 0]
    while todo:
        state = todo.pop()
        if state not in seen:
            seen.add(state)
            todo.extend(t for t in table[state][1] if t >= 0)
    return seen


def _depends_on(*features: str) -> Callable[[list[State]], bool]:
    """Cards that share these features are right together and lead to the same states."""

    def holds(table: list[State]) -> bool:
        kinds: dict[tuple[int, ...], list[int]] = {}
        for card in range(CARDS):
            key = tuple(
                ATTRIBUTES[name][card] if name in ATTRIBUTES else PREDICATES[name] >> card & 1
                for name in features
            )
            kinds.setdefault(key, []).append(card)
        rows = [table[0][1], *(table[state][1] for state in _after_start(table))]
        return all(len({row[card] for card in cards}) == 1 for row in rows for cards in kinds.values())

    return holds


def _static(table: list[State]) -> bool:
    return len({table[state][0] for state in _after_start(table)}) == 1


def _last_card_only(table: list[State]) -> bool:
    after = _after_start(table)
    for card in range(CARDS):
        targets = {table[state][1][card] for state in after | {0}} - {-1}
        if len({table[target][0] for target in targets}) > 1:
            return False
    return True


def _share(low: int, high: int) -> Callable[[list[State]], bool]:
    def holds(table: list[State]) -> bool:
        return all(low <= table[state][0].bit_count() <= high for state in _after_start(table))

    return holds


HINTS: tuple[Hint, ...] = (
    Hint(
        "static",
        {
            "en": "The cards before do not matter at all.",
            "fr": "Les cartes précédentes ne comptent pas du tout.",
        },
        _static,
        3,
    ),
    Hint(
        "last_only",
        {
            "en": "Of the cards before, only the last one matters.",
            "fr": "Des cartes précédentes, seule la dernière compte.",
        },
        _last_card_only,
        2,
    ),
    Hint(
        "colour_only",
        {"en": "Only colours matter.", "fr": "Seules les couleurs comptent."},
        _depends_on("colour"),
        4,
    ),
    Hint(
        "parity_only",
        {"en": "Only odd and even matter.", "fr": "Seuls pair et impair comptent."},
        _depends_on("parity"),
        4,
    ),
    Hint(
        "suits_do_not_matter",
        {"en": "Suits and colours do not matter.", "fr": "Les enseignes et les couleurs ne comptent pas."},
        _depends_on("rank"),
        2,
    ),
    Hint(
        "ranks_do_not_matter",
        {"en": "Ranks do not matter.", "fr": "Les rangs ne comptent pas."},
        _depends_on("suit"),
        2,
    ),
    Hint(
        "colours_and_ranks",
        {
            "en": "Of the suit, only the colour matters.",
            "fr": "De l'enseigne, seule la couleur compte.",
        },
        _depends_on("colour", "rank"),
        1,
    ),
    Hint(
        "court_and_suit",
        {
            "en": "Of the rank, it only matters whether the card is a court card.",
            "fr": "Du rang, il importe seulement que la carte soit une figure ou non.",
        },
        _depends_on("suit", "face"),
        2,
    ),
    Hint(
        "parity_and_suit",
        {
            "en": "Of the rank, only odd and even matter.",
            "fr": "Du rang, seul pair ou impair compte.",
        },
        _depends_on("suit", "parity"),
        2,
    ),
    Hint(
        "a_quarter",
        {
            "en": "At any time a quarter of the cards is right.",
            "fr": "À tout moment, un quart des cartes est juste.",
        },
        _share(13, 13),
        1,
    ),
    Hint(
        "half",
        {
            "en": "At any time half of the cards are right.",
            "fr": "À tout moment, la moitié des cartes est juste.",
        },
        _share(26, 26),
        1,
    ),
    Hint(
        "always_some",
        {
            "en": "At any time at least twelve of the fifty-two cards are right.",
            "fr": "À tout moment, au moins douze des cinquante-deux cartes sont justes.",
        },
        _share(12, CARDS),
        1,
    ),
)


def true_hints(rule: Rule) -> list[Hint]:
    """The hints that hold for a rule, the ones that give least away first; none without a machine."""
    if rule.machine is None:
        return []
    table = rule.machine.table()
    return sorted((hint for hint in HINTS if hint.holds(table)), key=lambda hint: hint.weight)


def holds(name: str, machine: Machine) -> bool:
    """Whether the hint of that name is true of a machine.

    Raises:
        KeyError: if there is no such hint.
    """
    return {hint.name: hint for hint in HINTS}[name].holds(machine.table())
