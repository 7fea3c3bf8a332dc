"""Games to log, and logs forged with a sound chain around any bodies."""

import contextlib
import functools
import itertools
import resource
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import msgpack
import pytest

import cardgods
from cardgods.agents import make_agent
from cardgods.log import (
    CorruptLogError,
    Header,
    LogBuffer,
    LogWriter,
    Seat,
    codec,
    frame,
    make_header,
    parse_log,
    read_log,
)
from cardgods.play import TakeBack, end_reason, play, since_last_decision

SEATS = (Seat("Ana", "human"), Seat("Zoé", "agent", "random", 7))


def play_logged(path, seed, seats=SEATS, name="encan", **options):
    """Play a random game into a new log; the terminal state."""
    game = cardgods.load_game(name, **options)
    rng = cardgods.Random(seed)
    state = game.new_initial_state(turn_based=True)
    with LogWriter(path, make_header(game, seats, seed=seed), sync="never") as log:
        while not state.is_terminal():
            actor = state.current_player()
            action = state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
            log.append(actor, action)
            state.apply_action(action)
        log.finish(state)
    return state


@functools.cache
def game_bytes(seed=1, **options):
    """The log of one random game."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.cglog")
        play_logged(path, seed, **options)
        return path.read_bytes()


def header(**changes):
    """The header of an express game, with some fields changed."""
    game = cardgods.load_game("encan", variant="express")
    fields = {
        "game": "encan",
        "variant": "express",
        "options": game.parameters(),
        "digest": game.ruleset_digest(),
        "seats": SEATS,
        "engine": "test",
    }
    return Header(**fields | changes)


def forge(*bodies, header_body=None):
    """A log with a sound chain: the header's body, then pairs (kind, body)."""
    tag, parts = frame.ORIGIN, [frame.MAGIC]
    if header_body is None:
        header_body = codec.encode_header(header())
    for number, (kind, body) in enumerate([(codec.HEADER, header_body), *bodies]):
        record, tag = frame.build(kind, number, body, tag)
        parts.append(record)
    return b"".join(parts)


def seats_for(game):
    """A person on each seat."""
    return [Seat(f"player {player}", "human") for player in range(game.num_players())]


def logged(state, **fields):
    """The log of a game that stands at a state; its header takes the fields of make_header."""
    cut = fields.pop("cut", b"")
    header = make_header(state.game, fields.pop("seats", None) or seats_for(state.game), **fields)
    log = LogBuffer(header, fields.get("secret"))
    for player in log.due:
        log.cut(player, cut)
    for actor, action in state.full_history():
        log.append(actor, action)
    if state.is_terminal():
        log.finish(state, end_reason(state))
    return log.getvalue()


def dealt(game, log, agents_seed=5):
    """Play a game to its end into a log: chance from the log's own deal, players at random."""
    state = game.new_initial_state(turn_based=True)
    rng = log.deal
    play(state, [make_agent("random", game)] * game.num_players(), rng, log)
    return state


def fair_game(game, cuts=()):
    """The log of a whole game under a committed deal."""
    log = LogBuffer(make_header(game, seats_for(game), secret=bytes(32), cuts=cuts), bytes(32))
    for player in cuts:
        log.cut(player, b"word")
    dealt(game, log)
    return log.getvalue()


class Waverer:
    """Plays at random by the streams that it is given; takes back where it is told to.

    Args:
        game: what is played.
        wishes: how many events to take back at a question, from its number, the state and the player.
    """

    def __init__(self, game, wishes):
        self.random = make_agent("random", game)
        self.wishes = wishes
        self.asked = 0

    def choose(self, state, player, rng):
        self.asked += 1
        events = self.wishes(self.asked, state, player)
        if events:
            raise TakeBack(events)
        return self.random.choose(state, player, rng)


def wavering(asked, state, player):
    """Back to the start at the first two questions, later to the last decision at each fourth."""
    if asked <= 2:
        return len(state)
    return since_last_decision(state, player) if asked % 4 == 0 and asked < 40 else 0


def undone_game(game, wishes=wavering):
    """The log of a whole game, under a committed deal, in which things were taken back."""
    log = LogBuffer(make_header(game, seats_for(game), secret=bytes(32)), bytes(32))
    waverer = Waverer(game, wishes)
    play(game.new_initial_state(turn_based=True), [waverer] * game.num_players(), log.deal, log)
    return log.getvalue()


def games():
    """A small member of each registered game, and its standard form."""
    for name in cardgods.registered_names():
        yield cardgods.load_game(name)
        yield from (cardgods.load_game(name, **options) for options in SMALL.get(name, ()))


SMALL = {
    "encan": [{"variant": "express"}, {"variant": "goofspiel"}],
    "commerce": [{"variant": "mini"}],
    "trones": [{"variant": "express"}],
    "eleusis": [{"rounds": 1, "hand": 3, "turn_cap": 40}],
}


def records_of(data):
    """The bytes of each record, the header first."""
    offsets = parse_log(data).offsets
    return [data[a:b] for a, b in itertools.pairwise(offsets)]


def bodies_of(data):
    """Kind and body of each record after the header."""
    unpacked = [msgpack.unpackb(record) for record in records_of(data)[1:]]
    return [(kind, body) for kind, _, body, _ in unpacked]


def reforged(data, changes):
    """The log with some bodies replaced, by number of record, and a sound chain again."""
    first = msgpack.unpackb(records_of(data)[0])[2]
    bodies = dict(enumerate(bodies_of(data), 1)) | changes
    return forge(*(bodies[number] for number in sorted(bodies)), header_body=first)


def move(player, action):
    return codec.MOVE, msgpack.packb([player, action])


def chance(outcome):
    return codec.CHANCE, msgpack.packb([outcome])


def end(reason="finished", returns=(1.0, -1.0)):
    return codec.END, msgpack.packb({"reason": reason, "returns": list(returns)})


FIELDS = msgpack.unpackb(codec.encode_header(header()))
SEAT = FIELDS["seats"][0]


def header_body(**changes):
    fields = {**FIELDS, **changes}
    return msgpack.packb({key: fields[key] for key in sorted(fields)})


def raw_map(*pairs):
    """A map of raw keys and values beside the header's own fields, each already packed."""
    own = [(msgpack.packb(key), msgpack.packb(value)) for key, value in FIELDS.items()]
    rows = sorted([*own, *pairs], key=lambda pair: pair[0][1:])
    return b"\xde" + len(rows).to_bytes(2, "big") + b"".join(k + v for k, v in rows)


def free_field(value):
    """A header whose free field `_` has these bytes as its value."""
    own = [(msgpack.packb(key), msgpack.packb(value)) for key, value in FIELDS.items()]
    rows = sorted([*own, (b"\xa1_", value)], key=lambda pair: pair[0][1:])
    return bytes((0x80 | len(rows),)) + b"".join(k + v for k, v in rows)


def refused(data, kind=CorruptLogError, words=None):
    with pytest.raises(kind, match=words) as caught:
        parse_log(data)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) <= 1000
    return caught.value


def outcomes(path):
    return [record.outcome for record in read_log(path).records]


def finished_state():
    state = cardgods.load_game("encan", variant="express").new_initial_state(turn_based=True)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state


def child(program, *arguments, **options):
    program = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n" + textwrap.dedent(program)
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        **options,
    )


@contextlib.contextmanager
def file_size_limit(size):
    """A real full disk, as far as writes can tell: they come back short, then fail."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
