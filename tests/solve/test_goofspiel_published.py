"""What has been published on Goofspiel, reproduced: Ross, Rhoads and Bartholdi, a public solver."""

from fractions import Fraction

import pytest

import cardgods
from cardgods.solve.encan import EncanPosition, solve
from cardgods.solve.tree import Profile, best_responses, build_tree, profile_from_function


def goofspiel(cards, **options):
    return cardgods.load_game("encan", "goofspiel", cards=tuple(range(1, cards + 1)), **options)


def ross(cards):
    """Expected lead of who bids the number of the treasure against uniform bids."""
    return sum(Fraction(v * (2 * v - 1 - cards), cards) for v in range(1, cards + 1))


def test_the_sum_of_ross_for_thirteen_cards():
    # S. M. Ross, "Goofspiel: the game of pure strategy", J. Applied Probability 8 (1971): 59.5 to 31.5
    assert ross(13) == 28


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_bidding_the_treasure_is_the_best_reply_to_uniform_bids(cards):
    # the same paper: no other strategy does better
    tree = build_tree(goofspiel(cards, payoff="points").new_initial_state())
    uniform = Profile(tree)
    assert best_responses(uniform).best == pytest.approx((ross(cards),) * 2, abs=1e-12)

    def treasure(state, player):
        # who has kept to it holds that card; what he would do otherwise is never asked
        action, legal = state.view()["treasure"] - 1, state.legal_actions(player)
        return action if action in legal else legal[0]

    matching = profile_from_function(tree, treasure)
    for player in range(2):
        values = best_responses(uniform.with_player(player, matching)).values
        assert values[player] == pytest.approx(ross(cards), abs=1e-12)


@pytest.mark.parametrize("hands", [((1, 2, 5, 6), (2, 3, 4, 6)), ((3, 4, 5, 6), (1, 2, 3, 6))])
def test_splitting_a_tied_treasure_is_discarding_it_when_points_count(hands):
    # G. C. Rhoads and L. Bartholdi, "Computer solution to the game of pure strategy", Games 3 (2012)
    values = []
    for tie in ("split", "discard"):
        game = goofspiel(6, payoff="points", tie=tie)
        position = EncanPosition(hands=hands, treasures_left=(1, 3, 5, 6))
        values.append(solve(game, position=position).value)
    assert values[0] == pytest.approx(values[1], abs=1e-13)
    assert abs(values[0]) > 0.1


def test_the_worked_example_of_a_public_solver():
    # github.com/matttang27/GOPSsolver, its page: one point ahead, (1, 3) against (2, 3), for 2 and then 3
    state = goofspiel(3).new_initial_state()
    state.apply_action(0)
    first = solve(goofspiel(3)).strategy(state)
    assert first.bids == ({1: 1.0, 2: 0.0, 3: 0.0},) * 2
    state.apply_actions([1, 0])
    state.apply_action(1)
    second = solve(goofspiel(3)).strategy(state)
    assert 2 * second.value - 1 == pytest.approx(-1 / 3, abs=1e-14)
    assert second.bids[0] == pytest.approx({1: 1 / 3, 3: 2 / 3}, abs=1e-14)
