"""The archive of logs: each is read, and gives the game it gave when it was written, for ever."""

import importlib.util
import json

import pytest

import cardgods
from cardgods.log import ChanceOutcome, Replayer, Undo, archive_entries, parse_log, standing, verify_bytes
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
        dealt = sum(isinstance(record, ChanceOutcome) for record in standing(log.records))
        assert player.dealt == dealt > 0


def test_the_archived_archive_is_read():
    for path in FOLDER.glob("*-archive.cglogs"):
        logs = list(archive_entries(path))
        assert len(logs) >= 3
        assert all(verify_bytes(each.data).complete for each in logs)


def test_the_archive_writer_still_writes_the_same(name):
    for kind, written in (("seed", make.game_log(name, fair=False)), ("undo", make.undo_log(name))):
        kept = (FOLDER / f"{make.VERSION}-{name}-{kind}.cglog").read_bytes()
        if parse_log(kept).header.engine == f"cardgods {cardgods.__version__}":
            assert written == kept


def test_the_archive_has_every_game_in_every_version():
    kinds = {
        "1.0": {"seed", "fair", "unfinished", "view"},
        "1.1": {"seed", "fair", "unfinished", "view", "undo"},
    }
    assert list(kinds)[-1] == make.VERSION
    for version, wanted in kinds.items():
        for name in cardgods.registered_names():
            assert {
                path.stem.rpartition("-")[2] for path in FOLDER.glob(f"{version}-{name}-*.cglog")
            } == wanted
        assert (FOLDER / f"{version}-archive.cglogs").exists()
        assert all(
            parse_log(path.read_bytes()).header.fmt == tuple(map(int, version.split(".")))
            for path in FOLDER.glob(f"{version}-*.cglog")
        )


def test_undone_games_in_the_archive_hold_undos():
    for path in FOLDER.glob("*-undo.cglog"):
        log = parse_log(path.read_bytes())
        assert sum(isinstance(record, Undo) for record in log.records) == 5
        assert log.complete
