"""Archives of many logs: what is added is read back, every cut and flip is found or exactly recovered."""

import itertools
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logcraft import file_size_limit, game_bytes

from cardgods.errors import ParameterError
from cardgods.log import (
    ArchiveWriter,
    CorruptLogError,
    LogBusyError,
    LogError,
    LogReadError,
    LogWriteError,
    NotALogError,
    TornTailError,
    archive_entries,
    is_archive,
    verify,
)
from cardgods.log.archive import MAGIC, entry

LOGS = [game_bytes(seed, variant="express") for seed in range(3)]


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "arena.cglogs"
    with ArchiveWriter(file) as archive:
        assert [archive.add(log) for log in LOGS] == [0, 1, 2]
    return file


def edges(path):
    return [*(found.offset for found in archive_entries(path)), path.stat().st_size]


def test_what_is_added_is_read_back(path):
    found = list(archive_entries(path))
    assert [one.data for one in found] == LOGS
    assert [one.number for one in found] == [0, 1, 2]
    assert all(verify(one.data).complete for one in found)
    assert entry(path, 1).data == LOGS[1]
    with pytest.raises(ParameterError, match="has no log 3: it has 3"):
        entry(path, 3)
    assert is_archive(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_every_cut_leaves_whole_logs_and_is_recovered(path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    data, at = path.read_bytes(), edges(path)
    for size in range(len(MAGIC), len(data), 17):
        path.write_bytes(data[:size])
        kept = sum(edge <= size for edge in at) - 1
        if size in at:
            assert len(list(archive_entries(path))) == kept
        else:
            with pytest.raises(TornTailError) as caught:
                list(archive_entries(path))
            assert (caught.value.offset, caught.value.torn) == (at[kept], size - at[kept])
        with ArchiveWriter.resume(path) as archive:
            assert archive.number == kept
            for log in LOGS[kept:]:
                archive.add(log)
        assert path.read_bytes() == data
        torn = path.with_name("arena.cglogs.torn")
        if size not in at:
            assert torn.read_bytes() == data[at[kept] : size]
            torn.unlink()


def test_every_flipped_bit_is_found_and_left_alone(path):
    data = path.read_bytes()
    first = edges(path)[1]
    for byte in (*range(first), *range(first, len(data), 9)):
        if 70 < byte < first - 30 and byte % 9:
            continue  # the middle of a log, one byte like the other
        flipped = bytearray(data)
        flipped[byte] ^= 1 << byte % 8
        path.write_bytes(flipped)
        with pytest.raises((CorruptLogError, NotALogError)):
            list(archive_entries(path))
        with pytest.raises((CorruptLogError, NotALogError)):
            ArchiveWriter.resume(path)
        assert path.read_bytes() == flipped


@given(st.binary(max_size=80))
def test_any_bytes_behind_the_magic_are_refused_or_torn(tmp_path_factory, junk):
    path = tmp_path_factory.mktemp("junk") / "a"
    path.write_bytes(MAGIC + junk)
    if junk:
        with pytest.raises(LogError):
            list(archive_entries(path))


def test_logs_exchanged_or_left_out_are_found(path):
    data, at = path.read_bytes(), edges(path)
    parts = [data[a:b] for a, b in itertools.pairwise(at)]
    for order in ((0, 2, 1), (1, 0, 2), (0, 2), (1, 2), (0, 0, 1)):
        path.write_bytes(MAGIC + b"".join(parts[place] for place in order))
        with pytest.raises(CorruptLogError):
            list(archive_entries(path))


def test_only_logs_go_in_and_only_archives_are_overwritten(path, tmp_path):
    with ArchiveWriter.resume(path) as archive:
        for junk in (b"", b"my thesis", path.read_bytes()):
            with pytest.raises(ParameterError):
                archive.add(junk)
        with pytest.raises(LogBusyError):
            ArchiveWriter.resume(path)
    assert len(list(archive_entries(path))) == 3
    with pytest.raises(LogWriteError, match="it exists"):
        ArchiveWriter(path)
    other = tmp_path / "log"
    other.write_bytes(LOGS[0])
    with pytest.raises(LogWriteError, match="is not overwritten"):
        ArchiveWriter(other, overwrite=True)
    with pytest.raises(NotALogError):
        ArchiveWriter.resume(other)
    with pytest.raises(LogReadError):
        ArchiveWriter.resume(tmp_path / "none")
    ArchiveWriter(path, overwrite=True).close()
    assert list(archive_entries(path)) == []


def test_a_full_disk_keeps_the_logs_before(path):
    size = path.stat().st_size
    archive = ArchiveWriter.resume(path)
    with file_size_limit(size + 100), pytest.raises(LogWriteError, match="the 3 logs before") as caught:
        archive.add(LOGS[0])
    assert caught.value.exit_code == 8
    assert path.stat().st_size == size
    with pytest.raises(LogWriteError, match="closed"):
        archive.add(LOGS[0])
