"""Faults that were reported against other programs, each as a test of what it would be here.

The name behind each is the repository and the number under which the report can be read.
"""

import contextlib
import json
import os
import subprocess
import sys
import textwrap
import zlib
from collections import Counter
from pathlib import Path

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from logcraft import (
    child,
    end,
    fair_game,
    forge,
    game_bytes,
    games,
    logged,
    move,
    records_of,
    reforged,
    refused,
    seats_for,
)

import cardgods
from cardgods.agents import make_agent
from cardgods.errors import CardgodsError
from cardgods.log import (
    ChanceOutcome,
    CorruptLogError,
    Cut,
    End,
    IllegalLogError,
    LogBusyError,
    LogError,
    LogWriter,
    Move,
    Seat,
    Secret,
    Seen,
    Skipped,
    TornTailError,
    Undo,
    codec,
    derive,
    frame,
    make_header,
    parse_log,
    record_of,
    to_json,
    verify,
    verify_bytes,
)
from cardgods.log.values import MAX_ACTION
from cardgods.play import play
from conftest import TESTS, random_states
from conftest import step as one_step

SECRET = bytes(32)
GAMES = {str(game): game for game in games()}
ARCHIVE = TESTS / "data" / "logs"


@pytest.mark.parametrize("turn_based", [True, False])
@pytest.mark.parametrize("key", GAMES)
def test_a_saved_state_knows_who_is_to_move(key, turn_based, rng):
    """google-deepmind/open_spiel#1277: serialisation lost the side to move.

    At every node, in the middle of a trade, of a sealed bid or after an obole: the same player acts, and
    the whole tree of continuations is the same, here along random lines and two plies wide.
    """
    game = GAMES[key]
    for number, state in enumerate(random_states(game, rng, turn_based)):
        again = cardgods.deserialize_state(state.serialize())
        assert nearby(again, 1) == nearby(state, 1)
        if number % 9 == 0:
            assert nearby(again, 2) == nearby(state, 2)
            assert line(again, number) == line(state, number)


def nearby(state, depth):
    """Who acts here, what he may do, what lies there, and the same of what follows."""
    who = state.current_player()
    here = [who, state.returns(), zlib.crc32(repr(state.view()).encode())]
    if depth == 0 or who == -2:
        return here
    return here, [(action, nearby(state.child(action), depth - 1)) for action in state.legal_actions()[:6]]


def line(state, seed):
    """All that everybody learns along a random line to the end."""
    rng = cardgods.Random(seed)
    state = state.clone()
    while not state.is_terminal():
        one_step(state, rng)
    return state.history(), state.returns(), [state.events(player) for player in range(state.num_players())]


# A whole deck ---------------------------------------------------------------------------------------------


def encan_cards(state, view):
    """Each purse, and the treasures; a sealed bid still counts to its hand."""
    cards = list(state.game.options.cards)
    for hand, burnt in zip(view["hands"], view["burnt"], strict=True):
        assert sorted(hand + burnt) == cards
    out = len(cards) - len(view["treasures_left"]) - (view["treasure"] is not None)
    assert len(set(view["treasures_left"]) | {view["treasure"]} - {None}) == len(cards) - out
    if state.is_chance_node():
        possible = [cards[outcome] for outcome in state.legal_actions()]
        assert possible == view["treasures_left"]


def trones_cards(state, view):
    laid = [card for front in view["fronts"] for cards in front["cards"] for card in cards]
    held = [card for hand in view["hands"] for card in hand]
    deck = sorted(13 * suit + rank - 2 for suit in range(4) for rank in state.game.options.ranks)
    assert sorted(laid + held + view["unseen"]) == deck
    assert len(view["unseen"]) == view["pile"]
    if state.is_chance_node():
        assert [outcome for outcome, _ in state.chance_outcomes()] == sorted(view["unseen"])


def commerce_cards(state, view):
    seen = [card for hand in view["hands"] + view["rejected"] for card in hand]
    size = state.game.options.suits * state.game.options.ranks
    assert len(set(seen)) == len(seen) == size - view["stock"]
    if state.is_chance_node() and view["phase"] != "lot":
        left = [outcome for outcome, _ in state.chance_outcomes()]
        if view["open"]:  # the deal before still lies on the table: the next is from the whole deck
            assert len(left) == size
        else:
            assert len(left) == view["stock"]
            assert not set(left) & set(seen)


def eleusis_cards(state, view):
    seen = Counter(card for hand in view["hands"] for card in hand)
    seen.update(card for row in view["table"] for card in row["cards"])
    if view["phase"] in ("sequence", "judge"):
        seen.update(view["laid"])
    assert seen.total() + view["stock"] == 52 * view["packs"]
    assert max(seen.values(), default=0) <= view["packs"]
    if state.is_chance_node() and view["phase"] in ("draw", "starter"):
        left = Counter({card: round(chance * view["stock"]) for card, chance in state.chance_outcomes()})
        assert seen + left == Counter(dict.fromkeys(range(52), view["packs"]))


