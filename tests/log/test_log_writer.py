"""Writing: what was acknowledged is in the file, whatever happens to the program, the disk or the folder."""

import os
import stat
from pathlib import Path

import pytest
from logcraft import child, finished_state, game_bytes, header, outcomes

import cardgods
from cardgods.errors import ParameterError
from cardgods.log import (
    LogBusyError,
    LogWriteError,
    LogWriter,
    frame,
    parse_log,
    read_log,
)

# The file -------------------------------------------------------------------------------------------------


def test_a_new_log_is_the_owners_alone(tmp_path):
    path = tmp_path / "a.cglog"
    old = os.umask(0)
    try:
        with LogWriter(path, header()):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(old)


def test_a_file_that_exists_is_left_alone(tmp_path):
    path = tmp_path / "a.cglog"
    for content in (b"", game_bytes(), b"my thesis"):
        path.write_bytes(content)
        with pytest.raises(LogWriteError, match="it exists") as caught:
            LogWriter(path, header())
        assert caught.value.exit_code == 2
        assert path.read_bytes() == content
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(LogWriteError, match="it exists"):
        LogWriter(link, header())
    assert not (tmp_path / "nowhere").exists()


def test_only_a_log_is_overwritten_and_only_if_asked_for(tmp_path):
    path = tmp_path / "a.cglog"
    for content in (b"", game_bytes(), game_bytes()[:40], frame.MAGIC[:3]):
        path.write_bytes(content)
        path.chmod(0o666)
        with LogWriter(path, header(), overwrite=True) as log:
            log.append(-1, 6)
        assert outcomes(path) == [6]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_bytes(b"my thesis")
    for target in (path, Path("/dev/null"), Path("/dev/full")):
        with pytest.raises(LogWriteError, match="no game log, so it is not overwritten"):
            LogWriter(target, header(), overwrite=True)
    assert path.read_bytes() == b"my thesis"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LogWriteError):
        LogWriter(pipe, header(), overwrite=True)


def test_a_path_that_takes_no_file_is_one_line(tmp_path):
    (tmp_path / "file").write_text("x")
    paths = [
        tmp_path / "none" / "a", tmp_path / "file" / "a", tmp_path, tmp_path / "nul\0nul",
        tmp_path / ("x" * 300), "", "/proc/a.cglog", tmp_path / "line\nfeed" / "a",
    ]  # fmt: skip
    for path in paths:
        for overwrite in (False, True):
            with pytest.raises(LogWriteError, match="^cannot write ") as caught:  # noqa: RUF043
                LogWriter(path, header(), overwrite=overwrite)
            assert caught.value.exit_code == 2
            assert str(caught.value).isprintable()


def test_a_read_only_folder_is_one_line(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        with pytest.raises(LogWriteError, match="Permission denied"):
            LogWriter(folder / "a.cglog", header())
    finally:
        if root:
            os.seteuid(0)
    assert list(folder.iterdir()) == []


def test_a_header_of_another_version_is_not_written(tmp_path):
    for changes in ({"fmt": (1, 0)}, {"fmt": (1, 2)}, {"must": ("x",)}, {"later": {"x": 1}}):
        with pytest.raises(ParameterError, match=r"format 1\.1 only"):
            LogWriter(tmp_path / "a", header(**changes))
    with pytest.raises(ParameterError, match="at most 65535"):
        LogWriter(tmp_path / "a", header(free={"_x": "x" * 65_400}))
    assert not (tmp_path / "a").exists()


# Records --------------------------------------------------------------------------------------------------


def test_each_record_is_one_write_and_readable_at_once(tmp_path, monkeypatch):
    writes = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: writes.append(data) or write(fd, data))
    path = tmp_path / "a.cglog"
    with LogWriter(path, header()) as log:
        assert len(writes) == 1
        assert read_log(path).header == header()
        for number in range(300):
            assert log.number == number + 1
            log.append(-1, number)
            assert len(writes) == number + 2
            found = path.read_bytes()
            assert found == b"".join(writes)
            assert (log.size, log.tag) == (len(found), found[-16:])
        log.finish(finished_state())
    assert parse_log(b"".join(writes)).complete


