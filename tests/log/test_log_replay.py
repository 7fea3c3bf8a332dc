"""The rules have the last word: an illegal game or a false result is refused at the exact record."""

import dataclasses

import msgpack
import pytest
from logcraft import SEATS, bodies_of, chance, end, forge, game_bytes, header, move, records_of, reforged

import cardgods
from cardgods.log import (
    ChanceOutcome,
    End,
    IllegalLogError,
    Move,
    Replayer,
    Seat,
    TornTailError,
    UnsupportedLogError,
    codec,
    load_logged_game,
    make_header,
    parse_log,
    replay,
    verify,
)

WHOLE = game_bytes(1)
LOGS = [WHOLE, game_bytes(2, variant="express"), game_bytes(3, variant="goofspiel")]


def refused_at(data, words=None):
    log = parse_log(data)
    with pytest.raises(IllegalLogError, match=words) as caught:
        verify(log)
    error = caught.value
    assert (error.exit_code, error.offset) == (3, log.offsets[error.record])
    with pytest.raises(IllegalLogError):
        list(replay(log))
    return error.record


@pytest.mark.parametrize("data", LOGS, ids=["standard", "express", "goofspiel"])
def test_an_illegal_record_is_refused_at_its_number(data):
    log = parse_log(data)
    for number, (record, (_, before)) in enumerate(zip(log.records[:-1], replay(log), strict=False), 1):
        beyond = max(before.legal_actions()) + 1
        if isinstance(record, Move):
            other = 1 - record.player
            forged = {
                "is not legal": move(record.player, beyond),
                f"player {other} does not act here, player {record.player} does": move(other, record.action),
                "player 7 does not act here": move(7, record.action),
                "chance does not act here, player": chance(record.action),
            }
        else:
            forged = {
                "is not legal": chance(beyond),
                "player 0 does not act here, chance does": move(0, record.outcome),
            }
        forged["the game does not end here"] = end(returns=log.end.returns)
        for words, body in forged.items():
            changed = reforged(data, {number: body})
            if body[0] == codec.END:
                changed = changed[: parse_log(data).offsets[number]] + records_of_end(data, number, body)
            assert refused_at(changed, words) == number


def records_of_end(data, number, body):
    """The end record alone, at this place of the log."""
    first = msgpack.unpackb(records_of(data)[0])[2]
    short = forge(*bodies_of(data)[: number - 1], body, header_body=first)
    return short[parse_log(short).offsets[number] :]


@pytest.mark.parametrize("data", LOGS, ids=["standard", "express", "goofspiel"])
def test_nothing_can_follow_the_end_of_the_game(data):
    first = msgpack.unpackb(records_of(data)[0])[2]
    played = bodies_of(data)[:-1]
    last = len(played) + 1
    for body in (move(0, 0), move(1, 0), chance(0)):
        assert refused_at(forge(*played, body, header_body=first), "the game is over") == last


@pytest.mark.parametrize(
    "returns", [(-1.0, 1.0), (0.0, 0.0), (1.0, 1.0), (1.0,), (1.0, -1.0, 0.0), (1.0, -1.0000000000000002)]
)
def test_a_false_result_is_refused(returns):
    log = parse_log(WHOLE)
    if returns == log.end.returns:
        returns = (-returns[0], -returns[1])
    last = len(log.records)
    assert refused_at(reforged(WHOLE, {last: end(returns=returns)}), "the result is") == last


def test_an_unfinished_game_is_never_called_whole():
    log = parse_log(WHOLE)
    for number in range(1, len(log.offsets) - 1):
        found = verify(parse_log(WHOLE[: log.offsets[number]]))
        over = number == len(log.records)
        assert (found.complete, found.terminal, found.exit_code) == (False, over, 4)


def test_a_torn_file_is_verified_up_to_its_last_whole_record(tmp_path):
    path = tmp_path / "torn"
    log = parse_log(WHOLE)
    path.write_bytes(WHOLE[: log.offsets[5] + 4])
    found = verify(path)
    assert (found.complete, found.torn, found.exit_code) == (False, 4, 4)
    assert found.log.records == log.records[:4]
    path.write_bytes(WHOLE[:20])
    with pytest.raises(TornTailError):
        verify(path)
    illegal = reforged(WHOLE, {3: move(5, 5)})
    path.write_bytes(illegal[: parse_log(illegal).offsets[5] + 4])
    with pytest.raises(IllegalLogError):
        verify(path)


def test_the_reason_of_the_end_is_free():
    last = len(parse_log(WHOLE).records)
    returns = parse_log(WHOLE).end.returns
    assert verify(parse_log(reforged(WHOLE, {last: end("target", returns)}))).complete


def with_header(**changes):
    return forge(*bodies_of(LOGS[1]), header_body=codec.encode_header(header(**changes)))


def test_the_options_are_the_rules_and_the_variant_a_label():
    for variant in ("express", "standard", "anything", None):
        assert verify(parse_log(with_header(variant=variant))).complete


