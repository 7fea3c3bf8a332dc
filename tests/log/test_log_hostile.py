"""Bytes of any origin: refused in one line and one family of errors, with little memory."""

import subprocess
import sys
import textwrap
from pathlib import Path

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from logcraft import (
    FIELDS,
    SEAT,
    SEATS,
    chance,
    end,
    forge,
    free_field,
    game_bytes,
    header,
    header_body,
    move,
    raw_map,
    refused,
)

from cardgods.log import (
    CorruptLogError,
    LogError,
    LogReadError,
    NotALogError,
    Skipped,
    UnsupportedLogError,
    codec,
    frame,
    parse_log,
    read_log,
)

# Foreign files ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\xad",
        frame.MAGIC[:-1],
        b"cardgods-log\n",
        frame.MAGIC.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + frame.MAGIC,
        b"PK\x03\x04" + bytes(100),
        b'[Event "?"]\n',
        b"\x00" * 4096,
    ],
)
def test_a_foreign_file_is_no_log(tmp_path, data):
    refused(data, NotALogError, "is no game log: it ")
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(NotALogError) as caught:
        read_log(path)
    assert caught.value.exit_code == 3
    assert str(path) in str(caught.value)


def test_what_cannot_be_read_is_one_line(tmp_path):
    for path in (tmp_path, tmp_path / "none", tmp_path / "nul\0nul", tmp_path / "line\nfeed"):
        with pytest.raises(LogReadError, match=r"^cannot read ") as caught:
            read_log(path)
        assert caught.value.exit_code == 2
        assert str(caught.value).isprintable()
    with pytest.raises(NotALogError):
        read_log("/dev/zero")
    with pytest.raises(NotALogError, match="is empty"):
        read_log("/dev/null")


def test_a_log_has_a_largest_size(tmp_path):
    path = tmp_path / "big"
    with path.open("wb") as file:
        file.write(game_bytes())
        file.truncate(frame.MAX_LOG + 1)
    with pytest.raises(NotALogError, match="more than 33554432 bytes"):
        read_log(path)


# Bodies -----------------------------------------------------------------------------------------------------

NOT_CANONICAL = {
    "integer in a byte too many": free_field(b"\xcc\x01"),
    "negative integer in a byte too many": free_field(b"\xd0\xff"),
    "integer in eight bytes": free_field(b"\xcf" + bytes(7) + b"\x01"),
    "signed for unsigned": free_field(b"\xd1\x01\x00"),
    "text with a long length": free_field(b"\xd9\x01a"),
    "binary with a long length": free_field(b"\xc5\x00\x01a"),
    "array with a long length": free_field(b"\xdc\x00\x00"),
    "map with a long length": free_field(b"\xde\x00\x00"),
    "whole map with a long length": raw_map(),
    "float in 32 bits": free_field(b"\xca\x3f\x80\x00\x00"),
    "infinity": free_field(b"\xcb\x7f\xf0" + bytes(6)),
    "not a number": free_field(b"\xcb\x7f\xf8" + bytes(6)),
    "extension": free_field(b"\xd4\x05a"),
    "extension of no bytes": free_field(b"\xc7\x00\x05"),
    "time stamp": free_field(b"\xd6\xff\x00\x00\x00\x00"),
    "long time stamp": free_field(b"\xc7\x0c\xff" + bytes(12)),
    "the byte that msgpack never uses": free_field(b"\xc1"),
    "text that is no UTF-8": free_field(b"\xa1\xff"),
    "text with a surrogate": free_field(b"\xa3\xed\xa0\x80"),
    "overlong UTF-8": free_field(b"\xa2\xc0\x80"),
    "integer as a key": free_field(b"\x81\x01\x01"),
    "nil as a key": free_field(b"\x81\xc0\x01"),
    "binary key": free_field(b"\x81\xc4\x01a\x01"),
    "array as a key": free_field(b"\x81\x90\x01"),
    "key twice": free_field(b"\x82\xa1a\x01\xa1a\x01"),
    "key twice, last differs": free_field(b"\x82\xa1a\x01\xa1a\x02"),
    "keys that descend": free_field(b"\x82\xa1b\x01\xa1a\x01"),
    "keys by code unit, not by code point": free_field(b"\x82\xa4\xf0\x90\x80\x80\x01\xa3\xef\xbf\xbd\x01"),
    "key of 129 bytes": free_field(b"\x81\xd9\x81" + b"k" * 129 + b"\x01"),
    "field of the header twice": b"\x8c"
    + codec.encode_header(header())[1:]
    + b"\xa7variant\xc0\xa7variant\xc0",
    "something behind the value": codec.encode_header(header()) + b"\xc0",
    "a part of the value": codec.encode_header(header())[:-1],
    "nothing": b"",
    "array of 2**32-1": free_field(b"\xdd\xff\xff\xff\xff"),
    "map of 2**32-1": free_field(b"\xdf\xff\xff\xff\xff"),
    "text of 2**32-1 bytes": free_field(b"\xdb\xff\xff\xff\xff"),
    "binary of 2**32-1 bytes": free_field(b"\xc6\xff\xff\xff\xff"),
    "extension of 2**32-1 bytes": free_field(b"\xc9\xff\xff\xff\xff\x01"),
    "array of 2**16-1": free_field(b"\xdc\xff\xff"),
    "nested 16 levels in the header": free_field(b"\x91" * 16 + b"\x01"),
    "nested 17 levels": b"\x91" * 17 + b"\x01",
    "nested 600 levels": free_field(b"\x91" * 600 + b"\x01"),
    "nested 60000 levels": free_field(b"\x91" * 60_000 + b"\x01"),
    "60000 nested maps": free_field(b"\x81\xa1a" * 20_000 + b"\x01"),
    "no map": msgpack.packb([1, 0]),
    "nil": b"\xc0",
}


