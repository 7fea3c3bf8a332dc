"""What is written is what is read, whatever the names, options and moves."""

import dataclasses
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logcraft import SEATS, forge, game_bytes, header, move, play_logged

import cardgods
from cardgods.errors import ParameterError
from cardgods.log import (
    ChanceOutcome,
    End,
    Header,
    LogWriter,
    Move,
    Seat,
    codec,
    make_header,
    parse_log,
    read_log,
    record_of,
    replay,
    to_json,
    verify,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=128 // 4)
names = st.text(st.characters(exclude_categories=["Cs"]), max_size=4096 // 4)
seeds = st.none() | st.integers() | texts
plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
seats = st.builds(Seat, names, st.sampled_from(["human", "agent"]), st.none() | texts, seeds)
free = st.dictionaries(texts.map(lambda text: "_" + text[:20]), plain_values, max_size=3)
encan_options = st.fixed_dictionaries(
    {
        "cards": st.sets(st.integers(1, 20), min_size=1, max_size=6).map(sorted).map(tuple),
        "target": st.none() | st.integers(1, 60),
        "obole": st.booleans(),
        "tie": st.sampled_from(["carry", "discard", "split"]),
        "payoff": st.sampled_from(["win", "points"]),
        "treasure_order": st.sampled_from(["random", "descending", "ascending"]),
    }
)


@given(st.lists(seats, min_size=2, max_size=2), seeds, free)
def test_a_header_is_read_as_it_was_written(seats, seed, free):
    game = cardgods.load_game("encan")
    written = make_header(game, seats, seed=seed, free=free)
    read = codec.decode_header(codec.encode_header(written))
    assert read == written
    assert [type(seat.seed) for seat in read.seats] == [type(seat.seed) for seat in seats]
    assert codec.encode_header(read) == codec.encode_header(written)


@given(encan_options, st.integers(0, 10**6))
def test_a_game_is_read_as_it_was_played(options, seed):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.cglog")
        state = play_logged(path, seed, **options)
        log = read_log(path)
    found = verify(log)
    assert (found.complete, found.terminal, found.torn, found.exit_code) == (True, True, 0, 0)
    assert log.header.seats == SEATS
    assert {name: log.header.options[name] for name in options} == options
    acted = [(r.player, r.action) if isinstance(r, Move) else (-1, r.outcome) for r in log.records[:-1]]
    assert acted == state.full_history()
    assert log.end == End("finished", tuple(state.returns()))
    steps = list(replay(log))
    assert [record for record, _ in steps] == [log.header, *log.records]
    assert [len(after.history()) for _, after in steps] == [*range(len(acted) + 1), len(acted)]
    assert steps[-1][1].serialize() == state.serialize()


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 2**31 - 1)), max_size=300))
def test_any_move_is_read_as_it_was_written(moves):
    log = parse_log(forge(*(move(*pair) for pair in moves)))
    assert [(record.player, record.action) for record in log.records] == moves
    assert not log.complete


def test_a_log_of_many_records_keeps_its_numbers_in_every_width():
    count = 70_000  # numbers of 1, 2, 3 and 5 bytes
    data = forge(*((codec.CHANCE, bytes((0x91, number % 100))) for number in range(count)))
    log = parse_log(data)
    assert [record.outcome for record in log.records] == [number % 100 for number in range(count)]
    assert log.size == len(data)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 4096,
        "[/]",
        "[red]x",
        "\ufeffBOM",
        "two\nlines\r\n",
        "nul\0nul",
        "\u202eright to left",
        "\x1b[2J\x1b]0;title\x07",
        "👩‍👩‍👧‍👦 é e\u0301",
        "\U0010ffff\ufffe",
    ],
)
def test_any_unicode_name_is_kept(tmp_path, name):
    path = tmp_path / "[WIP].cglog"
    play_logged(path, 3, seats=(Seat(name, "human"), Seat("b", "agent", "x")), variant="express")
    log = verify(path).log
    assert log.header.seats[0].name == name
    line = to_json(log)
    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["seats"][0]["name"] == name


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Seat("a\ud800b", "human"), "lone surrogate, U+D800, as character 2"),
        (lambda: Seat("x" * 4097, "human"), "4097 bytes of UTF-8, at most 4096"),
        (lambda: Seat("é" * 2049, "human"), "4098 bytes"),
        (lambda: Seat(7, "human"), "is a text, not int"),
        (lambda: Seat("a", "human", "x" * 513), "an agent has 513 bytes"),
        (lambda: Seat("a", "human", seed=True), "not bool"),
        (lambda: Seat("a", "human", seed=10**255), "255 digits"),
        (lambda: Seat("a", "human", seed=b"x"), "not bytes"),
        (lambda: Move(0, True), "an action is an integer, not bool"),
        (lambda: Move(0, 1.0), "not float"),
        (lambda: Move(-2, 1), "a player is -2, allowed are 0..11"),
        (lambda: Move(12, 1), "allowed are 0..11"),
        (lambda: Move(0, 2**31), "allowed are 0..2147483647"),
        (lambda: ChanceOutcome(-1), "a chance outcome is -1"),
        (lambda: End("x", (float("nan"),)), "finite"),
        (lambda: End("x", ()), "1..12 returns, not 0"),
        (lambda: header(free={"created": 1}), "begins with"),
        (lambda: header(free={"_x": {1, 2}}), "holds a set"),
        (lambda: header(free={"_x": 2**64}), "64 bits"),
        (lambda: header(free={"_x": float("inf")}), "no finite number"),
        (lambda: header(free={"_x": {1: 2}}), "a key of the free fields is a text"),
        (lambda: header(free={"_x": nested(16)}), "nested too deeply"),
        (lambda: header(seats=()), "1..12 seats, not 0"),
        (lambda: header(game="e" * 129), "the header's game has 129 bytes"),
        (lambda: header(seed="\udfff"), "U+DFFF"),
        (lambda: make_header(cardgods.load_game("encan"), SEATS[:1]), "2 players, 1 seats"),
        (lambda: codec.encode_header(header(free={"_x": "y" * 65_500})), "at most 65535"),
    ],
)
def test_what_a_log_cannot_hold_is_refused_before_play(make, words):
    with pytest.raises(ParameterError, match=words.replace("+", r"\+").replace("..", r"\.\.")):
        make()


