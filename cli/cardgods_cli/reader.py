"""Lines from standard input, from a person or from a script."""

from __future__ import annotations

import sys

from cardgods.play import GameStopped
from cardgods_cli.streams import clean
from cardgods_cli.words import N_, _


class InputEnded(GameStopped):
    """Standard input ended before the game was over."""

    exit_code = 4


class ScriptError(GameStopped):
    """A line of a script is no legal move."""

    exit_code = 6


class QuitGame(GameStopped):
    """The player asked to stop."""

    exit_code = 0


MAX_LINE = 65_536
"""Characters of the longest line that is read."""


class Reader:
    """Standard input line by line.

    Args:
        what: what would go on if there were more input; marked for translation.

    Attributes:
        interactive: a person types, who can be asked again.
        line: number of the line read last, from 1.
    """

    def __init__(self, what: str = N_("the game")) -> None:
        self.what = what
        self.interactive = sys.stdin.isatty()
        self.line = 0

    def ask(self, prompt: str) -> str:
        """Show a prompt and read one line, without its end and outer blanks.

        In a script blank lines and what follows a ``#`` do not count; what is read is shown behind the
        prompt.

        Raises:
            InputEnded: if there is no further line.
            ScriptError: if the line is longer than any that makes sense.
        """
        sys.stdout.write(prompt)
        while True:
            sys.stdout.flush()
            text = sys.stdin.readline(MAX_LINE + 1)
            if not text:
                sys.stdout.write("\n")
                raise InputEnded(self._ended())
            self.line += 1
            if len(text) > MAX_LINE:
                sys.stdout.write("\n")
                text = _("line {line} of the input has more than {limit} characters")
                raise ScriptError(text.format(line=self.line, limit=MAX_LINE))
            if self.interactive:
                return text.strip()
            text = text.partition("#")[0].strip()
            if text:
                sys.stdout.write(f"{clean(text)}\n")
                return text

    def pause(self, prompt: str) -> None:
        """Wait for a person's Enter; what was typed before the prompt does not count.

        Raises:
            InputEnded: if there is no further line.
        """
        import termios

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
        self.ask(prompt)

    def _ended(self) -> str:
        what = _(self.what)
        if not self.line:
            return _("standard input ended before {what} was over").format(what=what)
        text = _("standard input ended after line {line} before {what} was over")
        return text.format(line=self.line, what=what)
