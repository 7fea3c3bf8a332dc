"""Each bad input gets one line that names what is allowed, and its exit code."""

import os

import pytest
from running import cardgods, recorded, refused

import cardgods as library


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (
            ["pley"],
            [
                "unknown command 'pley'",
                "arena, completion, config, export, games, log, odds, perft, play, replay, rule, rules",
            ],
        ),
        (["play", "chess"], ["unknown game 'chess'", "encan"]),
        (["perft", "chess"], ["unknown game 'chess'", "encan"]),
        (["solve", "chess"], ["unknown game 'chess'", "encan"]),
        (["play", "encan", "--variant", "huge"], ["unknown variant 'huge'", "standard, express"]),
        (["solve", "encan", "--variant", "huge"], ["unknown variant 'huge'", "standard, express"]),
        (["play", "encan", "--tie", "maybe"], ["option tie", "carry, discard, split"]),
        (["play", "encan", "--target", "many"], ["option target", "'many' is not a whole number"]),
        (["play", "encan", "--cards", "2-"], ["option cards", "whole number"]),
        (["play", "encan", "--cards", "K,A"], ["option cards", "'K' is not a whole number"]),
        (["play", "encan", "--cards", "2-40"], ["option cards", "1 to 13"]),
        (["play", "encan", "--colour"], ["--colour", "cardgods play encan --help"]),
        (["play", "encan", "--seat"], ["--seat", "argument"]),
        (["play", "encan", "--seat", "wizard"], ["unknown seat 'wizard'", "human:NAME", "greedy", "random"]),
        (["play", "encan", "--seat", "greedy:depth=3"], ["no parameter 'depth'", "seed"]),
        (["play", "encan", "--seat", "greedy:depth"], ["greedy:name=value"]),
        (["play", "encan", "--seat", "scripted"], ["needs file", "scripted:file=..."]),
        (["play", "encan", "--seat", "scripted:file=/nowhere"], ["/nowhere: No such file"]),
        (["play", "encan", *["--seat", "random"] * 3], ["3 seats given", "2 players"]),
        (["play", "encan", "extra"], ["unexpected extra argument", "extra"]),
        (["perft", "encan", "--depth", "0"], ["--depth", "x>=1"]),
        (["perft", "encan", "--depth", "two"], ["--depth", "'two'"]),
        (["replay"], ["Missing argument 'FILE'", "cardgods replay --help"]),
        (["replay", "/nowhere"], ["cannot read /nowhere: No such file or directory"]),
        (["replay", "/"], ["cannot read /: Is a directory"]),
    ],
    ids=" ".join,
)
def test_usage(words, parts):
    line = refused(2, *words)
    for part in parts:
        assert part in line


def test_no_command_shows_the_help_on_standard_error():
    result = cardgods()
    assert result.code == 2
    assert "Usage: cardgods" in result.err
    assert result.out == ""


def test_a_foreign_file_is_no_log(tmp_path):
    foreign = tmp_path / "[WIP].cglog"
    foreign.write_bytes(b"something else\n" * 5)
    assert "[WIP].cglog is no game log" in refused(3, "replay", foreign)


def test_a_log_that_exists_is_not_overwritten_unless_asked(tmp_path):
    log = recorded(tmp_path / "log")
    before = log.read_bytes()
    line = refused(2, "play", "encan", "--log", log)
    assert "exists" in line
    assert "--overwrite" in line
    assert log.read_bytes() == before
    recorded(log, "--overwrite", "--seed", "8")
    assert log.read_bytes() != before


def test_a_log_in_a_folder_that_does_not_exist_is_refused_before_play():
    line = refused(2, "play", "encan", "--log", "/nowhere/log")
    assert "/nowhere/log: No such file or directory" in line


def test_a_changed_log_is_refused(tmp_path):
    log = recorded(tmp_path / "log")
    data = bytearray(log.read_bytes())
    data[-40] ^= 1
    log.write_bytes(data)
    assert "record" in refused(3, "replay", log, "--verify")


