"""Exhaustive inference of rules: against brute force over a small space, and on rules that are known."""

import itertools
import math

import pytest

from cardgods import Random
from cardgods.errors import ParameterError
from cardgods.rule import Rule, find_rule, library, parse_rule, true_hints
from cardgods.rule.inference import Inference, entropy
from cardgods.rule.nodes import make
from cardgods.rule.space import FORM_COSTS, Atom, Space, standard_space, wide_space
from cardgods.rule.vocabulary import FULL, PREDICATES

FORMS = ("one", "and", "or", "xor", "if", "pattern2", "pattern3")
SMALL = Space(
    [
        Atom("red", 1, "static", PREDICATES["red"]),
        Atom("odd", 1, "static", PREDICATES["odd"]),
        Atom("rank <= 7", 3, "static", PREDICATES["low"]),
        Atom("last.red", 2, "last", PREDICATES["red"]),
        Atom("same(suit)", 1),
        Atom("up", 2),
        Atom("same(colour, c2)", 4),
        Atom("pos % 2 = 1", 4),
        Atom("low", 2, "static", PREDICATES["low"]),
    ]
)


def random_board(rule, plays, seed, sequences=False, hands=False):
    """What lies on the table after random plays under a rule."""
    rng = Random(f"board {seed}")
    line = [rng.choice([card for card in range(52) if rule.right(()) >> card & 1])]
    table = [{"kind": "starter", "cards": list(line)}]
    for _ in range(plays):
        cards = [rng.below(52) for _ in range(1 + (rng.below(3) if sequences else 0))]
        right = True
        laid = list(line)
        for card in cards:
            right = right and bool(rule.right(laid) >> card & 1)
            laid.append(card) if right else None
        table.append({"kind": "right" if right else "wrong", "cards": cards})
        line = laid if right else line
        wrong = [card for card in range(52) if not rule.right(line) >> card & 1]
        if hands and wrong and rng.below(3) == 0:
            table.append({"kind": "hand", "cards": [rng.choice(wrong) for _ in range(4)]})
    return table


def all_rules(space):
    """Every rule of a space with its form and cost, written out by its definition."""
    literals = range(2 * len(space.atoms))
    cost = [space.atoms[number >> 1].cost + number % 2 for number in literals]
    for a in literals:
        yield "one", (a,), cost[a]
    for a, b in itertools.combinations(literals, 2):
        if a >> 1 != b >> 1:
            yield "and", (a, b), cost[a] + cost[b] + FORM_COSTS[1]
            yield "or", (a, b), cost[a] + cost[b] + FORM_COSTS[2]
    for a, b in itertools.combinations(range(len(space.atoms)), 2):
        for sign in range(2):
            yield "xor", (2 * a, 2 * b + sign), cost[2 * a] + cost[2 * b] + FORM_COSTS[3]
    for a, b in itertools.product(literals, repeat=2):
        yield "pattern2", (a, b), cost[a] + cost[b] + FORM_COSTS[5]
        for c in range(len(space.atoms)):
            yield "if", (2 * c, a, b), cost[2 * c] + cost[a] + cost[b] + FORM_COSTS[4]
    for parts in itertools.product(literals, repeat=3):
        yield "pattern3", parts, sum(cost[part] for part in parts) + FORM_COSTS[6]


@pytest.fixture(scope="module")
def brute():
    return [(form, parts, cost, SMALL.rule(form, parts)) for form, parts, cost in all_rules(SMALL)]


def agrees(rule, table):
    """Whether a rule could have given these verdicts, by the rule's own evaluation."""
    line = []
    for entry in table:
        cards = entry["cards"]
        if entry["kind"] == "hand":
            if any(rule.program.right(line) >> card & 1 for card in cards):
                return False
            continue
        laid, good = list(line), True
        for card in cards:
            # an empty line is judged by the rule itself: these rules have no start condition
            good = good and bool(rule.program.right(laid) >> card & 1)
            laid.append(card)
        if good != (entry["kind"] != "wrong"):
            return False
        line = laid if good else line
    return True


def unordered(form, parts, cost):
    """A rule without the order of parts that may change places."""
    if form == "xor":
        return form, frozenset(part >> 1 for part in parts), parts[1] & 1, cost
    return form, frozenset(parts) if form in ("and", "or") else parts, cost


