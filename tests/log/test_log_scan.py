"""The quick way through a log says what the careful one says: of sound logs, and of every kind of flaw."""

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from logcraft import bodies_of, dealt, forge, games, logged, move, records_of, reforged, seats_for

import cardgods
from cardgods._core import logscan
from cardgods.log import (
    LogBuffer,
    LogError,
    Move,
    TornTailError,
    frame,
    make_header,
    parse_log,
    verify_bytes,
)
from cardgods.log.reader import parser
from cardgods.log.replay import Replayer
from cardgods.log.verify import _quickly, _verify_log
from conftest import random_states

SECRET = bytes(32)


def whole(game, fair):
    if not fair:
        *_, state = random_states(game, cardgods.Random("scan"))
        return logged(state)
    log = LogBuffer(make_header(game, seats_for(game), secret=SECRET, cuts=(0,)), SECRET)
    log.cut(0, b"")
    dealt(game, log)
    return log.getvalue()


LOGS = {f"{game}{' fair' * fair}": whole(game, fair) for game in games() for fair in (False, True)}


def carefully(data):
    """What the careful way finds: the log, or the error."""
    try:
        try:
            return facts(_verify_log(parse_log(data), 0))
        except TornTailError as error:
            if error.log is None:
                raise
            return facts(_verify_log(error.log, error.torn))
    except LogError as error:
        return type(error), str(error)


def quickly(data):
    try:
        return facts(_quickly(parser(data)))
    except LogError as error:
        return type(error), str(error)


def facts(found):
    deal = found.deal and found.deal.key
    return found.header, found.head, found.end, found.state.serialize(), found.secret, deal, found.torn


@pytest.mark.parametrize("data", LOGS.values(), ids=LOGS)
def test_both_ways_agree_on_every_beginning(data):
    offsets = parse_log(data).offsets
    for offset in offsets[1 :: max(1, len(offsets) // 20)]:
        assert quickly(data[:offset]) == carefully(data[:offset])
    assert quickly(data) == carefully(data)


@pytest.mark.parametrize("data", LOGS.values(), ids=LOGS)
def test_the_core_follows_all_but_the_first_and_last_records(data):
    """Else the speed of the core would be nobody's."""
    log = parser(data)
    log.read_header()
    player = Replayer(log)
    while not player.opened:
        player.step(log.read_record())
    place = logscan.follow(data, log.at, log.number, log.tag, player.state, player.deal, 0)
    whole = parse_log(data)
    assert place[:2] == (whole.offsets[-2], len(whole.records))
    assert place[2] == records_of(data)[-2][-16:]
    assert player.state.is_terminal()


@pytest.mark.parametrize("data", LOGS.values(), ids=LOGS)
def test_no_flipped_bit_passes_the_core(data):
    """Of some records, every bit: what the whole check says is what the careful way says."""
    offsets = parse_log(data).offsets
    for record in {1, len(offsets) // 2, len(offsets) - 3}:
        for byte in range(offsets[record], offsets[record + 1]):
            flipped = bytearray(data)
            flipped[byte] ^= 1 << byte % 8
            flipped = bytes(flipped)
            with pytest.raises(LogError) as caught:
                verify_bytes(flipped)
            assert (type(caught.value), str(caught.value)) == carefully(flipped)


@pytest.mark.parametrize("data", LOGS.values(), ids=LOGS)
def test_an_action_that_the_rules_do_not_allow_never_passes(data):
    """Every decision in turn is replaced by each action that is not legal there, in a sound chain."""
    log = parse_log(data)
    state = Replayer(log).state
    numbers = [
        n for n, record in enumerate(log.records, 1) if type(record).__name__ in ("Move", "ChanceOutcome")
    ]
    step = max(1, len(numbers) // 6)
    for place, number in enumerate(numbers):
        kind, body = bodies_of(data)[number - 1] if place % step == 0 else (None, b"")
        if kind is not None:
            legal = set(state.legal_actions())
            for action in [a for a in (*range(64), 200, 2**31 - 1) if a not in legal][::7]:
                forged = reforged(data, {number: (kind, body[: 1 + (kind == 1)] + frame.pack_number(action))})
                with pytest.raises(LogError) as caught:
                    verify_bytes(forged)
                assert (type(caught.value), str(caught.value)) == carefully(forged)
                assert caught.value.record == number
        state.apply_action(state_action(log.records[number - 1]))


def state_action(record):
    return getattr(record, "action", getattr(record, "outcome", None))


@settings(max_examples=200)
@given(st.sampled_from(sorted(LOGS)), st.data())
def test_both_ways_agree_on_anything(key, data):
    """Records dropped, doubled, exchanged, replaced or broken, with and without a sound chain."""
    log = LOGS[key]
    rows = bodies_of(log)
    place = st.integers(0, len(rows) - 1)
    how = data.draw(st.sampled_from(["drop", "double", "swap", "replace", "bytes"]))
    a, b = data.draw(place), data.draw(place)
    if how == "bytes":
        broken = bytearray(log)
        at = data.draw(st.integers(0, len(broken) - 1))
        broken[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        forged = bytes(broken)
    else:
        if how == "drop":
            del rows[a]
        elif how == "double":
            rows.insert(b, rows[a])
        elif how == "swap":
            rows[a], rows[b] = rows[b], rows[a]
        else:
            rows[a] = (
                data.draw(st.sampled_from([1, 2, 3, 4, 5, 9, 100, 200])),
                data.draw(st.binary(max_size=9)),
            )
        forged = forge(*rows, header_body=msgpack.unpackb(records_of(log)[0])[2])
    assert outcome(forged) == carefully(forged)


def outcome(data):
    try:
        return facts(verify_bytes(data))
    except LogError as error:
        return type(error), str(error)


def test_a_place_that_no_log_has_is_refused():
    state = cardgods.load_game("encan").new_initial_state(turn_based=True)
    data = forge(move(0, 0))
    for at, number, tag in (
        (-1, 1, bytes(16)),
        (len(data) + 1, 1, bytes(16)),
        (0, -1, bytes(16)),
        (0, 1, b""),
    ):
        with pytest.raises(ValueError, match="no place in a log"):
            logscan.follow(data, at, number, tag, state, None, 0)
    simultaneous = cardgods.load_game("encan").new_initial_state()
    with pytest.raises(ValueError, match="no place in a log"):
        logscan.follow(data, 14, 1, bytes(16), simultaneous, None, 0)


def test_bytes_come_before_rules_in_what_is_reported():
    """A log that is both illegal and, later on, damaged: the damage is what is told, as the page says."""
    data = LOGS[str(next(games()))]
    numbers = [n for n, record in enumerate(parse_log(data).records, 1) if isinstance(record, Move)]
    illegal = reforged(data, {numbers[0]: move(9, 9)})
    broken = bytearray(illegal)
    broken[-40] ^= 1
    with pytest.raises(LogError) as caught:
        verify_bytes(bytes(broken))
    assert caught.value.record > numbers[0]
    assert "damaged" in str(caught.value)