@pytest.mark.parametrize("key", GAMES)
def test_stock_hands_rejects_and_table_are_the_deck_at_each_step(key, rng):
    """uoftcprg/pokerkit#28: cards that had been thrown away could be dealt again."""
    census = globals()[f"{GAMES[key].name}_cards"]
    for _ in range(3):
        for state in random_states(GAMES[key], rng):
            census(state, state.view())


def test_there_is_a_census_for_every_game(name):
    assert callable(globals()[f"{name}_cards"])


# Versions and bytes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("minor", [2, 255, 2**64 - 1])
@pytest.mark.parametrize("key", GAMES)
def test_a_log_of_a_later_minor_version_gives_its_game(key, minor):
    """uoftcprg/pokerkit#26, #38: the importer broke on formats newer than its samples."""
    data = fair_game(GAMES[key])
    fields = msgpack.unpackb(msgpack.unpackb(records_of(data)[0])[2])
    fields |= {"fmt": [1, minor], "clock": {"per": [1, None], "unit": "ms"}, "_note": b"\x00"}
    (kind, secret), *pairs = rows_of(data)
    last = msgpack.packb({"aaa": [1], **msgpack.unpackb(pairs[-1][1])})
    later = [
        (kind, secret),
        *(pair for row in pairs[:-1] for pair in ((100, b"\xc1any bytes"), row)),
        (9, last),
    ]
    first = msgpack.packb(dict(sorted(fields.items())))
    # The deal hangs on the header, so the cards of a log with another header are not those of its secret.
    found = parse_log(forge(*later, header_body=first))
    assert found.complete
    assert found.header.later == {"clock": {"per": (1, None), "unit": "ms"}}
    bare = {key: value for key, value in fields.items() if key != "deal"}
    found = verify_bytes(forge(*later[1:], header_body=msgpack.packb(dict(sorted(bare.items())))))
    assert found.complete
    assert found.state.history() == verify_bytes(data).state.history()


def rows_of(data):
    return [(kind, body) for kind, _, body, _ in map(msgpack.unpackb, records_of(data)[1:])]


@pytest.mark.parametrize("key", GAMES)
def test_a_card_that_lies_elsewhere_already_is_not_dealt_from_a_log(key, tmp_path):
    """ellekdev/PiedPoker#4: a hand with the same card twice was taken.

    The first outcome of chance that is no longer possible at a later one is put in its place: refused there.
    """
    game = GAMES[key]
    *_, state = random_states(game, cardgods.Random("double"))
    data = logged(state)
    follow = game.new_initial_state(turn_based=True)
    gone, tried = [], 0
    for number, record in enumerate(parse_log(data).records, 1):
        if isinstance(record, ChanceOutcome):
            possible = follow.legal_actions()
            for double in [outcome for outcome in gone if outcome not in possible][-1:] * (tried < 8):
                with pytest.raises(IllegalLogError) as caught:
                    verify_bytes(reforged(data, {number: (codec.CHANCE, msgpack.packb([double]))}))
                assert (caught.value.record, caught.value.exit_code) == (number, 3)
                tried += 1
            gone.append(record.outcome)
        if isinstance(record, Move | ChanceOutcome):
            follow.apply_action(record.action if isinstance(record, Move) else record.outcome)
    # A deck of which no card is ever missing cannot deal one twice: several packs, or treasures by number.
    assert tried or game.name in ("encan", "eleusis")


NAMES = {
    "brackets": '[Event "x"] [/] [red]a[/red] {0} %s $(id) `id`',
    "a byte order mark": "\ufeffAna\ufeff",
    "lines": 'Ana\n\n[White "Bea"]\r\n1. e4\u2028\u2029\x85',
    "right to left": "\u202eanA\u202c \u05d0\u05e0\u05d4 \u2066x\u2069",
    "four kilobytes": "é" * 2048,
    "emoji": "👩‍👩‍👧‍👦🃏" * 3,
    "control": "\x00\x07\x1b[2J\x1b]0;title\x07\x9b31m\x7f",
    "nothing": "",
}


