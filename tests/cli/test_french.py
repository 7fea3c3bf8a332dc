"""French and English at the prompt: what is shown, what may be typed, and where the language comes from."""

import json
import re

import click
import pytest
from running import AGENTS, cardgods, program, refused

import cardgods as library
from cardgods import ActionTextError
from cardgods_cli import words
from cardgods_cli.main import cli
from cardgods_cli.moves import read_move
from cardgods_cli.told import told
from conftest import games_with, label, random_states

SEATS = ("--seat", "human:Ana", "--seed", "7")
ENGLISH = re.compile(
    r"(?<![-|=_/.\w])(the|your?|turn|wins|cards?|deal|round|lays?|holds|of|is|with)(?![-|=_/.\w])"
)
"""Words that show an English sentence; not in options, their values and paths."""


@pytest.mark.parametrize("lang", words.LANGUAGES)
@pytest.mark.parametrize(("name", "options"), games_with(), ids=label)
def test_every_move_parses_back_in_both_languages(name, options, lang, rng):
    """What is shown in a language reads as itself in it; in the other language too, or it is refused."""
    game = library.load_game(name, **options)
    refusals = checked = 0
    for _ in range(2):
        for number, state in enumerate(random_states(game, rng)):
            if state.is_terminal() or state.is_chance_node() or (number > 40 and rng.below(6)):
                continue
            for action in state.legal_actions():
                own = [state.action_to_string(action, lang), *game.action_texts(state, action, lang)]
                assert read_move(state, own[0], lang) == action
                assert all(_read(state, text, lang) in (action, None) for text in own)
                for other in words.LANGUAGES:
                    found = _read(state, state.action_to_string(action, other), lang)
                    assert found in (action, None)
                    refusals += found is None
                    checked += 1
    assert checked
    assert refusals == 0, "no text that is shown reads two ways in the games there are"


def _read(state, text, lang):
    try:
        return read_move(state, text, lang)
    except ActionTextError:
        return None


def test_a_card_in_the_language_in_force_is_never_taken_for_another():
    """In French 3c is a heart: who holds only the club is not understood to mean it."""
    game = library.load_game("commerce")
    state = game.new_initial_state()
    state.apply_action(2)
    for card in (1, 14, 2, 15, 3, 16, 4, 17, 5):
        state.apply_action(card)
    state.apply_action(52)
    hand = {state.action_to_string(action, "en"): action for action in state.legal_actions()}
    assert "3♣" in hand
    assert read_move(state, "3c", "en") == hand["3♣"]
    with pytest.raises(ActionTextError):
        read_move(state, "3c", "fr")
    assert read_move(state, "3 of clubs", "fr") == hand["3♣"]
    assert read_move(state, "trois de trèfle", "en") == hand["3♣"]


@pytest.mark.parametrize("moves", ["indice\naide\nannuler\nquitter\n", "hint\nhelp\nundo\nquit\n"])
@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_the_orders_of_both_languages_are_always_understood(lang, moves):
    result = cardgods("play", "encan", *SEATS, "--lang", lang, stdin=moves)
    assert result.code == 0, result
    ends = {"en": "Stopped; the game was not", "fr": "Arrêt\u00a0; la partie n'a pas"}
    assert result.out.splitlines()[-1].startswith(ends[lang])


def test_a_game_is_told_in_french(name):
    """Nothing English is left in what is shown of a whole game; names of agents and options stay."""
    seats = ["--seat", "random"] * library.load_game(name).num_players()
    result = cardgods("--lang", "fr", "play", name, *seats, "--seed", "3")
    assert result.code == 0, result
    assert "gagne" in result.out
    lines = [line for line in result.out.splitlines() if "La règle était" not in line]
    assert [line for line in lines if ENGLISH.search(line)] == []


def test_the_prompt_its_help_and_its_hints_are_french(name):
    result = cardgods("play", name, *SEATS, "--lang=fr", stdin="?\nindice\n")
    assert result.code == 4
    assert "? pour l'aide)" in result.out
    assert "Vous pouvez taper" in result.out
    assert "D'après ce que vous savez" in result.out
    assert "before the game" not in result.err
    assert [line for line in result.out.splitlines() if ENGLISH.search(line)] == []


def test_a_rule_typed_in_french_is_asked_for_in_french():
    god = ("--seat", "human:Ana", *(["--seat", "random"] * 4), "--rules", "ask", "--god", "0")
    script = "si dernier.rouge alors pair sinon impair\n-\n"
    result = cardgods("play", "eleusis", *god, "--seed", "1", "--lang", "fr", stdin=script)
    assert "Ana, vous êtes Dieu à la manche 1. Tapez votre règle" in result.out
    assert "Ana, votre règle\u00a0: si dernier.rouge" in result.out


# Where the language comes from -----------------------------------------------------------------------------


@pytest.mark.parametrize("where", [0, 1, 2, 3])
def test_the_option_may_stand_anywhere(where):
    line = ["play", "encan", *AGENTS]
    line[where:where] = ["--lang", "fr"]
    assert "graine 7" in cardgods(*line).out


def test_the_option_comes_before_the_variable_and_that_before_the_locale(monkeypatch):
    def language(*more):
        return "graine 7" in cardgods("play", "encan", *AGENTS, *more).out

    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert language()
    monkeypatch.setenv("CARDGODS_LANG", "en")
    assert not language()
    assert language("--lang", "fr")
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setenv("CARDGODS_LANG", "fr")
    assert language()
    assert not language("--lang", "en")
    assert words.language() == "en", "a command leaves the language of the process alone"


