"""Views: what one seat has seen and nothing else, the same for all games that the seat cannot tell apart."""

import dataclasses
import json

import msgpack
import pytest
from logcraft import bodies_of, chance, dealt, end, forge, logged, move, records_of, seats_for

import cardgods
from cardgods.errors import ParameterError
from cardgods.log import (
    CorruptLogError,
    Cut,
    End,
    IllegalLogError,
    LogBuffer,
    Seat,
    Seen,
    UnsupportedLogError,
    ViewOf,
    codec,
    derive,
    make_header,
    parse_log,
    record_of,
    to_json,
    verify,
)
from cardgods.log.views import SPECTATOR, positions, public
from conftest import games_with, label, random_states

EXPRESS = cardgods.load_game("encan", variant="express")
SECRET = bytes(range(32))


def some_states(game, rng, count=5):
    """A few positions along one random game, where some seat is in the dark if it can be, and the end."""
    states = [state.clone() for state in random_states(game, rng)]
    seats = range(game.num_players())
    dark = [s for s in states if any(s.resample(seat, rng).history() != s.history() for seat in seats)]
    return [*(dark or states)[:: max(1, len(dark or states) // count)], states[-1]]


@pytest.mark.parametrize(("name", "options"), games_with(), ids=label)
def test_a_view_depends_on_nothing_that_its_seat_may_not_know(name, options, rng):
    """What is hidden from the seat is drawn anew; its view and a spectator's stay the same bytes."""
    game = cardgods.load_game(name, **options)
    for state in some_states(game, rng):
        whole = parse_log(logged(state, seed=1))
        spectator = derive(whole, SPECTATOR)
        for seat in range(game.num_players()):
            view = derive(whole, seat)
            for _ in range(2):
                world = parse_log(logged(state.resample(seat, rng), seed=1))
                assert derive(world, seat) == view
                assert derive(world, SPECTATOR) == spectator


def test_the_worlds_of_the_last_test_differ(name, rng):
    """Else it would show nothing."""
    game = cardgods.load_game(name)
    seats = range(game.num_players())
    states = random_states(game, rng)
    assert any(s.resample(seat, rng).history() != s.history() for s in states for seat in seats)


@pytest.mark.parametrize(("name", "options"), games_with(), ids=label)
def test_a_view_tells_all_that_its_seat_has_seen(name, options, rng):
    game = cardgods.load_game(name, **options)
    *_, state = random_states(game, rng)
    for seat in range(game.num_players()):
        view = parse_log(derive(parse_log(logged(state)), seat))
        follow = game.new_initial_state(turn_based=True)
        seen = list(positions(view))
        assert seen[-1][0] == End(seen[-1][0].reason, tuple(state.returns()))
        assert [record.actor for record, _ in seen[1:-1]] == [actor for actor, _ in state.full_history()]
        assert b"".join(record.learnt for record, _ in seen[1:-1]) == state.information_state(seat)
        for number, (_, now) in enumerate(seen[:-1]):
            assert plain(now) == plain(follow.view(seat))
            if number < len(state):
                follow.apply_action(state.history()[number])


def plain(value):
    """A value without the difference between tuples and lists."""
    return json.loads(json.dumps(value))


def test_events_are_the_pieces_of_the_information_state(name, rng):
    for state in some_states(cardgods.load_game(name), rng):
        for player in range(state.num_players()):
            pieces = state.events(player)
            assert len(pieces) == len(state)
            assert b"".join(pieces) == state.information_state(player)
        with pytest.raises(cardgods.IllegalActionError):
            state.events(state.num_players())


def fair_log(agents=("random", "random:seed=3"), **fields):
    """A whole game of express under a committed deal, with seats that have seeds."""
    seats = [Seat(f"seat {place}", "agent", agent, place + 40) for place, agent in enumerate(agents)]
    header = make_header(EXPRESS, seats, secret=SECRET, cuts=(1,), **fields)
    log = LogBuffer(header, SECRET)
    log.cut(1, b"word")
    dealt(EXPRESS, log)
    return log.getvalue()


def test_a_view_has_no_seed_no_secret_and_no_free_field():
    data = fair_log(free={"_note": "the answer"})
    for seat in (0, 1, SPECTATOR):
        view = derive(parse_log(data), seat)
        log = parse_log(view)
        assert SECRET not in view
        assert b"the answer" not in view
        assert [(s.agent, s.seed) for s in log.header.seats] == [("random", None)] * 2
        assert log.header.seed is None
        assert log.header.deal == parse_log(data).header.deal
        assert log.records[0] == Cut(1, b"word")
        assert log.header.must == ("view",)
    seeded = parse_log(logged(EXPRESS.new_initial_state(True), seed=42))
    assert parse_log(derive(seeded, 0)).header.seed is None


def test_hidden_options_are_not_in_a_view(monkeypatch):
    """As if the target were a rule that the players have to find: two targets, one view until it shows."""
    views = set()
    monkeypatch.setattr(type(EXPRESS), "secret_parameters", lambda game: {"obole": game.options.obole})
    for obole in (False, True):
        game = cardgods.load_game("encan", variant="express", obole=obole)
        log = parse_log(logged(game.new_initial_state(turn_based=True), secret=SECRET))
        header = public(log.header, game)
        assert "obole" not in header.options
        assert header.digest == ""
        view = parse_log(derive(log, 0))
        views.add((tuple(view.header.options), view.header.digest, view.header.view.source))
        assert str(game) == "encan(express)" if not obole else "obole" not in str(game)
    assert len({view[:2] for view in views}) == 1
    # The sources differ by the commitment alone, which is salted with the secret.
    assert len(views) == 2


def test_all_views_of_a_game_name_the_same_source_and_those_of_another_do_not():
    log = parse_log(fair_log())
    views = [parse_log(derive(log, seat)).header.view for seat in (0, 1, SPECTATOR)]
    assert [view.seat for view in views] == [0, 1, None]
    assert len({view.source for view in views}) == 1
    other = parse_log(logged(EXPRESS.new_initial_state(True), secret=bytes(32)))
    assert parse_log(derive(other, 0)).header.view.source != views[0].source


def test_the_source_of_a_public_header_is_its_own_tag():
    """Where a header has nothing to hide, a view names the very tag of the game's header."""
    data = logged(EXPRESS.new_initial_state(True), secret=SECRET)
    header_tag = records_of(data)[0][-16:]
    assert parse_log(derive(parse_log(data), 0)).header.view.source == header_tag


def test_the_view_of_a_beginning_is_the_beginning_of_the_view():
    data = fair_log()
    log = parse_log(data)
    for seat in (0, SPECTATOR):
        whole = derive(log, seat)
        for offset in log.offsets[3:-1:4]:
            assert whole.startswith(derive(parse_log(data[:offset]), seat))


def test_a_spectator_learns_nothing_but_positions():
    view = parse_log(derive(parse_log(fair_log()), SPECTATOR))
    assert {record.learnt for record in view.records if isinstance(record, Seen)} == {None}


def test_no_view_of_a_seat_that_is_not_there():
    log = parse_log(fair_log())
    for seat in (2, -2, 99):
        with pytest.raises(ParameterError, match=r"seats are 0\.\.1"):
            derive(log, seat)


def test_no_view_of_a_game_against_the_rules_or_of_a_view():
    with pytest.raises(IllegalLogError):
        derive(parse_log(forge(move(0, 1))), 0)
    view = parse_log(derive(parse_log(fair_log()), 0))
    for attempt in (lambda: derive(view, 0), lambda: verify(view)):
        with pytest.raises(UnsupportedLogError, match="it is a view") as caught:
            attempt()
        assert caught.value.exit_code == 5


def test_a_view_in_json_is_plain():
    view = parse_log(derive(parse_log(fair_log()), 0))
    row = record_of(view)
    assert row["view_of"] == {"of": view.header.view.source.hex(), "seat": 0}
    assert row["records"][1][0] == "seen"
    assert json.loads(to_json(view)) == row


# Forged views ---------------------------------------------------------------------------------------------


def forged(*bodies, **changes):
    fields = msgpack.unpackb(msgpack.unpackb(records_of(derive(parse_log(fair_log()), 0))[0])[2])
    return forge(*bodies, header_body=msgpack.packb(dict(sorted({**fields, **changes}.items()))))


def seen(actor, learnt=b"", changes=None):
    return codec.SEEN, msgpack.packb([actor, learnt, changes if changes is not None else {"a": 1}])


def test_a_view_has_its_own_order():
    start = seen(None, None)
    good = forged((codec.CUT, msgpack.packb([1, b""])), start, seen(-1), (100, b"later"), seen(0), end())
    assert [type(record) for record, _ in positions(parse_log(good))] == [Seen, Seen, Seen, End]
    for bodies in (
        [seen(0)],
        [start, start],
        [start, seen(0), start],
        [start, (codec.CUT, msgpack.packb([1, b""]))],
        [start, move(0, 1)],
        [move(0, 1)],
        [start, chance(1)],
        [start, (codec.SECRET, msgpack.packb(SECRET))],
        [end()],
    ):
        with pytest.raises(IllegalLogError, match="has no place in a view"):
            list(positions(parse_log(forged(*bodies))))


@pytest.mark.parametrize(
    "body",
    [
        [0, b""],
        [0, b"", {}, 0],
        [True, b"", {}],
        [-2, b"", {}],
        [12, b"", {}],
        ["x", b"", {}],
        [0, "text", {}],
        [0, bytes(1025), {}],
        [0, b"", []],
        [0, b"", None],
        {},
    ],
)
def test_a_record_of_another_form_is_refused(body):
    with pytest.raises(CorruptLogError):
        parse_log(forged((codec.SEEN, msgpack.packb(body))))


@pytest.mark.parametrize(
    "changes",
    [
        {"must": []},
        {"view": None},
        {"view": {"of": bytes(15), "seat": 0}},
        {"view": {"of": bytes(16), "seat": 12}},
        {"view": {"of": bytes(16), "seat": True}},
        {"view": {"of": bytes(16)}},
        {"view": {"of": bytes(16), "seat": 0, "z": 0}},
    ],
)
def test_a_header_that_is_half_a_view_is_refused(changes):
    with pytest.raises(CorruptLogError):
        parse_log(forged(**changes))


def test_a_game_in_the_dress_of_a_view_is_none():
    """The records of a game under a view's header, and those of a view under a game's."""
    data = fair_log()
    with pytest.raises(IllegalLogError):
        list(positions(parse_log(forged(*bodies_of(data)))))
    view = derive(parse_log(data), 0)
    first = msgpack.unpackb(records_of(data)[0])[2]
    with pytest.raises(IllegalLogError):
        verify(forge(*bodies_of(view), header_body=first))


def test_a_view_of_needs_its_form():
    for source, seat in ((bytes(15), 0), (bytes(16), 12), (bytes(16), -1), ("x", 0), (bytes(16), "0")):
        with pytest.raises(ParameterError):
            ViewOf(source, seat)
    header = make_header(EXPRESS, seats_for(EXPRESS))
    for changes in ({"view": ViewOf(bytes(16), 0)}, {"must": ("view",)}):
        with pytest.raises(ParameterError, match="a view, and nothing else"):
            dataclasses.replace(header, **changes)
