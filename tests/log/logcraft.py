"""Games to log, and logs forged with a sound chain around any bodies."""

import functools
import itertools
import tempfile
from pathlib import Path

import msgpack

import cardgods
from cardgods.log import Header, LogWriter, Seat, codec, frame, make_header, parse_log

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
