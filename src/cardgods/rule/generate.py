"""Rules that a computer invents: drawn from families of rules as people make them, analysed, and graded.

The families are those of the published collections: properties of the card, of the card given the last one,
relations to the last card, periods, counts, arithmetic. A drawn rule is kept if God may use it, nothing
traps the play, random play is right in 25 to 40 % of the cases and it is of the wanted level.
"""

import functools
import math
from dataclasses import dataclass

from cardgods._core.rng import Random
from cardgods.errors import ParameterError
from cardgods.rule.analysis import Analysis, analyse
from cardgods.rule.hints import Hint, true_hints
from cardgods.rule.rule import Rule, parse_rule
from cardgods.rule.vocabulary import Type

LEVELS = (1, 2, 3, 4)
MAX_STATES = 400
"""States beyond which an invented rule would be too much to keep in mind."""
TRIES = 200

_HALVES = ("red", "black", "odd", "even", "low", "high", "prime", "not prime")
_SUITS = ("clubs", "diamonds", "hearts", "spades")
_ATTRIBUTES = ("suit", "colour", "parity", "rank")
_COUNTERS = frozenset(("count", "run", "pos", "seen", "least", "most", "hmin", "hmax", "pattern"))
_SUMS = frozenset(("+", "-", "*", "%", "gcd", "min", "max", "abs", "dist", "step"))


def grade(rule: Rule) -> int:
    """How hard a rule is to find, 1 easy .. 4 very hard: an estimate.

    It grows with the size of the rule and the logarithm of its states, the two numbers that go best with how
    often published solvers found a rule, and with counting, arithmetic and cards further back.
    """
    ops = {node.op for node in rule.body.walk()}
    states = rule.machine.states if rule.machine is not None else 1 << 16
    score = rule.size + math.log2(states)
    score += 3 * bool(ops & _COUNTERS) + 2 * bool(ops & _SUMS) + 4 * (rule.look_back >= 2)
    return 1 + (score >= 6) + (score >= 11) + (score >= 17)


@dataclass(frozen=True)
class Invention:
    """A rule that a computer made for a round.

    Attributes:
        rule: the rule.
        level: its grade.
        hint: something true to say about it, or None if nothing fits.
        report: its analysis.
    """

    rule: Rule
    level: int
    hint: Hint | None
    report: Analysis


def invent(level: int, rng: Random) -> Invention:
    """A playable rule of a level, with a true hint.

    Args:
        level: 1 easy .. 4 very hard.
        rng: the same generator gives the same rule.

    Raises:
        ParameterError: if there is no such level.
    """
    if level not in LEVELS:
        raise ParameterError(f"level {level} does not exist: levels are 1 (easy) to 4 (very hard)")
    while True:
        family = rng.choice(_FAMILIES[: 3 + 2 * level])  # first the family, or the easiest to fill would win
        for _ in range(TRIES):
            invention = _examined(parse_rule(family(rng)), level, rng)
            if invention is not None:
                return invention


def _examined(rule: Rule, level: int, rng: Random) -> Invention | None:
    machine = rule.machine
    if machine is None or machine.states > MAX_STATES or grade(rule) != level or _is_redundant(rule):
        return None
    report = analyse(rule)
    if not report.playable or report.band != "inside" or report.trap is not None or _is_dull(report):
        return None
    hints = [hint for hint in true_hints(rule) if hint.weight <= 2]
    return Invention(rule, level, rng.choice(hints) if hints else None, report)


def _is_redundant(rule: Rule) -> bool:
    """Whether a part of the rule alone does what the whole does."""
    assert rule.machine is not None
    digest = rule.machine.digest()
    for part in rule.body.args:
        if part.type is Type.BOOL and part.size < rule.body.size:
            alone = Rule(rule.start, part).machine
            if alone is not None and alone.digest() == digest:
                return True
    return False


def _is_dull(report: Analysis) -> bool:
    # Long stretches in which next to nothing is right.
    return report.fewest < 4 or (report.long_run or 0) < 0.2


def draw(level: int, rng: Random) -> str:
    """The text of a random rule, of about the wanted level and not yet examined."""
    return rng.choice(_FAMILIES[: 3 + 2 * level])(rng)


# Families -------------------------------------------------------------------------------------------------


def _property(rng: Random) -> str:
    """A property of a card alone."""
    kind = rng.below(6)
    if kind < 3:
        return rng.choice(_HALVES)
    if kind == 3:
        return rng.choice(_SUITS)
    if kind == 4:
        low = 1 + rng.below(9)
        return f"rank in {low}..{low + 2 + rng.below(5)}"
    return rng.choice(("face", "number", "not face"))


def _two_properties(rng: Random) -> str:
    word = rng.choice(("and", "and", "and", "iff", "or"))
    return f"{_in_brackets(_property(rng))} {word} {_in_brackets(_property(rng))}"


def _in_brackets(text: str) -> str:
    return f"({text})" if " " in text else text


def _static(rng: Random) -> str:
    return _two_properties(rng) if rng.below(2) else _property(rng)