def test_a_log_from_before_an_option_has_its_default(name):
    """As if each option in turn had been added after the log was written."""
    game = cardgods.load_game(name)
    seats = [Seat(f"{player}", "human") for player in range(game.num_players())]
    whole = make_header(game, seats)
    for option in game.parameters():
        rest = {key: value for key, value in whole.options.items() if key != option}
        head = dataclasses.replace(whole, options=rest)
        assert load_logged_game(parse_log(forge(header_body=codec.encode_header(head)))) == game


def test_a_missing_option_is_not_guessed_to_be_anything_else():
    game = cardgods.load_game("encan", variant="express")
    rest = {key: value for key, value in game.parameters().items() if key != "target"}
    with pytest.raises(UnsupportedLogError, match="other rules"):
        load_logged_game(parse_log(with_header(options=rest)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "chess"}, "unknown game 'chess': games are "),
        ({"game": "../encan"}, "unknown game"),
        ({"game": "__init__"}, "unknown game"),
        ({"game": ""}, "unknown game"),
        ({"game": "x\x1b[2J\n" * 10}, "unknown game"),
        ({"digest": "0" * 64}, "other rules of encan"),
        ({"digest": ""}, "other rules"),
        ({"digest": "\n\x1b[0m"}, "other rules"),
        ({"options": {}}, "other rules"),
        ({"options": {"target": 31}}, "other rules"),
        ({"options": {"komi": 7}}, "unknown option 'komi'"),
        ({"options": {"name": "encan"}}, "unknown option 'name'"),
        ({"options": {"variant": "express"}}, "unknown option 'variant'"),
        ({"options": {"": 1}}, "unknown option ''"),
        ({"options": {"cards": 7}}, "option cards"),
        ({"options": {"cards": [1] * 5000}}, "option cards"),
        ({"options": {"cards": {}}}, "option cards"),
        ({"options": {"cards": [[1]]}}, "option cards"),
        ({"options": {"cards": [True, 2]}}, "option cards"),
        ({"options": {"target": "20"}}, "option target"),
        ({"options": {"target": 1.5}}, "option target"),
        ({"options": {"target": 2**64 - 1}}, "option target"),
        ({"options": {"obole": 1}}, "option obole"),
        ({"options": {"tie": None}}, "option tie"),
        ({"options": {"tie": {"a": [1]}}}, "option tie"),
        ({"options": {"payoff": ["win"]}}, "option payoff"),
    ],
)
def test_rules_that_are_not_known_here_are_refused(changes, words):
    log = parse_log(with_header(**changes))
    for check in (verify, load_logged_game, lambda log: next(replay(log))):
        with pytest.raises(UnsupportedLogError, match=words) as caught:
            check(log)
        assert caught.value.exit_code == 5
        assert str(caught.value).isprintable()


STRANGE = [
    None, True, False, 0, 1, -1, 2**63, 2**64 - 1, -(2**63), 0.5, 1e308, "", "x", "a\nb" * 30, b"\xff",
    (), (0,), (1,) * 4000, ("a", 1), (None,), ((1, 2), (3,)), {}, {"a": 1}, {"a": {"b": ()}},
]  # fmt: skip


@pytest.mark.parametrize("value", STRANGE, ids=lambda value: repr(value)[:12])
def test_every_option_of_every_game_takes_any_value_or_refuses_it_in_good_order(value):
    for name in cardgods.registered_names():
        game = cardgods.load_game(name)
        seats = (SEATS * 6)[: game.num_players()]
        for option in game.parameters():
            head = header(game=name, options=game.parameters() | {option: value}, digest="", seats=seats)
            with pytest.raises(UnsupportedLogError):
                verify(parse_log(forge(header_body=codec.encode_header(head))))


@pytest.mark.parametrize("seats", [SEATS[:1], SEATS * 2])
def test_a_wrong_number_of_seats_is_illegal(seats):
    with pytest.raises(IllegalLogError, match="seats, the game has 2") as caught:
        verify(parse_log(with_header(seats=seats)))
    assert caught.value.record == 0


def test_rules_are_loaded_without_regard_to_earlier_logs():
    # The digest of the rules is kept between logs; a false one must not stick, nor a true one.
    for _ in range(2):
        assert verify(parse_log(with_header())).complete
        with pytest.raises(UnsupportedLogError):
            verify(parse_log(with_header(digest="0" * 64)))


def test_a_refused_record_leaves_the_state_as_it_was():
    log = parse_log(WHOLE)
    player = Replayer(log)
    player.step(log.records[0])
    before = player.state.history()
    for record in (Move(1, 0), ChanceOutcome(0), Move(0, 99), End("x", (0.0, 0.0))):
        with pytest.raises(IllegalLogError):
            player.step(record)
        assert player.state.history() == before


def test_a_sealed_bid_is_a_record_of_its_own():
    log = parse_log(WHOLE)
    game = load_logged_game(log)
    assert game == cardgods.load_game("encan")
    for _, state in replay(log):
        assert state.turn_based
        assert not state.is_simultaneous_node()
