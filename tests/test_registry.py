"""A registered game without its tests, views and pages fails the suite."""

import pytest

import cardgods
from conftest import TESTS, games_with, reference

ROOT = TESTS.parent


@pytest.mark.parametrize(
    "pattern",
    [
        "tests/reference/{}.py",
        "tests/perft/{}.perft",
        "tests/golden/{}*.txt",
        "tests/games/test_{}*.py",
        "docs/rules/{}.md",
        "docs/rules/{}.fr.md",
        "cli/cardgods_cli/views/{}.py",
        "cli/cardgods_cli/lessons/{}.py",
        "src/cardgods/_core/games/{}.pyx",
        "src/cardgods/_core/games/{}.pyi",
    ],
)
def test_every_game_has_its_files(name, pattern):
    assert list(ROOT.glob(pattern.format(name))), f"{name} lacks {pattern.format(name)}"


def test_no_two_test_files_have_one_name():
    """pytest would collect only one of them in a run of both."""
    names = [path.name for path in TESTS.rglob("test_*.py")]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)


def test_every_game_has_small_members_and_variants(name):
    module = reference(name)
    assert module.SMALL
    assert {} in module.VARIANTS or module.DEFAULT_IS_LONG


def test_every_game_says_what_it_is(name):
    game = cardgods.load_game(name)
    assert game.name == name
    assert set(game.title) == set(game.summary) == {"en", "fr"}
    for preset in game.presets:
        assert cardgods.load_game(name, preset).variant == preset


def test_an_unknown_game_is_refused_with_the_known_ones():
    with pytest.raises(cardgods.ParameterError, match=r"unknown game 'chess': games are .*encan"):
        cardgods.load_game("chess")


def test_an_unknown_variant_is_refused_with_the_known_ones(name):
    with pytest.raises(cardgods.ParameterError, match=r"unknown variant 'huge' of .*: variants are "):
        cardgods.load_game(name, "huge")


def test_an_unknown_option_is_refused_with_the_known_ones(name):
    with pytest.raises(cardgods.ParameterError, match="unknown option 'colour': options are "):
        cardgods.load_game(name, colour="red")


def test_games_with_other_rules_have_other_digests():
    games = [cardgods.load_game(name, **options) for name, options in games_with()]
    assert len({game.ruleset_digest() for game in games}) == len(set(games))
