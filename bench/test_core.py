"""Walks, the Python boundary and the generator."""

import pytest

import cardgods
from cardgods.walk import perft, playouts

# actions of this many random games from this seed: the signature of the walk
PLAYOUTS = [("standard", 3_081_683), ("express", 2_718_942), ("goofspiel", 7_800_000)]
GAMES = 200_000


@pytest.mark.parametrize(("variant", "actions"), PLAYOUTS)
@pytest.mark.parametrize("threads", [1, 2])
def test_playouts(rate, variant, actions, threads):
    state = cardgods.load_game("encan", variant).new_initial_state()
    result = rate(lambda: playouts(state, GAMES, seed=1, threads=threads), GAMES)
    assert result.actions == actions


@pytest.mark.parametrize(
    ("variant", "depth", "leaves"), [("express", 9, 9_261_000), ("standard", 8, 13_023_816)]
)
def test_perft(rate, variant, depth, leaves):
    state = cardgods.load_game("encan", variant).new_initial_state()
    assert rate(lambda: perft(state, depth), leaves, rounds=3) == leaves


def play_step_by_step(game, games):
    steps = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.legal_actions()[-1])
            else:
                state.apply_actions([state.legal_actions(0)[0], state.legal_actions(1)[-1]])
            steps += 1
    return steps


def test_python_steps(rate):
    game = cardgods.load_game("encan", "goofspiel")
    assert rate(lambda: play_step_by_step(game, 1000), 26_000) == 26_000


def test_clone(rate):
    state = cardgods.load_game("encan").new_initial_state()

    def clones():
        for _ in range(100_000):
            copy = state.clone()
        return copy

    assert rate(clones, 100_000) == state


def test_bounded_draws(rate):
    def draws():
        rng = cardgods.Random(1)
        return sum(rng.below(13) for _ in range(100_000))

    assert rate(draws, 100_000) == 597_940
