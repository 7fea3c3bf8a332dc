"""Comparison of rules against a plain walk over single cards, and the questions that a board changes."""

import pytest

from cardgods import Random
from cardgods._core.rule.machine import Machine
from cardgods.cards import parse_card
from cardgods.errors import RuleTextError
from cardgods.rule import compare, parse_rule
from conftest import reference

REFERENCE = reference("eleusis_rule")


def line(text):
    return [parse_card(word) for word in text.split()]


def differences(a, b):
    """Lengths of the shortest sequences that only one of two machines accepts (None = none)."""
    tables = a.table(), b.table()
    level, seen, length = [(0, 0)], {(0, 0)}, 1
    found = [None, None]
    while level and None in found:
        after = []
        for s, t in level:
            x, y = tables[0][s][0], tables[1][t][0]
            for side, mask in enumerate((x & ~y, y & ~x)):
                if mask and found[side] is None:
                    found[side] = length
            for card in range(52):
                if x & y & 1 << card:
                    pair = tables[0][s][1][card], tables[1][t][1][card]
                    if pair not in seen:
                        seen.add(pair)
                        after.append(pair)
        level, length = after, length + 1
    return found


def test_random_pairs_agree_with_a_plain_walk():
    rng = Random("pairs")
    pairs, verdicts = 0, set()
    while pairs < 150:
        one = parse_rule(REFERENCE.random_condition(rng, 1))
        word = rng.choice(("and", "or", "xor"))
        two = parse_rule(f"({one.text}) {word} ({REFERENCE.random_condition(rng, 1)})")
        try:
            machines = [Machine(rule.program, 400) for rule in (one, two)]
        except OverflowError:
            continue
        pairs += 1
        found = compare(one, two)
        verdicts.add(found.verdict)
        assert found.proved
        lengths = [None if cards is None else len(cards) for cards in (found.only_first, found.only_second)]
        expected = differences(*machines)
        if None in expected:
            assert lengths == expected, (one.text, two.text)
        else:
            assert min(lengths) == min(expected)
        for cards, (yes, no) in ((found.only_first, machines), (found.only_second, machines[::-1])):
            if cards is not None:
                assert yes.run(cards) >= 0
                assert no.run(cards) < 0
                assert no.run(cards[:-1]) >= 0
    assert verdicts == {"equal", "subset", "superset", "incomparable"}


@pytest.mark.parametrize(
    ("one", "two", "verdict"),
    [
        ("red", "red or odd", "subset"),
        ("red or odd", "red", "superset"),
        ("red", "odd", "incomparable"),
        ("red", "not black", "equal"),
        ("same(suit)", "same(colour)", "subset"),
    ],
)
def test_a_part_of_a_rule_is_not_the_rule(one, two, verdict):
    found = compare(parse_rule(one), parse_rule(two))
    assert found.verdict == verdict
    assert (found.shortest is None) == (verdict == "equal")


def test_equal_on_one_board_and_not_on_another():
    red, same = parse_rule("red"), parse_rule("same(colour)")
    assert compare(red, same).verdict == "subset"
    assert compare(red, same, line("5h")).verdict == "equal"
    lengths, pattern = (
        parse_rule("if run(colour) < 3 then same(colour) else not same(colour)"),
        parse_rule("pattern(red, red, red, black, black, black)"),
    )
    assert compare(lengths, pattern).verdict != "equal"
    assert compare(lengths, pattern, line("5h")).verdict == "equal"
    assert compare(lengths, pattern, line("5h 6h 7d 8s")).verdict == "equal"
    with pytest.raises(RuleTextError, match="card 1 of the board, 5♣, is wrong under pattern"):
        compare(lengths, pattern, line("5c"))


def test_the_shortest_sequence_is_the_one_to_play():
    found = compare(parse_rule("not same(colour)"), parse_rule("pattern(red, black)"), line("2h"))
    assert found.verdict == "equal"
    found = compare(parse_rule("up"), parse_rule("rank >= last.rank"), line("7h"))
    assert found.verdict == "subset"
    assert [card % 13 for card in found.only_second] == [5]


def test_rules_past_the_cap_are_not_called_equal():
    long = parse_rule("same(card, c2) or same(suit, c3) or rank > c3.rank xor last.rank > 5")
    assert long.machine is None
    same = compare(long, parse_rule(f"not (not ({long.text}))"))
    assert (same.verdict, same.proved, same.shortest) == ("unknown", False, None)
    other = compare(long, parse_rule("red and rank > c3.rank"))
    assert not other.proved or other.verdict == "incomparable"
    assert other.shortest is not None
