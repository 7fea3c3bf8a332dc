"""Positions of L'Encan set up by hand: wrong values of every kind are refused, equal ones are equal."""

import pytest

import cardgods
from cardgods.solve.encan import EncanPosition, solve

EXPRESS = cardgods.load_game("encan", "express")
STANDARD = cardgods.load_game("encan")
FIELDS = {"hands": [[8, 9], [9, 10]], "treasures_left": [8, 13]}


@pytest.mark.parametrize(
    "changes",
    [
        {"hands": 5},
        {"hands": None},
        {"hands": [[[8], 9], [9, 10]]},
        {"hands": [["8", "9"], [9, 10]]},
        {"hands": [[8.0, 9], [9, 10]]},
        {"hands": [[8, 9], [9, 10], [11]]},
        {"treasures_left": None},
        {"treasures_left": 8},
        {"treasures_left": [8], "treasure": [9]},
        {"treasures_left": [8], "treasure": "9"},
        {"treasures_left": [8], "treasure": 10**5000},
        {"scores": 5},
        {"scores": ()},
        {"scores": (5,)},
        {"scores": (1, 2, 3)},
        {"scores": (1.5, 2)},
        {"scores": ("1", 2)},
        {"scores": (float("nan"), 2)},
        {"scores": (float("inf"), 2)},
        {"scores": (10**5000, 2)},
        {"carry": None},
        {"carry": 2.5},
        {"carry": "2"},
        {"obole_used": None},
        {"obole_used": (1,)},
        {"obole_used": (1, 1, 1)},
        {"obole_used": ("no", "no")},
        {"passed": None},
        {"passed": (1,) * 9},
        {"passed": (True, True)},
        {"burnt": 3},
        {"burnt": [[14]]},
        {"last_winner": 2},
        {"last_winner": 7},
        {"last_winner": -1},
        {"last_winner": 10**30},
        {"last_winner": "0"},
        {"last_winner": True},
        {"treasures_left": [8], "treasure": 10, "scores": (30, 0)},
    ],
    ids=lambda changes: ",".join(changes),
)
def test_values_of_every_wrong_kind_are_refused(changes):
    with pytest.raises(cardgods.ParameterError):
        EXPRESS.new_position(**{**FIELDS, **changes})


@pytest.mark.parametrize("tie", ["discard", "split"])
def test_points_wait_only_where_ties_leave_them(tie):
    with pytest.raises(cardgods.ParameterError, match="no points wait"):
        cardgods.load_game("encan", "express", tie=tie).new_position(**FIELDS, carry=2)


def test_player_1_does_not_pass_before_player_0_has_spoken():
    fields = {"hands": [[8, 9], [9, 10]], "treasures_left": [8]}
    with pytest.raises(cardgods.ParameterError, match="before player 0"):
        STANDARD.new_position(**fields, treasure=5, passed=(False, True))
    # where player 0 has called already, player 1 alone is asked
    state = STANDARD.new_position(**fields, treasure=5, passed=(False, True), obole_used=(True, False))
    assert state.view()["phase"] == "bid"


def test_half_points_are_for_split_lots():
    game = cardgods.load_game("encan", "express", tie="split")
    state = game.new_position(**FIELDS, scores=(2.5, 3))
    assert state.view()["scores"] == [2.5, 3]
    assert cardgods.deserialize_state(state.serialize()) == state
    with pytest.raises(cardgods.ParameterError, match="half points"):
        game.new_position(**FIELDS, scores=(2.25, 3))


def test_the_same_position_is_equal_however_it_was_written():
    one = EXPRESS.new_position(hands=[[9, 8], [10, 9]], treasures_left=[13, 8], scores=(1.0, 2))
    two = EXPRESS.new_position(
        hands=((8, 9), (9, 10)), treasures_left=range(8, 14, 5), scores=[1, 2], obole_used=(0, 0)
    )
    assert one == two


class Integer:
    """An integer of another kind, as numpy's are."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value

    def __mul__(self, factor):
        return self.value * factor


def test_integers_of_another_kind_are_integers():
    state = EXPRESS.new_position(
        hands=[map(Integer, hand) for hand in FIELDS["hands"]],
        treasures_left=map(Integer, FIELDS["treasures_left"]),
        scores=[Integer(1), Integer(2)],
    )
    assert state == EXPRESS.new_position(**FIELDS, scores=(1, 2))
    state.apply_action(Integer(0))
    state.apply_actions([Integer(1), Integer(2)])
    assert cardgods.deserialize_state(state.serialize()) == state


def test_the_solver_refuses_the_same_positions():
    with pytest.raises(cardgods.ParameterError):
        solve(EXPRESS, position=EncanPosition(hands=((8,), (9,), (10,)), treasures_left=(8,)))
    with pytest.raises(cardgods.ParameterError):
        solve(STANDARD, position=EncanPosition(((8,), (9,)), (), 8, passed=(False, True)))