@pytest.mark.parametrize("body", NOT_CANONICAL.values(), ids=NOT_CANONICAL)
def test_a_header_in_any_but_the_canonical_bytes_is_refused(body):
    error = refused(forge(header_body=body))
    assert (error.record, error.offset, error.exit_code) == (0, len(frame.MAGIC), 3)


def test_the_forged_headers_differ_from_a_good_one_in_that_alone():
    for value in (b"\x01", b"\x81\xa1a\x01", b"\x91" * 15 + b"\x01", b"\xc4\x01a", b"\xcb" + bytes(8)):
        assert "_" in parse_log(forge(header_body=free_field(value))).header.free


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"fmt": [1]}, "format version is no pair"),
        ({"fmt": [1, 0, 0]}, "format version is no pair"),
        ({"fmt": [True, 0]}, "format version is no pair"),
        ({"fmt": [1, -1]}, "format version is no pair"),
        ({"fmt": [1.0, 0]}, "format version is no pair"),
        ({"fmt": 1}, "'fmt' has a wrong type"),
        ({"game": None}, "'game' has a wrong type"),
        ({"game": b"encan"}, "'game' has a wrong type"),
        ({"game": "e" * 129}, "the header's game has 129 bytes"),
        ({"variant": 1}, "'variant' has a wrong type"),
        ({"options": []}, "'options' has a wrong type"),
        ({"options": {"a" * 129: 1}}, "a key of the options has 129 bytes"),
        ({"digest": 5}, "'digest' has a wrong type"),
        ({"engine": None}, "'engine' has a wrong type"),
        ({"rng": 1}, "'rng' has a wrong type"),
        ({"must": None}, "'must' has a wrong type"),
        ({"must": [1]}, "extension is not a text"),
        ({"seed": 42}, "'seed' has a wrong type"),
        ({"seed": ["i", 42]}, "a seed is"),
        ({"seed": ["i", "042"]}, "a seed is"),
        ({"seed": ["i", "-0"]}, "a seed is"),
        ({"seed": ["i", "4_2"]}, "a seed is"),
        ({"seed": ["i", " 42"]}, "a seed is"),
        ({"seed": ["i", "٤٢"]}, "a seed is"),
        ({"seed": ["i", ""]}, "a seed is"),
        ({"seed": ["i", "9" * 256]}, "255 digits"),
        ({"seed": ["i", "9" * 5000]}, "a seed is"),
        ({"seed": ["b", "x"]}, "a seed is"),
        ({"seed": ["s"]}, "a seed is"),
        ({"seed": ["s", "x" * 257]}, "257 bytes"),
        ({"seats": []}, "1..12 seats, not 0"),
        ({"seats": [SEAT] * 13}, "1..12 seats, not 13"),
        ({"seats": {}}, "'seats' has a wrong type"),
        ({"seats": [1]}, "a seat is not a map"),
        ({"seats": [{"name": "a"}]}, "'kind' is missing"),
        ({"seats": [SEAT | {"name": 1}]}, "'name' has a wrong type"),
        ({"seats": [SEAT | {"name": "x" * 4097}]}, "4097 bytes"),
        ({"seats": [SEAT | {"agent": "x" * 513}]}, "513 bytes"),
    ],
)
def test_a_header_of_the_wrong_form_is_refused_by_name(changes, words):
    body = header_body(**changes)
    error = refused(forge(header_body=body), words=words.replace("..", r"\.\."))
    assert error.record == 0