@pytest.mark.parametrize("what", NAMES)
def test_a_name_of_any_kind_comes_back_and_disturbs_nothing(what, tmp_path):
    """niklasf/python-chess#353, #773, #794, #1077: blank lines, marks, brackets put a parser out of step."""
    game = cardgods.load_game("encan", variant="express")
    seats = [Seat(NAMES[what], "human"), Seat("Bea", "human")]
    *_, state = random_states(game, cardgods.Random("names"))
    data = logged(state, seats=seats)
    log = parse_log(data)
    assert [seat.name for seat in log.header.seats] == [NAMES[what], "Bea"]
    assert verify(log).complete
    assert json.loads(to_json(log))["seats"][0]["name"] == NAMES[what]
    view = parse_log(derive(log, 1))
    assert view.header.seats == log.header.seats
    assert len(log.records) == len(state) + 1
    with pytest.raises(LogError) as caught:
        verify_bytes(reforged(data, {len(log.records): end(reason=NAMES[what][:30], returns=(0.25, -0.25))}))
    assert str(caught.value).isprintable()


# The same game everywhere, for ever -------------------------------------------------------------------------

DEALS = sorted(ARCHIVE.glob("*-seed.cglog"))


@pytest.mark.parametrize("path", DEALS, ids=lambda path: path.stem)
def test_a_seed_gives_the_game_that_it_gave(path):
    """HaliteChallenge/Halite-II#241, freeorion#2857: another game from the same seed on another platform.

    Cards, order of seats and agents' moves of the archive, played anew from its seeds by what its header
    says. `make portable` holds the generator against the page's vectors under other compilers.
    """
    kept = parse_log(path.read_bytes())
    game = verify(kept).state.game
    agents = [make_agent(seat.agent, game) for seat in kept.header.seats]
    state = game.new_initial_state(turn_based=True)
    play(state, agents, cardgods.Random(kept.header.seed))
    assert state.full_history() == verify(kept).state.full_history()
    assert tuple(state.returns()) == kept.end.returns


@pytest.mark.parametrize("path", DEALS, ids=lambda path: path.stem)
def test_the_same_player_begins_as_when_the_log_was_written(path):
    """Hanabi-Live#554, #1397: after an update the same seed had another player begin."""
    state = verify_bytes(path.read_bytes()).state
    actors = json.loads(path.with_suffix(".json").read_text())["actors"]
    assert [actor for actor, _ in state.full_history()] == actors
    assert any(actor >= 0 for actor in actors)


def test_logs_of_the_first_version_of_the_format_are_read():
    """Fluorohydride/ygopro-core#391, #437: a corrected generator broke all old replays."""
    old = sorted(ARCHIVE.glob("1.0-*.cglog"))
    assert {path.stem.split("-")[1] for path in old} == set(cardgods.registered_names())
    for path in old:
        log = parse_log(path.read_bytes())
        assert log.header.fmt == (1, 0)
        assert log.tag.hex() == json.loads(path.with_suffix(".json").read_text())["tag"]
        if log.header.view is None:
            assert verify(log).count == len(log.records)


# Input of any size ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mark", [b"\xc6\xff\xff\xff\xff", b"\xc6\x00\x01\x00\x00", b"\xc5\xff\xff", b"\xdd\xff\xff\xff\xff"]
)
def test_an_oversize_record_is_damage_and_never_a_shorter_game(mark):
    """msgpack/msgpack-python#503, #578: iteration stopped without a word at what was too large."""
    data = game_bytes()
    log = parse_log(data)
    for number in range(1, len(log.records) + 1):
        at = log.offsets[number]
        broken = data[: at + 3] + mark + data[at + 5 :]
        if number < len(log.records):
            error = refused(broken, CorruptLogError)
            assert (error.record, error.exit_code) == (number, 3)
        else:
            # With nothing behind it, it is the beginning of a large record that was cut short.
            with pytest.raises((CorruptLogError, TornTailError)) as caught:
                parse_log(broken)
            assert caught.value.exit_code == 3 or not caught.value.log.complete
    # A body of the largest size is read, and one byte more is damage, however much follows.
    assert len(parse_log(forge((100, bytes(65_535)), move(0, 1))).records) == 2
    tag = frame.parse(forge(), len(frame.MAGIC), 0)
    start = forge()
    large = (
        start
        + b"\x94\x64\x01\xc6\x00\x01\x00\x00"
        + bytes(65_536)
        + b"\xc4\x10"
        + bytes(16)
        + start[tag.body :]
    )
    assert refused(large, CorruptLogError).record == 1


