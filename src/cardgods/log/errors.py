"""What can be wrong with a log, each with the exit code that the command line gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardgods.errors import CardgodsError

if TYPE_CHECKING:
    from cardgods.log.records import Log


MAX_MESSAGE = 1000
"""Characters of the longest message; a log's own texts are quoted in some."""


class LogError(CardgodsError):
    """Base of everything that can be wrong with a game log.

    Its message is one line without control characters, whatever the log holds.
    """

    exit_code = 3

    def __init__(self, message: str) -> None:
        if len(message) > MAX_MESSAGE:
            message = message[: MAX_MESSAGE - 3] + "..."
        super().__init__("".join(c if c.isprintable() else ascii(c)[1:-1] for c in message))

    def __reduce__(self) -> tuple[Any, ...]:
        # The usual way calls the class with the message alone; an error must come back whole from a worker.
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[LogError], arguments: tuple[str, ...], state: dict[str, Any]) -> LogError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(state)
    return error


class LogReadError(LogError):
    """The file cannot be opened or read at all."""

    exit_code = 2


class NotALogError(LogError):
    """The file does not begin as a game log does."""


class CorruptLogError(LogError):
    """The bytes are not what a writer of this format wrote: damaged, edited, reordered or cut in the middle.

    Attributes:
        record: number of the first bad record; the header is record 0.
        offset: byte at which that record begins.
    """

    def __init__(self, message: str, record: int, offset: int) -> None:
        super().__init__(message)
        self.record = record
        self.offset = offset


class IllegalLogError(LogError):
    """The bytes are sound, but the game breaks the rules or claims a result that it did not have.

    Attributes:
        record: number of the first record that the rules refuse.
        offset: byte at which that record begins.
    """

    def __init__(self, message: str, record: int, offset: int) -> None:
        super().__init__(message)
        self.record = record
        self.offset = offset


class TornTailError(LogError):
    """The last write was cut short: a valid beginning, then a part of one record.

    Attributes:
        log: the valid beginning; None if not even the header is whole.
        offset: its length in bytes, where the torn record begins.
        torn: bytes of the torn record.
    """

    exit_code = 4

    def __init__(self, message: str, log: Log | None, offset: int, torn: int) -> None:
        super().__init__(message)
        self.log = log
        self.offset = offset
        self.torn = torn


class UnsupportedLogError(LogError):
    """A sound log of a format, a game or rules that this version does not know."""

    exit_code = 5


class LogWriteError(LogError):
    """The log cannot be written; what it holds so far stays valid.

    Attributes:
        exit_code: 2 if the log could not be begun, 8 if it was cut off in the middle of a game.
    """

    exit_code = 2

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class LogBusyError(LogWriteError):
    """Another session is writing this log."""
