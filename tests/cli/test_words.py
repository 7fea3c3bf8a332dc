import gettext
import os

import click
import pytest

from cardgods_cli import words


@pytest.fixture(autouse=True)
def english_again():
    with words.kept():
        yield


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "frp_FR.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "fr_BE"}, "fr"),
        ({"LANGUAGE": "de:fr", "LANG": "de_DE"}, "fr"),
        ({"LANGUAGE": "", "LANG": "fr_CA.UTF-8"}, "fr"),
    ],
)
def test_the_environment_chooses_the_language(monkeypatch, environment, lang):
    for name in words.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert words.from_environment() == lang


def test_texts_change_with_the_language():
    text = "Four card games of gods and merchants: play, replay, solve."
    assert words._(text) == text
    with words.speaking("fr"):
        assert words.language() == "fr"
        assert words._(text).startswith("Quatre jeux")
        assert words._("") == ""
        assert words._("no such text") == "no such text"
        assert gettext.gettext(text) == words._(text), "click would not find its texts"
    assert words.language() == "en"
    assert words._(text) == text
    assert os.environ["LANGUAGE"] == "en"
    assert click.core._(text) == text
