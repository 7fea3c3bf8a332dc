"""Bulk random play: the same result for any number of threads, and the same game as step by step."""

import signal
import threading
import time

import pytest

import cardgods
from cardgods._core import walk as core
from cardgods._core.walk import Cancel
from cardgods.walk import SHARD, perft, playouts
from cardgods.work import run
from conftest import games_with, label


def test_threads_do_not_change_the_result(name):
    state = cardgods.load_game(name).new_initial_state()
    games = SHARD + 17
    assert playouts(state, games, seed=3, threads=1) == playouts(state, games, seed=3, threads=2)
    assert playouts(state, 50, seed=3) != playouts(state, 50, seed=4)


@pytest.mark.parametrize(("name", "options"), games_with(), ids=label)
def test_the_fast_walk_plays_the_same_game_as_the_generic_one(name, options):
    """Means of length and returns agree within five standard errors."""
    state = cardgods.load_game(name, **options).new_initial_state()
    games = 20_000
    fast = core.playouts(state, games, cardgods.Random("fast"), Cancel())
    slow = core.playouts(state, games, cardgods.Random("slow"), Cancel(), generic=True)
    assert fast[0] / games == pytest.approx(slow[0] / games, rel=0.02)
    span = state.game.max_utility() - state.game.min_utility()
    for a, b in zip(fast[1], slow[1], strict=True):
        assert abs(a - b) / games < 5 * span / games**0.5


def test_playouts_begin_where_the_state_stands(name):
    rng = cardgods.Random(8)
    state = cardgods.load_game(name).new_initial_state(turn_based=True)
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(rng.choice(legal))
    result = playouts(state, 10)
    assert result.actions == 0
    assert result.returns == pytest.approx(state.returns())


def test_no_games_are_refused(name):
    with pytest.raises(cardgods.ParameterError, match="0 games: at least one is needed"):
        playouts(cardgods.load_game(name).new_initial_state(), 0)


def test_ctrl_c_ends_a_long_walk_soon():
    state = cardgods.load_game("encan").new_initial_state()
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        perft(state, 30)
    # generous: what matters is that it does not run to the end, which takes years
    assert time.monotonic() - begin < 30


def test_an_error_in_a_task_ends_the_others_and_is_raised():
    def task(item, cancel):
        if item == 3:
            raise ZeroDivisionError
        return item

    with pytest.raises(ZeroDivisionError):
        run(task, range(100), threads=2)


def test_results_keep_the_order_of_the_items():
    done = []
    assert run(lambda item, cancel: item * item, range(50), 2, done.append) == [i * i for i in range(50)]
    assert done == list(range(1, 51))


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, True], ids=repr)
def test_a_number_of_threads_that_is_none_is_refused(threads):
    state = cardgods.load_game("encan").new_initial_state()
    with pytest.raises(cardgods.ParameterError, match="at least one is needed"):
        run(lambda item, cancel: item, range(3), threads)
    with pytest.raises(cardgods.ParameterError, match="at least one is needed"):
        perft(state, 2, threads)
    with pytest.raises(cardgods.ParameterError, match="at least one is needed"):
        playouts(state, 10, threads=threads)


@pytest.mark.parametrize("games", [0, -1, 1.5, "2", None], ids=repr)
def test_a_number_of_games_that_is_none_is_refused(games):
    with pytest.raises(cardgods.ParameterError, match="at least one is needed"):
        playouts(cardgods.load_game("encan").new_initial_state(), games)


def test_more_games_than_memory_holds_can_be_begun_and_interrupted(monkeypatch):
    class Enough(BaseException):
        pass

    def few(task, shards, threads):
        assert next(iter(shards)) == (0, 8192)
        raise Enough

    monkeypatch.setattr("cardgods.walk.run", few)
    with pytest.raises(Enough):
        playouts(cardgods.load_game("encan").new_initial_state(), 10**18)
