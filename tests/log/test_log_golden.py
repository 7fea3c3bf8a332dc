"""The archive of logs: each is read, and gives the game it gave when it was written, for ever."""

import importlib.util
import json

import pytest

import cardgods
from cardgods.log import ChanceOutcome, Replayer, archive_entries, parse_log, verify_bytes
from conftest import TESTS

FOLDER = TESTS / "data" / "logs"
FILES = sorted(FOLDER.glob("*.cglog"))
spec = importlib.util.spec_from_file_location("make_logs", FOLDER / "make.py")
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_archived_log_gives_its_game(path):
    assert make.facts(path.read_bytes()) == json.loads(path.with_suffix(".json").read_text())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_archived_deal_is_dealt_again(path):
    """The same seed or secret gives the same cards and the same first player, on every platform."""
    log = parse_log(path.read_bytes())
    if log.header.view is None:
        player = Replayer(log, seeded=True)
        player.run(log.records)
        assert player.dealt == sum(isinstance(record, ChanceOutcome) for record in log.records) > 0


def test_the_archived_archive_is_read():
    logs = list(archive_entries(FOLDER / "1.0-archive.cglogs"))
    assert len(logs) >= 3
    assert all(verify_bytes(each.data).complete for each in logs)


def test_the_archive_writer_still_writes_the_same(name):
    kept = FOLDER / f"1.0-{name}-seed.cglog"
    if kept.exists() and parse_log(kept.read_bytes()).header.engine == f"cardgods {cardgods.__version__}":
        assert make.game_log(name, fair=False) == kept.read_bytes()
