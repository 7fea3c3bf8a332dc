"""Logs of later versions, and the family of errors."""

import copy
import pickle

import msgpack
import pytest
from logcraft import SEAT, SEATS, forge, game_bytes, header_body, move, records_of, refused

import cardgods
import cardgods.log
from cardgods.errors import CardgodsError
from cardgods.log import (
    CorruptLogError,
    IllegalLogError,
    LogError,
    LogWriteError,
    Skipped,
    TornTailError,
    UnsupportedLogError,
    codec,
    parse_log,
    verify,
)


def test_a_later_minor_version_is_read_and_what_it_adds_passed_over():
    body = header_body(
        fmt=[1, 7],
        commit=b"\x01" * 32,
        clocks={"a": [1, None]},
        seats=[{"agent": None, "elo": 1500, "kind": "x", "name": "Ana", "seed": None}, SEAT],
    )
    ending = msgpack.packb({"reason": "finished", "returns": [1.0, -1.0], "reveal": b"\x07"})
    log = parse_log(
        forge((6, b"note"), move(0, 1), (127, b"\xc1"), (8, b""), (codec.END, ending), header_body=body)
    )
    assert log.header.fmt == (1, 7)
    assert log.header.later == {"clocks": {"a": (1, None)}, "commit": b"\x01" * 32}
    assert log.header.seats[0].name == "Ana"
    assert [record for record in log.records if isinstance(record, Skipped)] == [
        Skipped(6, b"note"), Skipped(127, b"\xc1"), Skipped(8, b""),
    ]  # fmt: skip
    assert log.end.later == {"reveal": b"\x07"}
    assert log.complete


def test_what_is_passed_over_has_the_limits_of_all_else():
    for levels in (13, 14):  # in a map in an array in a map
        deep = msgpack.unpackb(b"\x91" * levels + b"\x01")
        body = header_body(fmt=[1, 7], seats=[{**SEAT, "zzz": deep}, SEAT])
        if levels == 13:
            assert parse_log(forge(header_body=body)).header.seats == (SEATS[0], SEATS[0])
        else:
            refused(forge(header_body=body), words="nested more than 16 levels deep")


def test_a_skipped_record_does_not_disturb_the_game():
    head, *rows = (msgpack.unpackb(record) for record in records_of(game_bytes()))
    bodies = [pair for kind, _, body, _ in rows for pair in ((7, b"clock"), (kind, body))]
    log = parse_log(forge(*bodies, header_body=head[2]))
    assert verify(log).complete


@pytest.mark.parametrize("kind", [129, 200, 255])
def test_an_unknown_kind_that_must_be_understood_stops_the_reader(kind):
    error = refused(
        forge(move(0, 1), (kind, b"x"), move(0, 1)), UnsupportedLogError, f"record 2 is of kind {kind}"
    )
    assert error.exit_code == 5


def test_a_damaged_record_of_an_unknown_kind_is_damage():
    data = forge(move(0, 1), (200, b"x"), move(0, 1))
    with pytest.raises(CorruptLogError):
        parse_log(data.replace(b"x", b"y"))


@pytest.mark.parametrize("fmt", [[2, 0], [0, 9], [2**64 - 1, 3]])
def test_an_unknown_major_version_stops_the_reader_whatever_else_it_holds(fmt):
    for body in (header_body(fmt=fmt), msgpack.packb({"fmt": fmt}), msgpack.packb({"fmt": fmt, "game": 3})):
        error = refused(forge(header_body=body), UnsupportedLogError, f"format {fmt[0]}\\.{fmt[1]}")
        assert error.exit_code == 5


def test_an_unknown_extension_stops_the_reader():
    error = refused(
        forge(header_body=header_body(must=["undo"])), UnsupportedLogError, "does not know: 'undo'"
    )
    assert error.exit_code == 5
    refused(forge(header_body=header_body(must=["x\x1b[2J" * 20])), UnsupportedLogError)


def test_every_error_is_in_the_family_and_has_a_documented_exit_code():
    codes = {
        kind: kind.exit_code
        for kind in vars(cardgods.log).values()
        if isinstance(kind, type) and issubclass(kind, LogError)
    }
    assert {kind.__name__: code for kind, code in codes.items()} == {
        "LogError": 3,
        "NotALogError": 3,
        "CorruptLogError": 3,
        "IllegalLogError": 3,
        "TornTailError": 4,
        "UnsupportedLogError": 5,
        "LogReadError": 2,
        "LogWriteError": 2,
        "LogBusyError": 2,
    }
    assert all(issubclass(kind, CardgodsError) for kind in codes)


@pytest.mark.parametrize(
    "error",
    [
        LogError("a"),
        CorruptLogError("b", 3, 40),
        IllegalLogError("c", 2, 30),
        TornTailError("d", parse_log(game_bytes()), 10, 2),
        LogWriteError("e", 8),
    ],
)
def test_an_error_comes_back_whole_from_another_process(error):
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
        assert again.exit_code == error.exit_code


def test_a_log_comes_back_whole_from_another_process():
    log = parse_log(game_bytes())
    for again in (pickle.loads(pickle.dumps(log)), copy.deepcopy(log)):
        assert again == log
        assert again.offsets == log.offsets