def test_a_language_that_is_not_there_is_refused(monkeypatch):
    assert "--lang: unknown language 'de': languages are en, fr" in refused(2, "games", "--lang", "de")
    assert "unknown language ''" in refused(2, "games", "--lang")
    monkeypatch.setenv("CARDGODS_LANG", "klingon")
    assert "CARDGODS_LANG: unknown language 'klingon'" in refused(2, "games")


def test_json_knows_no_language(tmp_path):
    log = tmp_path / "log"
    assert cardgods("play", "trones", *AGENTS, "--log", log).code == 0
    commands = [["replay", log, "--json"], ["games", "--json"], ["perft", "trones", "--depth", "2", "--json"]]
    for line in commands:
        english, french = cardgods(*line).out, cardgods(*line, "--lang", "fr").out
        assert json.loads(english.splitlines()[0])
        pattern = r'"seconds": [\d.]+'
        assert re.sub(pattern, "", english) == re.sub(pattern, "", french)


# Streams ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8", "latin-1"])
def test_french_goes_to_any_encoding(encoding, name):
    result = cardgods("play", name, *SEATS, "--lang", "fr", encoding=encoding, stdin="?\n")
    assert result.code == 4
    assert "\\x" not in result.out
    assert "pour l'aide" in result.out


def test_french_to_a_terminal_that_knows_no_utf8():
    result = program("--lang", "fr", "play", "encan", *AGENTS, env={"PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert "Tour 1 sur 13 : le tresor est" in result.stdout


# What the library says -------------------------------------------------------------------------------------


def test_messages_of_the_library_are_matched_by_their_templates():
    assert told("searched 12 times") == "searched 12 times"
    with words.speaking("fr"):
        assert told("searched 12 times") == "examiné 12 fois"
        assert told("standard error 0.03; settled now, 83.9% for the pot and +2.39 points") == (
            "erreur type 0.03\u00a0; réglé maintenant, 83.9% pour le pot et +2.39 points"
        )
        assert told("no such message") == "no such message"
        assert told("") == ""


# Help pages and the other commands ------------------------------------------------------------------------


def _pages(group, path=()):
    """The paths of all commands that have a help page."""
    yield path
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            yield from _pages(group.get_command(context, name), (*path, name))


PAGES = list(_pages(cli))


@pytest.mark.parametrize("path", PAGES, ids=" ".join)
def test_help_pages_are_french(path):
    result = cardgods(*path, "--help", "--lang", "fr")
    assert result.code == 0
    assert result.out.startswith("Usage\u00a0: cardgods")
    assert "Montrer ce message et finir." in result.out
    assert [line for line in result.out.splitlines() if ENGLISH.search(line)] == []
    english = cardgods(*path, "--help").out
    assert english.startswith("Usage: cardgods"), "a page in one language leaves the other as it was"
    assert "Show this message and exit." in english


NOT_TOLD = ("rule", "en anglais", "options ")
"""Lines that hold an English text: rules, option values."""
COMMANDS = [
    ("games",),
    ("perft", "encan", "--depth", "2"),
    ("log", "verify", "LOG"),
    ("log", "info", "LOG"),
    ("log", "recover", "LOG"),
    ("log", "view", "LOG"),
    ("replay", "LOG", "--verify"),
    ("replay", "LOG"),
    ("odds", "commerce", "A♥", "R♥", "4♠", "--sampled", "--samples", "100"),
    ("rule", "check", "up"),
    ("rule", "compare", "rouge", "same(colour)"),
    ("rule", "list", "--level", "1"),
    ("solve", "encan", "--variant", "express"),
    ("solve", "trones", "--seed", "1"),
    ("solve", "trones", "--deals", "3", "--seed", "1"),
    ("solve", "tree", "encan", "--cards", "1-3", "--target", "none", "--no-obole"),
    ("solve", "tree", "encan", "--cards", "1-3", "--target", "none", "--no-obole", "--count"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_other_commands_answer_in_french(tmp_path, words):
    log = tmp_path / "log"
    assert cardgods("play", "encan", "--variant", "express", *AGENTS, "--log", log).code == 0
    result = cardgods(*(log if word == "LOG" else word for word in words), "--lang", "fr")
    assert result.code == 0, result
    lines = [line for line in result.out.splitlines() if not line.startswith(NOT_TOLD)]
    assert [line for line in lines if ENGLISH.search(line)] == []


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["play", "encan", "--zz"], "Option inconnue '--zz' (voir « cardgods play encan --help »)"),
        (["pley"], "commande inconnue 'pley'\u00a0: choisissez parmi "),
        (["play", "chess"], "jeu inconnu 'chess'\u00a0: choisissez parmi "),
        (["replay", "/no/such/file"], "Aucun fichier ou dossier de ce nom"),
        (["log", "verify"], "Argument manquant 'FICHIER'"),
        (["perft", "encan", "--depth", "0"], "0 n'est pas dans l'intervalle x>=1"),
        (["perft", "encan", "--depth"], "L'option '--depth' veut un argument"),
    ],
)
def test_usage_errors_are_french(words, complaint):
    result = cardgods(*words, "--lang", "fr")
    assert result.code == 2 or "fichier" in complaint
    assert result.err.startswith("cardgods\u00a0: erreur\u00a0: ")
    assert complaint in result.err.replace("«\u00a0", "« ").replace("\u00a0»", " »")
