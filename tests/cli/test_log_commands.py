"""cardgods log, and play --resume: exit codes, one line of complaint, nothing hidden shown too early."""

import json

import pytest
from running import cardgods, refused

import cardgods as library
from cardgods.log import ArchiveWriter, LogBuffer, LogWriter, Seat, make_header, parse_log, read_log, verify

SECRET = bytes(32)


def unfinished(path, state, **fields):
    """The log of a game that stands at a state."""
    seats = [Seat(f"seat {place}", "human") for place in range(state.num_players())]
    log = LogBuffer(make_header(state.game, seats, **fields), fields.get("secret"))
    for actor, action in state.full_history():
        log.append(actor, action)
    path.write_bytes(log.getvalue())
    return path


def fair(path, *words):
    result = cardgods(
        "play", "encan", "--variant", "express", "--seat", "greedy", "--seat", "random", "--log", path, *words
    )
    assert result.code == 0, result
    return result.out


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "game.cglog"
    fair(path)
    return path


def test_a_fresh_deal_is_committed_to_and_revealed(tmp_path):
    path = tmp_path / "a"
    lines = fair(path).splitlines()
    found = verify(path)
    assert lines[1] == f"The deal is committed to: SHA-256 {found.header.deal.digest.hex()}."
    assert lines[-1].startswith(f"The secret of the deal was {found.secret.hex()}; ")
    assert cardgods("log", "verify", path).out.endswith("dealt as it was committed to\n")
    assert cardgods("replay", path).out.splitlines()[1:] == lines[1:]


def test_people_cut_and_the_cut_counts(tmp_path):
    path = tmp_path / "a"
    words = ("play", "encan", "--cut", "--seat", "human:Ana", "--seat", "human:Bea", "--log", path)
    result = cardgods(*words, stdin="x" * 65 + "\nword\nmot\n")
    assert result.code == 4
    assert "That is too long" in result.out
    assert [record.value for record in read_log(path).records[1:3]] == [b"word", b"mot"]
    assert "cut by Ana and Bea" in cardgods("log", "verify", path).out


def test_a_game_broken_off_while_cutting_goes_on_with_the_next_cut(tmp_path):
    path = tmp_path / "a"
    words = ("play", "encan", "--cut", "--seat", "human:Ana", "--seat", "human:Bea", "--log", path)
    assert cardgods(*words, stdin="word\n").code == 4
    cardgods("play", "--resume", path, stdin="mot\n")
    assert [record.value for record in read_log(path).records[1:3]] == [b"word", b"mot"]


def test_the_command_that_is_printed_resumes(tmp_path, name):
    path = tmp_path / "my game.cglog"
    line = refused(4, "play", name, "--seat", "human", "--log", path)
    assert line.endswith(f"to go on: cardgods play --resume '{path}'")
    before = path.read_bytes()
    assert refused(4, "play", "--resume", path).endswith(line.partition("; to go on")[2])
    assert path.read_bytes() == before