@pytest.mark.parametrize("key", sorted(FIELDS))
def test_no_field_of_the_header_can_be_missing(key):
    body = msgpack.packb({name: value for name, value in FIELDS.items() if name != key})
    refused(forge(header_body=body), words=f"'{key}' is missing")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (codec.MOVE, b"\x92\x00\xcc\x01"),
        (codec.MOVE, b"\x92\x00\xc3"),
        (codec.MOVE, b"\x92\xc2\x01"),
        (codec.MOVE, b"\x92\x00\xff"),
        (codec.MOVE, b"\x92\x0c\x01"),
        (codec.MOVE, b"\x92\x00\xce\x80\x00\x00\x00"),
        (codec.MOVE, b"\x92\x00\xcb" + bytes(8)),
        (codec.MOVE, b"\x92\x00\xc0"),
        (codec.MOVE, b"\x91\x00"),
        (codec.MOVE, b"\x93\x00\x01\x02"),
        (codec.MOVE, b"\xdc\x00\x02\x00\x01"),
        (codec.MOVE, b"\x92\x00\x01\x00"),
        (codec.MOVE, b"\x92\x00"),
        (codec.MOVE, b""),
        (codec.MOVE, b"\x00"),
        (codec.MOVE, b"\x82\x00\x01\x01\x01"),
        (codec.MOVE, b"\xa2ab"),
        (codec.MOVE, b"\x92\x90\x90"),
        (codec.MOVE, b"\x92\x00\xc1"),
        (codec.MOVE, b"\x92\x00\xc7\x00\x05"),
        (codec.MOVE, b"\x94" * 60_000),
        (codec.CHANCE, b"\x91\xc3"),
        (codec.CHANCE, b"\x91\xff"),
        (codec.CHANCE, b"\x91\xce\x80\x00\x00\x00"),
        (codec.CHANCE, b"\x91\xcc\x05"),
        (codec.CHANCE, b"\x90"),
        (codec.CHANCE, b"\x92\x00\x00"),
        (codec.CHANCE, b"\x05"),
        (codec.CHANCE, b""),
        (codec.END, b"\x90"),
        (codec.END, msgpack.packb({"reason": "x"})),
        (codec.END, msgpack.packb({"returns": [1.0]})),
        (codec.END, msgpack.packb({"returns": [1.0], "reason": "x"})),
        (codec.END, msgpack.packb({"reason": 1, "returns": [1.0]})),
        (codec.END, msgpack.packb({"reason": "x" * 129, "returns": [1.0]})),
        (codec.END, msgpack.packb({"reason": "x", "returns": []})),
        (codec.END, msgpack.packb({"reason": "x", "returns": [1.0] * 13})),
        (codec.END, msgpack.packb({"reason": "x", "returns": [1]})),
        (codec.END, msgpack.packb({"reason": "x", "returns": [-0.0]})),
        (codec.END, msgpack.packb({"reason": "x", "returns": [float("nan")]})),
        (codec.END, msgpack.packb({"reason": "x", "returns": [float("inf")]})),
        (codec.END, msgpack.packb({"reason": "x", "returns": [None]})),
        (codec.END, b"\x83\xa6reason\xa1x\xa6reason\xa1x\xa7returns\x91\xcb" + bytes(8)),
        (codec.HEADER, codec.encode_header(header())),
    ],
)
def test_a_record_of_the_wrong_form_is_refused_at_its_place(kind, body):
    data = forge(chance(1), (kind, body), move(0, 0))
    error = refused(data)
    assert (error.record, error.exit_code) == (2, 3)


