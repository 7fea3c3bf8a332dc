"""save at the prompt: a game begun without a log goes on in a file, as if that had been its log all along."""

import os
import shlex
import stat

import pytest
from running import cardgods, recorded, refused

import cardgods as library
from cardgods.log import LogBuffer, LogWriteError, LogWriter, Seat, make_header, read_log, verify

FIRST = {"encan": "8", "trones": "8d sky", "commerce": "buy", "eleusis": "3c"}


def play(name, script, *words):
    return cardgods("play", name, "--seed", 4, *words, stdin=script)


def command_in(line):
    """The words of the command line at the end of a message, without the name of the program."""
    return shlex.split(line.rpartition(" cardgods ")[2])


def test_a_saved_game_is_the_file_that_a_log_would_have_been(name, tmp_path):
    saved, logged = tmp_path / "saved", tmp_path / "logged"
    move = FIRST[name]
    assert play(name, f"{move}\nsave {saved}\n").code == 4
    assert play(name, f"{move}\n", "--log", logged).code == 4
    assert saved.read_bytes() == logged.read_bytes()
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert play(name, f"save! {saved}\n{move}\nundo\n").code == 4
    play(name, f"{move}\nundo\n", "--log", logged, "--overwrite")
    assert saved.read_bytes() == logged.read_bytes(), "what comes after the order is recorded as well"
    assert "Going on with" in cardgods("play", "--resume", saved, stdin=f"{move}\n").out


def test_a_whole_game_saved_in_its_middle_is_checked_and_complete(tmp_path):
    path = tmp_path / "game"
    script = f"8\n9\nsave {path}\n10\nJ\nQ\nK\nA\n"
    result = cardgods(
        "play", "encan", "--variant", "express", "--target", "none", "--seat", "human", stdin=script
    )
    assert result.code == 0
    assert "the cards are those that were committed to" in result.out
    found = verify(path)
    assert found.log.complete
    assert f"cardgods play --resume {path}" in result.out


def test_the_command_that_is_shown_goes_on_with_the_game(tmp_path):
    path = tmp_path / "Ana's [WIP] game.cglog"
    out = play("encan", f"save {path}\nquit\n", "--lang", "fr", "--plain").out
    line = out.splitlines()[-1]
    words = command_in(line)
    assert words == ["play", "--resume", str(path), "--lang", "fr", "--plain"]
    assert f"La partie est désormais dans {path}" in out
    result = cardgods(*words, stdin="quitter\n")
    assert result.code == 0
    assert command_in(result.out.splitlines()[-1]) == words
    assert command_in(cardgods("play", "--resume", path, stdin="quit\n").out.splitlines()[-1]) == words[:3]


@pytest.mark.parametrize("word", ["save", "SAVE", "sauver", "enregistrer"])
def test_all_words_for_it_work_in_both_languages(word, tmp_path):
    for lang in ("en", "fr"):
        path = tmp_path / lang
        assert play("encan", f"{word} {path}\n", "--lang", lang).code == 4
        assert verify(path).state.history()


def test_a_file_that_exists_is_replaced_only_if_asked_for_and_only_if_it_is_a_log(tmp_path):
    log, other = recorded(tmp_path / "log"), tmp_path / "other"
    other.write_text("dear diary")
    before = log.read_bytes()
    out = play("encan", f"save {log}\n").out
    assert f"Sorry, cannot write {log}: it exists" in out
    assert "save! FILE replaces a log." in out
    assert log.read_bytes() == before
    out = play("encan", f"save! {other}\nsave! {log}\n").out
    assert "it exists and is no game log" in out
    assert other.read_text() == "dear diary"
    assert not read_log(log).complete
    assert log.read_bytes() != before


HOSTILE = [
    "/nowhere/game",
    "/",
    "/dev/full",
    "/dev/null",
    "a\0b",
    "x" * 5000,
    "\x1b[2J/\u202e",
    "/proc/self/mem",
]


@pytest.mark.parametrize("order", ["save", "save!"])
@pytest.mark.parametrize("path", HOSTILE, ids=ascii)
def test_a_path_that_takes_no_file_is_a_line_and_the_prompt_again(path, order, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = play("encan", f"{order} {path}\n8\nundo\n")
    assert result.code == 4
    sorry = [line for line in result.out.splitlines() if line.startswith("Sorry, cannot write ")]
    assert len(sorry) == 1
    assert result.out.replace("\n", "").isprintable()
    assert "takes back" in result.out, "the game went on"
    assert os.listdir(tmp_path) == []
    assert "not recorded" not in result.err


def test_with_a_log_it_says_where_the_game_is(tmp_path):
    log, other = tmp_path / "log", tmp_path / "other"
    out = play("encan", f"save {other}\nsave\n", "--log", log).out
    assert out.count(f"The game is in {log} already, up to the last move.") == 2
    assert not other.exists()
    out = play("encan", f"save {other}\nsave {log}\n").out
    assert f"The game is in {other} already" in out


def test_without_a_file_it_asks_for_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "Say in which file: save game.cglog" in play("encan", "save\n").out
    assert (
        "Dites dans quel fichier\u00a0: sauver partie.cglog" in play("encan", "sauver\n", "--lang", "fr").out
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    play("encan", "save ~/a b\nquit\n")
    play("encan", "save 'c d'\nquit\n")
    assert sorted(os.listdir(tmp_path)) == ["a b", "c d"]


def test_a_file_behind_another_order_makes_it_no_order():
    assert "undo 2" in refused(6, "play", "encan", "--seed", 4, stdin="undo 2\n")


def test_help_tells_of_it():
    assert "save FILE keeps the game" in play("encan", "?\n").out
    assert "sauver FICHIER garde la partie" in play("encan", "?\n", "--lang", "fr").out
    assert "save FILE or quit" in cardgods("play", "encan", "--help").out


def test_a_log_in_memory_goes_on_in_a_file(tmp_path):
    game = library.load_game("encan", variant="express")
    buffer = LogBuffer(make_header(game, [Seat("a", "human"), Seat("b", "human")], seed=1))
    state = game.new_initial_state(turn_based=True)
    path = tmp_path / "log"
    for number in range(3):
        buffer.append(state.current_player(), number)
        state.apply_action(number)
    with LogWriter.take_over(path, buffer) as writer:
        assert (writer.number, writer.tag, writer.size) == (buffer.number, buffer.tag, buffer.size)
        with pytest.raises(LogWriteError, match="it exists"):
            LogWriter.take_over(path, buffer)
        while not state.is_terminal():
            action = state.legal_actions()[0]
            writer.append(state.current_player(), action)
            state.apply_action(action)
        writer.finish(state)
    assert verify(path).log.complete
    assert path.read_bytes().startswith(buffer.getvalue())


def test_a_full_disk_leaves_no_file_behind(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cardgods.log.files.write_all", full)
    result = play("encan", f"save {tmp_path}/game\n")
    assert "Sorry, cannot write" in result.out
    assert "No space left on device" in result.out
    assert os.listdir(tmp_path) == []