def test_a_resumed_game_is_the_undisturbed_one(tmp_path, name):
    whole, path = tmp_path / "whole", tmp_path / "part"
    seats = ["--seat", "random:seed=3"] + ["--seat", "random"] * (library.load_game(name).num_players() - 1)
    cardgods("play", name, *seats, "--seed", "5", "--log", whole)
    data = whole.read_bytes()
    offsets = parse_log(data).offsets
    path.write_bytes(data[: offsets[len(offsets) // 2] + 3])
    result = cardgods("play", "--resume", path)
    assert result.code == 0
    assert f"A record whose writing was cut short is now in {path}.torn." in result.out
    assert path.read_bytes() == data


def test_what_cannot_be_resumed_is_one_line(tmp_path, log):
    assert "the game is over" in refused(2, "play", "--resume", log)
    assert "No such file" in refused(2, "play", "--resume", tmp_path / "none")
    assert "takes none" in refused(2, "play", "--resume", log, "encan")
    assert "there has to be a GAME" in refused(2, "play", "--plain")
    game = library.load_game("encan")
    bare = unfinished(tmp_path / "bare", game.new_initial_state(turn_based=True))
    assert "where its cards came from" in refused(2, "play", "--resume", bare)
    state = game.new_initial_state(turn_based=True)
    dealt = state.sample_chance(library.Random(1, 0))
    state.apply_action(next(outcome for outcome in state.legal_actions() if outcome != dealt))
    other = unfinished(tmp_path / "other", state, seed=1)
    assert "its deal gives" in refused(3, "play", "--resume", other)


def test_a_second_resume_of_a_live_log_is_refused(tmp_path):
    game = library.load_game("encan")
    path = unfinished(tmp_path / "a", game.new_initial_state(turn_based=True), seed=1)
    with LogWriter.resume(path):
        assert "another session" in refused(2, "play", "--resume", path)


@pytest.mark.parametrize("command", [("replay",), ("log", "view"), ("log", "info"), ("log", "verify")])
@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_an_unfinished_game_shows_nothing_hidden(tmp_path, name, command, as_json):
    """Whatever a seat cannot tell apart, a spectator cannot; so nothing that is printed may change."""
    if command == ("log", "verify") and as_json:
        return
    rng = library.Random("spoil")
    path = tmp_path / "log"
    state = library.load_game(name).new_initial_state(turn_based=True)
    differ = 0
    for _ in range(12):
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )
        if state.is_terminal():
            break
        seen, histories = set(), set()
        for world in (state, *(state.resample(seat, rng) for seat in (0, 1))):
            unfinished(path, world)
            seen.add(cardgods(*command, path, *as_json).out)
            histories.add(tuple(world.history()))
        assert len(seen) == 1
        differ += len(histories) > 1
    assert differ


SOLVING = {"eleusis": ("solve", "eleusis"), "trones": ("solve", "trones", "--from")}


@pytest.mark.parametrize("game", SOLVING)
def test_no_solver_shows_what_is_hidden_in_a_game_that_is_not_over(tmp_path, game):
    """What it finds is the same in every world that a player takes for possible, or it refuses."""
    rng = library.Random("solve")
    path = tmp_path / "log"
    state = library.load_game(game).new_initial_state(turn_based=True)
    decisions = 4
    while decisions:
        chance = state.is_chance_node()
        state.apply_action(state.sample_chance(rng) if chance else rng.choice(state.legal_actions()))
        decisions -= not chance
    seen, histories = set(), set()
    for world in (state, *(state.resample(seat, rng) for seat in (0, 1))):
        unfinished(path, world)
        for words in ((), ("--json",)):
            result = cardgods(*SOLVING[game], path, *words)
            seen.add((words, result.code, result.out, result.err))
        histories.add(tuple(world.history()))
    assert len(histories) > 1
    assert len(seen) == 2
    if game == "eleusis":
        assert "--spoil allows it" in refused(2, "solve", "eleusis", path, "--seat", "0")


def test_info_tells_seeds_secrets_and_tags_only_when_all_is_over(tmp_path, log):
    game = library.load_game("encan")
    path = unfinished(tmp_path / "a", game.new_initial_state(turn_based=True), secret=SECRET)
    rows = json.loads(cardgods("log", "info", path, "--json").out)
    assert not {"secret", "tag", "size"} & set(rows)
    spoilt = json.loads(cardgods("log", "info", path, "--json", "--spoil").out)
    assert spoilt["secret"] == SECRET.hex()
    seeded = unfinished(tmp_path / "b", game.new_initial_state(turn_based=True), seed=42)
    assert json.loads(cardgods("log", "info", seeded, "--json").out)["seed"] is None
    whole = json.loads(cardgods("log", "info", log, "--json").out)
    assert (whole["complete"], whole["tag"]) == (True, read_log(log).tag.hex())
    assert cardgods("log", "info", log).code == 0
    assert cardgods("log", "info", path).code == 4


def test_a_view_is_written_shown_and_held_against_its_game(tmp_path, log):
    view = tmp_path / "view"
    assert cardgods("log", "view", log, "--as", "random", "--out", view).code == 0
    assert view.stat().st_mode & 0o777 == 0o600
    assert cardgods("replay", view).out == cardgods("log", "view", log, "--as", "1").out
    assert "the view of random" in cardgods("log", "verify", view).out
    assert cardgods("log", "verify", view, "--of", log).code == 0
    fair(tmp_path / "other")
    assert "is no view of" in refused(3, "log", "verify", view, "--of", tmp_path / "other")
    assert "is no view" in refused(2, "log", "verify", log, "--of", log)
    assert "no seat 'Zoe'" in refused(2, "log", "view", log, "--as", "Zoe")
    assert "it exists" in refused(2, "log", "view", log, "--out", view)
    assert "it is a view" in refused(5, "play", "--resume", view)


def test_a_seat_s_view_of_an_unfinished_game_has_to_be_allowed(tmp_path):
    game = library.load_game("encan")
    path = unfinished(tmp_path / "a", game.new_initial_state(turn_based=True))
    assert "--spoil allows it" in refused(2, "log", "view", path, "--as", "0")
    assert cardgods("log", "view", path, "--as", "0", "--spoil").code == 0


def test_recover_says_what_it_did(tmp_path, log):
    data = log.read_bytes()
    assert "nothing to recover" in cardgods("log", "recover", log).out
    log.write_bytes(data[:-3])
    assert f"is now in {log}.torn" in cardgods("log", "recover", log).out
    assert log.with_name("game.cglog.torn").read_bytes() + data[-3:] == data[parse_log(data).offsets[-2] :]
    log.write_bytes(data[:-40] + b"x" + data[-39:])
    assert "damaged or was changed" in refused(3, "log", "recover", log)


def test_an_archive_is_verified_and_its_logs_picked(tmp_path, log):
    path = tmp_path / "a.cglogs"
    with ArchiveWriter(path) as archive:
        archive.add(log.read_bytes())
        archive.add(log.read_bytes()[:-9])
        archive.add(log.read_bytes()[:-9][: parse_log(log.read_bytes()).offsets[-2]])
    result = cardgods("log", "verify", path)
    assert (result.code, "3 logs, 1 complete" in result.out) == (4, True)
    assert json.loads(cardgods("log", "info", path, "--json").out)["logs"] == 3
    assert cardgods("replay", path, "--game", "0").out == cardgods("replay", log).out
    assert "--game N picks one" in refused(2, "replay", path)
    assert "has no log 9" in refused(2, "log", "verify", path, "--game", "9")
    assert "is no archive" in refused(2, "replay", log, "--game", "0")
    path.write_bytes(path.read_bytes()[:-5])
    assert "is now in" in cardgods("log", "recover", path).out
    assert "2 logs" in cardgods("log", "verify", path).out


def test_names_do_no_harm(tmp_path):
    path = tmp_path / "log"
    name = "[red]x\x1b[2J\u202e\nb"
    cardgods(
        "play",
        "encan",
        "--seat",
        f"human:{name}",
        "--seat",
        "human",
        "--cut",
        "--log",
        path,
        stdin="[/]\x1b\n",
    )
    for words in (("verify",), ("info",), ("info", "--json"), ("view",)):
        out = cardgods("log", *words, path).out
        assert "\x1b" not in out
        assert "\u202e" not in out
