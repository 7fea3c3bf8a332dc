"""docs/log-format.md says enough to read a log, and its example is a log."""

import hashlib
import itertools
import json
import re
from pathlib import Path

import docexample
import msgpack
import pytest
from logcraft import SEATS, game_bytes

import cardgods
from cardgods.agents import make_agent
from cardgods.log import (
    ChanceOutcome,
    LogWriter,
    Move,
    Seat,
    codec,
    frame,
    make_header,
    parse_log,
    read_log,
    record_of,
    replay,
    values,
    verify,
)
from cardgods.play import play

STANDARD = {
    "cards": list(range(2, 15)),
    "target": 20,
    "obole": True,
    "tie": "carry",
    "payoff": "win",
    "treasure_order": "random",
    "tie_break": "cascade",
}
DOC = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text(encoding="utf-8")


def block(kind):
    return re.search(rf"```{kind}\n(.*?)```", DOC, re.DOTALL)[1]


def example():
    return bytes.fromhex("".join(line.partition("#")[0] for line in block("hex").splitlines()))


def second_reader(data):
    """A reader made from the page alone: all records as [kind, number, value], or an error."""
    tag = hashlib.blake2b(data[:14], digest_size=16).digest()
    unpacker = msgpack.Unpacker(max_buffer_size=len(data))
    unpacker.feed(data)
    assert unpacker.unpack() == "cardgods-log\n"
    rows = []
    while unpacker.tell() < len(data):
        kind, number, body, found = record = unpacker.unpack()
        covered = msgpack.packb(record)[:-18]
        tag = hashlib.blake2b(tag + covered, digest_size=16).digest()
        assert found == tag
        assert number == len(rows)
        value = msgpack.unpackb(body)
        assert msgpack.packb(value) == body
        rows.append([kind, number, value])
    return rows


def test_the_example_is_a_log_and_is_what_the_page_says():
    log = parse_log(example())
    assert verify(log).complete
    assert record_of(log) == json.loads(block("json"))


def test_the_example_is_what_the_writer_writes():
    assert docexample.example() == example()


def test_the_lines_of_the_example_begin_where_records_do():
    lines = [line for line in block("hex").splitlines() if "#" in line]
    log = parse_log(example())
    for line, offset in zip(lines, [0, *log.offsets[:-1]], strict=True):
        wanted = bytes.fromhex(line.partition("#")[0])
        assert example()[offset : offset + len(wanted)] == wanted


@pytest.mark.parametrize("data", [example(), game_bytes(1), game_bytes(2, variant="express")])
def test_a_reader_made_from_the_page_reads_the_same(data):
    log = parse_log(data)
    head, *rows, last = second_reader(data)
    assert (head[0], last[0]) == (0, 9)
    names = {"fmt", "game", "variant", "options", "digest", "seats", "engine", "rng", "seed", "must"}
    assert set(head[2]) == names
    assert [seat["name"] for seat in head[2]["seats"]] == [seat.name for seat in log.header.seats]
    assert [seat["seed"] for seat in head[2]["seats"]] == [None, ["i", "7"]]
    for (kind, _, value), record in zip(rows, log.records, strict=False):
        if kind == 1:
            assert Move(*value) == record
        else:
            assert kind == 2
            assert ChanceOutcome(*value) == record
    assert last[2] == {"reason": log.end.reason, "returns": list(log.end.returns)}
    changed = {name: value for name, value in head[2]["options"].items() if value != STANDARD[name]}
    text = json.dumps([head[2]["game"], 1, changed], sort_keys=True)
    assert hashlib.sha256(text.encode("ascii")).hexdigest() == head[2]["digest"]


def test_the_second_reader_finds_a_flipped_bit():
    data = bytearray(game_bytes(1))
    data[-30] ^= 1
    with pytest.raises(AssertionError):
        second_reader(bytes(data))


def rows_of(title):
    section = DOC.partition(f"## {title}\n")[2].partition("\n## ")[0]
    table = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return {row[0].strip(" `"): row[1].strip(" `") for row in table[2:]}


def test_the_limits_of_the_page_are_those_of_the_code():
    numbers = {
        name: [int(n) for n in re.findall(r"\d+", text.replace(",", ""))]
        for name, text in rows_of("Limits").items()
    }
    assert numbers["file, and a log in an archive"] == [frame.MAX_LOG]
    assert numbers["body of a record"] == [frame.MAX_BODY]
    assert numbers["body of a move, chance outcome or undo"] == [codec.MAX_MOVE]
    assert numbers["maps and arrays inside one another in a body, the outermost included"] == [
        values.MAX_DEPTH
    ]
    assert numbers["cut"] == [values.MAX_CUT]
    assert numbers["what a seat learns from one event"] == [values.MAX_LEARNT]
    assert numbers["seats"] == [values.MAX_SEATS]
    assert numbers["name of a player"][0] == values.MAX_NAME
    assert numbers["agent"] == [values.MAX_AGENT]
    assert numbers["seed"] == [values.MAX_SEED, values.MAX_SEED - 1]
    assert numbers["any other text of the header, a key included; the reason of the end"] == [
        values.MAX_TOKEN
    ]


def test_the_chain_of_the_page_begins_as_that_of_the_code():
    assert f"`{frame.MAGIC.hex(' ')}`" in DOC
    assert f"`{frame.ORIGIN.hex()}`" in DOC
    assert hashlib.blake2b(frame.MAGIC, digest_size=16).digest() == frame.ORIGIN


@pytest.mark.parametrize("seed", [42, "Hermès"])
def test_a_seed_deals_the_game_again_as_the_page_says(tmp_path, seed):
    game = cardgods.load_game("encan", target=None)
    agents = [make_agent("random", game), make_agent("random", game)]
    seats = (Seat("a", "agent", "random"), Seat("b", "agent", "random", "own"))
    with LogWriter(tmp_path / "a", make_header(game, seats, seed=seed)) as writer:
        state = game.new_initial_state(turn_based=True)
        play(state, agents, cardgods.Random(seed), writer, agent_rngs=[None, cardgods.Random("own")])
    steps = list(replay(read_log(tmp_path / "a")))
    counts = {-1: 0, 0: 0, 1: 0}
    for (_, before), (record, _) in itertools.pairwise(steps[:-1]):
        actor = record.player if isinstance(record, Move) else -1
        rng = cardgods.Random("own" if actor == 1 else seed, (actor + 1) * 2**40 + counts[actor])
        counts[actor] += 1
        if actor == -1:
            outcomes = [outcome for outcome, _ in before.chance_outcomes()]
            assert outcomes[rng.weighted([1] * len(outcomes))] == record.outcome
        else:
            assert rng.choice(before.legal_actions()) == record.action
    assert min(counts.values()) == 13


def test_the_header_fields_of_the_page_are_those_of_a_header():
    section = DOC.partition("## Header\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    fields = msgpack.unpackb(codec.encode_header(parse_log(game_bytes(1)).header))
    assert named == set(fields) | set(fields["seats"][0]) | {"deal", "view"}
    assert len(SEATS) == len(fields["seats"])
