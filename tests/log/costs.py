"""What 1 MB of anything costs who reads it, each in a process of its own: `make costs`."""

import io
import os
import sys

import msgpack
from logcraft import forge, free_field, logged, move, records_of, seats_for

import cardgods
from cardgods import Random
from cardgods.log import (
    LogBuffer,
    LogError,
    codec,
    derive,
    frame,
    make_header,
    parse_log,
    standing,
    to_json,
    verify_bytes,
)
from cardgods.log.archive import MAGIC, ORIGIN, _Scanner, build
from cardgods.log.views import SPECTATOR, positions

MB = 1 << 20
TRADES = cardgods.load_game("commerce", trade_cap=0)
BUY, KNOCK = 52, 54


def undo(events):
    return codec.UNDO, msgpack.packb([0, events])


def trades(taken_back):
    """A game of trades that never ends.

    Args:
        taken_back: how many events are taken back, from the number of the turn and of the events that stand.
    """
    state = TRADES.new_initial_state(turn_based=True)
    log = LogBuffer(make_header(TRADES, seats_for(TRADES), seed=1))
    rng = Random(1)
    turn = 0
    while log.size < MB - 100:
        turn += 1
        events = min(int(taken_back(turn, len(state))), len(state))
        if state.is_terminal():
            events = max(events, 1)
        if events > 0:
            log.undo(0, events)
            state.undo(events)
            continue
        actions = state.legal_actions()
        if not state.is_chance_node():
            actions = [action for action in actions if action not in (BUY, KNOCK)] or [BUY]
        action = state.sample_chance(rng) if state.is_chance_node() else rng.choice(actions)
        log.append(state.current_player(), action)
        state.apply_action(action)
    return log.getvalue()


def view(*bodies):
    """Records under the header of a view."""
    state = cardgods.load_game("encan").new_initial_state(turn_based=True)
    whole = derive(parse_log(logged(state)), 0)
    return forge(*bodies, header_body=msgpack.unpackb(records_of(whole)[0])[2])


def seen(actor, changes):
    return codec.SEEN, msgpack.packb([actor, None, changes])


def seen_keys():
    """A view in which each event brings a field of its own."""
    return view(*(seen(0 if n else None, {f"n{n:05}": []}) for n in range(MB // 40)))


def seen_wide():
    """A view in which many fields change at each event."""
    wide = [dict(sorted({f"k{k:04}": n for k in range(900)}.items())) for n in range(128)]
    return view(*(seen(0 if n else None, fields) for n, fields in enumerate(wide)))


def seen_undone():
    start = seen(None, {"a": 1})
    return view(start, *(record for _ in range(MB // 90) for record in (seen(0, {"a": 2}), undo(1), start)))


CASES = {
    "distinct moves": lambda: forge(*(move(n % 12, n * 40_000) for n in range(MB // 31))),
    "small records": lambda: forge(*((6, b"") for _ in range(MB // 26))),
    "undos of nothing": lambda: forge(*(undo(n + 1) for n in range(MB // 31))),
    "large moves": lambda: forge(*((1, b"\xdc\xfd\xe8" + b"\x80" * 65_000) for _ in range(16))),
    "large records": lambda: forge(*((6, b"\x80" * 65_000) for _ in range(16))),
    "wide header": lambda: forge(header_body=free_field(b"\xdc\xfa\x00" + b"\x80" * 0xFA00)),
    "a long game": lambda: trades(lambda turn, length: 0),
    "one forth, one back": lambda: trades(lambda turn, length: length > 40 and turn % 2),
    "two forth, one back": lambda: trades(lambda turn, length: length > 40 and turn % 3 == 0),
    "half the game back, one by one": lambda: trades(lambda turn, length: turn > 19_000),
    "far forth, all back": lambda: trades(lambda turn, length: length * (length > 3000)),
    "view, new fields": seen_keys,
    "view, many fields": seen_wide,
    "view, undos": seen_undone,
    "archive, noise": lambda: MAGIC + build(0, frame.MAGIC, ORIGIN)[0] + os.urandom(MB),
    "archive, a long game": lambda: MAGIC + build(0, trades(lambda turn, length: 0), ORIGIN)[0],
}


def everything(data):
    """All that the commands do with a file."""
    for entry in _Scanner(io.BytesIO(data), "it") if data.startswith(MAGIC) else ():
        verify_bytes(entry.data)
    log = parse_log(data)
    to_json(log)
    standing(log.records)
    if log.header.view is not None:
        for _ in positions(log):
            pass
    found = verify_bytes(data)
    for viewer in (SPECTATOR, 0):
        derive(found.log, viewer)


def cost(data):
    """Bytes and seconds of a child that does everything with the data; it had better not die of it."""
    pid = os.fork()
    if pid == 0:
        try:
            everything(data)
        except LogError:
            pass
        finally:
            os._exit(0 if not isinstance(sys.exc_info()[1], MemoryError) else 1)
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime


def main():
    for name in sys.argv[1:] or CASES:
        make = CASES[name]
        # Made in a child too, so that what making it costs is not inherited.
        out, into = os.pipe()
        if os.fork() == 0:
            with os.fdopen(into, "wb") as file:
                file.write(make())
            os._exit(0)
        os.close(into)
        with os.fdopen(out, "rb") as file:
            data = file.read()
        os.wait()
        status, peak, seconds = cost(data)
        _, least, _ = cost(b"")
        more = (peak - least) / MB
        print(f"{name}: {len(data)} bytes, {more:.1f} MB more, {seconds:.2f} s", flush=True)
        assert data
        assert status == 0
        assert more < 50


if __name__ == "__main__":
    main()