def test_records_of_the_right_form_pass_the_same_way():
    log = parse_log(forge(chance(1), move(0, 0), move(11, 2**31 - 1), end("x" * 128, [0.0] * 12)))
    assert len(log.records) == 4


# Records ----------------------------------------------------------------------------------------------------


def with_record(pieces, covered=None):
    """A log of a header and one record made of these pieces, its tag in the last piece's place."""
    start = forge()
    before = b"".join(pieces)
    tag = frame.digest(parse_log(start).tag, before)
    return start + before + b"\xc4\x10" + tag


def test_the_pieces_of_a_record_make_one():
    assert len(parse_log(with_record([b"\x94", b"\x02", b"\x01", b"\xc4\x02", b"\x91\x05"])).records) == 1


@pytest.mark.parametrize(
    "pieces",
    [
        [b"\xdc\x00\x04", b"\x02", b"\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x93", b"\x02", b"\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x95", b"\x02", b"\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\xcc\x02", b"\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\xd0\x02", b"\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\xcd\x01\x00", b"\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\xe0", b"\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\x02", b"\xcc\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\x02", b"\xcd\x00\x01", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\x02", b"\x00", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\x02", b"\x02", b"\xc4\x02", b"\x91\x05"],
        [b"\x94", b"\x02", b"\x01", b"\xc5\x00\x02", b"\x91\x05"],
        [b"\x94", b"\x02", b"\x01", b"\xc6\x00\x00\x00\x02", b"\x91\x05"],
        [b"\x94", b"\x02", b"\x01", b"\xa2", b"\x91\x05"],
        [b"\x94", b"\x02", b"\x01", b"\x91\x05"],
        [b"\xc0"],
        [b"\x00"],
    ],
)
def test_a_record_in_any_but_the_canonical_bytes_is_refused(pieces):
    error = refused(with_record(pieces))
    assert error.record == 1


@pytest.mark.parametrize(
    "mark", [b"\xc5\x00\x10", b"\xb0", b"\xc4\x0f", b"\xc4\x11", b"\xd8\x05", b"\xc4\x10\x00"]
)
def test_a_tag_in_any_but_the_canonical_bytes_is_refused(mark):
    data = with_record([b"\x94", b"\x02", b"\x01", b"\xc4\x02", b"\x91\x05"])
    error = refused(data[:-18] + mark + data[-16:] + b"\x94\x02\x02" * 20)
    assert error.record == 1


@pytest.mark.parametrize(
    "length", [b"\xc5\xff\xff", b"\xc6\xff\xff\xff\xff", b"\xc6\x00\x01\x00\x00", b"\xdd\xff\xff\xff\xff"]
)
def test_a_huge_declared_length_is_never_believed(length):
    data = forge(move(0, 1))
    for rest in (b"", bytes(1000)):
        try:
            parse_log(data + b"\x94\x01\x02" + length + rest)
        except LogError as error:
            assert error.exit_code in (3, 4)  # noqa: PT017
        else:
            pytest.fail("read to the end")


def test_the_first_record_must_be_a_header():
    tag = frame.ORIGIN
    record, _ = frame.build(codec.MOVE, 0, b"\x92\x00\x01", tag)
    error = refused(frame.MAGIC + record, words="it is no header")
    assert error.record == 0


