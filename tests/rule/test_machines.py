"""Programs and machines against the reference interpreter and against brute force."""

import pytest

from cardgods import Random
from cardgods._core.rule.machine import Machine
from cardgods._core.rule.measure import measure, sample
from cardgods._core.rule.program import Program, Runner
from cardgods.rule import analyse, compare, library, parse_rule
from conftest import reference

REFERENCE = reference("eleusis_rule")
RULES = 250


def random_rules(seed, n=RULES, depth=2):
    rng = Random(seed)
    return [parse_rule(REFERENCE.random_rule(rng, depth)) for _ in range(n)]


def random_line(rule, rng, length):
    """A history of right cards, as long as the rule allows."""
    runner = Runner(rule.program)
    cards = []
    while len(cards) < length and runner.right():
        cards.append(rng.choice([c for c in range(52) if runner.right() >> c & 1]))
        runner.play(cards[-1])
    return cards


@pytest.mark.parametrize("rule", [entry.rule for entry in library()], ids=[e.name for e in library()])
def test_library_agrees_with_the_reference(rule):
    rng = Random(rule.text)
    line = random_line(rule, rng, 9)
    for k in range(len(line) + 1):
        assert rule.right(line[:k]) == REFERENCE.right(rule.start, rule.body, line[:k])


def test_random_rules_agree_with_the_reference():
    rng = Random("lines")
    for rule in random_rules("rules"):
        line = random_line(rule, rng, 7)
        for k in range(len(line) + 1):
            expected = REFERENCE.right(rule.start, rule.body, line[:k])
            assert rule.right(line[:k]) == expected, (rule.text, line[:k])


def test_machine_steps_as_the_program_evaluates():
    rng = Random("long lines")
    machines = 0
    for rule in random_rules("machines"):
        try:
            machine = Machine(rule.program, 3000)
        except OverflowError:
            continue
        machines += 1
        line = random_line(rule, rng, 120)
        runner = Runner(rule.program)
        state = 0
        for card in line:
            assert machine.right(state) == runner.right(), rule.text
            state = machine.step(state, card)
            runner.play(card)
        assert machine.right(state) == runner.right(), rule.text
    assert machines > RULES // 2


def minimal_states(machine):
    """Number of states that Moore's algorithm keeps, in plain Python over single cards."""
    table = machine.table()
    block = [0] * len(table)
    count = 1
    while True:
        keys = {}
        block = [
            keys.setdefault((block[s], mask, tuple(-1 if t < 0 else block[t] for t in row)), len(keys))
            for s, (mask, row) in enumerate(table)
        ]
        if len(keys) == count:
            return count
        count = len(keys)


def test_machines_are_minimal():
    checked = 0
    for rule in random_rules("minimal", 120):
        try:
            machine = Machine(rule.program, 1500)
        except OverflowError:
            continue
        if machine.states < 400:
            assert minimal_states(machine) == machine.states, rule.text
            checked += 1
    assert checked > 60


def test_long_counters_are_minimised_too():
    # distinguishing two states takes a thousand cards here, which the first rounds never see
    rule = parse_rule("red or pos % 7 = 0 and pos % 11 = 0 and pos % 13 = 0")
    assert rule.machine.raw_states == 1002
    assert rule.machine.states == 1001
    twice = parse_rule("red or pos % 7 = 0 and pos % 11 = 0 and pos % 2 = 0 and pos % 4 < 3")
    assert twice.machine.states == minimal_states(twice.machine) == 154


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("not same(colour)", "cycle(red, black)"),
        ("low xor last.low", "if last.low then high else low"),
        ("same(suit) or same(rank)", "not (not same(rank) and not same(suit))"),
        ("rank > last.rank", "up"),
        ("step in 1..3", "step >= 1 and step <= 3"),
        ("pos % 2 = 0 iff red", "pattern(black, red)"),
        ("count(red) % 2 = 0", "(count(any) - count(black)) % 2 = 0"),
        ("suit != last.suit", "not same(suit)"),
        ("rank in {J, Q, K}", "face"),
        ("dist(rank, last.rank) = 1", "step in {1, 12}"),
    ],
)
def test_equal_behaviour_has_equal_machines(one, two):
    one, two = parse_rule(one), parse_rule(two)
    assert one.text != two.text
    assert one.machine.table() == two.machine.table()
    assert one.machine.digest() == two.machine.digest()
    assert compare(one, two).verdict == "equal"


def test_digests_tell_behaviours_apart():
    tables = {}
    for rule in random_rules("digests", 150, 1):
        try:
            machine = Machine(rule.program, 2000)
        except OverflowError:
            continue
        tables.setdefault(machine.digest(), []).append(machine.table())
    assert len(tables) > 60
    assert all(table == same[0] for same in tables.values() for table in same)
    distinct = [str(same[0]) for same in tables.values()]
    assert len(set(distinct)) == len(distinct)


def test_counts_stop_at_two_packs_but_remainders_do_not():
    runner = Runner(parse_rule("count(any) >= 104 or red").program, [13] * 130)
    assert runner.right() == (1 << 52) - 1
    rule = parse_rule("(pos + 1) % 3 = 0 iff red")
    for length in (103, 104, 105, 106, 250):
        line = []
        runner = Runner(rule.program)
        for _ in range(length):
            line.append((runner.right() & -runner.right()).bit_length() - 1)
            runner.play(line[-1])
        assert (runner.right() >> 13 & 1) == ((length + 2) % 3 == 0)


def test_a_rule_past_the_cap_is_evaluated_directly():
    rule = parse_rule("same(card, c2) or same(suit, c3) or rank > c3.rank xor last.rank > 5")
    assert rule.machine is None
    assert not rule.exact
    rng = Random(1)
    line = random_line(rule, rng, 6)
    assert rule.right(line) == REFERENCE.right(rule.start, rule.body, line)
    report = analyse(rule)
    assert not report.proved
    assert 0 < report.rate < 1
    assert 0 < report.rate_error < 0.02
    assert "sampled" in {problem.code for problem in report.problems}


def test_sampled_figures_agree_with_exact_ones():
    for text in ("same(suit) or same(rank)", "if last.red then rank >= last.rank else rank <= last.rank"):
        rule = parse_rule(text)
        exact = measure(rule.machine, 40)[0]
        rate, error, *_ = sample(rule.program, 40, 4000, Random(text))
        assert abs(rate - exact) < 4 * error


def test_program_refuses_what_it_cannot_hold():
    field = ("slot", 2, 0, -1, [1] * 52, [0])
    with pytest.raises(ValueError, match="at most 64 numbers"):
        Program([field] * 65, [], 0, [], [], 0)
    program = parse_rule("same(suit)").program
    with pytest.raises(ValueError, match="remembers 1 numbers"):
        program.masks([1, 2])
    with pytest.raises(ValueError, match="is below 5"):
        program.masks([5])
    with pytest.raises(ValueError, match="0 to 51"):
        program.memory([52])
