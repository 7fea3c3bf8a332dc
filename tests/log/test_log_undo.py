"""Taking back: the log keeps what was, and replays to what stands; luck does not change, nobody sees more."""

import itertools

import msgpack
import pytest
from logcraft import (
    Waverer,
    bodies_of,
    end,
    fair_game,
    forge,
    games,
    move,
    records_of,
    reforged,
    refused,
    seats_for,
    undone_game,
)

import cardgods
from cardgods.agents import make_agent
from cardgods.errors import AgentError, ParameterError
from cardgods.log import (
    ChanceOutcome,
    CorruptLogError,
    IllegalLogError,
    LogBuffer,
    LogWriter,
    Move,
    Seen,
    Undo,
    codec,
    derive,
    make_header,
    parse_log,
    record_of,
    replay,
    standing,
    verify_bytes,
)
from cardgods.log.reader import parser
from cardgods.log.records import history
from cardgods.log.verify import _quickly, _verify_log
from cardgods.log.views import SPECTATOR, positions
from cardgods.play import TakeBack, play, since_last_decision

SECRET = bytes(32)
EXPRESS = cardgods.load_game("encan", variant="express")
GAMES = {str(game): game for game in games()}


LOGS = {key: undone_game(game) for key, game in GAMES.items()}


@pytest.mark.parametrize("key", GAMES)
def test_a_game_that_was_taken_back_and_played_again_is_the_direct_game(key):
    """Replay after an undo gives the direct game: cards and agents' draws are the same ones again."""
    data, plain = parse_log(LOGS[key]), parse_log(fair_game(GAMES[key]))
    undos = [record for record in data.records if isinstance(record, Undo)]
    assert len(undos) >= 1 + (len(plain.records) > 20)
    assert len(data.records) == len(plain.records) + len(undos) + sum(undo.events for undo in undos)
    assert standing(data.records) == standing(plain.records)
    assert data.end == plain.end
    found = verify_bytes(LOGS[key])
    assert found.complete
    assert found.state == verify_bytes(fair_game(GAMES[key])).state
    assert found.state.history() == history(data.records)


@pytest.mark.parametrize("key", GAMES)
def test_replay_shows_what_was_and_where_it_led_back(key):
    log = parse_log(LOGS[key])
    follow = GAMES[key].new_initial_state(turn_based=True)
    steps = replay(log)
    next(steps)
    for record, state in steps:
        if isinstance(record, Move | ChanceOutcome):
            follow.apply_action(record.action if isinstance(record, Move) else record.outcome)
        elif isinstance(record, Undo):
            for _ in range(record.events):
                follow.undo()
        assert state == follow


