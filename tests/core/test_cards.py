"""Cards as numbers, masks and texts in both languages."""

import pytest

from cardgods import CardTextError
from cardgods.cards import (
    CARDS,
    card,
    card_name,
    card_words,
    cards_of,
    mask_of,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)

LANGUAGES = ("en", "fr")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_canonical_text_reads_back(lang):
    for number in range(CARDS):
        for text in (card_name(number, lang), card_name(number, lang, ascii=True), card_words(number, lang)):
            assert parse_card(text, lang) == number
            assert parse_card(f" {text.upper()} ", lang) == number
    assert len({card_name(n, lang) for n in range(CARDS)}) == CARDS


def test_a_card_is_its_rank_and_suit():
    assert [card(rank_of(n), suit_of(n)) for n in range(CARDS)] == list(range(CARDS))
    assert card_name(0) == "2♣"
    assert card_name(51) == "A♠"


@pytest.mark.parametrize(
    ("text", "lang", "name"),
    [
        ("10♦", "en", "10♦"),
        ("Td", "en", "10♦"),
        ("TD", "en", "10♦"),
        ("10d", "en", "10♦"),
        ("sA", "en", "A♠"),
        ("♥Q", "en", "Q♥"),
        ("queen of hearts", "en", "Q♥"),
        ("7 of spades", "en", "7♠"),
        ("VD", "fr", "V♦"),
        ("VK", "fr", "V♦"),
        ("DC", "fr", "D♥"),
        ("RP", "fr", "R♠"),
        ("AsP", "fr", "A♠"),
        ("AP", "fr", "A♠"),
        ("10T", "fr", "10♣"),
        ("TT", "fr", "10♣"),
        ("PR", "fr", "R♠"),
        ("dame de coeur", "fr", "D♥"),
        ("As de trèfle", "fr", "A♣"),
    ],
)
def test_texts(text, lang, name):
    assert card_name(parse_card(text, lang), lang) == name


def test_a_text_that_reads_two_ways_is_refused_with_both():
    with pytest.raises(CardTextError, match=r"'TD' reads two ways: D♣ \(dame de trèfle\) or 10♦"):
        parse_card("TD", "fr")


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        *((text, "en") for text in ("", "1d", "11d", "VD", "RP", "d", "QhQh", "x" * 500, "2²", "ten of")),
        *((text, "fr") for text in ("Qh", "Jc", "As", "A")),
    ],
)
def test_what_is_no_card_is_refused_with_what_is(text, lang):
    with pytest.raises(CardTextError, match=r"is no card: a card is a rank \(2 3 .*\) and a suit"):
        parse_card(text, lang)


def test_lists_of_cards():
    assert parse_cards("2c, 3d  As") == [0, 14, 51]
    assert parse_cards("") == []
    assert parse_cards("AhKh 10♠4s") == [
        parse_card("Ah"),
        parse_card("Kh"),
        parse_card("10s"),
        parse_card("4s"),
    ]
    assert parse_cards("rcD♠10t", "fr") == [parse_card("Kh"), parse_card("Qs"), parse_card("10c")]
    assert parse_cards("DK", "fr") == [parse_card("Qd")]
    with pytest.raises(CardTextError, match="3♦ stands there twice"):
        parse_cards("3d 2c 3d")


def test_masks():
    assert cards_of(mask_of([51, 0, 14])) == [0, 14, 51]
    for bad in ([0, 0], [52], [-1]):
        with pytest.raises(CardTextError):
            mask_of(bad)
