"""Files that a command is to write after long work: what is wrong with them comes out before it."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from cardgods_cli.told import told
from cardgods_cli.words import _

if TYPE_CHECKING:
    from pathlib import Path


def check_target(path: Path, *, make: bool) -> None:
    """Make sure that a file can be written.

    Args:
        path: the file.
        make: make its folder if there is none.

    Raises:
        SolveError: if it cannot.
    """
    from cardgods.errors import SolveError

    try:
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        text = _("cannot write {file}: {reason}")
        raise SolveError(text.format(file=path, reason=told(error.strerror or ""))) from None
    if path.is_dir():
        raise SolveError(_("cannot write {file}: it is a folder").format(file=path))
