"""Settings: where each comes from, what comes before what, and a file that cannot be used."""

import json
import os
import re
import stat

import click
import pytest
from running import ROOT, cardgods, program, refused

import cardgods as library
from cardgods_cli.settings import SETTINGS

BID = ("play", "encan", "--seed", "7")


@pytest.fixture
def config(tmp_path, monkeypatch):
    """Writes the file of settings."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("CARDGODS_CONFIG", str(path))
    for name in ("NO_COLOR", "CARDGODS_PLAIN", "CARDGODS_THREADS"):
        monkeypatch.delenv(name, raising=False)

    def write(text, **how):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    write.path = path
    return write


def settings(*words):
    result = cardgods("config", "--json", *words)
    assert result.code == 0, result
    return json.loads(result.out)["settings"]


def source(name, *words):
    found = settings(*words)[name]
    return found["value"], found["source"], found["where"]


def test_the_command_line_comes_before_the_environment_and_that_before_the_file(config, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("LANG", "C")
    assert source("lang") == ("en", "environment", "LANG")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert source("lang") == ("fr", "environment", "LANG")
    config('\nlang = "en"\n')
    assert source("lang") == ("en", "file", "2")
    monkeypatch.setenv("CARDGODS_LANG", "fr")
    assert source("lang") == ("fr", "environment", "CARDGODS_LANG")
    assert source("lang", "--lang", "en") == ("en", "option", "")


@pytest.mark.parametrize(
    ("name", "line", "value", "variable", "text", "other"),
    [
        ("threads", "threads = 3", 3, "CARDGODS_THREADS", "5", 5),
        ("plain", "plain = true", True, "CARDGODS_PLAIN", "off", False),
        ("color", "color = true", True, "NO_COLOR", "0", False),
    ],
)
def test_the_environment_comes_before_the_file(config, monkeypatch, name, line, value, variable, text, other):
    assert source(name) == (SETTINGS[name].default, "default", "")
    config(f"# mine\n{line}\n")
    assert source(name) == (value, "file", "2")
    monkeypatch.setenv(variable, "")
    assert source(name)[1] == "file", "an empty variable says nothing"
    monkeypatch.setenv(variable, text)
    assert source(name) == (other, "environment", variable)


def test_the_language_of_the_file_is_spoken(config):
    config('lang = "fr"')
    assert "graine 7" in cardgods(*BID).out
    assert "seed 7" in cardgods(*BID, "--lang", "en").out
    assert "erreur" in refused_line("pley")


def refused_line(*words):
    result = cardgods(*words)
    assert result.code == 2
    assert result.err.count("\n") == 1
    return result.err


def test_the_threads_of_the_file_are_those_of_every_command(config, monkeypatch):
    config("threads = 3")
    seen = []
    monkeypatch.setattr("cardgods.walk.run", lambda task, items, threads=1, *_: seen.append(threads) or [])
    monkeypatch.setenv("CARDGODS_DEBUG", "")
    perft = ("perft", "encan", "--variant", "express", "--depth", "3")
    for words in (perft, (*perft, "--threads", "2")):
        cardgods(*words)
    assert seen == [3, 2]
    assert "[default: 3" in " ".join(cardgods("perft", "encan", "--help").out.split())
    assert "'0' is not" in refused_environment(monkeypatch, "CARDGODS_THREADS", "0", *perft)
    assert "'9999999999999' is not" in refused_environment(
        monkeypatch, "CARDGODS_THREADS", "9999999999999", *perft
    )


def refused_environment(monkeypatch, variable, value, *words):
    monkeypatch.setenv(variable, value)
    return refused(2, *words)


def test_plain_can_be_set_and_unset(config):
    boxes = "│"
    environment = {"TERM": "xterm", "COLUMNS": "80", "CARDGODS_CONFIG": str(config.path)}

    def shown(*words):
        script = " ".join(["python", "-m", "cardgods_cli", *words])
        return program_on_terminal(script, environment)

    config("plain = true")
    assert boxes not in shown("rule", "list")
    assert "─" in shown("rule", "list", "--no-plain")
    config("plain = false")
    assert "─" in shown("rule", "list")
    assert "─" not in shown("rule", "list", "--plain")


def program_on_terminal(script, environment):
    """What a command writes to a terminal."""
    import pty
    import subprocess
    import sys

    master, slave = pty.openpty()
    words = [sys.executable, *script.split()[1:]]
    with subprocess.Popen(
        words,
        stdout=slave,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    ) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            seen += part
        process.wait(20)
    os.close(master)
    return seen.decode()


def test_colour_can_be_switched_off(config):
    environment = {"TERM": "xterm", "COLUMNS": "80", "CARDGODS_CONFIG": str(config.path), "NO_COLOR": ""}
    line = "python -m cardgods_cli rule list"
    config("color = true")
    coloured = program_on_terminal(line, environment)
    config("color = false")
    grey = program_on_terminal(line, environment)
    assert not re.search("\x1b\\[[0-9;]*3[0-9]", grey)
    assert grey == program_on_terminal(line, environment | {"NO_COLOR": "1"})
    config("color = true")
    assert program_on_terminal(line, environment | {"NO_COLOR": "1"}) == grey
    assert coloured


def test_the_seats_of_the_file_play_where_nobody_is_named(config):
    config('[seats]\nencan = ["human:Zoé", "random"]\n')
    assert "Zoé, random." in cardgods(*BID).out.splitlines()[0]
    assert "greedy, greedy" in cardgods(*BID, "--seat", "greedy:seed=1", "--seat", "greedy").out.replace(
        " 1", ""
    ).replace(" 2", "")
    assert settings()["seats.encan"] == {"value": ["human:Zoé", "random"], "source": "file", "where": "2"}
    assert "greedy" in cardgods("play", "trones", "--seed", "7").out.splitlines()[0], "as ever"
    config('seats.encan = ["wizard"]\n')
    assert f"these are the seats in {config.path}" in refused(2, *BID)


BROKEN = [
    ('lang = "de"', "1", "lang = 'de' is not en or fr"),
    ("\n\nlang = 3", "3", "lang = 3 is not en or fr"),
    ('plain = "yes"', "1", "plain = 'yes' is not true or false"),
    ("color = 1", "1", "color = 1 is not true or false"),
    ("threads = true", "1", "threads = true is not a whole number from 1 to 256"),
    ("threads = 0", "1", "threads = 0 is not a whole number from 1 to 256"),
    ("threads = 1979-05-27", "1", "is not a whole number from 1 to 256"),
    ("# one\nlangue = 1", "2", "unknown key 'langue' (did you mean lang?): keys are lang, plain, color"),
    ("colour = true", "1", "unknown key 'colour' (did you mean color?)"),
    ('"\\u001b[2J" = 1', "1", "unknown key '\\x1b[2J': keys are"),
    ("[thread]\nx = 1", "1", "unknown key 'thread' (did you mean threads?)"),
    ("[lang]\nx = 1", "1", "lang = {'x': 1} is not en or fr"),
    ("seats = 3", "1", "seats is a table of lists"),
    ("[[seats]]", "1", "seats is a table of lists"),
    ('[seats]\nencans = ["greedy"]', "2", "unknown game 'encans' (did you mean encan?): games are commerce,"),
    ('[seats]\n\nencan = "greedy"', "3", "seats.encan = 'greedy' is not a list of seats in quotes"),
    ("[seats]\nencan = [1]", "2", "seats.encan = [1] is not"),
    ("seats.encan = []", "1", "seats.encan = [] is not"),
    ("[seats.encan]", "1", "seats.encan = {} is not"),
    ("lang =", "1", "this is no TOML: Invalid value"),
    ('plain = true\nlang = "fr', "2", "this is no TOML"),
    ("\nplain = true\nplain = true", "3", "this is no TOML: Cannot overwrite a value"),
    ("threads = " + "9" * 5000, "1", "this is no TOML"),
    ("x = " + "[" * 9000, "1", "this is no TOML"),
    (b"plain = true\n# caf\xe9", "2", "this is no UTF-8"),
    ("\0", "1", "this is no TOML"),
]


@pytest.mark.parametrize(
    ("text", "line", "problem"), BROKEN, ids=[f"{line}-{p[:30]}" for _, line, p in BROKEN]
)
def test_a_file_that_cannot_be_used_is_one_line_with_file_line_and_key(config, text, line, problem):
    path = config(text)
    for words in (("games",), ("config",), ("--help",)):
        complaint = refused(2, *words)
        assert complaint.startswith(f"cardgods: error: {path}, line {line}: ")
        assert problem in complaint
        assert complaint.isprintable()


def test_the_complaint_is_in_the_language_asked_for(config):
    path = config("langue = 1")
    line = refused_line("games", "--lang", "fr")
    assert f"{path}, ligne 1\u00a0: clé inconnue 'langue' (vouliez-vous dire lang\u00a0?)" in line
    config("lang =")
    assert "ce n'est pas du TOML\u00a0: valeur incorrecte" in refused_line("games", "--lang", "fr")


@pytest.mark.parametrize("path", ["/", "/proc/self/mem", "/dev/zero", "/" + "x" * 300])
def test_a_file_that_cannot_be_read_is_one_line(path, monkeypatch):
    monkeypatch.setenv("CARDGODS_CONFIG", path)
    assert path in refused(2, "games")


@pytest.mark.parametrize("path", ["/nowhere/config.toml", "/dev/null/config.toml"])
def test_a_file_that_is_not_there_sets_nothing(path, monkeypatch):
    monkeypatch.setenv("CARDGODS_CONFIG", path)
    assert cardgods("games").code == 0
    assert f"There is no {path}; cardgods config init writes one." in cardgods("config").out


def test_a_mark_of_byte_order_and_foreign_line_ends_do_no_harm(config):
    config(b"\xef\xbb\xbfplain = true\r\nthreads = 2\r\n")
    assert source("plain") == (True, "file", "1")
    assert source("threads") == (2, "file", "2")


def test_without_a_variable_it_is_the_file_of_the_system(tmp_path):
    environment = {"CARDGODS_CONFIG": "", "HOME": str(tmp_path), "XDG_CONFIG_HOME": ""}
    path = program("config", "--path", env=environment).stdout.strip()
    assert path == str(tmp_path / ".config" / "cardgods" / "config.toml")
    other = program("config", "--path", env=environment | {"XDG_CONFIG_HOME": str(tmp_path / "x")})
    assert other.stdout.strip() == str(tmp_path / "x" / "cardgods" / "config.toml")


def test_the_table_says_where_each_comes_from(config):
    path = config("# none\nthreads = 2\n")
    lines = [line.split() for line in cardgods("config").out.splitlines()]
    assert lines[0] == [f"{path}:"]
    assert ["threads", "2", "the", "file,", "line", "2"] in lines
    assert ["plain", "false", "by", "default"] in lines
    assert cardgods("config", "--path").out == f"{path}\n"
    assert "le fichier, ligne 2" in cardgods("config", "--lang", "fr").out
    assert "stand alone" in refused(2, "config", "--path", "init")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_new_file_explains_every_setting_and_sets_none(config, lang):
    path = config.path.parent / "deeper" / "still" / "config.toml"
    os.environ["CARDGODS_CONFIG"] = str(path)
    result = cardgods("config", "init", "--lang", lang)
    assert result.code == 0
    text = path.read_text()
    before = settings("--lang", lang)
    for name, setting in SETTINGS.items():
        assert f"# {setting.example}\n" in text
        assert setting.variable in text
        assert before[name]["source"] != "file"
    if lang == "fr":
        assert "Réglages de cardgods" in text
    # Every line of the template can be used as it stands.
    lines = [line.removeprefix("# ") for line in text.splitlines()]
    path.write_text("\n".join(line for line in lines if re.match(r"\[|\w+ = ", line)))
    used = settings()
    assert {used[name]["source"] for name in SETTINGS} <= {"file", "environment"}
    assert {"seats.encan", "seats.trones"} <= set(used)
    for game in ("encan", "trones"):
        assert "Ana" in cardgods("play", game, "--lang", "en").out


def test_a_file_that_is_there_is_never_overwritten(config):
    path = config('lang = "fr"\n')
    before = path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
    line = refused_line("config", "init")
    assert f"{path} est déjà là et reste intact" in line
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == before


@pytest.mark.parametrize("path", ["/dev/full", "/proc/x/y", "/dev/null/x"])
def test_a_place_that_takes_no_file_is_one_line(path, monkeypatch):
    monkeypatch.setenv("CARDGODS_CONFIG", path)
    refused(2, "config", "init")


def test_a_resumed_game_is_not_told_of_what_the_file_says_anyway(config, tmp_path):
    config('lang = "fr"\nplain = true\n')
    log = tmp_path / "log"
    out = cardgods(*BID, "--log", log, stdin="quitter\n").out
    assert out.endswith(f"cardgods play --resume {log}\n")
    out = cardgods("play", "--resume", log, "--lang", "en", "--no-plain", stdin="quit\n").out
    assert out.endswith(f"cardgods play --resume {log} --lang en --no-plain\n")


def test_completion_does_not_stumble_over_a_broken_file(config, monkeypatch):
    config("nonsense")
    monkeypatch.setenv("_CARDGODS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "cardgods re")
    monkeypatch.setenv("COMP_CWORD", "1")
    result = cardgods()
    assert "replay" in result.out
    assert result.err == ""


def test_the_readme_s_file_can_be_used(config):
    text = re.search(r"```toml\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    config(text)
    found = settings()
    assert all(
        found[name]["source"] == "file" for name in ("lang", "plain", "color", "threads", "seats.encan")
    )
    assert click.get_app_dir("cardgods")
    assert library.registered_names()
