"""Exhaustive inference of rules: spaces against boards, lists, the split of the next card."""

import pytest

from cardgods import Random
from cardgods._core.rule.survivors import Survivors
from cardgods.rule import find_rule
from cardgods.rule.inference import Inference, _read
from cardgods.rule.space import Space, standard_space, wide_space


def board(name, plays):
    rule, rng = find_rule(name), Random(f"bench {name}")
    line = [rng.choice([card for card in range(52) if rule.right(()) >> card & 1])]
    table = [{"kind": "starter", "cards": list(line)}]
    for _ in range(plays):
        card = rng.below(52)
        right = bool(rule.right(line) >> card & 1)
        table.append({"kind": "right" if right else "wrong", "cards": [card]})
        line += [card] * right
    return table


def search(space, table, limit, merge=True, choices=True):
    _, steps, verdicts, places = _read(table)
    return Survivors(space.core, steps, verdicts, places, space.form_costs, limit, merge, choices)


@pytest.fixture(scope="module", params=[standard_space, wide_space], ids=["standard", "wide"])
def space(request):
    found = request.param()
    search(found, board("suit-or-rank", 1), 1)  # the probes are made once
    return found


def test_one_and_two_atoms(rate, space):
    table = board("suit-or-rank", 60)
    rules = 4 * len(space.atoms) ** 2 * 3 // 2
    assert rate(lambda: search(space, table, 0, choices=False), rules).counts()["or"] >= 1


def test_conditionals_counted(rate, space):
    table = board("suit-or-rank", 60)
    rules = 4 * len(space.atoms) ** 3
    assert rate(lambda: search(space, table, 0), rules).counts()["if"] >= 1


def test_behaviours_listed(rate):
    table = board("suit-or-rank", 8)
    space = standard_space()
    distinct = len(search(space, table, 1_000_000))
    assert distinct > 100_000
    assert len(rate(lambda: search(space, table, 1_000_000), distinct, rounds=3)) == distinct


def test_split_over_a_million_survivors(rate):
    survivors = search(standard_space(), board("suit-or-rank", 8), 3_000_000, merge=False)
    assert len(survivors) >= 1_000_000
    assert 0 < rate(survivors.split, len(survivors))[0] < survivors.weight()


def test_what_a_board_says(rate):
    table = board("suit-or-rank", 20)
    found = rate(lambda: Inference(table).behaviours, 1)
    assert found[0].share > 0.1


def test_space_is_set_up(rate):
    assert rate(lambda: Space(standard_space().atoms).core.size, 1) == len(standard_space().atoms)
