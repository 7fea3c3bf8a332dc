"""Solver states in files: written whole or not at all, checked when read.

A file is a line that names the format, the length of the header (4 bytes, low first), the header (msgpack),
the parts one after the other, and the SHA-256 of everything before it.
"""

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgpack

from cardgods._core.search.tree import Tree
from cardgods._core.state import State
from cardgods.errors import SolveError
from cardgods.solve.whole_file import whole_file

MAGIC = b"cardgods-solver-1\n"
DIGEST = hashlib.sha256().digest_size


def write(path: str | Path, header: Mapping[str, Any], parts: Sequence[bytes]) -> None:
    """Write a file, whole or not at all.

    Raises:
        SolveError: if it cannot be written; whatever stood there before stands there still.
    """
    packed = msgpack.packb({**header, "sizes": [len(part) for part in parts], "order": sys.byteorder})
    digest = hashlib.sha256()
    with whole_file(Path(path), 0o600) as file:
        for piece in (MAGIC, len(packed).to_bytes(4, "little"), packed, *parts):
            digest.update(piece)
            file.write(piece)
        file.write(digest.digest())


class Iterative(Protocol):
    """A solver whose state can be kept in a file."""

    @property
    def iterations(self) -> int:
        """Iterations done so far."""

    def save(self, path: str | Path) -> None:
        """Write the state to a file."""


def advance(
    solver: Iterative, run: Callable[[int], object], limit: int, checkpoint: str | Path | None
) -> None:
    """Iterate a quarter as much as so far, at least 10 times, and keep the state, when interrupted too.

    Args:
        solver: whose state is kept.
        run: does so many iterations.
        limit: iterations not to be exceeded.
        checkpoint: file for the state, or None.
    """
    try:
        run(min(max(10, solver.iterations // 4), max(0, limit - solver.iterations)))
    finally:
        if checkpoint is not None:
            solver.save(checkpoint)


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