BOARDS = [
    ("same(suit) or red", 4, {}),
    ("if last.red then odd else low", 9, {"hands": True}),
    ("pattern(red, not same(suit))", 7, {"sequences": True}),
    ("up or same(colour, c2)", 3, {"sequences": True, "hands": True}),
    ("same(colour, c2)", 1, {}),
]


@pytest.mark.parametrize(("text", "plays", "kinds"), BOARDS, ids=range(len(BOARDS)))
def test_counts_and_list_are_those_of_brute_force(brute, text, plays, kinds):
    table = random_board(parse_rule(text), plays, text, **kinds)
    expected = [(form, parts, cost, rule) for form, parts, cost, rule in brute if agrees(rule, table)]
    found = Inference(table, SMALL, limit=10**6, behaviours=10**6, merge=False)
    survivors = found.survivors
    assert survivors.complete
    by_form = {form: sum(other == form for other, *_ in expected) for form in FORMS}
    assert survivors.counts() == by_form
    by_cost = survivors.by_cost()
    assert all(by_cost[cost] == sum(c == cost for _, _, c, _ in expected) for cost in range(len(by_cost)))
    listed = [survivors.rule(number)[:3] for number in range(len(survivors))]
    assert len(listed) == len(set(listed))
    assert {unordered(*rule) for rule in listed} == {unordered(*rule[:3]) for rule in expected}
    assert [cost for *_, cost in listed] == sorted(cost for *_, cost in listed)


@pytest.mark.parametrize(("text", "plays", "kinds"), BOARDS[:4], ids=range(4))
def test_each_behaviour_is_listed_once_and_none_is_missed(brute, text, plays, kinds):
    table = random_board(parse_rule(text), plays, text, **kinds)
    weight = {}
    for _, _, cost, rule in brute:
        if agrees(rule, table):
            line = [c for entry in table if entry["kind"] in ("starter", "right") for c in entry["cards"]]
            future = rule.machine.future(rule.machine.run(line))
            weight[future] = weight.get(future, 0.0) + 2.0**-cost
    found = Inference(table, SMALL, limit=10**6, behaviours=10**6)
    mine = {b.machine.future(b.state): b.share for b in found.behaviours}
    assert set(mine) == set(weight)
    total = sum(weight.values())
    assert all(math.isclose(mine[key], weight[key] / total, rel_tol=1e-9) for key in weight)
    assert sum(b.spellings for b in found.behaviours) == found.count


@pytest.mark.parametrize(("name", "plays"), [("suit-or-rank", 8), ("zigzag", 20), ("court-keeps-suit", 14)])
def test_what_is_merged_in_the_standard_space_has_one_future(name, plays):
    table = random_board(find_rule(name), plays, f"merge {name}")
    futures = []
    for merge in (False, True):
        found = Inference(table, limit=700, merge=merge, behaviours=700)
        futures.append({b.machine.future(b.state) for b in found.behaviours if b.machine is not None})
    assert futures[0] == futures[1]


def test_the_split_of_the_next_card_is_that_of_the_rules(brute):
    table = random_board(parse_rule("same(suit) or red"), 5, "split")
    line = [c for entry in table if entry["kind"] != "wrong" for c in entry["cards"]]
    alive = [(cost, rule) for _, _, cost, rule in brute if agrees(rule, table)]
    total = sum(2.0**-cost for cost, _ in alive)
    found = {e.card: e for e in Inference(table, SMALL, limit=10**6).experiments()}
    for card in range(52):
        right = sum(2.0**-cost for cost, rule in alive if rule.program.right(line) >> card & 1) / total
        assert math.isclose(found[card].right, right, abs_tol=1e-12)
        assert math.isclose(found[card].gain, entropy(right), abs_tol=1e-9)


def test_rules_beyond_the_limit_are_counted_and_the_shortest_listed():
    table = [{"kind": "starter", "cards": [5]}, {"kind": "wrong", "cards": [30]}]
    whole = Inference(table, SMALL, limit=10**6, merge=False)
    part = Inference(table, SMALL, limit=200, merge=False)
    assert part.count == whole.count
    assert not part.survivors.complete
    assert 0 < len(part.survivors) <= 200
    first = [whole.survivors.rule(k)[:3] for k in range(len(part.survivors))]
    assert sorted(first) == sorted(part.survivors.rule(k)[:3] for k in range(len(part.survivors)))