def test_an_unfinished_log_is_shown_as_far_as_it_goes(tmp_path):
    log = tmp_path / "log"
    assert cardgods("play", "encan", "--seed", 1, "--log", log, stdin="5\n").code == 4
    for words in ((), ("--verify",), ("--json",), ("--spoil",)):
        result = cardgods("replay", log, *words)
        assert result.code == 4
        assert result.out
        assert result.err == ""
    assert "the game is not over" in cardgods("replay", log, "--verify").out


def test_a_torn_log_is_shown_as_far_as_it_goes(tmp_path):
    log = recorded(tmp_path / "log")
    os.truncate(log, log.stat().st_size - 7)
    result = cardgods("replay", log, "--verify")
    assert result.code == 4
    assert "cut short" in result.out


@pytest.mark.parametrize("text", ["15", "ace", "5", "[/red]", "\x1b[2J", "\udcff"])
def test_an_illegal_move_in_a_script_names_its_line(text):
    line = refused(6, "play", "encan", "--variant", "express", stdin=f"# a comment\n\n8\n{text}\n")
    assert "line 4 of the input" in line
    assert line.endswith("9, 10, J, Q, K, A")
    assert line.isprintable()


def test_an_unexpected_exception_names_itself_and_the_way_to_its_traceback(monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("cardgods.walk.divide", broken)
    line = refused(1, "perft", "encan")
    assert "ZeroDivisionError: a bug" in line
    assert "CARDGODS_DEBUG=1" in line
    monkeypatch.setenv("CARDGODS_DEBUG", "1")
    assert "Traceback" in cardgods("perft", "encan").err


def test_an_agent_that_fails_ends_the_game_with_its_log_valid(tmp_path, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("cardgods.agents.random.RandomAgent.choose", broken)
    log = tmp_path / "log"
    line = refused(7, "play", "encan", "--seat", "greedy", "--seat", "random", "--log", log)
    assert "player 1 (RandomAgent) failed: ZeroDivisionError: a bug" in line
    assert f"cardgods play --resume {log}" in line
    assert "3 records, the game is not over" in cardgods("replay", log, "--verify").out


def test_an_agent_that_cheats_ends_the_game(monkeypatch):
    monkeypatch.setattr("cardgods.agents.random.RandomAgent.choose", lambda *_: 99)
    line = refused(7, "play", "encan", "--seat", "random", "--seat", "greedy")
    assert "player 0 (RandomAgent) chose 99, which is not legal: legal are 0, 1" in line


def test_a_seed_of_any_bytes_is_a_seed_or_one_line(name):
    """Escapes in it are shown as text; what is no text is refused, whatever the game does with it first."""
    seats = ["--seat", "random"] * library.load_game(name).num_players()
    assert "valid Unicode" in refused(2, "play", name, *seats, "--seed", "\udcff")
    result = cardgods("play", name, *seats, "--seed", "\x1b[2J\u202e")
    assert result.code == 0
    assert "\x1b" not in result.out
    assert "seed \\x1b[2J\\u202e" in result.out


def test_what_a_hostile_log_says_does_nothing_to_the_terminal(tmp_path):
    path = tmp_path / "log"
    game = library.load_game("encan", variant="express")
    evil = "\x1b]0;owned\x07\x1b[2J\u202e"
    seats = [library.log.Seat(evil, evil, evil, evil), library.log.Seat("b", "human")]
    log = library.log.LogBuffer(
        library.log.make_header(game, seats, seed=evil, free={"_told": [evil], "_x": evil})
    )
    state = game.new_initial_state(turn_based=True)
    while not state.is_terminal():
        action = state.legal_actions()[0]
        log.append(state.current_player(), action)
        state.apply_action(action)
    log.finish(state, evil)
    path.write_bytes(log.getvalue())
    for words in (
        ("replay",),
        ("log", "info"),
        ("log", "verify"),
        ("log", "view", "--as", "1"),
        ("play", "--resume"),
    ):
        for as_json in ((), ("--json",)):
            result = cardgods(*words, *as_json, path)
            assert result.out.replace("\n", "").isprintable()
            assert result.err.replace("\n", "").isprintable()
