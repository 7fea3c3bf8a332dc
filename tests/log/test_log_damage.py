"""Every cut, flip and shuffle of a log is found, at the exact record, and never passes for a whole game."""

import pytest
from damage import every_cut, every_flip, flipped
from hypothesis import given
from hypothesis import strategies as st
from logcraft import fair_game, forge, game_bytes, games, header, move, records_of, undone_game

from cardgods.log import (
    CorruptLogError,
    NotALogError,
    TornTailError,
    codec,
    derive,
    frame,
    parse_log,
    verify_bytes,
)

WHOLE = game_bytes(1)
LONG = game_bytes(2, cards=tuple(range(2, 15)), target=None)
OTHER = game_bytes(3)
MAGIC = frame.MAGIC


def prefix_of(part, log):
    """True if one log is an exact beginning of another."""
    return part.header == log.header and part.records == log.records[: len(part.records)]


def record_at(log, byte):
    """The number of the record that holds a byte."""
    return sum(offset <= byte for offset in log.offsets) - 1


@pytest.mark.parametrize("data", [WHOLE, LONG], ids=["short", "long"])
def test_every_cut_leaves_an_exact_beginning_that_is_reported_as_such(data):
    log = parse_log(data)
    edges = {offset: number for number, offset in enumerate(log.offsets)}
    for size in range(len(data)):
        cut = data[:size]
        if size < len(MAGIC):
            with pytest.raises(NotALogError):
                parse_log(cut)
        elif edges.get(size, 0) > 0:
            part = parse_log(cut)
            assert prefix_of(part, log)
            assert (len(part.records), part.complete, part.size) == (edges[size] - 1, False, size)
        else:
            with pytest.raises(TornTailError) as caught:
                parse_log(cut)
            error = caught.value
            begun = max(offset for offset in log.offsets if offset <= size)
            assert (error.exit_code, error.offset, error.torn) == (4, begun, size - begun)
            if begun == len(MAGIC):
                assert error.log is None
            else:
                assert prefix_of(error.log, log)
                assert len(error.log.records) == edges[begun] - 1
                assert not error.log.complete
                assert error.log.size == begun


@pytest.mark.parametrize("data", [WHOLE, LONG], ids=["short", "long"])
def test_every_flipped_bit_of_a_whole_log_is_found_in_its_record(data):
    log = parse_log(data)
    for byte in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[byte] ^= 1 << bit
            with pytest.raises((CorruptLogError, NotALogError)) as caught:
                parse_log(bytes(flipped))
            assert caught.value.exit_code == 3
            if byte >= len(MAGIC):
                number = record_at(log, byte)
                assert (caught.value.record, caught.value.offset) == (number, log.offsets[number])


SMALL_GAMES = {game.name: game for game in games() if game.variant != "goofspiel"}
LOGS = {
    f"{name}{what}": data
    for name, game in SMALL_GAMES.items()
    for what, data in (("", fair_game(game)), (", view", derive(parse_log(fair_game(game)), 0)))
} | {"encan with undos": undone_game(SMALL_GAMES["encan"])}


@pytest.mark.parametrize("key", LOGS)
def test_every_flipped_bit_of_a_log_of_each_game_is_found(key):
    """Also of a view, and of a log with undos; `make damage` does the standard games."""
    data = LOGS[key]
    step = 1 if len(data) < 3000 else 13
    assert every_flip(data, step=step) == 8 * len(range(0, len(data), step))


