"""What logs ask of the file system: new files, locks, and bytes set aside before they are cut off."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator

from cardgods.log import frame
from cardgods.log.errors import LogBusyError, LogReadError, LogWriteError
from cardgods.log.reader import shown

Path = str | os.PathLike[str]

MODE = 0o600
"""A log of an unfinished game holds what players may not know."""
ASIDE = ".torn"
"""Ending of the file that takes a torn tail."""
MAX_ASIDE = 1000
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK
# Without O_NONBLOCK, opening a pipe that nobody reads would wait for ever.


def reason(error: OSError | ValueError) -> str:
    """Why a call to the system failed, in the system's words."""
    return getattr(error, "strerror", None) or str(error)


def open_new(path: Path, magic: bytes, overwrite: bool) -> int:
    """Create (or empty) and lock a file.

    Args:
        path: the file.
        magic: how a file must begin that may be emptied.
        overwrite: empty a file that is there.

    Raises:
        LogBusyError: if another session is writing it.
        LogWriteError: if it cannot or must not be created.
    """
    name = shown(path)
    try:
        fd = os.open(path, _FLAGS | os.O_CREAT | (0 if overwrite else os.O_EXCL), MODE)
    except FileExistsError:
        raise LogWriteError(
            f"cannot write {name}: it exists and is not overwritten unless asked for"
        ) from None
    except (OSError, ValueError) as error:
        raise LogWriteError(f"cannot write {name}: {reason(error)}") from None
    with _closing(fd, f"cannot write {name}"):
        lock(fd, path)
        if overwrite:
            _empty(fd, name, magic)
    return fd


def open_old(path: Path) -> int:
    """Open and lock a file that is there, to write on.

    Raises:
        LogBusyError: if another session is writing it.
        LogReadError: if it is not there or is no regular file.
        LogWriteError: if it must not be written.
    """
    name = shown(path)
    try:
        fd = os.open(path, _FLAGS)
    except (OSError, ValueError) as error:
        kind = LogReadError if getattr(error, "errno", None) == errno.ENOENT else LogWriteError
        raise kind(f"cannot open {name} for writing: {reason(error)}") from None
    with _closing(fd, f"cannot write {name}"):
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise LogReadError(f"cannot open {name} for writing: it is no regular file")
        lock(fd, path)
    return fd


@contextlib.contextmanager
def _closing(fd: int, what: str) -> Iterator[None]:
    """Close a descriptor if the block fails, and make one clear error of a failed system call."""
    try:
        yield
    except BaseException as error:
        os.close(fd)
        if isinstance(error, OSError):
            raise LogWriteError(f"{what}: {error.strerror}") from None
        raise


def lock(fd: int, path: Path) -> None:
    """Hold a file for this session alone, until the descriptor is closed.

    Raises:
        LogBusyError: if another session holds it, or has just replaced it.
    """
    name = shown(path)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LogBusyError(f"cannot write {name}: another session is writing it") from None
    except OSError:
        pass  # a file system without locks: nobody can hold one here either
    if not os.path.samestat(os.fstat(fd), os.stat(path)):
        raise LogBusyError(f"cannot write {name}: another session has just removed or replaced it")


def _empty(fd: int, name: str, magic: bytes) -> None:
    """Empty an old log; refuse to destroy anything else."""
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode) or not magic.startswith(os.pread(fd, len(magic), 0)):
        raise LogWriteError(f"cannot write {name}: it exists and is no game log, so it is not overwritten")
    os.fchmod(fd, MODE)
    os.ftruncate(fd, 0)


def read_locked(fd: int, magic: bytes = frame.MAGIC, most: int = frame.MAX_LOG) -> bytes:
    """The content of a file that begins with the magic, else its first bytes; at most one byte too many."""
    parts = [os.pread(fd, len(magic), 0)]
    size = len(parts[0])
    while parts[0] == magic and parts[-1] and size <= most:
        parts.append(os.pread(fd, min(most + 1 - size, 1 << 20), size))
        size += len(parts[-1])
    return b"".join(parts)


def sync_folder(path: Path) -> None:
    """Wait until the disk knows the name of a new file.

    Raises:
        OSError: if it does not take it.
    """
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_all(fd: int, data: bytes) -> None:
    """Write all bytes, in one call unless the system takes fewer.

    Raises:
        OSError: if the system takes no more.
    """
    done = os.write(fd, data)
    while done < len(data):
        done += os.write(fd, data[done:])


def cut_off(fd: int, path: Path, size: int, tail: bytes) -> str:
    """Copy the last bytes of a file aside, then cut them off.

    Args:
        fd: the file, locked.
        path: its name; the copy is called alike.
        size: bytes that stay.
        tail: the bytes behind them.

    Returns:
        The name of the copy, which is on the disk before anything is cut off.

    Raises:
        LogWriteError: if that fails; the file is then as it was.
    """
    aside, copy = _new_aside(path)
    try:
        try:
            write_all(copy, tail)
            os.fsync(copy)
            sync_folder(aside)
        finally:
            os.close(copy)
        os.ftruncate(fd, size)
        os.fsync(fd)
    except OSError as error:
        with contextlib.suppress(OSError):
            if os.fstat(fd).st_size > size:
                os.unlink(aside)
        raise LogWriteError(f"cannot set aside the torn end of {shown(path)}: {error.strerror}") from None
    return aside


def _new_aside(path: Path) -> tuple[str, int]:
    base = os.fspath(path) + ASIDE
    for number in range(1, MAX_ASIDE):
        name = base if number == 1 else f"{base}{number}"
        try:
            return name, os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, MODE)
        except FileExistsError:
            continue
        except OSError as error:
            raise LogWriteError(
                f"cannot set aside the torn end of {shown(path)}: {shown(name)}: {error.strerror}"
            ) from None
    raise LogWriteError(
        f"cannot set aside the torn end of {shown(path)}: there are {MAX_ASIDE} files already"
    )
