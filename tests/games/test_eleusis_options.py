"""Every number and switch of Eleusis changes what its help says, and nothing else in the same position."""

import pytest

import cardgods
from cardgods.cards import parse_card

DONE, CLAIM, DECLARE, DECLINE, RIGHT, WRONG = range(52, 58)


def cards(text):
    return [parse_card(word) for word in text.split()]


def game(rule="red", **options):
    return cardgods.load_game("eleusis", rules=(rule,), **{"rounds": 1, "god": 0, **options})


HANDS = ["", "3h 4h 5h 2c 3c", "6h 7h 4c 5c", "8h 9h 6c 7c", "10h Jh 8c 9c"]
START = {"kind": "starter", "seat": None, "cards": cards("2h")}


def position(options=None, hands=HANDS, rule="red", played=0, **values):
    """Seat 1 on turn; `played` black cards lie aside."""
    aside = [{"kind": "wrong", "seat": 2, "cards": [39 + k % 13]} for k in range(played)]
    return game(rule, packs=4, **(options or {})).new_position(
        hands=[cards(hand) for hand in hands], table=[START, *aside], turn=1, **values
    )


def settle(state):
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])


def play(state, *actions):
    """Actions, cards by name; chance takes its lowest outcome."""
    for action in actions:
        settle(state)
        state.apply_action(parse_card(action) if isinstance(action, str) else action)
    settle(state)
    return state.view()


@pytest.mark.parametrize(
    ("options", "actions", "sizes"),
    [
        ({}, ["2c", "3c", DONE], [3 + 4, 4]),
        ({"wrong_penalty": 3}, ["2c", "3c", DONE], [3 + 6, 4]),
        ({"wrong_penalty": 0}, ["2c", "3c", DONE], [3, 4]),
        ({"claim_penalty": 7}, [CLAIM], [4 + 7, 4]),
        ({"claim_penalty": 0}, [CLAIM], [4, 4]),
    ],
)
def test_penalties_of_a_seeker(options, actions, sizes):
    view = play(position(options), *actions)
    assert [view["hand_sizes"][1], view["hand_sizes"][3]] == sizes


@pytest.mark.parametrize(("penalty", "size"), [(5, 9), (2, 6), (0, 4)])
def test_penalty_of_an_overthrown_prophet(penalty, size):
    state = position({"prophet_penalty": penalty}, prophet=3, was_prophet=[3])
    assert play(state, "3h", DONE, WRONG)["hand_sizes"] == [0, 4, 4, size, 4]


@pytest.mark.parametrize(("penalty", "size"), [(8, 8), (3, 3)])
def test_penalty_of_an_overthrown_prophet_who_had_gone_out(penalty, size):
    options = {"prophet_after_out": True, "out_penalty": penalty}
    state = position(options, hands=["", "3h", *HANDS[2:]])
    assert play(state, "3h", DONE, DECLARE, "6h", DONE, WRONG)["hand_sizes"][1] == size


@pytest.mark.parametrize(("relief", "size"), [(4, 1), (2, 3), (1, 4)])
def test_relief_of_a_true_claim(relief, size):
    state = position({"claim_relief": relief}, hands=["", "2c 3c 4c 5c 6c", *HANDS[2:]])
    assert play(state, CLAIM)["hand_sizes"][1] == size


@pytest.mark.parametrize(("bonus", "points"), [(4, 8), (0, 4), (9, 13)])
def test_bonus_for_going_out(bonus, points):
    state = position({"out_bonus": bonus}, hands=["", "3h", *HANDS[2:]])
    assert play(state, "3h", DONE)["round_scores"] == [points, points, 0, 0, 0]


