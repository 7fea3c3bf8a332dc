"""Figures of the whole library, and of rules small enough to work out by other means."""

from fractions import Fraction

import pytest

from cardgods import Random
from cardgods._core.rule.measure import measure, shortest_path
from cardgods.cards import parse_card
from cardgods.rule import Rule, analyse, find_rule, library, parse_rule, true_hints

# name: states before minimisation, minimal states, exact rate over 40 plays in per cent
FIGURES = {
    "even-ranks": (2, 1, 46.2),
    "prime-ranks": (2, 1, 46.2),
    "no-spades": (2, 1, 75.0),
    "low-reds": (2, 1, 26.9),
    "red-courts": (2, 1, 50.0),
    "alternate-colours": (3, 3, 50.0),
    "alternate-parities": (3, 3, 49.7),
    "suit-circle": (5, 5, 25.0),
    "alternate-low-high": (3, 3, 49.7),
    "three-and-three": (7, 7, 50.0),
    "small-steps-up": (14, 14, 23.1),
    "sister-suit": (5, 5, 25.0),
    "suit-or-rank": (53, 53, 30.8),
    "odd-calls-red": (3, 3, 50.0),
    "red-rises-black-falls": (27, 26, 31.1),
    "within-three": (14, 14, 46.7),
    "neighbours": (14, 14, 15.4),
    "alternate-primes": (3, 3, 49.7),
    "alternate-mixed-pairs": (5, 3, 50.0),
    "colour-or-parity": (5, 5, 75.1),
    "black-calls-seven-up": (3, 3, 49.7),
    "court-keeps-suit": (9, 9, 52.1),
    "spades-rise": (14, 14, 37.9),
    "sum-of-five": (14, 6, 20.1),
    "low-reds-high-blacks": (2, 1, 50.0),
    "rank-names-suit": (2, 1, 25.0),
    "no-two-thirds": (14, 2, 90.5),
    "four-orders": (53, 17, 23.5),
    "four-answers": (5, 5, 25.0),
    "zigzag": (170, 36, 52.7),
    "suit-before-last": (261, 213, 32.5),
    "steps-two-one": (27, 27, 7.7),
    "suits-in-pairs": (9, 9, 37.2),
    "ranks-in-pairs": (27, 27, 14.0),
    "third-changes-suit": (13, 13, 31.6),
    "rank-follows-place": (4, 3, 32.8),
    "sum-of-two": (183, 183, 10.0),
    "parity-of-reds": (3, 2, 49.7),
    "rarest-suit": (16, 15, 48.5),
    "coprime": (14, 9, 68.0),
    "suit-rises-else-falls": (53, 53, 37.9),
    "courts-reset": (14, 12, 49.5),
    "more-blacks": (5461, 5461, 88.6),
    "product-of-three": (2380, 42, 73.6),
    "odd-blacks-ask": (5, 2, 59.6),
    "colour-or-neighbour": (27, 27, 50.0),
    "small-product": (14, 7, 28.4),
    "courts-on-primes": (105, 104, 38.9),
    "bad-ever-higher": (14, 14, 5.4),
    "bad-higher-then-ace": (14, 14, 17.1),
    "bad-red-or-odd": (2, 1, 76.9),
    "bad-last-three-by-first": (11143, 8101, 12.3),
    "bad-new-ranks": (8192, 8192, 28.8),
    "bad-five-cards": (6, 6, 10.0),
    "bad-only-aces": (2, 1, 7.7),
    "bad-never-lower": (14, 14, 15.3),
    "bad-one-suit": (5, 5, 25.0),
    "bad-six-ranks": (14, 7, 7.3),
    "bad-new-extremes": (92, 92, 10.7),
    "bad-one-rank": (14, 14, 7.7),
    "bad-but-one-jack": (2, 1, 48.1),
    "bad-three-apart": (14, 14, 11.8),
}
# shortest way into a dead end
DEAD_ENDS = {
    "bad-ever-higher": "Kc",
    "bad-new-ranks": "2c 3c 4c 5c 6c 7c 8c 9c 10c Jc Qc Kc Ac",
    "bad-five-cards": "2c 2c 2c 2c 2c",
    "bad-six-ranks": "Kc",
    "bad-new-extremes": "Kc Ac",
}
# kinds of card that play can close onto
TRAPS = {
    "sister-suit": 26,
    "sum-of-five": 8,
    "sum-of-two": 4,
    "more-blacks": 26,
    "bad-last-three-by-first": 4,
    "bad-never-lower": 4,
    "bad-one-suit": 13,
    "bad-one-rank": 4,
    "bad-three-apart": 16,
}
# kinds of card that are never right
STERILE = {
    "even-ranks": 28,
    "prime-ranks": 28,
    "no-spades": 13,
    "low-reds": 38,
    "red-courts": 26,
    "spades-rise": 4,
    "low-reds-high-blacks": 26,
    "rank-names-suit": 39,
    "bad-ever-higher": 4,
    "bad-red-or-odd": 12,
    "bad-only-aces": 48,
    "bad-but-one-jack": 27,
}


