"""Every game is played in lock-step with its reference model, and walked through whole where it is small."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardgods
from conftest import games_with, label, reference, small_games

GAMES_PER_VARIANT = 150


def compare(state, model):
    actor = model.actor()
    assert state.current_player() == actor
    assert state.legal_actions() == model.legal()
    if actor == -1:
        weights = model.weights()
        assert state.chance_outcomes() == [
            (a, w / sum(weights)) for a, w in zip(model.legal(), weights, strict=True)
        ]
    else:
        assert state.chance_outcomes() == []
    assert state.returns() == pytest.approx(model.returns(), abs=1e-12)
    view = state.view()
    for key, value in model.view().items():
        assert view[key] == value, key


def lock_step(name, options, choose):
    state = cardgods.load_game(name, **options).new_initial_state(turn_based=True)
    model = reference(name).Model(options)
    compare(state, model)
    while not state.is_terminal():
        action = choose(state)
        state.apply_action(action)
        model.apply(action)
        compare(state, model)
    return state


@pytest.mark.parametrize(("name", "options"), games_with(), ids=label)
def test_random_games_agree(name, options, rng):
    def choose(state):
        if state.is_chance_node():
            return state.sample_chance(rng)
        return rng.choice(state.legal_actions())

    for _ in range(getattr(reference(name), "GAMES", GAMES_PER_VARIANT)):
        lock_step(name, options, choose)


@pytest.mark.parametrize(("name", "options"), games_with(), ids=label)
def test_games_of_any_choices_agree(name, options):
    @given(st.data())
    def check(data):
        # a short list of numbers, used again and again, reaches lopsided games that random play does not
        numbers = data.draw(st.lists(st.integers(0, 10_000), min_size=1, max_size=40))
        at = iter(range(10**9))

        def choose(state):
            actions = state.legal_actions()
            return actions[numbers[next(at) % len(numbers)] % len(actions)]

        lock_step(name, options, choose)

    check()


@pytest.mark.parametrize(("name", "options"), small_games(), ids=label)
def test_information_states_tell_apart_exactly_what_a_player_can(name, options):
    """Over the whole tree: one information state for each thing that the model says a player knows."""
    module = reference(name)
    players = range(cardgods.load_game(name, **options).num_players())
    known = [{} for _ in players]
    states = [{} for _ in players]
    nodes = 0

    def walk(state, actions):
        nonlocal nodes
        nodes += 1
        model = module.Model(options)
        for action in actions:
            model.apply(action)
        for p in players:
            key, fact = state.information_state(p), model.knowledge[p]
            assert known[p].setdefault(key, fact) == fact
            assert states[p].setdefault(fact, key) == key
        if nodes < module.__dict__.get("SMALL_NODES", 3000):
            for action in state.legal_actions():
                walk(state.child(action), [*actions, action])

    walk(cardgods.load_game(name, **options).new_initial_state(turn_based=True), [])
    assert nodes > 50