@pytest.mark.parametrize(("compensation", "rounds"), [(10, 1), (3, 1), (3, 2)])
def test_compensation_once_for_each_who_was_not_god(compensation, rounds):
    short = game(rounds=rounds, compensation=compensation, hand=1, turn_cap=1)
    state = short.new_initial_state()
    summed = [0] * 5
    seen = 0
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        view = state.view()
        if view["phase"] in ("next_round", "over") and view["round"] == seen:
            summed = [a + b for a, b in zip(summed, view["round_scores"], strict=True)]
            seen += 1
    assert seen == rounds
    gods = range(rounds)
    assert state.returns() == [s + compensation * (p not in gods) for p, s in enumerate(summed)]


@pytest.mark.parametrize(("option", "prophet"), [("sudden_death", None), ("prophet_sudden_death", 3)])
def test_sudden_death_begins_after_as_many_cards_as_the_option_says(option, prophet):
    for count, dead in ((5, []), (6, [1]), (7, [1])):
        values = {} if prophet is None else {"prophet": 3, "was_prophet": [3], "since_mark": (0, count)}
        state = position({option: 6}, played=count, **values)
        assert play(state, "2c", DONE, *([] if prophet is None else [WRONG]))["expelled"] == dead


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_turn_has_as_many_cards_as_the_option_says(most):
    state = position({"max_sequence": most})
    assert play(state, *["3h", "4h", "5h"][:most])["line"] == cards("2h 3h 4h 5h")[: 1 + most]


def test_the_cap_of_turns_ends_the_round():
    state = position({"turn_cap": 2})
    play(state, "3h", DONE, DECLINE)
    assert not state.is_terminal()
    view = play(state, "6h", DONE, DECLINE)
    assert state.is_terminal()
    assert view["end_reason"] == "turns"
    assert view["round_scores"] == [1, 0, 1, 0, 0]


# Who is out of the round


def test_an_expelled_seeker_without_cards_has_not_gone_out():
    state = position({"wrong_penalty": 0, "sudden_death": 0}, hands=["", "2c", *HANDS[2:]])
    view = play(state, "2c", DONE)
    assert view["expelled"] == [1]
    assert view["hand_sizes"][1] == 0
    assert not state.is_terminal()
    for black in ("4c", "6c", "8c"):
        view = play(state, black, DONE)
    assert view["end_reason"] == "expelled"
    # his hand counts against the top, but the bonus is for seekers
    assert view["round_scores"] == [3, 3, 0, 0, 0]


# The stock


def refuse_all(options):
    """A deal in which no card of the stock may begin; the state when all of it lies refused."""
    one = game("start: ace; red", players=3, players_min=3, packs=1, hand=25, **options)
    state = one.new_initial_state()
    aces = cards("Ac Ad Ah As")
    for card in [*aces, *(card for card in range(50) if card not in aces)]:
        if state.phase != "draw":
            break
        state.apply_action(card)
    while state.phase == "starter" and state.view()["packs"] == 1:
        state.apply_action(state.legal_actions()[0])
    return state


def test_a_further_pack_comes_when_every_card_of_the_stock_was_refused():
    state = refuse_all({"refill_at": 0})
    assert state.view()["packs"] == 2
    assert state.view()["stock"] == 52 + 2
    assert parse_card("Ac") in state.legal_actions()


@pytest.mark.parametrize("options", [{"refill": "end"}, {"refill_at": 0, "packs_max": 1}])
def test_without_a_further_pack_the_round_ends_when_no_card_can_begin(options):
    state = refuse_all(options)
    assert state.is_terminal()
    assert state.view()["end_reason"] == "stock"
    assert state.view()["packs"] == 1
    assert state.view()["round_scores"] == [0, 0, 0]


@pytest.mark.parametrize("most", [2, 3])
def test_no_pack_is_added_beyond_packs_max(most):
    state = game(packs=1, packs_max=most, hand=14, refill_at=51).new_initial_state()
    settle_deal(state)
    assert state.view()["packs"] == most


def settle_deal(state):
    while state.phase == "draw":
        state.apply_action(state.legal_actions()[0])
