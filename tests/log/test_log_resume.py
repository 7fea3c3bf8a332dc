"""Going on with a log: exactly, from every byte at which it may have been torn, by one writer at a time."""

import contextlib
import errno
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from logcraft import child, dealt, file_size_limit, forge, game_bytes, games, header, logged, move, seats_for

import cardgods
from cardgods.agents import make_agent
from cardgods.log import (
    CorruptLogError,
    IllegalLogError,
    LogBuffer,
    LogBusyError,
    LogError,
    LogReadError,
    LogWriteError,
    LogWriter,
    NotALogError,
    TornTailError,
    UnsupportedLogError,
    make_header,
    parse_log,
    recover,
    verify,
    verify_bytes,
)
from cardgods.play import play

SECRET = bytes(32)


def whole(game, cuts=(0,)):
    log = LogBuffer(make_header(game, seats_for(game), secret=SECRET, cuts=cuts), SECRET)
    for player in cuts:
        log.cut(player, b"word")
    dealt(game, log)
    return log.getvalue()


def go_on(path):
    """Resume a log and play it to its end; the file that took a torn tail."""
    with LogWriter.resume(path) as log:
        state = log.found.state
        for player in log.due:
            log.cut(player, b"word")
        play(state, [make_agent("random", state.game)] * state.num_players(), log.deal, log)
        return log.aside


GAMES = {str(game): (game, whole(game)) for game in games()}
EXPRESS = cardgods.load_game("encan", variant="express")


@pytest.mark.parametrize("key", GAMES)
def test_a_game_goes_on_from_any_record_as_if_nothing_had_been(tmp_path, key):
    _, data = GAMES[key]
    path = tmp_path / "a"
    offsets = parse_log(data).offsets[2:-1]
    for offset in offsets[:: max(1, len(offsets) // 12)]:
        path.write_bytes(data[:offset])
        assert go_on(path) is None
        assert path.read_bytes() == data


def test_crash_resume_crash_resume_at_every_byte(tmp_path, monkeypatch):
    """No acknowledged move is lost, nothing torn is kept, nothing good is hidden behind something torn."""
    monkeypatch.setattr(os, "fsync", lambda fd: None)
    data = whole(EXPRESS)
    offsets = parse_log(data).offsets
    path = tmp_path / "a"
    for size in range(offsets[2], len(data)):
        path.write_bytes(data[:size])
        whole_to = max(offset for offset in offsets if offset <= size)
        log = LogWriter.resume(path)
        assert log.size == whole_to
        assert path.read_bytes() == data[:whole_to]
        log.close()
        with path.open("ab") as file:
            # It dies again in the middle of the next record.
            file.write(data[whole_to : whole_to + size % 20])
        assert go_on(path) == (f"{path}.torn{'2' if size > whole_to else ''}" if size % 20 else None)
        assert path.read_bytes() == data
        assert verify(path).complete
        if size > whole_to:
            assert Path(f"{path}.torn").read_bytes() == data[whole_to:size]
        for torn in tmp_path.glob("a.torn*"):
            torn.unlink()


def test_a_missing_end_record_is_written_on_resume(tmp_path):
    data = whole(EXPRESS)
    path = tmp_path / "a"
    path.write_bytes(data[: parse_log(data).offsets[-2]])
    assert verify(path).terminal
    go_on(path)
    assert path.read_bytes() == data


def test_seeded_games_go_on_too(tmp_path):
    game = EXPRESS
    state = game.new_initial_state(turn_based=True)
    buffer = LogBuffer(make_header(game, seats_for(game), seed="a seed"))
    agents = [make_agent("greedy", game), make_agent("random", game)]
    play(state, agents, cardgods.Random("a seed"), buffer, agent_rngs=[None, cardgods.Random(7)])
    path = tmp_path / "a"
    for offset in parse_log(buffer.getvalue()).offsets[1:-1]:
        path.write_bytes(buffer.getvalue()[:offset])
        with LogWriter.resume(path) as log:
            assert log.found.rng.key == cardgods.Random("a seed").key
            play(log.found.state, agents, log.found.rng, log, agent_rngs=[None, cardgods.Random(7)])
        assert path.read_bytes() == buffer.getvalue()


def test_the_torn_tail_is_on_disk_before_it_is_cut_off(tmp_path, monkeypatch):
    data = whole(EXPRESS)
    path = tmp_path / "a"
    path.write_bytes(data[:-5])
    steps = []
    for name in ("write", "fsync", "ftruncate"):
        call = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda fd, *rest, name=name, call=call: steps.append(name) or call(fd, *rest)
        )
    LogWriter.resume(path).close()
    assert steps[:5] == ["write", "fsync", "fsync", "ftruncate", "fsync"]
    aside = Path(f"{path}.torn")
    assert aside.read_bytes() == data[parse_log(data).offsets[-2] : -5]
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600


def test_what_is_set_aside_never_replaces_anything(tmp_path):
    data = whole(EXPRESS)
    path = tmp_path / "a"
    for number in ("", "2", "3"):
        path.write_bytes(data[:-3])
        done = recover(path)
        assert done.aside == f"{path}.torn{number}"
        assert done.torn == len(data) - 3 - done.found.size
    assert len({file.read_bytes() for file in tmp_path.glob("a.torn*")}) == 1


def refusals():
    data = whole(EXPRESS)
    offsets = parse_log(data).offsets
    flipped = bytearray(data)
    flipped[-40] ^= 1
    yield "complete", data, LogWriteError, "the game is over"
    yield "corrupt", bytes(flipped), CorruptLogError, "damaged or was changed"
    yield "corrupt in the middle", data[:400] + data[401:-7], CorruptLogError, "damaged or was changed"
    yield "illegal", forge(move(0, 1)), IllegalLogError, "breaks the rules"
    yield "no log", b"my thesis", NotALogError, "no game log"
    yield "empty", b"", NotALogError, "is empty"
    yield "torn in the header", data[:100], TornTailError, "holds no game"
    yield "torn header", forge()[:-1], TornTailError, "holds no game"
    yield "without secret", data[: offsets[1]], LogWriteError, "before the secret"
    yield "without secret, torn", data[: offsets[1] + 9], LogWriteError, "before the secret"


REFUSED = {what: rest for what, *rest in refusals()}


@pytest.mark.parametrize("what", REFUSED)
def test_nothing_else_is_resumed_and_nothing_is_touched(tmp_path, what):
    data, kind, words = REFUSED[what]
    path = tmp_path / "a"
    path.write_bytes(data)
    with pytest.raises(kind, match=words):
        LogWriter.resume(path)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]
    if kind is not LogWriteError:
        with pytest.raises(kind, match=words):
            recover(path)
        assert path.read_bytes() == data
        assert list(tmp_path.iterdir()) == [path]