def test_the_library_is_the_table():
    assert [entry.name for entry in library()] == list(FIGURES)
    assert [sum(e.level == level for e in library()) for level in range(5)] == [14, 10, 15, 17, 6]


@pytest.mark.parametrize("entry", library(), ids=lambda entry: entry.name)
def test_figures_of_the_library(entry):
    report = analyse(entry.rule)
    raw, minimal, rate = FIGURES[entry.name]
    assert report.proved
    assert (report.raw_states, report.states) == (raw, minimal)
    assert abs(100 * report.rate - rate) <= 0.1
    assert report.long_run is not None
    dead = DEAD_ENDS.get(entry.name)
    assert report.dead_end == (dead and tuple(parse_card(text) for text in dead.split()))
    assert report.playable == (dead is None)
    assert report.trap_mask.bit_count() == TRAPS.get(entry.name, 0)
    assert report.never.bit_count() == STERILE.get(entry.name, 0)
    band = "below" if rate < 25 else "above" if rate > 40 else "inside"
    assert report.band == band
    for lang in ("en", "fr"):
        assert all(problem.sentence(lang) for problem in report.problems)


def chain(rule: Rule, plays: int) -> Fraction:
    """Mean acceptance over the first plays, in exact fractions, from the table of single cards."""
    table = rule.machine.table()
    starters = [t for t in table[0][1] if t >= 0]
    share = {}
    for t in starters:
        share[t] = share.get(t, 0) + Fraction(1, len(starters))
    total = Fraction(0)
    for _ in range(plays):
        after = {}
        for state, mass in share.items():
            for t in table[state][1]:
                target = state if t < 0 else t
                total += mass / 52 if t >= 0 else 0
                after[target] = after.get(target, 0) + mass / 52
        share = after
    return total / plays


@pytest.mark.parametrize(
    "text", ["same(suit)", "if last.face then number else up", "pattern(red, odd, up)", "not seen(suit)"]
)
def test_rates_are_those_of_the_chain_in_exact_fractions(text):
    rule = parse_rule(text)
    for plays in (1, 2, 12):
        assert measure(rule.machine, plays)[0] == pytest.approx(float(chain(rule, plays)), abs=1e-9)


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("not same(colour)", Fraction(1, 2)),
        ("up", Fraction(0)),
        ("start: clubs; not seen(suit) and last.clubs", Fraction(0)),
        # red for ever after 26 of 38 starters (odd blacks are wrong either way), else 12 kinds for ever
        ("if first.red then red else black and even", Fraction(26, 38) / 2 + Fraction(12, 38) * 12 / 52),
        # visits alternate between a state that accepts 26 cards and one that accepts 4
        ("pattern(red, ace)", Fraction(2) / (Fraction(52, 26) + Fraction(52, 4))),
    ],
)
def test_long_run_worked_out_by_hand(text, rate):
    assert analyse(parse_rule(text)).long_run == pytest.approx(float(rate), abs=1e-6)


def test_long_run_agrees_with_random_play():
    rng = Random("long run")
    for text in ("suit-before-last", "rarest-suit", "courts-reset"):
        rule = find_rule(text)
        machine, state, right = rule.machine, 0, 0
        for _ in range(60000):
            after = machine.step(state, rng.below(52))
            right += after >= 0
            state = after if after >= 0 else state
        assert abs(right / 60000 - analyse(rule).long_run) < 0.01


def test_dead_ends_are_dead_and_shortest():
    rule = parse_rule("up and not (rank = 13) or last.rank < 4")
    report = analyse(rule)
    assert rule.right(report.dead_end) == 0
    assert len(report.dead_end) == 1
    assert analyse(parse_rule("same(suit) and pos <= 4")).dead_end == (0, 0, 0, 0)
    assert not analyse(parse_rule("red and black")).playable
    assert analyse(parse_rule("red and black")).dead_end == ()


def test_paths_lead_where_they_say():
    machine = find_rule("three-and-three").machine
    for state in range(machine.states):
        path = shortest_path(machine, state)
        assert machine.run(path) == state


def test_hints_are_true_and_only_true_ones_are_given():
    names = {hint.name for hint in true_hints(parse_rule("not same(colour)"))}
    assert {"last_only", "ranks_do_not_matter", "colour_only", "half"} <= names
    assert not {"static", "suits_do_not_matter", "parity_only", "a_quarter"} & names
    assert {hint.name for hint in true_hints(parse_rule("same(rank, c2) or same(suit)"))} == {"always_some"}
    names = {hint.name for hint in true_hints(parse_rule("even"))}
    assert {"static", "suits_do_not_matter", "parity_only"} <= names
    names = {hint.name for hint in true_hints(parse_rule("start: red; even"))}
    assert "suits_do_not_matter" not in names
