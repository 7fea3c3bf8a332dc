"""Perft: the number of action sequences of each length, from the start of a member of each game.

A file tests/perft/<game>.perft has blocks of a line `game VARIANT [option=value ...]` and lines
`perft DEPTH COUNT`; `#` begins a comment, which says where the counts come from. Sealed decisions and
chance outcomes are plies like any other.
"""

import threading

import pytest

import cardgods
from cardgods._core.walk import Cancel
from cardgods._core.walk import perft as core_perft
from cardgods.game import game_class
from cardgods.options import parse_option
from cardgods.walk import divide, perft
from conftest import GAMES, TESTS, reference

MODEL_LIMIT = 20_000


def cases():
    for name in GAMES:
        game = None
        for line in (TESTS / "perft" / f"{name}.perft").read_text().splitlines():
            words = line.partition("#")[0].split()
            if words[:1] == ["game"]:
                changes = dict(word.split("=", 1) for word in words[2:])
                options = game_class(name).presets[words[1]].__class__
                game = cardgods.load_game(
                    name, words[1], **{k: parse_option(options, k, v) for k, v in changes.items()}
                )
            elif words[:1] == ["perft"]:
                yield pytest.param(game, int(words[1]), int(words[2]), id=f"{game}-{words[1]}")
            else:
                assert not words, line


def model_perft(module, options, actions, depth):
    model = module.Model(options)
    for action in actions:
        model.apply(action)
    legal = model.legal()
    if depth <= 1:
        return len(legal) if depth else 1
    return sum(model_perft(module, options, [*actions, a], depth - 1) for a in legal)


@pytest.mark.parametrize(("game", "depth", "count"), list(cases()))
def test_counts(game, depth, count):
    state = game.new_initial_state(turn_based=True)
    assert perft(state, depth) == count
    assert perft(game.new_initial_state(), depth, threads=2) == count
    if count <= MODEL_LIMIT:
        options = {k: tuple(v) if isinstance(v, list) else v for k, v in game.parameters().items()}
        assert model_perft(reference(game.name), options, [], depth) == count


def test_divide_splits_the_count(name):
    state = cardgods.load_game(name).new_initial_state(turn_based=True)
    parts = divide(state, 2)
    assert sorted(parts) == state.legal_actions()
    assert all(count == perft(state.child(action), 1) for action, count in parts.items())


def test_depth_zero_is_one_sequence(name):
    assert perft(cardgods.load_game(name).new_initial_state(turn_based=True), 0) == 1


@pytest.mark.parametrize("depth", [-1, 1001, 2**31, 10**30, 1.5, "2", None, True], ids=repr)
def test_depths_that_no_walk_has_are_refused(name, depth):
    state = cardgods.load_game(name).new_initial_state()
    for count in (perft, divide):
        with pytest.raises(cardgods.ParameterError, match=r"depth .* is not from [01] to 1000"):
            count(state, depth)


def test_the_longest_walk_has_stack_enough():
    # the first way down is as deep as a walk can be; it is reached at once, all the others never
    state = cardgods.load_game("commerce", players=12, deals=100).new_initial_state()
    cancel = Cancel()
    threading.Timer(0.05, cancel.set).start()
    core_perft(state, 1000, cancel)
    assert cancel.is_set()