@pytest.mark.parametrize("key", GAMES)
def test_both_ways_through_a_log_agree_on_undos_from_every_beginning(key):
    data = LOGS[key]
    offsets = parse_log(data).offsets
    for offset in offsets[1 :: max(1, len(offsets) // 40)]:
        part = data[:offset]
        quick, careful = _quickly(parser(part)), _verify_log(parse_log(part), 0)
        assert (quick.head, quick.end, quick.state) == (careful.head, careful.end, careful.state)
        assert quick.head.events == len(quick.state) == len(history(parse_log(part).records))


def test_a_card_that_comes_after_an_undo_must_be_the_one_that_was_dealt_before():
    """Nobody draws again by taking back: outcome k of what stands is outcome k of the deal."""
    game = cardgods.load_game("encan", variant="express", target=None)
    data = undone_game(game, lambda asked, state, _: len(state) if asked == 5 else 0)
    log = parse_log(data)
    at = next(number for number, record in enumerate(log.records) if isinstance(record, Undo)) + 1
    first, again = log.records[1], log.records[at]
    assert isinstance(first, ChanceOutcome)
    assert first == again
    other = next(outcome for outcome in range(5) if outcome != first.outcome)
    with pytest.raises(IllegalLogError, match="its deal gives") as caught:
        verify_bytes(reforged(data, {at + 1: (codec.CHANCE, msgpack.packb([other]))}))
    assert caught.value.record == at + 1


@pytest.mark.parametrize("key", GAMES)
def test_a_game_goes_on_after_an_undo_as_if_nothing_had_been(tmp_path, key):
    """Broken off behind any record, undos included, it is resumed and ends as it would have."""
    data = LOGS[key]
    log = parse_log(data)
    path = tmp_path / "a"
    undos = [number for number, record in enumerate(log.records, 1) if isinstance(record, Undo)]
    for number in {*undos[:2], undos[-1], undos[-1] + 1}:
        for torn in (0, 9):
            path.write_bytes(data[: log.offsets[number + 1] + torn])
            with LogWriter.resume(path) as resumed:
                state = resumed.found.state
                assert state.history() == history(log.records[:number])
                last = number >= undos[-1]
                agents = [make_agent("random", state.game)] * state.num_players()
                play(state, agents, resumed.deal, resumed)
            assert verify_bytes(path.read_bytes()).state == verify_bytes(data).state
            assert not last or path.read_bytes() == data


def test_the_same_decision_again_is_one_record_more():
    """An undo is a record like any other: kind 128, player and number of events, in the chain."""
    log = LogBuffer(make_header(EXPRESS, seats_for(EXPRESS)))
    log.append(-1, 2)
    log.append(0, 1)
    log.undo(0, 1)
    log.append(0, 2)
    data = log.getvalue()
    assert bodies_of(data)[2] == (128, b"\x92\x00\x01")
    assert record_of(parse_log(data))["records"] == [
        ["chance", 2],
        ["move", 0, 1],
        ["undo", 0, 1],
        ["move", 0, 2],
    ]
    assert verify_bytes(data).state.history() == [2, 2]


def test_no_more_is_taken_back_than_stands(tmp_path):
    for log in (
        LogBuffer(make_header(EXPRESS, seats_for(EXPRESS))),
        LogWriter(tmp_path / "a", make_header(EXPRESS, seats_for(EXPRESS))),
    ):
        log.append(-1, 2)
        log.append(0, 1)
        for player, events in ((0, 3), (0, 0), (0, -1), (12, 1), (-1, 1), (True, 1), (0, True), (0, 2**31)):
            before = log.size
            with pytest.raises(ParameterError):
                log.undo(player, events)
            assert log.size == before
        log.undo(1, 2)
        with pytest.raises(ParameterError, match="1 events cannot be taken back: 0 stand"):
            log.undo(1, 1)
        log.close()


def test_no_more_is_taken_back_than_stands_after_a_resume(tmp_path):
    log = LogWriter(tmp_path / "a", make_header(EXPRESS, seats_for(EXPRESS), seed=1))
    log.append(-1, 2)
    log.append(0, 1)
    log.undo(0, 1)
    log.close()
    with LogWriter.resume(tmp_path / "a") as again:
        with pytest.raises(ParameterError, match="2 events cannot be taken back: 1 stand"):
            again.undo(0, 2)
        again.undo(0, 1)
    assert verify_bytes((tmp_path / "a").read_bytes()).state.history() == []


def undo(player, events):
    return codec.UNDO, msgpack.packb([player, events])


@pytest.mark.parametrize(
    ("bodies", "record", "words"),
    [
        ([undo(0, 1)], 1, "1 events cannot be taken back: 0 stand"),
        ([(2, b"\x91\x02"), undo(0, 2)], 2, "2 events cannot be taken back: 1 stand"),
        ([(2, b"\x91\x02"), undo(0, 1), undo(0, 1)], 3, "0 stand"),
        ([(2, b"\x91\x02"), undo(2, 1)], 2, "player 2 does not exist"),
        ([(2, b"\x91\x02"), undo(0, 1), move(0, 1)], 3, "chance does"),
        ([(2, b"\x91\x02"), undo(0, 2**31 - 1)], 2, "cannot be taken back"),
    ],
)
def test_an_undo_against_the_rules_is_refused_at_its_record(bodies, record, words):
    with pytest.raises(IllegalLogError, match=words) as caught:
        verify_bytes(forge(*bodies))
    assert caught.value.record == record


@pytest.mark.parametrize(
    "body",
    [
        [0],
        [0, 0],
        [0, -1],
        [-1, 1],
        [12, 1],
        [True, 1],
        [0, True],
        [0, 1.0],
        [0, None],
        [0, 1, 1],
        {},
        0,
        [0, 2**31],
    ],
)
def test_an_undo_of_another_form_is_refused(body):
    assert refused(forge((codec.UNDO, msgpack.packb(body)))).record == 1


def test_an_undo_in_other_bytes_is_refused():
    for body in (b"\x92\x00\xcc\x01", b"\x93\x00\x01", b"\x92\x00\x01\x00", b"\xdc\x00\x02\x00\x01"):
        assert isinstance(refused(forge((codec.UNDO, body))), CorruptLogError)


def test_nothing_is_taken_back_after_the_end_or_before_the_deal():
    data = fair_game(EXPRESS)
    pairs = bodies_of(data)
    first = msgpack.unpackb(records_of(data)[0])[2]
    with pytest.raises(CorruptLogError, match="something follows the end record"):
        parse_log(forge(*pairs, undo(0, 1), header_body=first))
    with pytest.raises(IllegalLogError, match="lacks its secret"):
        verify_bytes(forge(undo(0, 1), *pairs, header_body=first))
    # A game that is over but not closed may still be taken back, and then goes on.
    assert verify_bytes(forge(*pairs[:-1], undo(0, 1), header_body=first)).head.events == len(pairs) - 3


def test_the_end_counts_what_stands():
    """The result of what was taken back is not the result."""
    data = LOGS[str(EXPRESS)]
    pairs = [pair for pair in bodies_of(data) if pair[0] != codec.UNDO]
    with pytest.raises(IllegalLogError):
        verify_bytes(forge(*pairs, header_body=msgpack.unpackb(records_of(data)[0])[2]))
    with pytest.raises(IllegalLogError, match="the result is"):
        verify_bytes(reforged(data, {len(bodies_of(data)): end(returns=(0.5, -0.5))}))


# The game loop ----------------------------------------------------------------------------------------------


def test_the_loop_tells_of_an_undo_and_leaves_a_state_that_never_was_elsewhere():
    seen = []
    state = EXPRESS.new_initial_state(turn_based=True)
    waverer = Waverer(EXPRESS, lambda asked, state, player: since_last_decision(state, player) * (asked == 5))
    play(
        state,
        [waverer, waverer],
        cardgods.Random(1),
        observer=lambda state, actor, action: seen.append((actor, action)),
        on_undo=lambda state, player, events: seen.append(("undo", player, events, len(state))),
    )
    told = next(entry for entry in seen if entry[0] == "undo")
    at = seen.index(told)
    assert told[2] >= 2
    assert told[3] == at - told[2]
    assert seen[: at - told[2]] + seen[at + 1 :] == state.full_history()


@pytest.mark.parametrize("events", [0, -1, 99, True, 1.0, None, "2"])
def test_an_agent_that_takes_back_nonsense_fails_as_an_agent(events):
    class Bad:
        def choose(self, state, player, rng):
            raise TakeBack(events)

    log = LogBuffer(make_header(EXPRESS, seats_for(EXPRESS), seed=1))
    with pytest.raises(AgentError, match=r"player 0 took back .* events: \d have happened"):
        play(EXPRESS.new_initial_state(turn_based=True), [Bad(), Bad()], cardgods.Random(1), log)
    assert not any(isinstance(record, Undo) for record in parse_log(log.getvalue()).records)


def test_since_the_last_decision(name, rng):
    """So many steps back the same player decides, and what he decides is what he had decided."""
    game = cardgods.load_game(name)
    state = game.new_initial_state(turn_based=True)
    assert [since_last_decision(state, player) for player in range(game.num_players())] == [
        0
    ] * game.num_players()
    for _ in range(40):
        if state.is_terminal():
            break
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(rng) if chance else rng.choice(state.legal_actions()))
        for player in range(game.num_players()):
            count = since_last_decision(state, player)
            if count:
                back = state.clone()
                back.undo(count)
                assert back.current_player() == player
            assert player not in [actor for actor, _ in state.full_history(len(state) - count)[1:]]


# Views ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_a_view_of_a_game_with_undos_tells_what_the_seat_saw_and_where_it_led_back(key):
    game, log = GAMES[key], parse_log(LOGS[key])
    for seat in (*range(game.num_players()), SPECTATOR):
        view = list(positions(parse_log(derive(log, seat))))
        states = iter(replay(log))
        _, state = next(states)
        assert same(view[0][1], state.view(seat))
        at = 1
        for record, state in states:
            if isinstance(record, Undo):
                assert view[at][0] == record
                at += 1
                assert view[at][0].actor is None
                assert view[at][0].learnt is None
            if isinstance(record, Move | ChanceOutcome | Undo):
                assert same(view[at][1], state.view(seat))
                at += 1
        if seat != SPECTATOR:
            pieces = [
                record.learnt for record, _ in view if isinstance(record, Seen) and record.actor is not None
            ]
            assert b"".join(kept(pieces, log)) == state.information_state(seat)


def kept(pieces, log):
    """The pieces of the events that stand."""
    stack, pieces = [], iter(pieces)
    for record in log.records:
        if isinstance(record, Move | ChanceOutcome):
            stack.append(next(pieces))
        elif isinstance(record, Undo):
            del stack[-record.events :]
    assert next(pieces, None) is None
    return stack


def same(a, b):
    return msgpack.packb(a) == msgpack.packb(dict(sorted(b.items()))) or a == tuples(b)


def tuples(value):
    if isinstance(value, list | tuple):
        return tuple(map(tuples, value))
    return {key: tuples(item) for key, item in value.items()} if isinstance(value, dict) else value


def with_branch(state, branch):
    """The log of a game that came to a state, went so many events back, and came the same way again."""
    log = LogBuffer(make_header(state.game, seats_for(state.game), seed=1))
    events = state.full_history()
    for actor, action in events:
        log.append(actor, action)
    player = next(actor for actor, _ in reversed(events) if actor >= 0)
    log.undo(player, branch)
    for actor, action in events[-branch:]:
        log.append(actor, action)
    return log.getvalue()


@pytest.mark.parametrize("key", GAMES)
def test_a_view_with_an_undo_depends_on_nothing_that_its_seat_may_not_know(key, rng):
    """The hidden cards of both branches are drawn anew together; the bytes of the view stay."""
    game = GAMES[key]
    differ = 0
    for decisions in (1, 2, 3, 5, 8, 20):
        state = game.new_initial_state(turn_based=True)
        while not state.is_terminal() and decisions:
            chance = state.is_chance_node()
            state.apply_action(state.sample_chance(rng) if chance else rng.choice(state.legal_actions()))
            decisions -= not chance
        for branch in (1, len(state) // 2, len(state)):
            whole = with_branch(state, branch)
            for seat in range(game.num_players()):
                world = state.resample(seat, rng)
                other = with_branch(world, branch)
                differ += other != whole
                assert derive(parse_log(other), seat) == derive(parse_log(whole), seat)
                assert derive(parse_log(other), SPECTATOR) == derive(parse_log(whole), SPECTATOR)
    assert differ


def test_a_view_with_an_undo_out_of_place_is_refused():
    def view(*bodies):
        body = msgpack.unpackb(records_of(derive(parse_log(LOGS[str(EXPRESS)]), 0))[0])[2]
        return parse_log(forge(*bodies, header_body=body))

    def seen(actor, learnt=b"", **changes):
        return codec.SEEN, msgpack.packb([actor, learnt, changes or {"a": 1}])

    start = seen(None, None)
    assert len(list(positions(view(start, seen(-1), undo(0, 1), start, seen(0), end())))) == 6
    for bodies in (
        [undo(0, 1)],
        [start, undo(0, 1), start],
        [start, seen(-1), undo(0, 2), start],
        [start, seen(-1), undo(0, 1), seen(0)],
        [start, seen(-1), undo(0, 1), end()],
        [start, seen(-1), undo(0, 1), undo(0, 1)],
        [start, seen(-1), start],
    ):
        with pytest.raises(IllegalLogError, match="no place in a view"):
            list(positions(view(*bodies)))


# Cost -------------------------------------------------------------------------------------------------------


def test_the_marks_of_a_state_lead_back_to_the_same_positions(rng):
    """Random walks forth and back, in steps of every size, against a state that is built anew."""
    game = (
        cardgods.load_game("commerce", trade_cap=0) if "commerce" in cardgods.registered_names() else EXPRESS
    )
    state = game.new_initial_state(turn_based=True)
    for turn in range(300):
        for _ in range(rng.below(30)):
            if not state.is_terminal():
                chance = state.is_chance_node()
                state.apply_action(state.sample_chance(rng) if chance else rng.choice(state.legal_actions()))
        length = len(state)
        if length and turn % 3:
            state.undo(1 + rng.below(min(length, 1 + 10 * (turn % 4))))
        again = game.new_initial_state(turn_based=True)
        for action in state.history():
            again.apply_action(action)
        assert state == again
        assert state.observation(0) == again.observation(0)
        first = rng.below(len(state) + 1)
        assert state.full_history(first) == again.full_history()[first:]
        assert state.events(0, first) == again.events(0)[first:]
        assert state.clone() == again


def test_too_much_is_not_taken_back_from_a_state(name, rng):
    for turn_based in (False, True):
        state = cardgods.load_game(name).new_initial_state(turn_based=turn_based)
        for _ in range(9):
            chance = state.is_chance_node()
            if state.is_terminal():
                break
            if state.is_simultaneous_node():
                legal = [state.legal_actions(p) for p in range(state.num_players())]
                state.apply_actions([rng.choice(actions) for actions in legal if actions])
            else:
                state.apply_action(state.sample_chance(rng) if chance else rng.choice(state.legal_actions()))
        before = state.serialize()
        for steps in (0, -1, len(state) + 1, 10**30, 1.0, "1", None):
            with pytest.raises(cardgods.IllegalActionError):
                state.undo(steps)
            assert state.serialize() == before
        for first in (-1, len(state) + 1, "0"):
            with pytest.raises(cardgods.IllegalActionError):
                state.events(0, first)
            with pytest.raises(cardgods.IllegalActionError):
                state.full_history(first)
            assert state.serialize() == before
        if not turn_based and len(state) > 9:
            with pytest.raises(cardgods.IllegalActionError, match="cannot be taken back"):
                state.undo(len(state))
            assert state.serialize() == before
        pairs = list(itertools.pairwise(range(4)))
        for _ in pairs:
            state.undo()
        other = cardgods.deserialize_state(before)
        other.undo(len(pairs))
        assert other == state
