"""Laws that every state of every game keeps."""

import copy
import hashlib
import json
import pickle

import pytest

import cardgods
from cardgods.options import option_fields
from conftest import games_with, label, random_states, step

pytestmark = pytest.mark.parametrize(("name", "options"), games_with(), ids=label)


@pytest.fixture(params=[False, True], ids=["simultaneous", "turn_based"])
def turn_based(request):
    return request.param


@pytest.fixture
def game(name, options):
    return cardgods.load_game(name, **options)


def test_every_state_keeps_the_laws(game, rng, turn_based):
    for _ in range(3):
        for state in random_states(game, rng, turn_based):
            check_actions(state)
            check_chance(state)
            check_copies(state)
            check_reading(state)
            assert len(state) <= game.max_game_length()
        returns = state.returns()
        assert all(game.min_utility() <= r <= game.max_utility() for r in returns)
        if game.utility_sum() is not None:
            assert sum(returns) == pytest.approx(game.utility_sum())


def check_actions(state):
    actor = state.current_player()
    for player in range(state.num_players()):
        actions = state.legal_actions(player)
        assert actions == sorted(set(actions))
        assert all(0 <= a < state.game.num_distinct_actions() for a in actions)
        assert bool(actions) == (actor == player) or actor == -2
    if actor == -2:
        assert sum(bool(state.legal_actions(p)) for p in range(state.num_players())) >= 2
        with pytest.raises(cardgods.IllegalActionError):
            state.legal_actions()
        with pytest.raises(cardgods.IllegalActionError):
            state.apply_action(0)
    elif actor == -4:
        assert state.is_terminal()
        assert state.legal_actions() == []
    else:
        assert state.legal_actions()
        with pytest.raises(cardgods.IllegalActionError):
            state.apply_actions([0, 0])
    check_refusals(state)


def check_refusals(state):
    before = state.serialize(), [state.observation(p) for p in range(state.num_players())]
    legal = set() if state.is_simultaneous_node() else set(state.legal_actions())
    for action in (-1, state.game.num_distinct_actions() + 1000, 2**40, None, "x", 0.5):
        if action in legal:
            continue
        with pytest.raises(cardgods.IllegalActionError):
            state.apply_action(action)
    for player in (-3, state.num_players()):
        with pytest.raises(cardgods.IllegalActionError):
            state.information_state(player)
    after = state.serialize(), [state.observation(p) for p in range(state.num_players())]
    assert before == after


def check_chance(state):
    outcomes = state.chance_outcomes()
    assert bool(outcomes) == state.is_chance_node()
    if outcomes:
        assert sum(p for _, p in outcomes) == pytest.approx(1.0)
        assert all(p > 0 for _, p in outcomes)
        assert [a for a, _ in outcomes] == state.legal_actions()
    else:
        with pytest.raises(cardgods.IllegalActionError):
            state.sample_chance(cardgods.Random(1))


def check_copies(state):
    data = state.serialize()
    copies = [
        state.clone(),
        copy.copy(state),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        cardgods.deserialize_state(data),
        state.game.deserialize_state(data),
    ]
    for other in copies:
        assert other == state
        assert other.view() == state.view()
        assert other.history() == state.history()
        assert other.current_player() == state.current_player()
        assert other.turn_based == state.turn_based
    if not state.is_terminal():
        step(copies[-1], cardgods.Random(5))
        assert state.serialize() == data


def check_reading(state):
    """Asking changes nothing, every method answers at every node, histories add up."""
    before = state.serialize()
    str(state), repr(state), state.rewards(), state.full_history(), state.view(-1)
    for player in range(state.num_players()):
        state.view(player), state.observation(player), state.information_state(player)
    assert state.serialize() == before
    assert [a for _, a in state.full_history()] == state.history()


def test_rewards_add_up_to_returns(game, rng, turn_based):
    states = random_states(game, rng, turn_based)
    total = next(states).returns()
    for state in states:
        total = [t + r for t, r in zip(total, state.rewards(), strict=True)]
        assert total == pytest.approx(state.returns())


def test_undo_steps_back_through_the_whole_game(game, rng, turn_based):
    seen = [state.serialize() for state in random_states(game, rng, turn_based)]
    state = cardgods.deserialize_state(seen[-1])
    for expected in reversed(seen[:-1]):
        state.undo()
        assert state.serialize() == expected
    with pytest.raises(cardgods.IllegalActionError):
        state.undo()


def test_both_modes_have_the_same_history(game, rng):
    *_, state = random_states(game, rng, turn_based=False)
    turns = game.new_initial_state(turn_based=True)
    for action in state.history():
        assert not turns.is_simultaneous_node()
        turns.apply_action(action)
    assert turns.is_terminal()
    assert turns.returns() == state.returns()
    assert turns.view() == state.view()


def test_resampling_keeps_what_the_player_knows(game, rng, turn_based):
    for state in random_states(game, rng, turn_based):
        for player in range(state.num_players()):
            world = state.resample(player, rng)
            assert world.information_state(player) == state.information_state(player)
            assert world.observation(player) == state.observation(player)
            assert world.view(player) == state.view(player)
            assert world.current_player() == state.current_player()
            if state.current_player() == player:
                assert world.legal_actions(player) == state.legal_actions(player)
            assert len(world) == len(state)
            assert cardgods.deserialize_state(world.serialize()) == world


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_action_reads_back_from_its_words(game, rng, lang):
    for state in random_states(game, rng):
        if not state.is_terminal():
            words = [state.action_to_string(a, lang) for a in state.legal_actions()]
            assert len(set(words)) == len(words)
            for action, word in zip(state.legal_actions(), words, strict=True):
                assert state.string_to_action(word, lang) == action
                assert state.string_to_action(f"  {word.upper()} ", lang) == action
            with pytest.raises(cardgods.ActionTextError):
                state.string_to_action("no such thing", lang)


def test_two_games_at_once_do_not_touch_each_other(game):
    alone = [s.serialize() for s in random_states(game, cardgods.Random("a"))]
    first = random_states(game, cardgods.Random("a"))
    second = random_states(game, cardgods.Random("b"))
    mixed = []
    for state in first:
        mixed.append(state.serialize())
        next(second, None)
    assert mixed == alone


def test_options_make_the_digest(game):
    again = cardgods.load_game(game.name, **{k: _hashable(v) for k, v in game.parameters().items()})
    assert again == game
    assert hash(again) == hash(game)
    assert again.ruleset_digest() == game.ruleset_digest()


def test_the_digest_names_what_differs_from_the_default(game):
    """An option at its default does not count, so a game can gain one without new digests for old rules."""
    fields = option_fields(type(game.options))
    changed = {
        key: value
        for key, value in game.parameters().items()
        if _hashable(value) != _hashable(fields[key].default)
    }
    text = json.dumps([game.name, game.rules_version, changed], sort_keys=True)
    assert game.ruleset_digest() == hashlib.sha256(text.encode()).hexdigest()
    assert cardgods.load_game(game.name, **{k: _hashable(v) for k, v in changed.items()}) == game


def _hashable(value):
    return tuple(value) if isinstance(value, list) else value
