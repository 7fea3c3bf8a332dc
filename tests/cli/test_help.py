"""Every command has help with an example, starts fast because it imports little, and is in the README."""

import json
import subprocess
import sys

import click
import pytest
from running import ROOT, cardgods

import cardgods as library
from cardgods_cli.main import cli


def paths(group=cli, before=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*before, name)
        if isinstance(command, click.Group):
            yield from paths(command, (*before, name))


@pytest.mark.parametrize("path", [(), *paths()], ids=" ".join)
def test_help_has_an_example_that_names_the_command(path):
    for flag in ("--help", "-h"):
        result = cardgods(*path, flag)
        assert result.code == 0
        assert "Usage: cardgods " + " ".join(path) in result.out
        assert "Example: cardgods " + " ".join(path) in " ".join(result.out.split())


def test_the_help_page_lists_every_command_with_a_line():
    out = cardgods("--help").out
    for name in cli.list_commands(click.Context(cli)):
        line = next(line for line in out.splitlines() if line.strip().startswith(name + " "))
        assert len(line.split()) > 3


@pytest.mark.parametrize("path", [path for path in paths() if len(path) == 1], ids=" ".join)
def test_the_readme_has_the_command(path):
    assert f"cardgods {path[0]}" in (ROOT / "README.md").read_text()


def test_a_game_s_help_has_every_rule_option(name):
    out = cardgods("play", name, "--help").out
    for option in library.load_game(name).parameters():
        assert "--" + option.replace("_", "-") in out


HEAVY = {
    "asyncio",
    "concurrent",
    "lark",
    "msgpack",
    "multiprocessing",
    "rich",
    "statistics",
    "subprocess",
    "tomllib",
}
"""Modules that no help page needs, each of which takes as long as all the rest of one."""
LOADED = """
import sys
from cardgods_cli.__main__ import run
run(sys.argv[1:])
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""
PAGES_LOADED = """
import io, json, sys
from cardgods_cli.__main__ import run
out, seen = sys.stdout, set()
for line in json.load(sys.stdin):
    sys.stdout = io.StringIO()
    code = run(line)
    text, sys.stdout = sys.stdout.getvalue(), out
    now = {name.partition(".")[0] for name in sys.modules}
    print(json.dumps([line, code, bool(text), sorted(now - seen)]))
    seen |= now
"""


def loaded(code, *words, stdin=""):
    """Run a Python program; what it wrote."""
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, input=stdin
    )


def test_the_first_help_imports_nothing_of_the_core():
    modules = set(loaded(LOADED, "--help").stderr.split())
    assert {"click", "cardgods_cli"} <= modules
    assert not modules & (HEAVY | {"cardgods", "json", "hashlib"})


def test_no_help_imports_what_is_heavy():
    lines = [[*path, "--help", "--lang", lang] for lang in ("en", "fr") for path in [(), *paths()]]
    rows = [json.loads(row) for row in loaded(PAGES_LOADED, stdin=json.dumps(lines)).stdout.splitlines()]
    assert [row[0] for row in rows] == lines
    assert all(code == 0 and text for _, code, text, _ in rows)
    assert "cardgods" in {name for *_, new in rows for name in new}, "the help of a game does load it"
    assert {" ".join(line): HEAVY & set(new) for line, *_, new in rows if HEAVY & set(new)} == {}


def test_the_first_prompt_loads_no_more_than_the_game_needs(name):
    done = loaded(LOADED, "play", name, "--seat", "human:Ana")
    assert "Ana" in done.stdout
    heavy = {"lark", "rich", "multiprocessing"} & set(done.stderr.splitlines()[-1].split())
    assert heavy == ({"lark"} if name == "eleusis" else set())


def test_the_version():
    assert cardgods("--version").out == f"cardgods {library.__version__}\n"


def test_games_lists_every_game():
    out = cardgods("games").out
    listed = {game["game"]: game for game in json.loads(cardgods("games", "--json").out)["games"]}
    assert list(listed) == library.registered_names()
    for name, game in listed.items():
        assert name in out
        for variant, options in game["variants"].items():
            assert options == library.load_game(name, variant).parameters()
    assert listed["encan"]["agents"][:2] == ["exact", "greedy"]


def test_perft_counts():
    result = json.loads(cardgods("perft", "encan", "--variant", "express", "--depth", "3", "--json").out)
    assert result["count"] == 7 * 7 * 7
    assert result["first"] == dict.fromkeys(["8", "9", "10", "J", "Q", "K", "A"], 49)
    out = cardgods("perft", "encan", "--variant", "express", "--depth", "3").out
    assert "perft(3) of encan(express): 343 sequences in" in out


def test_shell_completion(monkeypatch):
    monkeypatch.setenv("_CARDGODS_COMPLETE", "bash_source")
    assert "_CARDGODS_COMPLETE=bash_complete" in cardgods().out
    monkeypatch.setenv("_CARDGODS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "cardgods re")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert "replay" in cardgods().out


@pytest.mark.parametrize("name", library.registered_names())
def test_the_values_that_help_shows_can_be_typed_in(name):
    from cardgods.game import game_class
    from cardgods.options import option_fields, parse_option
    from cardgods_cli.options import _short, rule_options

    presets = game_class(name).presets.values()
    helps = {option.name: option.help for option in rule_options(game_class(name))}
    for options in presets:
        for word, field in option_fields(type(options)).items():
            value = getattr(options, word)
            shown = _short(value)
            assert parse_option(type(options), word, shown) == value
            words = field.metadata["help"]["en"]
            assert words[1:] in helps[word]  # A, K and God keep their capitals
            assert shown in helps[word]