# Anything ---------------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_any_bytes_behind_the_magic_raise_a_log_error(junk):
    with pytest.raises(LogError):
        parse_log(frame.MAGIC + junk)


@settings(max_examples=300)
@given(st.binary(max_size=200))
def test_any_header_body_is_read_or_refused(body):
    with pytest.raises(LogError):
        parse_log(forge(header_body=body))


@settings(max_examples=300)
@given(st.integers(1, 255), st.binary(max_size=60))
def test_any_body_is_read_or_refused_and_reads_the_same_again(kind, body):
    data = forge((kind, body))
    try:
        record = parse_log(data).records[0]
    except (CorruptLogError, UnsupportedLogError):
        return
    encoders = {codec.MOVE: codec.encode_move, codec.CHANCE: codec.encode_chance, codec.END: codec.encode_end}
    if kind in encoders:
        assert encoders[kind](record) == body
    else:
        assert record == Skipped(kind, body)


def test_a_megabyte_of_anything_takes_little_memory():
    program = """
        import resource, sys
        sys.path.insert(0, sys.argv[1])
        import msgpack
        from logcraft import chance, forge, header, move
        from cardgods import Random
        from cardgods.log import LogError, codec, frame, parse_log, record_of
        from logcraft import free_field, header_body

        MB = 1 << 20
        noise = b"".join(Random("noise").bits32().to_bytes(4, "big") for _ in range(1000)) * 270
        deep = free_field(b"\\x91" * 65_000 + b"\\x01")
        wide = free_field(b"\\xdc\\xfa\\x00" + b"\\x80" * 0xFA00)
        keys = msgpack.packb({f"_{n:06}": {} for n in range(7000)})
        good = header_body(_x=[{}] * 0xFA00)
        junk = {
            "noise": frame.MAGIC + noise,
            "zeros": frame.MAGIC + bytes(MB),
            "array marks": frame.MAGIC + b"\\x94" * MB,
            "open records": frame.MAGIC + b"\\x94\\x00\\x00\\xc5\\xff\\xff" * (MB // 6),
            "nested header": forge(header_body=deep) + bytes(MB - 65_000),
            "wide header": forge(header_body=wide) + noise,
            "many keys": forge(header_body=keys) + noise,
            "good wide header": forge((100, b"x" * 65_535), header_body=good) * 1,
            "small records": forge(*((6, b"") for _ in range(MB // 25))),
            "distinct moves": forge(*(move(n % 12, n * 40_000) for n in range(MB // 31))),
            "distinct chance": forge(*(chance(n * 40_000) for n in range(MB // 31))),
            "large records": forge(*((6, b"\\x80" * 65_000) for _ in range(16))),
            "large moves": forge(*((1, b"\\xdc\\xfd\\xe8" + b"\\x80" * 65_000) for _ in range(16))),
            "large end": forge(*([(6, b"")] * 9), (9, msgpack.packb({"reason": [{}] * 64_000}))),
            "large free end": forge((9, msgpack.packb({"a": [{}] * 64_000, "reason": "", "returns": [0.0]}))),
        }
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

        start = peak()
        for name, data in junk.items():
            try:
                log = parse_log(data)
            except LogError:
                log = None
            assert peak() - start < 50 * MB, (name, peak() - start)
            del log
        print("bounded", len(junk))
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "bounded 15\n", "")


def test_a_megabyte_costs_little_whatever_is_done_with_it():
    """Views and undos, the cases that cost most; `make costs` does all of them."""
    cases = ("distinct moves", "view, undos", "wide header", "undos of nothing")
    run = subprocess.run(
        [sys.executable, Path(__file__).with_name("costs.py"), *cases],
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert (run.returncode, run.stderr, run.stdout.count("MB more")) == (0, "", len(cases))


def test_seats_of_the_forged_headers_are_those_of_the_games():
    assert len(SEATS) == len(FIELDS["seats"])
