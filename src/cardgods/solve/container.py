"""Files of checksummed sections: written whole or not at all, read through a memory map.

Layout, all numbers little-endian: a mark of 16 bytes; the sections, each at a multiple of 64; a msgpack map
``{"meta": ..., "sections": [[name, offset, length, checksum], ...]}``; its length (8 bytes), its checksum
(16 bytes) and the mark again. Checksums are BLAKE2b of 16 bytes. The end is written last, so that a file cut
short is recognised at once.
"""

import hashlib
import mmap
import struct
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgpack

from cardgods.errors import SolveError
from cardgods.solve.whole_file import whole_file

MARK = b"cardgods-file-1\n"
ALIGNMENT = 64
TAIL = struct.Struct(f"<Q16s{len(MARK)}s")

Chunk: TypeAlias = bytes | bytearray | memoryview


def _checksum(data: Chunk) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def write_container(path: Path, meta: Mapping[str, Any], sections: Mapping[str, Iterable[Chunk]]) -> None:
    """Write a file so that at every moment it is either complete or not there.

    Args:
        path: where to; a file of that name is replaced.
        meta: plain values.
        sections: chunks of bytes by name; each section is their concatenation.

    Raises:
        SolveError: if the file cannot be written, or this machine is big-endian.
    """
    if sys.byteorder != "little":
        raise SolveError("files of solutions can be written on little-endian machines only")
    with whole_file(path) as file:
        file.write(MARK)
        listed = []
        for name, chunks in sections.items():
            file.write(bytes(-file.tell() % ALIGNMENT))
            begin, digest = file.tell(), hashlib.blake2b(digest_size=16)
            for chunk in chunks:
                file.write(chunk)
                digest.update(chunk)
            listed.append([name, begin, file.tell() - begin, digest.digest()])
        body = msgpack.packb({"meta": dict(meta), "sections": listed})
        file.write(body + TAIL.pack(len(body), _checksum(body), MARK))


class Container:
    """A file of sections, mapped into memory.

    Attributes:
        path: the file.
        meta: its plain values.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is empty"
            raise SolveError(f"cannot read {path}: {reason}") from None
        self._data = memoryview(self._map)
        self.meta, self._sections = self._contents()

    def _contents(self) -> tuple[dict[str, Any], dict[str, tuple[int, int, bytes]]]:
        size = len(self._data)
        if size < len(MARK) + TAIL.size or bytes(self._data[: len(MARK)]) != MARK:
            raise SolveError(f"{self.path} is no file of a solution")
        length, checksum, mark = TAIL.unpack_from(self._data, size - TAIL.size)
        begin = size - TAIL.size - length
        if mark != MARK or begin < len(MARK) or _checksum(self._data[begin : begin + length]) != checksum:
            raise SolveError(f"{self.path} is damaged: its end is missing or wrong")
        body = msgpack.unpackb(self._data[begin : begin + length])
        return body["meta"], {name: (at, size, digest) for name, at, size, digest in body["sections"]}

    def names(self) -> list[str]:
        """Names of the sections."""
        return list(self._sections)

    def section(self, name: str) -> memoryview:
        """The bytes of a section, checked against its checksum.

        Raises:
            SolveError: if there is none of that name or it is damaged.
        """
        if name not in self._sections:
            raise SolveError(f"{self.path} has no part {name}")
        begin, length, digest = self._sections[name]
        data = self._data[begin : begin + length]
        if _checksum(data) != digest:
            raise SolveError(f"{self.path} is damaged: part {name} has changed")
        return data
