"""Progress of long work, on standard error: a bar for a person, a line now and then for a file."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cardgods_cli import settings
from cardgods_cli.streams import OutputStopped
from cardgods_cli.words import _

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

QUIET_SECONDS = 0.5
"""Work that is done sooner shows no bar."""
LINE_SECONDS = 10.0
"""Between lines, at first; after twenty lines the pause grows, so that no work writes a hundred."""


class Progress:
    """A context manager for long work; call it with what is done and what there is to do.

    Where standard error is no terminal, a line comes even if the work reports nothing.

    Args:
        title: what is being done.
        plain: lines even on a terminal.
    """

    def __init__(self, title: str, *, plain: bool = False) -> None:
        self.title = title
        dumb = os.environ.get("TERM", "dumb") in ("dumb", "unknown", "")
        self.lines = plain or dumb or not sys.stderr.isatty()
        self._begun = time.monotonic()
        self._share = 0.0
        self._bar: Bar | None = None
        self._done = threading.Event()
        self._herald = threading.Thread(target=self._speak, daemon=True) if self.lines else None

    def __enter__(self) -> Self:
        if self._herald is not None:
            self._herald.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._bar is not None:
            self._bar.stop()
        if self._herald is not None:
            self._herald.join()

    def __call__(self, done: int, total: int) -> None:
        """Report progress; cheap enough for any work that takes a millisecond a step."""
        self._share = done / total if total else 1.0
        if self.lines or time.monotonic() - self._begun < QUIET_SECONDS:
            return
        if self._bar is None:
            self._bar = self._new_bar()
        self._bar.update(self._bar.task_ids[0], completed=self._share)

    def say(self, text: str) -> None:
        """A line of its own on standard error."""
        with contextlib.suppress(OutputStopped):
            sys.stderr.write(_("{title}: {text}").format(title=self.title, text=text) + "\n")
            sys.stderr.flush()

    def _new_bar(self) -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        console = Console(
            file=sys.stderr,
            markup=False,
            highlight=False,
            emoji=False,
            no_color=not settings.value("color"),
            legacy_windows=False,
        )
        bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
        )
        bar.add_task(self.title, total=1.0)
        bar.start()
        return bar

    def _speak(self) -> None:
        while not self._done.wait(self._pause()):
            elapsed = time.monotonic() - self._begun
            # Nobody reads any more: that must not end the work.
            with contextlib.suppress(OutputStopped):
                sys.stderr.write(f"{self._line(elapsed)}\n")
                sys.stderr.flush()

    def _line(self, elapsed: float) -> str:
        share = self._share
        if not 0.01 < share < 1:
            text = _("{title}: {share:.0%} after {elapsed:.0f} s")
            return text.format(title=self.title, share=share, elapsed=elapsed)
        text = _("{title}: {share:.0%} after {elapsed:.0f} s, about {left:.0f} s to go")
        left = elapsed / share - elapsed
        return text.format(title=self.title, share=share, elapsed=elapsed, left=left)

    def _pause(self) -> float:
        return max(LINE_SECONDS, (time.monotonic() - self._begun) / 20)