def test_a_reader_under_fire_ends_by_itself():
    """msgpack/msgpack-python#695, #733, #734: crashes of the interpreter. Any signal is a failure here."""
    program = """
        import sys
        sys.path.insert(0, sys.argv[1])
        import fuzzer
        print(fuzzer.volley(300))
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "300\n", "")


FLOATS = st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | FLOATS | st.text(max_size=9)
RECORDS = st.one_of(
    st.builds(Move, st.integers(0, 11), st.integers(0, MAX_ACTION)),
    st.builds(ChanceOutcome, st.integers(0, MAX_ACTION)),
    st.builds(Undo, st.integers(0, 11), st.integers(1, MAX_ACTION)),
    st.builds(Secret, st.binary(min_size=32, max_size=32)),
    st.builds(Cut, st.integers(0, 11), st.binary(max_size=64)),
    st.builds(
        Seen,
        st.none() | st.integers(-1, 11),
        st.none() | st.binary(max_size=1024),
        st.dictionaries(st.text(max_size=20), PLAIN, max_size=5),
    ),
    st.builds(
        End,
        st.text(max_size=30),
        st.lists(FLOATS, min_size=1, max_size=12).map(tuple),
    ),
)  # fmt: skip
ENCODERS = {
    Move: (codec.MOVE, codec.encode_move),
    ChanceOutcome: (codec.CHANCE, codec.encode_chance),
    Undo: (codec.UNDO, codec.encode_undo),
    Secret: (codec.SECRET, codec.encode_secret),
    Cut: (codec.CUT, codec.encode_cut),
    Seen: (codec.SEEN, codec.encode_seen),
    End: (codec.END, codec.encode_end),
}


@given(RECORDS)
def test_whatever_can_be_written_can_be_read(record):
    """msgpack/msgpack-python#474, #476, #703: packed what it would not unpack."""
    kind, encode = ENCODERS[type(record)]
    assert parse_log(forge((kind, encode(record)))).records == (record,)


def test_every_kind_of_record_is_among_them():
    kinds = {value for name, value in vars(codec).items() if name.isupper() and name.removesuffix("_") in (
        "MOVE", "CHANCE", "SECRET", "CUT", "SEEN", "END", "UNDO",
    )}  # fmt: skip
    assert {kind for kind, _ in ENCODERS.values()} == kinds
    record = parse_log(forge((100, b"later"))).records[0]
    assert record == Skipped(100, b"later")
    assert record_of(parse_log(forge((100, b"later"))))["records"] == [["skipped", 100]]


# Crashes and company ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GAMES)
def test_crash_resume_crash_resume_loses_nothing_anywhere(key, tmp_path, monkeypatch):
    """cqlite#1390, fak#11857, samyama-graph#1335: what was appended behind a torn tail was never seen again.

    Each game is cut at bytes of every place in a record; test_log_resume.py does one game at every byte.
    """
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    game = GAMES[key]
    data = fair_game(game)
    offsets = parse_log(data).offsets
    path = tmp_path / "a"
    places = range(offsets[2], len(data), max(1, (len(data) - offsets[2]) // 23))
    for size in places:
        kept = max(offset for offset in offsets if offset <= size)
        path.write_bytes(data[:size])
        for more in (11, 3):
            with LogWriter.resume(path) as log:
                assert log.size == kept
            with path.open("ab") as file:
                file.write(data[kept : kept + more])
        with LogWriter.resume(path) as log:
            play(log.found.state, [make_agent("random", game)] * game.num_players(), log.deal, log)
        assert path.read_bytes() == data
        for torn in tmp_path.glob("a.torn*"):
            torn.unlink()


@pytest.mark.parametrize("attempt", ["resume", "overwrite", "recover"])
def test_nobody_else_writes_a_log_that_is_being_written(attempt, tmp_path):
    """zeph#5487, BMAD-METHOD#2621: two processes appended to the same file."""
    path = tmp_path / "a"
    game = cardgods.load_game("encan", variant="express")
    path.write_bytes(fair_game(game)[:-80])
    path.write_bytes(path.read_bytes()[: parse_or_torn(path)])
    program = """
        import sys
        from cardgods.log import LogBusyError, LogWriter, make_header, read_log, recover
        path, attempt = sys.argv[1:]
        try:
            if attempt == "resume":
                LogWriter.resume(path)
            elif attempt == "recover":
                recover(path)
            else:
                LogWriter(path, read_log(path).header, secret=bytes(32), overwrite=True)
        except LogBusyError as error:
            print("busy")
    """
    with LogWriter.resume(path) as log:
        before = path.read_bytes()
        with child(program, path, attempt) as other:
            assert other.communicate()[0] == b"busy\n"
        assert path.read_bytes() == before
        play(log.found.state, [make_agent("random", game)] * 2, log.deal, log)
    assert verify(path).complete
    with contextlib.suppress(CardgodsError), LogWriter.resume(path):
        raise AssertionError("a game that is over was resumed")
    with pytest.raises(LogBusyError), LogWriter(tmp_path / "b", make_header(game, seats_for(game))):
        LogWriter(tmp_path / "b", make_header(game, seats_for(game)), overwrite=True)


def parse_or_torn(path):
    """Bytes of the valid beginning."""
    return verify(path).size
