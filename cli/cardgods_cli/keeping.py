"""Where a game is kept while it is played: in memory until somebody saves it, then in a file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cardgods_cli import words
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods import State
    from cardgods.log import Recorder


class Kept:
    """The records of a game; its recorder may change while the game goes on.

    Args:
        recorder: takes the records now.
        path: the file they are in; None if that is memory.

    Attributes:
        again: options of the command line that one who goes on would want again.
    """

    def __init__(self, recorder: Recorder, path: str | None) -> None:
        self.recorder = recorder
        self.path = path
        self.again: Sequence[str] = [words.OPTION, words.language()] if words.asked() else []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.recorder.__exit__(kind, error, trace)

    def append(self, actor: int, action: int) -> None:
        """Record a decision or a chance outcome; see :meth:`cardgods.log.Recorder.append`."""
        self.recorder.append(actor, action)

    def undo(self, player: int, events: int) -> None:
        """Record that something was taken back; see :meth:`cardgods.log.Recorder.undo`."""
        self.recorder.undo(player, events)

    def finish(self, state: State, reason: str) -> None:
        """Record the end; see :meth:`cardgods.log.Recorder.finish`."""
        self.recorder.finish(state, reason)

    def save(self, path: str, *, overwrite: bool) -> None:
        """Write the game so far to a new file, in which it goes on from now.

        Args:
            path: the file.
            overwrite: replace a log that is there.

        Raises:
            LogWriteError: if the file exists, or cannot be written; the game is then kept where it was.
        """
        from cardgods.log import LogBuffer, LogWriter

        assert isinstance(self.recorder, LogBuffer)
        self.recorder = LogWriter.take_over(path, self.recorder, overwrite=overwrite)
        self.path = path

    def how_to_go_on(self) -> str:
        """The command line that goes on with the game; only for one in a file."""
        assert self.path is not None
        return shlex.join(["cardgods", "play", "--resume", self.path, *self.again])

    def whereabouts(self) -> str:
        """Where the game is, and how to go on with it."""
        if self.path is None:
            return _(
                "the game was not recorded (save FILE at the prompt keeps one, --log FILE does so from its "
                "start)"
            )
        text = _("the game so far is in {file}; to go on: {command}")
        return text.format(file=self.path, command=self.how_to_go_on())


def path_typed(text: str) -> str:
    """The file that somebody typed at a prompt: quotes around it do not belong to it, ``~`` is his home."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return os.path.expanduser(text)
