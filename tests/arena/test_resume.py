"""Logs of matches: every game is there, and a match goes on from any prefix to the same bytes."""

import dataclasses
import json

import pytest

from cardgods import load_game, log
from cardgods.arena import Match, plan_match, resume_match, run_match
from cardgods.errors import AgentError, ParameterError
from cardgods.log import ArchiveWriter, archive_entries, parse_log, verify_bytes
from cardgods.log.archive import MAGIC

AGENTS = ["greedy:seed=3", "random"]


def express():
    return load_game("encan", "express")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A match that nothing disturbs: its plan, result and log."""
    path = tmp_path_factory.mktemp("whole") / "match"
    result = run_match(express(), AGENTS, 7, seed="any", log=path)
    return path, result, path.read_bytes()


def test_the_log_has_every_game_by_the_rules(whole):
    path, result, _ = whole
    found = list(archive_entries(path))
    assert len(found) == 7
    wins = 0
    for entry in found:
        assert verify_bytes(entry.data).complete
        game = parse_log(entry.data)
        assert game.end.reason == "finished"
        assert game.header.seed == f"any/{entry.number // 2}"
        assert game.header.free["_game"] == entry.number
        # The cards are those of the seed.
        log.Replayer(game, seeded=True).run(game.records)
        seat = [one.agent for one in game.header.seats].index("greedy")
        assert seat == entry.number % 2
        wins += game.end.returns[seat] > 0
    assert result.standings[0].wins == wins


def test_a_game_of_the_log_can_be_played_again_from_its_header(whole):
    from cardgods import Random
    from cardgods.agents import make_agent
    from cardgods.play import play

    for entry in archive_entries(whole[0]):
        game = parse_log(entry.data)
        state = express().new_initial_state(turn_based=True)
        agents = [make_agent(seat.agent, state.game) for seat in game.header.seats]
        rngs = [Random(seat.seed) for seat in game.header.seats]
        play(state, agents, Random(game.header.seed), agent_rngs=rngs)
        assert state.full_history() == [
            (getattr(r, "player", -1), getattr(r, "action", getattr(r, "outcome", None)))
            for r in game.records[:-1]
        ]


@pytest.mark.parametrize("threads", [1, 2])
def test_any_number_of_threads_writes_the_same_log(whole, threads, tmp_path):
    path = tmp_path / "match"
    assert run_match(express(), AGENTS, 7, seed="any", log=path, threads=threads) == whole[1]
    assert path.read_bytes() == whole[2]


def test_a_match_goes_on_from_any_prefix(whole, tmp_path):
    _, result, data = whole
    path = tmp_path / "match"
    first = next(iter(archive_entries(whole[0])))
    start = len(MAGIC) + len(log.archive.build(0, first.data, log.archive.ORIGIN)[0])
    for size in {*range(start, len(data), 97), start, start + 1, len(data) - 1, len(data)}:
        path.write_bytes(data[:size])
        assert resume_match(path) == result
        assert path.read_bytes() == data
    assert list(tmp_path.glob("match.torn*"))


def test_going_on_tells_of_the_games_before(whole, tmp_path):
    _, result, data = whole
    path = tmp_path / "match"
    path.write_bytes(data[: len(data) * 2 // 3])
    seen, told = [], []
    with Match.resume(path, watcher=seen.append) as match:
        done = match.games
        assert 0 < done < 7
        assert match.aside == f"{path}.torn"
        assert match.run(2, lambda *at: told.append(at)) == result
    assert [game.number for game in seen] == list(range(7))
    assert [game.deal for game in seen] == [0, 0, 1, 1, 2, 2, 3]
    assert seen[1].names == ("random", "greedy")
    assert told == [(n, 7) for n in range(done + 1, 8)]


@pytest.mark.parametrize("size", [len(MAGIC), len(MAGIC) + 50])
def test_without_a_whole_game_there_is_nothing_to_go_on_with(whole, size, tmp_path):
    path = tmp_path / "match"
    path.write_bytes(whole[2][:size])
    with pytest.raises(log.TornTailError, match="no whole game yet: begin the match again") as error:
        resume_match(path)
    assert error.value.exit_code == 4


def rewritten(path, change, data=None):
    """The log with each entry's header changed, as a forger would do it; the entries' chain is sound."""
    entries = list(archive_entries(path))
    path = path.with_name("forged")
    with ArchiveWriter(path, overwrite=True) as archive:
        for entry in entries:
            game = parse_log(entry.data)
            buffer = log.LogBuffer(dataclasses.replace(game.header, **change(entry.number, game.header)))
            for record in game.records[:-1]:
                is_move = isinstance(record, log.Move)
                buffer.append(record.player if is_move else -1, record.action if is_move else record.outcome)
            archive.add(buffer.getvalue())
    return path


def told(**fields):
    """A change of what the first header tells of the match."""
    return lambda number, header: {"free": {"_match": {**header.free.get("_match", {}), **fields}}}


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda n, h: {}, log.CorruptLogError, "log 0 is not game 0 of its match"),
        (lambda n, h: {"free": {}}, ParameterError, "is not the log of a match"),
        (lambda n, h: {"free": {"_match": 7}}, ParameterError, "is not the log of a match"),
        (lambda n, h: {"engine": "cardgods 0.0.9"}, log.UnsupportedLogError, "written by cardgods 0.0.9"),
        (lambda n, h: {"digest": "0"}, log.UnsupportedLogError, "other rules"),
        (lambda n, h: {"seed": "else"}, log.CorruptLogError, "not game 0"),
        (
            lambda n, h: {"free": {"_match": {**h.free.get("_match", {}), "lineups": [[0, 0]]}}},
            ParameterError,
            "seat",
        ),
        (
            lambda n, h: {"free": {"_match": {**h.free.get("_match", {}), "lineups": []}}},
            ParameterError,
            "seat",
        ),
        (
            lambda n, h: {"free": {"_match": {**h.free.get("_match", {}), "games": "x"}}},
            ParameterError,
            "games",
        ),
        (
            lambda n, h: {"free": {"_match": {**h.free.get("_match", {}), "seed": ["i", "x"]}}},
            ParameterError,
            "match",
        ),
        (
            lambda n, h: {"free": {"_match": {**h.free.get("_match", {}), "entrants": [1]}}},
            ParameterError,
            "match",
        ),
        (
            lambda n, h: {"free": {**h.free, "_stopped": "seat 1 \x1b"}},
            AgentError,
            "ended with a failure: seat 1",
        ),
    ],
)
def test_what_is_no_log_of_a_match_is_refused(whole, change, error, words, tmp_path):
    copy = tmp_path / "match"
    copy.write_bytes(whole[2])
    path = rewritten(copy, change)
    before = path.read_bytes()
    with pytest.raises(error, match=words):
        resume_match(path)
    assert path.read_bytes() == before


def test_games_in_another_order_are_refused(whole, tmp_path):
    path = tmp_path / "match"
    logs = [entry.data for entry in archive_entries(whole[0])]
    with ArchiveWriter(path) as archive:
        for data in (logs[0], logs[2]):
            archive.add(data)
    with pytest.raises(log.CorruptLogError, match="log 1 is not game 1"):
        resume_match(path)
    with ArchiveWriter(path, overwrite=True) as archive:
        for data in (*logs, logs[0]):
            archive.add(data)
    with pytest.raises(log.CorruptLogError, match="log 7 is not game 7"):
        resume_match(path)


def test_damage_is_found(whole, tmp_path):
    path = tmp_path / "match"
    data = bytearray(whole[2])
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(log.CorruptLogError, match="damaged"):
        resume_match(path)


def test_a_second_session_is_refused(whole, tmp_path):
    path = tmp_path / "match"
    path.write_bytes(whole[2])
    with Match.resume(path), pytest.raises(log.LogBusyError):
        resume_match(path)


class Failing:
    """Fails in its fifth game."""

    def __init__(self, game):
        self.games = 0

    def choose(self, state, player, rng):
        self.games += len(state) < 3
        if self.games == 5:
            raise RuntimeError("out of ideas \ud800\x00")
        return state.legal_actions(player)[0]


def test_the_log_ends_with_the_game_in_which_an_agent_failed(tmp_path):
    path = tmp_path / "match"
    with pytest.raises(AgentError, match=r"game 4 \(deal 2, seed 1/2\), seat 0 \(Failing\)"):
        run_match(express(), [Failing, "random"], 9, seed=1, log=path)
    entries = [verify_bytes(entry.data) for entry in archive_entries(path)]
    assert [entry.complete for entry in entries] == [True] * 4 + [False]
    assert "out of ideas" in entries[4].header.free["_stopped"]


def test_agents_that_functions_made_cannot_be_made_again(tmp_path):
    path = tmp_path / "match"
    run_match(express(), [Failing, "random"], 3, seed=1, log=path)
    with pytest.raises(ParameterError, match="'Failing' was made by a function"):
        resume_match(path)


@pytest.mark.parametrize("seed", [0, -5, 10**199, "", "7", "a/b\x1b\n"])
def test_every_seed_comes_back_from_the_log(seed, tmp_path):
    path = tmp_path / "match"
    result = run_match(express(), ["random", "random"], 2, seed=seed, log=path)
    assert resume_match(path) == result
    assert json.loads(json.dumps(result.to_dict()))["seed"] == seed
    assert plan_match(express(), AGENTS, 1, seed=seed).seed == result.seed
