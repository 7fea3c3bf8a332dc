"""What the players of Eleusis know: the rule and other hands leak nowhere, and worlds are drawn fairly."""

import collections
import itertools

import pytest

import cardgods
from cardgods import Random
from cardgods.cards import parse_card
from cardgods.rule import find_rule

DONE, CLAIM, DECLARE, DECLINE, RIGHT, WRONG = range(52, 58)


def game(*rules, **options):
    return cardgods.load_game("eleusis", rules=rules, **{"rounds": 1, "god": 0, **options})


def random_state(game, rng, steps):
    state = game.new_initial_state()
    while not state.is_terminal() and len(state) < steps:
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )
    return state


def replay(game, history):
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def leaves(value):
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def test_the_rule_shows_nowhere_but_in_gods_view():
    state = random_state(game("alternate-colours"), Random(4), 90)
    text = "not same(colour)"
    assert state.view(0)["rule"] == text == state.view()["rule"]
    for seat in (-1, 1, 2, 3, 4):
        assert text not in leaves(state.view(seat))
        assert state.view(seat)["rule"] is None
    over = random_state(game("alternate-colours", hand=1, turn_cap=2), Random(4), 1000)
    assert over.view(1)["past_rules"] == [text]
    second = random_state(game("red", "alternate-colours", hand=1, turn_cap=2, rounds=2), Random(4), 22)
    assert second.view(2)["past_rules"] == ["red"]
    assert second.view(2)["rule"] is None


@pytest.mark.parametrize("seed", range(12))
def test_rules_that_answered_alike_cannot_be_told_apart(seed):
    """The same cards under two rules, until one verdict differs: seekers see the same bytes till then."""
    one, two = game("same(suit) or same(rank)", hand=5), game("same(suit) or same(rank) or pos > 6", hand=5)
    left = random_state(one, Random(seed), 120)
    right = two.new_initial_state()
    at = 0
    for action in left.history():
        if action not in right.legal_actions():
            break
        right.apply_action(action)
        at += 1
        other = replay(one, left.history()[:at])
        if other.view(-1) != right.view(-1):
            break
        for seat in range(1, 5):
            assert other.information_state(seat) == right.information_state(seat)
            assert other.observation(seat) == right.observation(seat)
            assert other.view(seat) == right.view(seat)
        assert other.view(0) != right.view(0)
    assert at > 20


def test_others_learn_no_card_that_is_drawn():
    state = game("red").new_initial_state()
    for card in itertools.count():
        if state.phase != "draw":
            break
        seat = 1 + card // 14
        before = [state.information_state(p) for p in range(5)]
        state.apply_action(card % 52)
        grown = [p for p in range(5) if state.information_state(p) != before[p]]
        assert grown == [seat]


def test_a_shown_hand_is_seen_by_all_while_it_lies_there():
    start = game("red").new_position(
        hands=[[], [13, 14, 0], [15], [16], [17]],
        table=[{"kind": "starter", "seat": None, "cards": [26]}],
        turn=1,
        prophet=3,
        was_prophet=[3],
    )
    assert start.view(2)["hands"][1] is None
    start.apply_action(CLAIM)
    assert start.view(2)["hands"][1] == [0, 13, 14]
    assert start.view(-1)["hands"][1] == [0, 13, 14]
    assert start.view(2)["hands"][3] is None
    for action in (WRONG, 13):
        start.apply_action(action)
    assert start.view(2)["hands"][1] is None
    assert start.view(2)["hand_sizes"][1] == 2


# Worlds ----------------------------------------------------------------------------------------------------


def worlds(state, player, n=3000):
    rng = Random("worlds")
    return [state.resample(player, rng) for _ in range(n)]


def exact(state, player, free, kinds):
    """Chance of each choice of kinds for the hidden draws, by trying all: products of copies."""
    history = state.history()
    wanted = state.information_state(player)
    found = collections.Counter()

    def walk(now, at, weight, picked):
        if at == len(history):
            if now.information_state(player) == wanted:
                found[picked] += weight
            return
        outcomes = dict(now.chance_outcomes())
        for action in kinds if at in free else [history[at]]:
            if action in (outcomes or now.legal_actions()):
                chosen = (*picked, action) if at in free else picked
                walk(now.child(action), at + 1, weight * outcomes.get(action, 1.0), chosen)

    walk(state.game.new_initial_state(), 0, 1.0, ())
    total = sum(found.values())
    return {picked: weight / total for picked, weight in found.items()}


