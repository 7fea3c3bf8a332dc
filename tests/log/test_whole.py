"""Logs in one go are those that were written record by record."""

import pytest

from cardgods import Random, load_game
from cardgods.errors import ParameterError
from cardgods.log import End, LogBuffer, Seat, make_header
from cardgods.log.whole import whole_log
from cardgods.play import play
from conftest import GAMES


class Uniform:
    def choose(self, state, player, rng):
        return rng.choice(state.legal_actions(player))


@pytest.mark.parametrize("name", GAMES)
def test_it_is_the_log_that_grew(name):
    game = load_game(name)
    header = make_header(game, [Seat("x", "agent")] * game.num_players(), seed=3)
    buffer = LogBuffer(header)
    state = game.new_initial_state(turn_based=True)
    play(state, [Uniform()] * game.num_players(), Random(3), buffer)
    events = state.full_history()
    assert len(events) > 10
    end = End(str(state.view().get("end_reason") or "finished"), tuple(state.returns()))
    assert whole_log(header, events, end) == buffer.getvalue()
    half = LogBuffer(header)
    for event in events[: len(events) // 2]:
        half.append(*event)
    assert whole_log(header, events[: len(events) // 2], None) == half.getvalue()
    assert whole_log(header, [], None) == LogBuffer(header).getvalue()


def test_a_committed_deal_has_no_whole_log():
    game = load_game("encan")
    header = make_header(game, [Seat("x", "agent")] * 2, secret=b"s" * 32)
    with pytest.raises(ParameterError):
        whole_log(header, [], None)


def test_what_no_log_can_hold_is_refused():
    header = make_header(load_game("encan"), [Seat("x", "agent")] * 2, seed=1)
    for event in ((0, -1), (12, 0), (-1, 2**31)):
        with pytest.raises(ParameterError):
            whole_log(header, [event], None)
