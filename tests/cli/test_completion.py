"""Completion: the protocol of each shell, what is offered where, and bash itself."""

import os
import stat
import subprocess
import sys

import pytest
from running import COMMAND, ROOT, cardgods, refused

import cardgods as library
from cardgods.agents import agent_names
from cardgods.rule import library as rules
from cardgods_cli.completing import SHELLS


def offered(monkeypatch, line, shell="bash"):
    """What a shell is offered for the last word of a line: pairs of kind and value."""
    words = ["cardgods", *line.split(" ")]
    monkeypatch.setenv("_CARDGODS_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    # fish passes the word itself, the others its number.
    monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
    result = cardgods()
    assert result.code == 0, result
    assert result.err == ""
    lines = result.out.splitlines()
    if shell == "zsh":
        return list(zip(lines[::3], lines[1::3], strict=False))
    pairs = [entry.split(",", 1) for entry in lines]
    return [(kind, value.partition("\t")[0]) for kind, value in pairs]


def words_for(monkeypatch, line, shell="bash"):
    return [value for _, value in offered(monkeypatch, line, shell)]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_is_offered_the_same(monkeypatch, shell):
    assert words_for(monkeypatch, "re", shell) == ["replay"]
    assert words_for(monkeypatch, "play ", shell) == library.registered_names()
    assert words_for(monkeypatch, "play encan --variant ", shell) == ["standard", "express", "goofspiel"]
    assert words_for(monkeypatch, "play encan --seat ", shell) == ["human", *agent_names("encan")]
    assert "--seat" in words_for(monkeypatch, "play encan --se", shell)
    assert offered(monkeypatch, "replay ga", shell) == [("file", "ga")]


@pytest.mark.parametrize("command", ["play", "arena", "perft", "solve tree"])
def test_each_game_offers_its_own(monkeypatch, command, name):
    assert name in words_for(monkeypatch, f"{command} {name[:2]}")
    variants = list(type(library.load_game(name)).presets)
    assert words_for(monkeypatch, f"{command} {name} --variant ") == variants
    if command == "arena":
        assert words_for(monkeypatch, f"arena {name} --seat ") == agent_names(name)


def test_a_choice_a_language_a_rule_a_game_and_a_shell(monkeypatch):
    assert words_for(monkeypatch, "play encan --tie ") == ["carry", "discard", "split"]
    for line in ("--lang ", "play encan --lang ", "--lang fr games --lang "):
        assert words_for(monkeypatch, line) == ["en", "fr"]
    assert words_for(monkeypatch, "play encan --la") == ["--lang"]
    assert words_for(monkeypatch, "--la") == ["--lang"]
    assert words_for(monkeypatch, "play encan --lang fr --variant e") == ["express"]
    assert words_for(monkeypatch, "rules t") == ["trones"]
    assert set(words_for(monkeypatch, "rule check ")) == {entry.name for entry in rules()}
    assert words_for(monkeypatch, "rule compare spades-rise four-a") == ["four-answers"]
    assert words_for(monkeypatch, "completion ") == list(SHELLS)
    assert words_for(monkeypatch, "config ") == ["init"]
    monkeypatch.setenv("CARDGODS_LANG", "fr")
    assert words_for(monkeypatch, "play encan --seat hu") == ["humain"]


@pytest.mark.parametrize(
    "line",
    [
        "replay ",
        "analyze ",
        "log verify ",
        "log info ",
        "log view ",
        "log recover ",
        "log view a --out ",
        "replay a --notes ",
        "play --resume ",
        "play encan --log ",
        "arena --resume ",
        "arena encan --log ",
        "arena encan --csv ",
        "solve eleusis ",
        "export ",
        "export a --html ",
        "export a --svg ",
        "export a --text ",
    ],
)
def test_files_are_left_to_the_shell(monkeypatch, line):
    assert offered(monkeypatch, line) == [("file", "")]


def test_nothing_is_offered_where_nothing_is_known(monkeypatch):
    for line in ("play encan --lang klingon --variant x", "play encan --seed ", "play encan --nonsense x"):
        assert words_for(monkeypatch, line) == []
    for line in ("nonsense ", "play chess --", "--nonsense "):
        offered(monkeypatch, line)


@pytest.mark.parametrize("instruction", ["tcsh_complete", "bash_nonsense", "x"])
def test_a_shell_that_is_not_known_gets_nothing(monkeypatch, instruction):
    monkeypatch.setenv("_CARDGODS_COMPLETE", instruction)
    result = cardgods()
    assert (result.code, result.out) == (1, "")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_asks_by_the_protocol(monkeypatch, shell):
    result = cardgods("completion", shell)
    assert result.code == 0
    assert f"_CARDGODS_COMPLETE={shell}_complete" in result.out
    monkeypatch.setenv("_CARDGODS_COMPLETE", f"{shell}_source")
    assert cardgods().out == result.out


def test_without_a_shell_it_is_that_of_the_environment(monkeypatch):
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    assert cardgods("completion").out == cardgods("completion", "zsh").out
    for shell in ("/bin/tcsh", ""):
        monkeypatch.setenv("SHELL", shell)
        assert "which shell? choose from bash, zsh, fish" in refused(2, "completion")
    assert "'tcsh'" in refused(2, "completion", "tcsh")


def test_bash_completes(tmp_path):
    """The line of the README, and a Tab at the end of some lines."""
    line = 'eval "$(cardgods completion bash)"'
    assert line in (ROOT / "README.md").read_text()
    shim = tmp_path / "cardgods"
    shim.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n')
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "game.cglog").touch()
    script = f"""
{line}
complete -p cardgods
tab() {{
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _cardgods_completion cardgods
    echo "${{COMPREPLY[@]}}"
}}
tab cardgods play en
tab cardgods play trones --variant ""
"""
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}"},
    )
    assert done.stderr == ""
    first, *rest = done.stdout.splitlines()
    assert first == "complete -o nosort -F _cardgods_completion cardgods"
    assert rest == ["encan", "standard express"]


def test_the_help_page_has_the_lines_whole():
    out = cardgods("completion", "--help").out
    for line in (
        'eval "$(cardgods completion bash)"',
        'eval "$(cardgods completion zsh)"',
        "cardgods completion fish > ~/.config/fish/completions/cardgods.fish",
    ):
        assert line in out
        assert line in (ROOT / "README.md").read_text()