def check_fairness(state, player, free, kinds=range(52), statistic=lambda picked: picked, n=20000):
    """Sampled hidden draws, as far as they are of some kinds, against the exact odds of a statistic."""
    odds, counted = collections.Counter(), collections.Counter()
    exactly = exact(state, player, free, kinds)
    for picked, chance in exactly.items():
        odds[statistic(picked)] += chance
    for world in worlds(state, player, n):
        picked = tuple(world.history()[at] for at in free)
        if set(picked) <= set(kinds):
            assert picked in exactly
            counted[statistic(picked)] += 1
    total = sum(counted.values())
    assert total > 1000
    for picked, chance in odds.items():
        sigma = (total * chance * (1 - chance)) ** 0.5
        assert abs(counted[picked] - total * chance) < 4.5 * sigma + 1, (
            picked,
            counted[picked],
            total * chance,
        )


def small(rule="red", **options):
    return game(rule, players=3, players_min=3, **{"hand": 2, "turn_cap": 9, **options})


def deal(state, *actions):
    for action in actions:
        state.apply_action(parse_card(action) if isinstance(action, str) else action)
    return state


def card(text):
    return parse_card(text)


def test_worlds_of_an_untouched_hand():
    # seats 1 and 2 have two cards each; seat 1 thinks about those of seat 2
    state = deal(small().new_initial_state(), "2c", "3c", "4c", "4c", "5h", 1)

    def statistic(picked):
        return picked[0] == picked[1], sum(c in (card("2c"), card("5h")) for c in picked)

    check_fairness(state, 1, (2, 3), statistic=statistic)


def test_worlds_in_which_a_laid_card_was_one_of_two_draws():
    # seat 2 has laid a 5h of his two cards: either draw was it, and both may be
    state = deal(small().new_initial_state(), "2c", "3c", "5h", "7c", "9h", 2, "5h", DONE)
    check_fairness(state, 1, (2, 3), statistic=lambda p: tuple(c == card("5h") for c in p))


def test_worlds_in_which_the_same_kind_was_laid_twice():
    # a 5c of the first two cards; then another 5c, from what was left of them or from the penalty card
    state = deal(small(wrong_penalty=1).new_initial_state(), "2c", "3c", "5c", "7c", "9h", 2, "5c", DONE)
    deal(state, "5c", "2c", DONE, "Kc", "5c", DONE, "6d")
    kinds = [card(c) for c in ("5c", "7c", "8c", "9d", "10d", "Js")]
    check_fairness(state, 1, (2, 3, 8), kinds)


def test_worlds_across_a_further_pack():
    # one pack of 52; the fourth draw brings the second, so the next can be a kind that has come already
    options = {"packs": 1, "packs_max": 2, "refill_at": 48, "hand": 1}
    state = deal(small(**options).new_initial_state(), "2c", "5c", "9h", 2, "5c", DONE, "7c")
    assert state.view()["packs"] == 2
    deal(state, "8c", "2c", DONE, "Kc", "Kd", "8c")

    def statistic(picked):
        return tuple(next((i for i, k in enumerate(("8c", "5c", "2c")) if c == card(k)), 9) for c in picked)

    check_fairness(state, 1, (6, 7), statistic=statistic)


def test_worlds_after_a_shown_hand():
    state = deal(
        small(claim_penalty=1).new_initial_state(), "2c", "3c", "5h", "7c", "9h", 2, CLAIM, "5h", "8c"
    )
    assert {(world.history()[2], world.history()[3]) for world in worlds(state, 1, 200)} == {
        (parse_card("5h"), parse_card("7c")),
        (parse_card("7c"), parse_card("5h")),
    }
    assert len({world.history()[8] for world in worlds(state, 1, 400)}) == 52


def test_worlds_with_a_refused_starter():
    state = deal(small("start: ace; red").new_initial_state(), "2c", "3c", "5h", "7c", "9h", "Ac", 1)
    found = {world.history()[4] for world in worlds(state, 1, 2000)}
    assert found == {card for card in range(52) if card % 13 != 12}
    assert {world.history()[4] for world in worlds(state, 0, 50)} == {parse_card("9h")}


def test_worlds_agree_with_all_that_is_known_in_long_games():
    rng = Random("long")
    for k, name in enumerate(("suit-or-rank", "bad-only-aces", "start: king; odd", "suits-in-pairs")):
        state = random_state(game(name, hand=6, refill_at=20), rng, 120 + 60 * k)
        for seat in range(5):
            world = state.resample(seat, rng)
            assert world.information_state(seat) == state.information_state(seat)
            assert world.view(seat) == state.view(seat)
            changed = sum(a != b for a, b in zip(world.history(), state.history(), strict=True))
            assert changed > 15


def test_a_hand_that_is_known_stays_what_it_is():
    """After a false claim everybody knows the hand; what is drawn later is hidden again."""
    state = deal(small(claim_penalty=2).new_initial_state(), "2c", "3c", "5h", "7c", "9h", 2, CLAIM, "5h")
    deal(state, "8c", "9c")
    for world in worlds(state, 1, 100):
        assert parse_card("7c") in world.view()["hands"][2]
    assert find_rule(state.game.rule_of(0)).text == "red"
