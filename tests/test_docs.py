"""The code of the documents runs, and the links between them lead somewhere."""

import re

import pytest

from conftest import TESTS

ROOT = TESTS.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("bench/*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def with_code():
    return [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


def page_name(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", with_code(), ids=page_name)
def test_the_python_blocks_of_a_page_run_in_order(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, page_name(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_blocks_open_with_a_language_or_nothing_and_are_closed(page):
    fences = re.findall(r"^```(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(fences) % 2 == 0
    assert not any(fences[1::2])


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_to_files_that_are_there(page):
    missing = [
        link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()
    ]
    assert not missing