def _last(rng: Random) -> str:
    """A property of the last card."""
    return f"last.{rng.choice(('red', 'odd', 'low', 'face', 'prime', 'hearts', 'spades', 'clubs'))}"


def _circle(rng: Random) -> str:
    suits = list(_SUITS)
    rng.shuffle(suits)
    return f"cycle({', '.join(suits)})"


def _relation(rng: Random) -> str:
    """A relation to the last card."""
    kind = rng.below(7)
    if kind == 0:
        return f"same({rng.choice(_ATTRIBUTES)})"
    if kind == 1:
        return f"not same({rng.choice(_ATTRIBUTES)})"
    if kind == 2:
        return rng.choice(("up", "down", "not up", "not down"))
    low = 1 + rng.below(6)
    if kind == 3:
        return f"step in {low}..{low + 2 + rng.below(4)}"
    if kind == 4:
        return f"abs(rank - last.rank) in {low}..{low + 1 + rng.below(4)}"
    if kind == 5:
        return f"dist(rank, last.rank) in {low % 4 + 1}..{low % 4 + 2}"
    return _circle(rng)


def _relations(rng: Random) -> str:
    word = rng.choice(("and", "and", "or", "xor"))
    return f"{_in_brackets(_relation(rng))} {word} {_in_brackets(_relation(rng))}"


def _relation_and_property(rng: Random) -> str:
    word = rng.choice(("and", "and", "or", "xor", "iff"))
    return f"{_in_brackets(_relation(rng))} {word} {_in_brackets(_property(rng))}"


def _after(rng: Random) -> str:
    """What the last card was decides."""
    parts = [_static(rng) if rng.below(3) else _relation(rng) for _ in range(2)]
    return f"if {_last(rng)} then {parts[0]} else {parts[1]}"


def _if_card(rng: Random) -> str:
    return f"if {_property(rng)} then {_relation(rng)} else {_relation(rng)}"


def _period(rng: Random) -> str:
    parts = [_relation(rng) if rng.below(2) else _static(rng) for _ in range(2 + rng.below(2))]
    return f"pattern({', '.join(parts)})"


def _two_back(rng: Random) -> str:
    name = rng.choice(_ATTRIBUTES[:3])
    first = rng.choice((f"same({name}, c2)", f"not same({name}, c2)", "rank > c2.rank", "c2.red iff red"))
    return f"{_in_brackets(first)} {rng.choice(('and', 'or', 'xor'))} {_in_brackets(_relation(rng))}"


def _sum(rng: Random) -> str:
    divisor = 3 + rng.below(5)
    value = rng.choice(("rank + last.rank", "rank - last.rank", "rank * last.rank", "rank + last.points"))
    low = rng.below(divisor - 1)
    return (
        f"({value}) % {divisor} in {{{low}, {low + 1}}}" if rng.below(2) else f"({value}) % {divisor} = {low}"
    )


def _count(rng: Random) -> str:
    kind = rng.below(4)
    if kind == 0:
        name = rng.choice(("colour", "parity"))
        return f"if run({name}) < {2 + rng.below(2)} then {_static(rng)} else not same({name})"
    if kind == 1:
        counted = rng.choice(("red", "face", "odd", "hearts"))
        return f"(count({counted}) % 2 = 0) iff {_in_brackets(_static(rng))}"
    if kind == 2:
        return f"{rng.choice(('least', 'most'))}(suit) and {_in_brackets(_static(rng))}"
    return f"rank % {3 + rng.below(2)} = pos % {3 + rng.below(2)}"


def _four_ways(rng: Random) -> str:
    parts = ", ".join(_static(rng) for _ in range(4)).split(", ")
    inner = f"if last.odd then {parts[0]} else {parts[1]}"
    return f"if last.red then ({inner}) else (if last.odd then {parts[2]} else {parts[3]})"


_FAMILIES = (
    _two_properties,
    _circle,
    _after,
    _relation,
    _relation_and_property,
    _relations,
    _if_card,
    _period,
    _sum,
    _two_back,
    _count,
    _four_ways,
)


# A bank of rules ------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=4)
def bank(size: int, seed: int = 0) -> tuple[Rule, ...]:
    """Many different rules as people make them, the library's good ones among them, simplest first.

    Args:
        size: how many draws; what behaves like another, cannot be played or needs many states is left out.
        seed: the same number gives the same bank.
    """
    from cardgods.rule.library import library

    rng = Random(f"bank of rules {seed}")
    found: dict[str, Rule] = {}
    texts = [entry.text for entry in library() if entry.level]
    texts += [draw(1 + k % 4, rng) for k in range(size)]
    for text in texts:
        rule = parse_rule.__wrapped__(text)
        machine = rule.machine
        if machine is None or machine.states > MAX_STATES or rule.program.start == 0:
            continue
        best = found.setdefault(machine.digest(), rule)
        if rule.size < best.size:
            found[machine.digest()] = rule
    return tuple(sorted(found.values(), key=lambda rule: (rule.size, rule.text)))
