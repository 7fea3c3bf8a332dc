"""The exported page in a real browser: clicked, typed at and swiped through."""

import os

import pytest
from browser import Browser, found
from running import cardgods
from test_export import GAMES, HOSTILE, data_in, played

pytestmark = pytest.mark.skipif(
    found() is None and not os.environ.get("CARDGODS_CI"), reason="there is no Chromium here"
)


@pytest.fixture(scope="module", params=["encan", "trones", "commerce", "eleusis"])
def written(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    name, options = GAMES[request.param]
    (folder / "game.cglog").write_bytes(played(name, options, names=HOSTILE))
    path = folder / "page.html"
    assert cardgods("export", folder / "game.cglog", "--html", path).code == 0
    return path, data_in(path.read_text())


def news(data, at, lang):
    versions = [data["texts"][number] for number in data["steps"][at][1]]
    return [version[lang if len(version) > 1 else 0] for version in versions]


def shown(browser):
    return browser.value("[...document.querySelectorAll('#news p')].map((p) => p.textContent)")


def zones(browser):
    return browser.value("document.querySelectorAll('#board .zone').length")


def test_clicking_and_typing_through_a_game(written, tmp_path):
    path, data = written
    end = len(data["steps"]) - 1
    with Browser(path.as_uri(), tmp_path / "profile") as browser:
        assert shown(browser) == news(data, 0, 0)
        assert zones(browser) == len(data["steps"][0][2])
        browser.click("#next")
        assert shown(browser) == news(data, 1, 0)
        browser.press("ArrowRight")
        assert shown(browser) == news(data, 2, 0)
        browser.press("ArrowLeft")
        assert shown(browser) == news(data, 1, 0)
        browser.press("End")
        assert shown(browser) == news(data, end, 0)
        assert browser.value("document.getElementById('next').disabled")
        assert browser.text("#count") == f"{end + 1} of {end + 1}"
        browser.press("ArrowRight")
        assert shown(browser) == news(data, end, 0)
        browser.press("Home")
        assert browser.value("document.getElementById('back').disabled")
        browser.click("#moves li:nth-child(4) button")
        assert shown(browser) == news(data, 3, 0)
        assert browser.value("document.querySelector('[aria-current]').textContent") == " ".join(
            news(data, 3, 0)
        )
        assert browser.value("location.hash") == f"#{data['steps'][3][0]}"
        assert browser.complaints == []
        assert browser.requests == [path.as_uri()]
        assert browser.value("document.querySelectorAll('img, #board script').length") == 0


def test_the_other_language_and_the_other_light(written, tmp_path):
    path, data = written
    with Browser(path.as_uri() + f"#{data['steps'][2][0]}", tmp_path / "profile") as browser:
        assert shown(browser) == news(data, 2, 0)
        english = browser.text("#board")
        browser.click("#lang")
        assert shown(browser) == news(data, 2, 1)
        assert browser.text("#board") != english
        assert browser.value("document.documentElement.lang") == "fr"
        assert browser.value("document.getElementById('next').getAttribute('aria-label')") == "Suivant"
        colour = "getComputedStyle(document.documentElement).backgroundColor"
        browser.dark(False)
        light = browser.value(colour)
        browser.dark(True)
        browser.wait(f"{colour} !== '{light}'")
        browser.click("#theme")
        assert browser.value(colour) == light
        assert browser.complaints == []


def test_every_card_has_a_name_and_every_button_can_be_reached(written, tmp_path):
    path, _ = written
    with Browser(path.as_uri(), tmp_path / "profile") as browser:
        browser.press("End")
        names = browser.value(
            "[...document.querySelectorAll('.card')].map((c) => c.getAttribute('aria-label'))"
        )
        assert names
        assert all(names)
        focused = set()
        for _ in range(12):
            browser.press("Tab")
            focused.add(browser.value("document.activeElement.id"))
        assert {"lang", "theme"} <= focused
        browser.value("document.getElementById('first').focus()")
        browser.press("Enter")
        assert browser.value("document.activeElement !== null")


def test_a_telephone(written, tmp_path):
    path, data = written
    with Browser(path.as_uri(), tmp_path / "profile", width=390, height=800, touch=True) as browser:
        browser.swipe("#board", -150)
        browser.wait("document.querySelector('#count').textContent.startsWith('2 ')")
        assert shown(browser) == news(data, 1, 0)
        browser.swipe("#board", 150)
        browser.wait("document.querySelector('#count').textContent.startsWith('1 ')")
        browser.value("document.getElementById('last').click()")
        assert browser.value("document.documentElement.scrollWidth") <= 390
        assert browser.complaints == []
