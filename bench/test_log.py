"""Logs: records written, read and verified."""

import cardgods
from cardgods.agents import make_agent
from cardgods.log import Header, LogBuffer, LogWriter, Seat, codec, frame, make_header, parse_log, verify
from cardgods.play import play as play_game

RECORDS = 20_000
GAMES = 200
SEATS = (Seat("Ana", "human"), Seat("Zoé", "agent", "random", 7))


def long_log():
    """A log of many moves; what they mean does not matter to a reader."""
    header = Header("bench", None, {}, "", SEATS, "bench")
    tag, parts = frame.ORIGIN, [frame.MAGIC]
    record, tag = frame.build(codec.HEADER, 0, codec.encode_header(header), tag)
    parts.append(record)
    for number in range(1, RECORDS + 1):
        body = codec.encode_move(codec.Move(number % 2, number % 60))
        record, tag = frame.build(codec.MOVE, number, body, tag)
        parts.append(record)
    return b"".join(parts)


def play(path, seed):
    game = cardgods.load_game("encan", target=None)
    rng = cardgods.Random(seed)
    state = game.new_initial_state(turn_based=True)
    with LogWriter(path, make_header(game, SEATS, seed=seed), sync="never") as log:
        while not state.is_terminal():
            actor = state.current_player()
            action = state.sample_chance(rng) if actor < 0 else rng.choice(state.legal_actions())
            log.append(actor, action)
            state.apply_action(action)
        log.finish(state)
    return log.number


def test_write(rate, tmp_path):
    numbers = iter(range(10**9))

    def write():
        header = Header("bench", None, {}, "", SEATS, "bench")
        with LogWriter(tmp_path / str(next(numbers)), header, sync="never") as log:
            for number in range(RECORDS):
                log.append(number % 2, number % 60)
        return log.number

    assert rate(write, RECORDS) == RECORDS + 1


def test_read(rate):
    data = long_log()
    assert len(rate(lambda: parse_log(data), RECORDS).records) == RECORDS


def verified(rate, logs):
    """Time the whole check of logs: bytes, chain, rules, deal and result of every record."""
    records = sum(len(parse_log(data).records) + 1 for data in logs)

    def check():
        found = [verify(data) for data in logs]
        assert all(one.complete for one in found)
        return sum(one.count + 1 for one in found)

    assert rate(check, records) == records


def test_verify_games(rate, tmp_path):
    """Whole short games: the header, in Python, weighs more here than the records, in the core."""
    for seed in range(GAMES):
        play(tmp_path / str(seed), seed)
    verified(rate, [(tmp_path / str(seed)).read_bytes() for seed in range(GAMES)])


def test_verify_long_games(rate):
    """The core's own speed: games of some 1,200 records, dealt as they were committed to."""
    game = cardgods.load_game("eleusis")
    seats = [Seat(f"seat {player}", "agent", "random") for player in range(game.num_players())]
    agents = [make_agent("random", game)] * game.num_players()
    logs = []
    for number in range(10):
        log = LogBuffer(make_header(game, seats, secret=bytes((number,)) * 32), bytes((number,)) * 32)
        play_game(game.new_initial_state(turn_based=True), agents, log.deal, log)
        logs.append(log.getvalue())
    verified(rate, logs)