def nested(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


def test_values_at_the_limits_are_kept():
    free = {"_deep": nested(15), "_ints": [2**64 - 1, -(2**63)], "_bytes": b"\x00\xff"}
    many = tuple(Seat("x" * 4096, "human", "y" * 512, "z" * 256) for _ in range(12))
    for written in (header(free=free), header(seats=many), header(seed=10**255 - 1)):
        assert parse_log(forge(header_body=codec.encode_header(written))).header == written


def test_integer_types_are_written_as_plain_integers():
    class Small(int):
        pass

    assert type(Move(Small(1), Small(2)).action) is int
    assert End("x", (1, -0.0)).returns == (1.0, 0.0)
    assert str(End("x", (1, -0.0)).returns[1]) == "0.0"


def test_the_same_game_gives_the_same_bytes(tmp_path):
    for path in (tmp_path / "a", tmp_path / "b"):
        play_logged(path, 5)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_replay_gives_states_that_may_be_kept():
    log = parse_log(game_bytes())
    states = [state for _, state in replay(log)]
    assert [len(state.history()) for state in states] == [*range(len(states) - 1), len(states) - 2]


def test_record_of_is_plain_and_complete(tmp_path):
    path = tmp_path / "g"
    game = cardgods.load_game("encan", variant="express")
    head = make_header(game, SEATS, seed="a", free={"_created": {"by": [b"\x01", None, 1.5]}})
    with LogWriter(path, head) as writer:
        writer.append(-1, 3)
        writer.append(0, 2)
    log = read_log(path)
    assert record_of(log) == {
        "format": [1, 1],
        "game": "encan",
        "variant": "express",
        "options": game.parameters(),
        "digest": game.ruleset_digest(),
        "seats": [
            {"name": "Ana", "kind": "human", "agent": None, "seed": None},
            {"name": "Zoé", "kind": "agent", "agent": "random", "seed": 7},
        ],
        "seed": "a",
        "rng": "chacha8-v1",
        "deal": None,
        "view_of": None,
        "engine": f"cardgods {cardgods.__version__}",
        "must": [],
        "free": {"_created": {"by": ["01", None, 1.5]}},
        "complete": False,
        "records": [["chance", 3], ["move", 0, 2]],
        "end": None,
        "tag": log.tag.hex(),
    }
    assert json.loads(to_json(log)) == record_of(log)
    whole = record_of(parse_log(game_bytes()))
    assert whole["complete"]
    assert whole["end"]["winners"] == [whole["end"]["returns"].index(1.0)]
    shared = parse_log(forge((100, b"later"), (codec.END, codec.encode_end(End("x", (2.0, 2.0, 0.0))))))
    assert record_of(shared)["records"] == [["skipped", 100]]
    assert record_of(shared)["end"]["winners"] == [0, 1]


def test_records_are_frozen():
    for record in (Move(0, 1), ChanceOutcome(2), End("x", (0.0,)), SEATS[0], header()):
        field = dataclasses.fields(record)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(record, field, 0)
    assert isinstance(header(), Header)
