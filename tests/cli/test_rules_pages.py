"""cardgods rules: the pages of every game, in both languages."""

import pytest
from running import ROOT, cardgods, refused

import cardgods as library


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_page_is_printed_whole(name, lang):
    suffix = "" if lang == "en" else ".fr"
    page = (ROOT / "docs" / "rules" / f"{name}{suffix}.md").read_text(encoding="utf-8")
    result = cardgods("rules", name, "--lang", lang)
    assert (result.code, result.err) == (0, "")
    assert result.out == page


@pytest.mark.parametrize(
    ("environment", "first"),
    [
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "fr_FR.UTF-8"}, "les règles"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR.UTF-8"}, "the rules"),
    ],
)
def test_the_language_is_that_of_the_environment(monkeypatch, environment, first):
    monkeypatch.setenv("LANGUAGE", "")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert first in cardgods("rules", "encan").out.splitlines()[0]


def test_unknown_games_and_languages_are_refused():
    assert "unknown game 'chess'" in refused(2, "rules", "chess")
    assert "../encan" in refused(2, "rules", "../encan")
    assert "de" in refused(2, "rules", "encan", "--lang", "de")


def test_every_option_of_a_game_is_named_on_its_english_page(name):
    page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
    missing = [option for option in library.load_game(name).parameters() if f"`{option}`" not in page]
    assert missing == []
