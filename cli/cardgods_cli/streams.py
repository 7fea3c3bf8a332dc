"""Standard streams that never surprise: any encoding, closed pipes, full disks, closed descriptors."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from typing import TextIO

from cardgods_cli.told import told
from cardgods_cli.words import N_, _

EXIT_INTERNAL = 1
EXIT_PIPE = 141

# What stands for a character that the output's encoding lacks; anything else loses its accents or is "?".
_FALLBACK = {
    **dict(zip("♣♦♥♠–—‘’“”«»×·•●○\u00a0\u202f", 'cdhs--\'\'""""x.**o  ', strict=True)),
    **{"…": "...", "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "œ": "oe", "Œ": "OE", "±": "+-", "ε": "eps"},
}

_HARMLESS = "\N{ZERO WIDTH JOINER}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


class OutputStopped(BaseException):
    """Standard output (or error) can not be written any more: nothing to do but to end.

    Not an :class:`Exception`, as with an interrupt from the keyboard: no handler on the way may take it for a
    failure of its own work.

    Args:
        code: exit code of the program.
        message: line for the user; empty if he closed the pipe himself.
    """

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def fold(text: str) -> str:
    """Text in plain ASCII: card signs become letters, box drawing lines, accents go, the rest is ``?``."""
    import unicodedata

    out = []
    for char in text:
        if char in _FALLBACK:
            out.append(_FALLBACK[char])
        elif "\u2500" <= char <= "\u257f":
            name = unicodedata.name(char)
            one_way = "-" if "HORIZONTAL" in name else "|" if "VERTICAL" in name else "+"
            out.append("+" if "HORIZONTAL" in name and "VERTICAL" in name else one_way)
        else:
            base = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode("ascii")
            out.append(base or "?")
    return "".join(out)


def _encode_error(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return fold(error.object[error.start : error.end]), error.end


codecs.register_error("cardgods", _encode_error)


class GuardedStream(io.TextIOBase):
    """A text stream for output whose failures are :class:`OutputStopped` and nothing else.

    It has no ``buffer`` and takes no bytes on purpose: click and rich would write round the guard.

    Args:
        inner: the stream written to.
        title: its name in messages, such as ``standard output``.
    """

    def __init__(self, inner: TextIO, title: str) -> None:
        super().__init__()
        self.inner = inner
        self.title = title
        if isinstance(inner, io.TextIOWrapper):
            inner.reconfigure(errors="cardgods")

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Encoding of the stream below."""
        return self.inner.encoding or "ascii"

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """Name of the error handler of the stream below."""
        return self.inner.errors

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self.inner.isatty()

    def fileno(self) -> int:
        """Descriptor of the stream below."""
        return self.inner.fileno()

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, text: str, /) -> int:
        """Write text; OutputStopped if that fails."""
        try:
            return self.inner.write(text)
        except (OSError, ValueError) as error:
            raise self._stopped(error) from error

    def flush(self) -> None:
        """Flush; OutputStopped if that fails."""
        try:
            self.inner.flush()
        except (OSError, ValueError) as error:
            raise self._stopped(error) from error

    def _stopped(self, error: Exception) -> OutputStopped:
        if isinstance(error, BrokenPipeError):
            return OutputStopped(EXIT_PIPE)
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        text = _("cannot write to {stream}: {reason}")
        return OutputStopped(EXIT_INTERNAL, text.format(stream=_(self.title), reason=told(reason)))


def occupy_closed_descriptors() -> set[int]:
    """Put /dev/null on each closed descriptor 0..2, so that no file opened later becomes a standard stream.

    Returns:
        The descriptors that were closed.
    """
    closed = set()
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError as error:
            if error.errno != errno.EBADF:
                raise
            closed.add(descriptor)
            # The lowest free descriptor is taken, which is this one.
            os.open(os.devnull, os.O_RDWR)
    return closed


def silence(stream: object) -> None:
    """Send what a failed stream still holds to /dev/null, to keep the interpreter's last flush quiet."""
    inner = stream.inner if isinstance(stream, GuardedStream) else stream
    try:
        descriptor = inner.fileno()  # type: ignore[attr-defined]
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, descriptor)
        os.close(null)
    except (OSError, ValueError, AttributeError):
        pass


def clean(text: str) -> str:
    """Text that is safe to show: each control, format or unassigned character becomes a visible escape.

    Printable characters, blanks that do not break and the joiner inside emoji stay. Terminal escapes, line
    breaks and marks that turn the direction of writing can then do no harm.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _HARMLESS else ascii(c)[1:-1] for c in text)


def guard_streams() -> set[int]:
    """Guard sys.stdin, sys.stdout and sys.stderr of this process.

    Returns:
        The descriptors that were closed at the start.
    """
    closed = occupy_closed_descriptors()
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (it lives as long as the process)
    elif isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    sys.stdout = GuardedStream(sys.stdout or open(os.devnull, "w"), N_("standard output"))  # noqa: SIM115
    sys.stderr = GuardedStream(sys.stderr or open(os.devnull, "w"), N_("standard error"))  # noqa: SIM115
    return closed
