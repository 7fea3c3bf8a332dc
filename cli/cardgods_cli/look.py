"""How things look on this output: width, colour, boxes or plain lines."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from cardgods_cli import settings
from cardgods_cli.streams import clean
from cardgods_cli.words import language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console, RenderableType

    from cardgods.types import Language

    Renderable: TypeAlias = RenderableType

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen, then what has scrolled off it, and goes home."""


@dataclass(frozen=True)
class Look:
    """What an output can show; made by :func:`look_for`.

    Attributes:
        plain: lines of text only: no boxes, no colour, no movement of the cursor.
        colour: colours may be used (never as the only sign of anything).
        terminal: a person is looking.
        dumb: the terminal knows no control sequences.
        fixed_width: columns that do not follow the size of the window.
        lang: language of the texts; that in force when the look was made.
    """

    plain: bool
    colour: bool
    terminal: bool
    dumb: bool
    lang: Language = field(default_factory=language)
    fixed_width: int = 0

    @property
    def width(self) -> int:
        """Columns of the terminal now; 0 where nothing limits the width of a line."""
        if self.fixed_width or not self.terminal:
            return self.fixed_width
        return max(20, shutil.get_terminal_size().columns)

    def show(self, *things: Renderable) -> None:
        """Print texts (as they are, no markup) and, unless plain, rich renderables."""
        if all(isinstance(thing, str) for thing in things):
            for thing in things:
                # Whoever made the text may have forgotten where its parts came from.
                text = "\n".join(clean(line) for line in str(thing).split("\n"))
                sys.stdout.write(f"{self.wrapped(text)}\n")
        else:
            console = self.console()
            for thing in things:
                console.print(thing, soft_wrap=not self.width)

    def wrapped(self, line: str) -> str:
        """A line broken between words if the terminal is narrower; a pipe gets it whole."""
        if self.plain or columns(line) <= self.width:
            return line
        import textwrap

        return textwrap.fill(line, self.width, break_long_words=False, break_on_hyphens=False)

    def console(self) -> Console:
        """A rich console on standard output that takes data for data."""
        from rich.console import Console

        return Console(
            file=sys.stdout,
            markup=False,
            highlight=False,
            emoji=False,
            width=self.width or 10_000,
            force_terminal=self.colour,
            no_color=not self.colour,
            legacy_windows=False,
        )

    def table(self, headers: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
        """Print a table; columns of numbers, by their header's leading ``>``, are flush right."""
        texts = [[clean(str(cell)) for cell in row] for row in rows]
        if self.plain:
            self.show(*([title] if title else []), *_plain_table(headers, texts))
            return
        from rich import box
        from rich.table import Table

        table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
        for header in headers:
            right = header.startswith(">")
            table.add_column(header.removeprefix(">"), justify="right" if right else "left", overflow="fold")
        for row in texts:
            table.add_row(*row)
        self.show(table)

    def fit(self, text: str, width: int) -> str:
        """A text cut to `width` columns on a terminal, whole where the width is free."""
        if not self.width or columns(text) <= width:
            return text
        kept = ""
        for char in text:
            if columns(kept + char) > width - 1:
                break
            kept += char
        return kept + "…"

    def wipe(self) -> None:
        """Let nobody see what was shown so far: clear screen and scrollback, or push it far away."""
        far = "\n" * max(100, shutil.get_terminal_size().lines)
        sys.stdout.write(CLEAR if self.terminal and not self.dumb else far)
        sys.stdout.flush()


def look_for(*, plain: bool = False) -> Look:
    """What standard output can show.

    Args:
        plain: the user asked for plain lines. They are also used where there is no terminal, or a dumb one.
    """
    terminal = sys.stdout.isatty()
    dumb = os.environ.get("TERM", "dumb") in ("dumb", "unknown", "")
    plain = plain or dumb or not terminal
    return Look(
        plain=plain,
        colour=not plain and settings.value("color"),
        terminal=terminal,
        dumb=dumb,
    )


def columns(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def pad(text: str, width: int, *, right: bool = False) -> str:
    """A text filled with blanks to `width` columns, flush right if asked."""
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks


def _plain_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    names = [header.removeprefix(">") for header in headers]
    widths = [max(map(columns, column)) for column in zip(names, *rows, strict=True)]
    lines = []
    for row in (names, *rows):
        cells = [
            pad(cell, width, right=header.startswith(">"))
            for cell, width, header in zip(row, widths, headers, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def json_text(value: Any) -> str:  # noqa: ANN401
    """One line of strict JSON: no NaN, never wrapped, ASCII only so that every encoding can carry it.

    Raises:
        ValueError: if the value holds a number that JSON has not.
    """
    import json

    return json.dumps(value, allow_nan=False)
