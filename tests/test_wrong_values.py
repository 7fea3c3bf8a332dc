"""Wrong values from Python, in every game: an error of ours that names them, and no crash."""

import msgpack
import pytest

import cardgods
from cardgods import Random
from cardgods.errors import shown

WRONG_NUMBERS = [None, "0", 0.0, 0.5, b"0", [0], int, object()]
HUGE = 10**5000


@pytest.fixture
def state(name):
    return cardgods.load_game(name).new_initial_state()


def sealed():
    game = cardgods.load_game("encan", "express")
    state = game.new_initial_state()
    state.apply_action(0)
    return state


@pytest.mark.parametrize("wrong", [*WRONG_NUMBERS, HUGE, -HUGE], ids=lambda value: type(value).__name__)
def test_an_action_that_is_no_number_is_refused(state, wrong):
    before = state.serialize()
    for attempt in (state.apply_action, state.child, state.action_to_string):
        with pytest.raises(cardgods.CardgodsError):
            attempt(wrong)
    assert state.serialize() == before


@pytest.mark.parametrize("beyond", [-1, -52, -1000, 10**4, 2**40])
def test_no_words_are_made_up_for_an_action_that_does_not_exist(state, name, beyond):
    rng = Random(f"beyond {name}")
    while len(state) < 20 and not state.is_terminal():
        with pytest.raises(cardgods.CardgodsError):
            state.action_to_string(beyond)
        state.apply_action(state.sample_chance(rng)) if state.is_chance_node() else _move(state, rng)


@pytest.mark.parametrize("wrong", [*WRONG_NUMBERS[1:], HUGE, 32, -3], ids=lambda value: type(value).__name__)
def test_a_player_that_does_not_exist_is_refused(state, wrong):
    for attempt in (state.information_state, state.observation, state.view):
        with pytest.raises(cardgods.IllegalActionError):
            attempt(wrong)
    with pytest.raises(cardgods.IllegalActionError):
        state.resample(wrong, Random(1))


@pytest.mark.parametrize("player", [2, 32, 33, 64, 10**30, HUGE, -1, -32], ids=shown)
def test_who_does_not_act_at_a_sealed_decision_has_no_actions(player):
    assert sealed().legal_actions(player) == []


@pytest.mark.parametrize("player", WRONG_NUMBERS[1:], ids=lambda value: type(value).__name__)
def test_legal_actions_are_those_of_a_number(player):
    with pytest.raises(cardgods.IllegalActionError, match="a player is an integer"):
        sealed().legal_actions(player)


@pytest.mark.parametrize(
    "wrong",
    [None, 5, "01", {0: 1, 1: 2}, {0, 1}, (x for x in (0, 1)), [0], [0, 1, 2], [0, HUGE], [0, None]],
    ids=lambda value: type(value).__name__,
)
def test_a_joint_move_is_a_sequence_by_player(wrong):
    state = sealed()
    with pytest.raises(cardgods.IllegalActionError):
        state.apply_actions(wrong)
    assert state == sealed()


def test_an_action_is_read_once():
    class Fickle:
        """0 when it is looked at first, far outside of every hand afterwards."""

        asked = 0

        def __index__(self):
            self.asked += 1
            return 0 if self.asked == 1 else 1000

    state = cardgods.load_game("encan", "express").new_initial_state()
    state.apply_action(Fickle())
    state.apply_actions([Fickle(), Fickle()])
    assert state.history() == [0, 0, 0]


def test_none_in_place_of_an_object_is_refused(state):
    with pytest.raises(TypeError):
        state.resample(0, None)
    with pytest.raises(TypeError):
        state.sample_chance(None)
    with pytest.raises(TypeError):
        type(state)(state.game, None)


@pytest.mark.parametrize("lang", ["de", "", None, [], 3], ids=repr)
def test_an_unknown_language_is_refused(state, lang):
    action = state.legal_actions()[0]
    with pytest.raises(cardgods.ParameterError, match="languages are en, fr"):
        state.action_to_string(action, lang)
    with pytest.raises(cardgods.ParameterError, match="languages are en, fr"):
        state.string_to_action("7", lang)


@pytest.mark.parametrize("text", [None, 7, b"7", ["7"]], ids=repr)
def test_a_move_is_told_by_a_text(state, text):
    with pytest.raises(cardgods.ActionTextError):
        state.string_to_action(text)


@pytest.mark.parametrize(
    "wrong",
    [HUGE, range(10**12), range(2**70), float("nan"), [], {}, "\x1b[2J", object()],
    ids=lambda value: type(value).__name__,
)
def test_options_of_every_wrong_kind_are_refused_at_once(name, wrong):
    for option in cardgods.load_game(name).parameters():
        with pytest.raises(cardgods.ParameterError) as caught:
            cardgods.load_game(name, **{option: wrong})
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("wrong", [[], 3, "no such", {}, HUGE], ids=lambda value: type(value).__name__)
def test_unknown_names_are_refused(name, wrong):
    with pytest.raises(cardgods.ParameterError, match="variants are"):
        cardgods.load_game(name, wrong)
    with pytest.raises(cardgods.ParameterError, match="games are"):
        cardgods.load_game(wrong)


@pytest.mark.parametrize("wrong", [None, "text", 5, [1]], ids=repr)
def test_a_state_comes_from_bytes(wrong):
    with pytest.raises(cardgods.ParameterError):
        cardgods.deserialize_state(wrong)


def _with(state, place, value):
    body = msgpack.unpackb(state.serialize())
    body[place] = value
    return msgpack.packb(body)


ODD = [None, True, -1, 2**63, 1.5, "x", b"x", [], [[]], [None], ["0"], {}, {"a": 1}, {"hands": 1}]


@pytest.mark.parametrize("place", range(7))
@pytest.mark.parametrize("value", ODD, ids=repr)
def test_bytes_with_an_odd_part_are_a_state_or_an_error_of_ours(state, place, value):
    try:
        again = cardgods.deserialize_state(_with(state, place, value))
    except cardgods.CardgodsError:
        return
    assert again.game.name == state.game.name
    assert again.history() == []


def test_mutated_bytes_are_a_state_or_an_error_of_ours(name):
    rng = Random(f"mutate {name}")
    state = cardgods.load_game(name).new_initial_state()
    while len(state) < 12 and not state.is_terminal():
        state.apply_action(state.sample_chance(rng)) if state.is_chance_node() else _move(state, rng)
    whole = state.serialize()
    read = 0
    for _ in range(1500):
        data = bytearray(whole)
        for _ in range(1 + rng.below(3)):
            data[rng.below(len(data))] = rng.below(256)
        try:
            cardgods.deserialize_state(bytes(data)).serialize()
            read += 1
        except cardgods.CardgodsError:
            continue
    assert 0 < read < 1500


def _move(state, rng):
    if state.is_simultaneous_node():
        state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(2)])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def test_any_value_can_be_shown():
    class Mute:
        def __repr__(self):
            raise RuntimeError

    assert shown(Mute()) == "a value of type Mute"
    assert shown(HUGE) == "a value of type int"
    assert shown("x" * 100) == f"{'x' * 100!r}"[:60] + "..."
