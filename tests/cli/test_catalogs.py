"""The catalogs hold a translation of every text that is marked, and nothing else."""

import re

import marked
import pytest

from cardgods_cli import words

TEXTS, BROKEN = marked.marked()
CATALOGS = marked.catalogs("fr")
ENTRIES = [(name, entry) for name, catalog in CATALOGS.items() for entry in catalog if entry.id]


def forms(entry):
    return [entry.id] if isinstance(entry.id, str) else list(entry.id)


def translations(entry):
    return [entry.string] if isinstance(entry.string, str) else list(entry.string)


def test_texts_are_marked_as_they_stand():
    assert len(TEXTS) > 200
    assert BROKEN == [], "an f-string or a sum cannot be looked up"


def test_every_marked_text_has_its_french():
    have = {(entry.context, *forms(entry)) for _, entry in ENTRIES if all(translations(entry))}
    missing = sorted(
        {
            (text.where, text.texts)
            for text in [*TEXTS, *marked.helps()]
            if (text.context, *text.texts) not in have
        }
    )
    assert missing == []


def test_no_entry_is_left_over():
    used = {(text.context, text.texts[0]) for text in TEXTS}
    used |= {(None, text.texts[0]) for text in marked.helps()}
    used |= {(None, text) for text in marked.marked_by_click()}
    left = [
        (name, forms(entry))
        for name, entry in ENTRIES
        if (entry.context, forms(entry)[0]) not in used and entry.context != words.LIBRARY
    ]
    assert left == []


def test_a_text_of_two_parts_has_one_translation():
    seen = {}
    for name, entry in ENTRIES:
        key = (entry.context, forms(entry)[0])
        assert seen.setdefault(key, translations(entry)) == translations(entry), (name, key)


def test_holes_agree():
    for name, entry in ENTRIES:
        # The form for one thing may leave out its number.
        allowed = [marked.holes(text) for text in forms(entry)]
        *singular, general = translations(entry)
        assert marked.holes(general) == allowed[-1], (name, general)
        assert all(marked.holes(text) in allowed for text in singular), (name, singular)


def test_french_has_its_blanks():
    """A blank that does not break stands before double signs and inside guillemets."""
    for name, entry in ENTRIES:
        for text in translations(entry):
            assert not re.search(r"(?<=\S) [;:!?»](?=$|[\s)])|« ", text), (name, text)


@pytest.mark.parametrize("name", sorted(CATALOGS))
def test_the_built_catalog_has_each_part(name):
    with words.speaking("fr"):
        for entry in CATALOGS[name]:
            if entry.id and entry.context is None and isinstance(entry.id, str):
                assert words._(entry.id) == entry.string
