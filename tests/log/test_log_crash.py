"""Killed programs, full disks, interrupts: what was acknowledged stays, and the log stays sound."""

import errno
import os
import signal

import pytest
from logcraft import (
    SEATS,
    child,
    file_size_limit,
    finished_state,
    forge,
    game_bytes,
    header,
    outcomes,
    play_logged,
)

import cardgods
from cardgods.log import LogWriteError, LogWriter, frame, make_header, parse_log, read_log, verify


def test_a_killed_program_loses_nothing_that_was_acknowledged(tmp_path):
    program = """
        import os
        from logcraft import SEATS
        import cardgods
        from cardgods.log import LogWriter, make_header
        for seed in range(10**9):
            game = cardgods.load_game("encan", target=None)
            rng = cardgods.Random(seed)
            state = game.new_initial_state(turn_based=True)
            with LogWriter(f"{sys.argv[1]}/{seed}", make_header(game, SEATS, seed=seed), sync="never") as log:
                while not state.is_terminal():
                    actor = state.current_player()
                    action = state.sample_chance(rng) if actor < 0 else rng.choice(state.legal_actions())
                    log.append(actor, action)
                    state.apply_action(action)
                    os.write(1, f"{seed} {log.number}\\n".encode())
                log.finish(state)
    """
    for wait in (1, 150, 1000):
        folder = tmp_path / str(wait)
        folder.mkdir()
        with child(program, folder) as player:
            told = [player.stdout.readline() for _ in range(wait)]
            player.send_signal(signal.SIGKILL)
            told += player.stdout.read().splitlines(keepends=True)
        if not told[-1].endswith(b"\n"):
            told.pop()
        seed, acknowledged = map(int, told[-1].split())
        for earlier in range(seed):
            assert verify(folder / str(earlier)).complete
        found = verify(folder / str(seed))
        assert len(found.log.records) + 1 >= acknowledged
        whole = parse_log(game_bytes(seed, target=None))
        assert found.log.header == whole.header
        assert found.log.records == whole.records[: len(found.log.records)]


def test_a_full_disk_ends_the_log_at_its_last_whole_record(tmp_path):
    start = len(forge())
    for room in range(start, start + 60, 7):
        path = tmp_path / str(room)
        log = LogWriter(path, header())
        written = []

        def play(log=log, written=written):
            for number in range(100):
                log.append(-1, number)
                written.append(number)

        with pytest.raises(LogWriteError, match="stay valid") as caught, file_size_limit(room):
            play()
        assert caught.value.exit_code == 8
        assert f"header and {len(written)} records stay valid" in str(caught.value)
        assert outcomes(path) == written
        with pytest.raises(LogWriteError, match="closed"):
            log.append(-1, 1)
        log.close()
        assert outcomes(path) == written


def test_a_disk_that_is_full_at_the_header_leaves_no_file(tmp_path):
    path = tmp_path / "a"
    with pytest.raises(LogWriteError) as caught, file_size_limit(50):
        LogWriter(path, header())
    assert caught.value.exit_code == 2
    assert not path.exists()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_a_failing_write_is_one_line(tmp_path, monkeypatch, code):
    path = tmp_path / "a"

    def fail(fd, data):
        raise OSError(code, os.strerror(code))

    with LogWriter(path, header()) as log:
        log.append(-1, 1)
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", fail)
            with pytest.raises(LogWriteError, match=os.strerror(code)):
                log.append(-1, 2)
    assert outcomes(path) == [1]


def test_a_failing_fsync_is_one_line(tmp_path, monkeypatch):
    def fail(fd):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    log = LogWriter(tmp_path / "a", header())
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(LogWriteError, match="Input/output error") as caught:
        log.close()
    assert caught.value.exit_code == 8
    with pytest.raises(LogWriteError, match="Input/output error"):
        LogWriter(tmp_path / "b", header(), sync="record")
    assert not (tmp_path / "b").exists()
    with pytest.raises(ZeroDivisionError), LogWriter(tmp_path / "c", header()):
        raise ZeroDivisionError


def test_a_short_write_is_continued(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:5]))
    path = tmp_path / "a"
    play_logged(path, 1)
    assert path.read_bytes() == game_bytes(1)


@pytest.mark.parametrize("written", [0, 1, 10, 10**6])
@pytest.mark.parametrize("again", ["append", "finish", "close", "number"])
def test_an_interrupt_in_the_middle_of_a_write_leaves_a_sound_log(tmp_path, monkeypatch, written, again):
    path = tmp_path / "a"
    write = os.write

    def interrupted(fd, data):
        write(fd, data[:written])
        raise KeyboardInterrupt

    log = LogWriter(path, header())
    log.append(-1, 1)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            log.append(-1, 2)
    kept = [1, 2] if written == 10**6 else [1]
    if again == "append":
        log.append(-1, 3)
        kept = [*kept, 3]
    elif again == "finish":
        log.finish(finished_state())
    elif again == "number":
        assert log.number == len(kept) + 1
    log.close()
    found = read_log(path)
    assert [record.outcome for record in found.records[: len(kept)]] == kept
    assert (len(found.records), found.complete) == (len(kept) + (again == "finish"), again == "finish")


def test_an_error_in_the_game_leaves_the_records_before_it(tmp_path):
    path = tmp_path / "a"

    def play():
        with LogWriter(path, header()) as log:
            log.append(-1, 4)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play()
    assert outcomes(path) == [4]
    LogWriter(path, header(), overwrite=True).close()


def test_a_forgotten_writer_gives_the_file_free(tmp_path):
    path = tmp_path / "a"
    log = LogWriter(path, header())
    del log
    LogWriter(path, header(), overwrite=True).close()


def test_the_largest_log_is_the_largest_that_is_read(tmp_path, monkeypatch):
    path = tmp_path / "a"
    monkeypatch.setattr(frame, "MAX_LOG", 500)
    with LogWriter(path, header()) as log:
        while log.size + 24 <= 500:
            log.append(-1, log.number)
        with pytest.raises(LogWriteError, match="at most 500 bytes"):
            log.append(-1, 0)
    assert 470 < path.stat().st_size <= 500
    assert outcomes(path) == list(range(1, len(outcomes(path)) + 1))


def test_a_game_is_logged_with_its_rules(tmp_path):
    game = cardgods.load_game("encan", cards=(1, 5, 9), target=None)
    made = make_header(game, SEATS)
    assert (made.game, made.variant, made.options) == (
        "encan",
        "custom",
        game.parameters() | {"cards": (1, 5, 9)},
    )
    assert made.digest == game.ruleset_digest()
