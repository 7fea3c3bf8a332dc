"""Every command has help with an example, starts fast because it imports little, and is in the README."""

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


def test_help_imports_neither_the_core_nor_rich_nor_msgpack():
    code = (
        "import sys; from cardgods_cli.__main__ import run; run(['--help']); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert {"click", "cardgods_cli"} <= loaded
    assert not loaded & {"cardgods", "rich", "msgpack", "lark", "json", "hashlib"}


def test_the_version():
    assert cardgods("--version").out == f"cardgods {library.__version__}\n"


def test_games_lists_every_game():
    import json

    out = cardgods("games").out
    listed = {game["game"]: game for game in json.loads(cardgods("games", "--json").out)["games"]}
    assert list(listed) == library.registered_names()
    for name, game in listed.items():
        assert name in out
        for variant, options in game["variants"].items():
            assert options == library.load_game(name, variant).parameters()
    assert listed["encan"]["agents"][:2] == ["exact", "greedy"]


def test_perft_counts():
    import json

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
