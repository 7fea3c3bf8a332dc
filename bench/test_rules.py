"""The rule language of Eleusis: text to analysis, verdicts, comparison."""

import pytest

from cardgods import Random
from cardgods._core.rule.machine import Machine
from cardgods._core.rule.measure import measure, sample
from cardgods.rule import find_rule, library, parse_rule
from cardgods.rule.analysis import analyse
from cardgods.rule.comparison import compare
from cardgods.rule.parser import parse
from cardgods.rule.rule import Rule

# states of the minimal machine of rules that remember whole cards, two back, or three ranks
LARGE = [
    ("same(suit, c2) or same(rank, c2) or same(suit) and rank > last.rank", 2757),
    ("pos % 13 = rank % 13 xor same(suit, c2) xor same(rank)", 2709),
    ("if last.hearts then up and not same(suit, c2) else (rank + c2.rank * last.rank) % 5 < 2", 139),
    ("product-of-three", 42),
]
PLAYS = 10_000_000
RIGHT = {"alternate-colours": 5_001_801, "suit-or-rank": 3_076_849, "suit-before-last": 3_079_440}


def from_text(text):
    rule = Rule(*parse(text))
    return analyse(rule)


@pytest.mark.parametrize(("text", "states"), LARGE, ids=range(len(LARGE)))
def test_parse_compile_and_analyse(rate, text, states):
    text = find_rule(text).text
    assert rate(lambda: from_text(text), 1).states == states


def test_the_whole_library(rate):
    texts = [entry.text for entry in library()]
    total = rate(lambda: sum(from_text(text).states for text in texts), len(texts))
    assert total == sum(entry.rule.machine.states for entry in library())


@pytest.mark.parametrize("name", RIGHT)
def test_verdicts(rate, name):
    machine = find_rule(name).machine
    assert rate(lambda: machine.random_plays(PLAYS, Random(1)), PLAYS) == RIGHT[name]


def test_direct_evaluation(rate):
    rule = find_rule("suit-before-last")
    result = rate(lambda: sample(rule.program, 40, 5000, Random(1)), 5000 * 41)
    assert round(result[0], 4) == 0.3249


def test_machine_of_two_full_cards(rate):
    rule = parse_rule(LARGE[0][0])
    machine = rate(lambda: Machine(rule.program, 4000), 1)
    assert machine.states == 2757
    assert round(measure(machine, 40)[0], 6) == 0.361614


def test_comparison(rate):
    one, two = find_rule("suit-before-last"), parse_rule("same(suit, c2) or same(rank) and any")
    assert rate(lambda: compare(one, two), 1).verdict == "equal"