def test_corruption_is_never_repaired(tmp_path):
    """Whatever bit is flipped in the last records of an unfinished log, it is refused and left as it is."""
    data = whole(EXPRESS)
    data = data[: parse_log(data).offsets[8]]
    path = tmp_path / "a"
    for byte in range(parse_log(data).offsets[6], len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[byte] ^= 1 << bit
            path.write_bytes(flipped)
            with pytest.raises(LogError):
                LogWriter.resume(path)
            assert path.read_bytes() == flipped


def test_a_log_that_is_not_there_or_no_file_is_one_line(tmp_path):
    (tmp_path / "file").write_text("x")
    os.mkfifo(tmp_path / "pipe")
    for path, kind in (
        (tmp_path / "none", LogReadError),
        (tmp_path, LogWriteError),
        (tmp_path / "pipe", LogReadError),
        (tmp_path / "file" / "x", LogWriteError),
        ("/dev/null", LogReadError),
        (tmp_path / "nul\0", LogWriteError),
    ):
        for attempt in (LogWriter.resume, recover):
            with pytest.raises(kind, match=r"^cannot open .* for writing: "):
                attempt(path)


@contextlib.contextmanager
def as_nobody():
    """Root may write everywhere; nobody else may."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_read_only_folder_or_file_is_one_line_and_nothing_is_touched(tmp_path):
    data = whole(EXPRESS)
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "a"
    path.write_bytes(data[:-3])
    path.chmod(0o666)
    folder.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents):
        if parent == Path(tempfile.gettempdir()):
            break
        parent.chmod(0o755)
    with as_nobody():
        with pytest.raises(LogWriteError, match=r"cannot set aside .*: Permission denied") as caught:
            LogWriter.resume(path)
        assert caught.value.exit_code == 2
    path.chmod(0o444)
    with as_nobody(), pytest.raises(LogWriteError, match="for writing: Permission denied"):
        LogWriter.resume(path)
    assert path.read_bytes() == data[:-3]
    assert [file.name for file in folder.iterdir()] == ["a"]


def test_a_full_disk_leaves_the_torn_log_as_it_was(tmp_path, monkeypatch):
    data = whole(EXPRESS)
    path = tmp_path / "a"
    path.write_bytes(data[:-3])
    with file_size_limit(7), pytest.raises(LogWriteError, match="cannot set aside the torn end"):
        LogWriter.resume(path)
    assert path.read_bytes() == data[:-3]
    assert list(tmp_path.iterdir()) == [path]

    def fail(fd):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(LogWriteError, match="Input/output error"):
        recover(path)
    assert path.read_bytes() == data[:-3]
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_after_a_resume_ends_at_the_last_whole_record(tmp_path):
    data = whole(EXPRESS)
    offsets = parse_log(data).offsets
    path = tmp_path / "a"
    for room in range(offsets[4], offsets[6]):
        path.write_bytes(data[: offsets[4]])
        with pytest.raises(LogWriteError, match="records stay valid") as caught, file_size_limit(room):
            go_on(path)
        assert caught.value.exit_code == 8
        assert path.read_bytes() == data[: max(edge for edge in offsets if edge <= room)]
        go_on(path)
        assert path.read_bytes() == data


# One writer at a time -------------------------------------------------------------------------------------


def test_a_second_session_on_a_live_log_is_refused_and_the_first_unharmed(tmp_path):
    data = whole(EXPRESS)
    path = tmp_path / "a"
    path.write_bytes(data[: parse_log(data).offsets[4]])
    with LogWriter.resume(path) as log:
        for attempt in (LogWriter.resume, recover, lambda path: LogWriter(path, header(), overwrite=True)):
            with pytest.raises(LogBusyError, match="another session is writing it") as caught:
                attempt(path)
            assert caught.value.exit_code == 2
        state = log.found.state
        play(state, [make_agent("random", EXPRESS)] * 2, log.deal, log)
    assert path.read_bytes() == data


def test_a_live_log_of_another_process_is_not_recovered_under_its_hands(tmp_path):
    path = tmp_path / "a"
    program = """
        from logcraft import header
        from cardgods.log import LogWriter, frame
        import os
        log = LogWriter(sys.argv[1], header())
        os.write(log._fd, b"\\x94\\x01")  # in the middle of a record
        print("holding", flush=True)
        sys.stdin.readline()
    """
    with child(program, path) as holder:
        assert holder.stdout.readline() == b"holding\n"
        before = path.read_bytes()
        with pytest.raises(LogBusyError):
            recover(path)
        assert path.read_bytes() == before
        holder.kill()
    assert recover(path).torn == 2


def test_a_writer_that_was_closed_or_failed_gives_the_lock_free(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"my thesis")
    with pytest.raises(NotALogError):
        LogWriter.resume(path)
    path.write_bytes(game_bytes(1)[:-9])
    LogWriter.resume(path).close()
    recover(path)
    LogWriter.resume(path).close()


def test_other_rules_are_not_played_on(tmp_path):
    path = tmp_path / "a"
    state = EXPRESS.new_initial_state(turn_based=True)
    path.write_bytes(logged(state).replace(EXPRESS.ruleset_digest().encode(), b"0" * 64))
    with pytest.raises(LogError):
        LogWriter.resume(path)
    from cardgods.log import codec

    path.write_bytes(forge(header_body=codec.encode_header(header(digest="0" * 64))))
    with pytest.raises(UnsupportedLogError):
        LogWriter.resume(path)


def test_kill_and_resume_gives_the_undisturbed_game():
    """CARDGODS_KILLS asks for more than the few of the ordinary suite."""
    kills = os.environ.get("CARDGODS_KILLS", "20")
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("killer.py"), kills],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "every log is that of the undisturbed game" in done.stdout
    assert verify_bytes(whole(EXPRESS)).complete