@pytest.mark.parametrize("space", [standard_space, wide_space])
def test_atoms_mean_what_their_texts_mean(space):
    atoms = space().atoms
    rng = Random("atoms")
    lines = [[], [17], [3, 40], [rng.below(52) for _ in range(7)], [rng.below(52) for _ in range(12)]]
    chosen = range(len(atoms)) if len(atoms) < 1000 else [rng.below(len(atoms)) for _ in range(300)]
    for number in chosen:
        program = Rule(None, atoms[number].node).program
        for line in lines:
            yes, no = program.masks(program.memory(line))
            assert space().core.says(number, line) == (yes, no), atoms[number].text


def test_spaces_are_as_large_as_they_say():
    assert len(standard_space().atoms) > 450
    assert len({atom.text for atom in wide_space().atoms}) == len(wide_space().atoms) >= 10_000


GOOD = [entry for entry in library() if entry.level]
OUTSIDE = {
    "rank-names-suit",
    "four-orders",
    "four-answers",
    "more-blacks",
    "product-of-three",
    "odd-blacks-ask",
    "courts-on-primes",
}


def place_of(rule, found):
    """Place of a rule's behaviour among those found, counted from 0 and shared by equals; None if missing."""
    target = rule.machine.future(rule.machine.run(found.line))
    for behaviour in found.behaviours:
        if behaviour.machine is not None and behaviour.machine.future(behaviour.state) == target:
            return sum(other.share > behaviour.share * (1 + 1e-9) for other in found.behaviours)
    return None


@pytest.fixture(scope="module")
def places():
    """Place of each good rule of the library after forty random plays."""
    boards = {entry.name: random_board(entry.rule, 40, entry.name) for entry in GOOD}
    return {entry.name: place_of(entry.rule, Inference(boards[entry.name])) for entry in GOOD}


def test_rules_of_the_space_survive_every_board(places):
    assert {name for name, place in places.items() if place is None} == OUTSIDE


def test_most_are_the_likeliest_after_forty_plays(places):
    assert len(GOOD) == 48
    assert sum(place == 0 for place in places.values()) >= 30


def test_hints_are_constraints():
    rule = find_rule("suit-circle")
    hints = [hint.name for hint in true_hints(rule)]
    table = random_board(rule, 3, "hints")
    without, with_hints = Inference(table), Inference(table, hints=hints)
    assert with_hints.certainty > without.certainty
    for behaviour in with_hints.behaviours:
        assert behaviour.machine is not None
        assert set(hints) <= {hint.name for hint in true_hints(behaviour.rule)}
    with pytest.raises(ParameterError, match="unknown hint"):
        Inference(table, hints=["nonsense"])


def test_after_a_red_starter_same_colour_is_red():
    table = [{"kind": "starter", "cards": [30]}]
    found = Inference(table, SMALL, limit=10**6, behaviours=300)
    rules = {b.rule.text: b for b in found.behaviours}
    assert "red" in rules
    other = Space([*SMALL.atoms, Atom("same(colour)", 1)])
    more = Inference(table, other, limit=10**6, behaviours=300)
    assert "same(colour)" not in {b.rule.text for b in more.behaviours} or "red" not in {
        b.rule.text for b in more.behaviours
    }


def test_impossible_boards():
    table = [{"kind": "wrong", "cards": [40]}, {"kind": "starter", "cards": [40]}]
    found = Inference(table, SMALL)
    assert found.count == len(found.behaviours) == found.certainty == 0
    assert found.experiments() == ()
    with pytest.raises(ParameterError, match="entries of a board"):
        Inference([{"kind": "nonsense", "cards": [1]}], SMALL)
    with pytest.raises(ParameterError, match="no number from 0 to 51"):
        Inference([{"kind": "right", "cards": [52]}], SMALL)


def test_negations_read_as_people_say_them():
    texts = {"red": "black", "rank <= 7": "rank > 7", "same(suit)": "not same(suit)", "up": "not up"}
    atoms = {atom.text: k for k, atom in enumerate(SMALL.atoms)}
    for text, opposite in texts.items():
        assert SMALL.rule("one", (2 * atoms[text] + 1,)).text == opposite
    both = SMALL.rule("xor", (2 * atoms["red"], 2 * atoms["odd"] + 1))
    assert both.text == Rule(None, make("iff", (SMALL.literal(0), SMALL.literal(2)))).text
    assert FULL == (1 << 52) - 1