def test_nothing_follows_the_end_or_the_close(tmp_path):
    path = tmp_path / "a.cglog"
    log = LogWriter(path, header())
    going = cardgods.load_game("encan").new_initial_state()
    with pytest.raises(ParameterError, match="goes on"):
        log.finish(going)
    log.finish(finished_state(), "target")
    for attempt in (
        lambda: log.append(0, 1),
        lambda: log.append(-1, 1),
        lambda: log.finish(finished_state()),
    ):
        with pytest.raises(LogWriteError, match="the game has ended"):
            attempt()
    log.close()
    log.close()
    assert read_log(path).end.reason == "target"
    log = LogWriter(tmp_path / "b", header())
    log.close()
    with pytest.raises(LogWriteError, match="the log is closed"):
        log.append(0, 1)
    assert (log.number, log.size) == (1, (tmp_path / "b").stat().st_size)


def test_a_value_that_a_log_cannot_hold_leaves_the_log_as_it_was(tmp_path):
    path = tmp_path / "a.cglog"
    with LogWriter(path, header()) as log:
        for actor, action in (
            (-2, 1),
            (12, 1),
            (0, -1),
            (0, 2**31),
            (0, "1"),
            (True, 1),
            (0, 1.5),
            (-1, None),
        ):
            with pytest.raises(ParameterError):
                log.append(actor, action)
        for reason in ("x" * 129, "\ud800", None):
            with pytest.raises(ParameterError):
                log.finish(finished_state(), reason)
        log.append(-1, 3)
    assert outcomes(path) == [3]


def test_sync_waits_for_the_disk_as_often_as_asked(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(os, "fsync", lambda fd: calls.append(stat.S_ISDIR(os.fstat(fd).st_mode)))
    for sync, expected in (("never", []), ("end", [False]), ("record", [False, True, False, False, False])):
        calls.clear()
        with LogWriter(tmp_path / sync, header(), sync=sync) as log:
            log.append(-1, 1)
            log.append(-1, 2)
        assert calls == expected


# One writer at a time -------------------------------------------------------------------------------------


def test_a_second_writer_is_refused_and_the_first_unharmed(tmp_path):
    path = tmp_path / "a.cglog"
    with LogWriter(path, header()) as log:
        log.append(-1, 1)
        with pytest.raises(LogBusyError, match="another session is writing it") as caught:
            LogWriter(path, header(), overwrite=True)
        assert caught.value.exit_code == 2
        log.append(-1, 2)
    assert outcomes(path) == [1, 2]
    with LogWriter(path, header(), overwrite=True) as log:
        log.append(-1, 3)
    assert outcomes(path) == [3]


def test_a_writer_in_another_process_holds_the_log_until_it_dies(tmp_path):
    path = tmp_path / "a.cglog"
    program = """
        from logcraft import header
        from cardgods.log import LogWriter
        log = LogWriter(sys.argv[1], header())
        log.append(-1, 1)
        print("holding", flush=True)
        sys.stdin.readline()
    """
    with child(program, path) as holder:
        assert holder.stdout.readline() == b"holding\n"
        with pytest.raises(LogBusyError):
            LogWriter(path, header(), overwrite=True)
        assert outcomes(path) == [1]
        holder.kill()
    LogWriter(path, header(), overwrite=True).close()


def test_a_log_that_is_replaced_while_it_is_being_opened_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.cglog"
    path.write_bytes(game_bytes())
    opened = os.open

    def open_then_replace(*arguments):
        fd = opened(*arguments)
        path.rename(tmp_path / "old")
        path.write_bytes(b"")
        return fd

    monkeypatch.setattr(os, "open", open_then_replace)
    with pytest.raises(LogBusyError, match="removed or replaced"):
        LogWriter(path, header(), overwrite=True)
    assert (tmp_path / "old").read_bytes() == game_bytes()