@pytest.mark.parametrize("key", LOGS)
def test_every_cut_of_a_log_of_each_game_is_recovered(key):
    assert every_cut(LOGS[key]) == len(LOGS[key])


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_every_flipped_bit_of_a_beginning_is_found_or_leaves_the_records_before_it(name):
    data = LOGS[name]
    offsets = parse_log(data).offsets
    for size in (offsets[-4], offsets[-4] + 9, offsets[2] + 1):
        step = max(1, size // 300)
        assert every_flip(data, size, step=step) == 8 * len(range(0, size, step))


def test_the_whole_check_finds_what_the_reader_finds():
    """A flipped bit or a cut is no other thing to verify, which begins in the core."""
    for name in SMALL_GAMES:
        data = LOGS[name]
        for byte in range(14, len(data), max(1, len(data) // 60)):
            with pytest.raises(CorruptLogError) as caught:
                verify_bytes(flipped(data, byte, byte % 8))
            assert caught.value.record == record_at(parse_log(data), byte)
            if byte >= parse_log(data).offsets[1]:
                assert not verify_bytes(data[:byte]).complete


def test_every_flipped_bit_of_an_unfinished_or_torn_log_is_found_or_leaves_an_exact_beginning():
    log = parse_log(WHOLE)
    for size in (log.offsets[-3], log.offsets[-3] - 1, log.offsets[-2] + 7, log.offsets[1] + 3):
        whole = max(offset for offset in log.offsets if offset <= size)
        for byte in range(len(MAGIC), size):
            for bit in range(8):
                flipped = bytearray(WHOLE[:size])
                flipped[byte] ^= 1 << bit
                with pytest.raises((CorruptLogError, TornTailError)) as caught:
                    parse_log(bytes(flipped))
                if isinstance(caught.value, CorruptLogError):
                    assert caught.value.record == record_at(log, byte)
                else:
                    # Only the torn record itself can be changed without a trace.
                    assert byte >= whole == caught.value.offset
                    assert prefix_of(caught.value.log, log)
                    assert not caught.value.log.complete


@given(st.data())
def test_no_change_of_any_kind_gives_another_log(data):
    log = parse_log(WHOLE)
    start = data.draw(st.integers(0, len(WHOLE)))
    stop = data.draw(st.integers(start, min(len(WHOLE), start + 80)))
    middle = data.draw(
        st.binary(max_size=80)
        | st.integers(0, len(WHOLE)).flatmap(
            lambda a: st.integers(a, min(len(WHOLE), a + 80)).map(lambda b: WHOLE[a:b])
        )
    )
    changed = WHOLE[:start] + middle + WHOLE[stop:]
    try:
        part = parse_log(changed)
    except (CorruptLogError, NotALogError):
        return
    except TornTailError as error:
        part = error.log
    if changed != WHOLE:
        assert part is None or (prefix_of(part, log) and not part.complete)


def test_records_dropped_doubled_exchanged_or_moved_are_found_where_it_happened():
    head, *records = records_of(WHOLE)

    def first_bad(rows):
        with pytest.raises(CorruptLogError) as caught:
            parse_log(MAGIC + head + b"".join(rows))
        return caught.value.record

    last = len(records)
    for k in range(1, last):
        assert first_bad(records[: k - 1] + records[k:]) == k  # dropped
        assert first_bad(records[:k] + records[k - 1 :]) == k + 1  # doubled
        assert first_bad([*records[: k - 1], records[k], records[k - 1], *records[k + 1 :]]) == k  # exchanged
        assert first_bad([*records[: k - 1], *records[k:], records[k - 1]]) == k  # moved to the end
    assert first_bad([*records, records[-1]]) == last + 1
    unfinished = parse_log(MAGIC + head + b"".join(records[:-1]))
    assert not unfinished.complete


def test_records_of_another_game_are_found():
    head, *records = records_of(WHOLE)
    other_head, *others = records_of(OTHER)
    for k in range(1, min(len(records), len(others))):
        for rows in (records[: k - 1] + others[k - 1 :], [*records[: k - 1], others[k - 1], *records[k:]]):
            with pytest.raises(CorruptLogError) as caught:
                parse_log(MAGIC + head + b"".join(rows))
            assert caught.value.record == k
    with pytest.raises(CorruptLogError) as caught:
        parse_log(MAGIC + other_head + b"".join(records))
    assert caught.value.record == 1


def test_an_old_record_left_behind_a_rewrite_of_the_same_length_is_found():
    # A session that went back and wrote other records over the same bytes, leaving an older tail.
    old = forge(*(move(i % 2, 1) for i in range(8)))
    new = forge(*(move(i % 2, 2) for i in range(5)))
    with pytest.raises(CorruptLogError) as caught:
        parse_log(new + old[len(new) :])
    assert caught.value.record == 6


def test_a_whole_log_with_anything_behind_it_is_damaged():
    for rest in (b"\x00", b"\x94", b"\n", WHOLE, records_of(WHOLE)[-1][:5], b"\xc0" * 100_000):
        with pytest.raises(CorruptLogError, match="something follows the end record") as caught:
            parse_log(WHOLE + rest)
        assert caught.value.record == len(parse_log(WHOLE).records) + 1
        assert caught.value.offset == len(WHOLE)


def test_a_tail_of_zeros_is_damage():
    log = parse_log(WHOLE)
    with pytest.raises(CorruptLogError) as caught:
        parse_log(WHOLE[: log.offsets[-2]] + bytes(100))
    assert caught.value.record == len(log.records)


def test_a_text_mode_copy_is_no_log():
    with pytest.raises(NotALogError):
        parse_log(WHOLE.replace(b"\n", b"\r\n"))


@pytest.mark.parametrize("size", [0, 1, 200, 254, 256, 300, 40_000, 65_534])
def test_a_damaged_length_is_not_taken_for_a_torn_tail_at_any_size_of_body(size):
    width = 1 if size < 256 else 2
    for after in (0, 1, 2, 3, 7, 20):  # the log is cut at so many bytes behind the damaged record
        data = forge((100, b"x" * size), (100, b"y" * 300))
        data = data[: parse_log(data).offsets[2] + after]
        at = len(forge()) + 4
        damaged = data[:at] + b"\xff" * width + data[at + width :]
        with pytest.raises(CorruptLogError) as caught:
            parse_log(damaged)
        assert caught.value.record == 1


@pytest.mark.parametrize("kinds", [(3, 3), (3, 200), (200, 3)])
def test_whole_records_behind_a_torn_one_betray_damage_even_if_its_tag_is_damaged_too(kinds):
    data = forge((100, b"x" * 20), *((kind, b"y") for kind in kinds))
    at = len(forge()) + 4
    damaged = bytearray(data)
    damaged[at] = 255
    damaged[at + 5] ^= 1
    with pytest.raises(CorruptLogError, match="record 2 follows it at byte") as caught:
        parse_log(bytes(damaged))
    assert caught.value.record == 1


def test_a_torn_tail_may_hold_what_looks_like_an_older_record():
    # Only a record with a greater number betrays damage.
    inner = records_of(forge(move(0, 1)))[1]
    data = forge(move(0, 1), (100, b"z" * 50 + inner + b"z" * 50))
    with pytest.raises(TornTailError) as caught:
        parse_log(data[:-1])
    assert caught.value.log.records == parse_log(forge(move(0, 1))).records


def test_a_torn_header_holds_no_game():
    data = forge(header_body=codec.encode_header(header()))
    with pytest.raises(TornTailError, match="it holds no game") as caught:
        parse_log(data[:-1])
    assert (caught.value.log, caught.value.offset) == (None, len(MAGIC))
