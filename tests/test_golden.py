"""Golden playthroughs: whole games as readable text, compared line by line."""

import importlib.util

import pytest

from conftest import TESTS

spec = importlib.util.spec_from_file_location("regenerate", TESTS / "golden" / "regenerate.py")
regenerate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(regenerate)

FILES = sorted((TESTS / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_playthrough(path):
    expected = path.read_text(encoding="utf-8")
    assert regenerate.playthrough(*regenerate.heading(expected)).splitlines() == expected.splitlines()
