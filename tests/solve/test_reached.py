"""Values and best responses over the part of a game that a profile leads to, against the whole tree."""

import doctest

import pytest

import cardgods
import cardgods.solve.reached
from cardgods.errors import ParameterError, SolveError
from cardgods.solve.reached import reached_best_response, reached_values
from cardgods.solve.tree import best_responses, build_tree, profile_from_function

GAMES = [
    ("encan", {"cards": (1, 2, 3), "target": 4}),
    ("encan", {"variant": "goofspiel", "cards": (1, 2, 3, 4)}),
    ("trones", {"ranks": (13, 14), "capacity": 1, "hand": 1}),
]


def state_of(name, options):
    return cardgods.load_game(name, **options).new_initial_state()


def some_profile(seed):
    """A profile that depends on the information state alone and leaves actions out."""

    def policy(state, player):
        known = cardgods.Random(f"{seed}|{state.information_state(player).hex()}")
        actions = state.legal_actions()
        known.shuffle(actions)
        kept = actions[:2]
        share = known.random() if len(kept) == 2 else 1.0
        return dict(zip(kept, (share, 1.0 - share), strict=False))

    return policy


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_whole_tree_says_the_same(name, options):
    root = state_of(name, options)
    policy = some_profile(1)
    whole = best_responses(profile_from_function(build_tree(root), policy))
    found = reached_values([(root, 1.0)], policy)
    assert found.values == pytest.approx(whole.values, abs=1e-12)
    answers = [reached_best_response([(root, 1.0)], policy, p) for p in range(2)]
    assert [a.value for a in answers] == pytest.approx(whole.best, abs=1e-12)
    assert whole.nash_conv > 0.5
    assert all(a.positions > found.positions for a in answers)


def test_starts_are_weighed_and_share_information_sets():
    """Player 0 has sealed a bid: player 1 knows no more of it than before, unless he is asked bid by bid."""
    game = cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3, 4))
    root = game.new_initial_state(turn_based=True).child(2)
    policy = some_profile(2)
    starts = [(root.child(bid), p) for bid, p in policy(root, 0).items()]
    for player in range(2):
        whole = reached_best_response([(root, 1.0)], policy, player)
        together = reached_best_response(starts, policy, player)
        if player:
            assert together.value == pytest.approx(whole.value, abs=1e-12)
        else:
            assert together.value < whole.value - 1e-3
    apart = sum(reached_best_response([start], policy, 1).value for start in starts)
    assert apart > reached_best_response(starts, policy, 1).value + 1e-3
    whole = reached_values([(root, 1.0)], policy)
    assert reached_values(starts, policy).values == pytest.approx(whole.values)


def test_what_cannot_be_is_refused():
    root = state_of("encan", {"variant": "goofspiel", "cards": (1, 2, 3)})
    start = [(root, 1.0)]
    with pytest.raises(SolveError, match="action 9 is not legal here"):
        reached_values(start, lambda state, player: 9)
    for answer in ({0: 0.5, 1: 0.4}, {0: 1.5, 1: -0.5}):
        with pytest.raises(SolveError, match="are no probabilities"):
            reached_values(start, lambda state, player, answer=answer: answer)
    with pytest.raises(SolveError, match=r"information sets after .* positions fill the 0\.1 MB"):
        reached_best_response(start, some_profile(1), 0, memory=80_000)
    for player in (-1, 2):
        with pytest.raises(ParameterError, match=f"player {player} cannot answer"):
            reached_best_response(start, some_profile(1), player)
    with pytest.raises(ZeroDivisionError):
        reached_values(start, lambda state, player: 1 // 0)


def test_the_doctest():
    assert doctest.testmod(cardgods.solve.reached).failed == 0
