"""Files that are written whole or not at all."""

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cardgods.errors import SolveError


@contextmanager
def whole_file(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write into under another name beside `path`; it takes its name once it is safely on disk.

    Args:
        path: where to; a file of that name is replaced.
        mode: permissions of a new file, less those that the umask takes away.

    Raises:
        SolveError: if it cannot be written; whatever stood there before stands there still.
    """
    scratch = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with os.fdopen(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as error:
        raise SolveError(f"cannot write {path}: {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            scratch.unlink()
