"""Solver states in files: written whole or not at all, checked when read.

A file is a line that names the format, the length of the header (4 bytes, low first), the header (msgpack),
the parts one after the other, and the SHA-256 of everything before it.
"""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgpack

from cardgods._core.search.tree import Tree
from cardgods._core.state import State
from cardgods.errors import SolveError

MAGIC = b"cardgods-solver-1\n"
DIGEST = hashlib.sha256().digest_size


def write(path: str | Path, header: Mapping[str, Any], parts: Sequence[bytes]) -> None:
    """Write a file under a new name beside `path` and rename it when it is safely on disk.

    Raises:
        SolveError: if it cannot be written; whatever stood there before stands there still.
    """
    path = Path(path)
    packed = msgpack.packb({**header, "sizes": [len(part) for part in parts], "order": sys.byteorder})
    digest = hashlib.sha256()
    fresh = ""
    try:
        handle, fresh = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            for piece in (MAGIC, len(packed).to_bytes(4, "little"), packed, *parts):
                digest.update(piece)
                file.write(piece)
            file.write(digest.digest())
            file.flush()
            os.fsync(file.fileno())
        Path(fresh).replace(path)
    except OSError as error:
        raise SolveError(f"cannot write {path}: {error.strerror}") from None
    finally:
        if fresh:
            with contextlib.suppress(FileNotFoundError):
                Path(fresh).unlink()


def read(path: str | Path) -> tuple[dict[str, Any], list[bytes]]:
    """Header and parts of a file.

    Raises:
        SolveError: if it cannot be read, is no such file, or has been damaged.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise SolveError(f"cannot read {path}: {error.strerror}") from None
    if not data.startswith(MAGIC):
        raise SolveError(f"{path} holds no solver state")
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise SolveError(f"{path} is damaged: its checksum is wrong")
    at = len(MAGIC) + 4
    end = at + int.from_bytes(body[len(MAGIC) : at], "little")
    header: dict[str, Any] = msgpack.unpackb(body[at:end])
    if header["order"] != sys.byteorder:
        raise SolveError(f"{path} was written on a machine with another byte order")
    parts = []
    for size in header["sizes"]:
        parts.append(body[end : end + size])
        end += size
    return header, parts


def tree_identity(tree: Tree) -> dict[str, Any]:
    """What says that two trees are the same: rules, root and shape."""
    shape = [tree.sequences(player) for player in range(tree.players)]
    return {**state_identity(tree.root), "histories": tree.histories, "sequences": shape}


def state_identity(state: State) -> dict[str, Any]:
    """What says that two roots are the same: the game with its rules, and the way to the root."""
    return {"game": str(state.game), "rules": state.game.ruleset_digest(), "root": state.serialize()}


def check_identity(path: str | Path, header: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Compare the entries of a header with what they should be.

    Raises:
        SolveError: naming the first that differs.
    """
    for name, value in wanted.items():
        if header.get(name) != value:
            what = f"is {header.get(name)}, not {value}" if name in ("kind", "game") else "is another"
            raise SolveError(f"{path} belongs elsewhere: its {name} {what}")
