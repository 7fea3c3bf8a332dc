"""Entry of ``cardgods``: the one place that decides about exit codes and what a user sees of an error.

Exit codes: 0 done; 1 internal error or output that can not be written; 2 usage; 3 log corrupt or tampered
with; 4 input ended, or a log incomplete but valid so far; 5 log of rules or a format version unknown here;
6 illegal move in a script; 7 an agent failed; 8 a limit was reached, the result is partial; 130 interrupted;
141 the reader of the output went away.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

from cardgods_cli import settings, words
from cardgods_cli.streams import EXIT_INTERNAL, OutputStopped, clean, guard_streams, silence
from cardgods_cli.told import told
from cardgods_cli.words import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    import click

    from cardgods.types import Language

EXIT_USAGE = 2
EXIT_INPUT_ENDED = 4
EXIT_INTERRUPTED = 130
PROGRAM = "cardgods"
COMPLETE = "_CARDGODS_COMPLETE"
"""Variable by which a shell asks for completions, or for the script that asks for them."""
LONGEST_COMPLAINT = 1200
"""Characters of a complaint; one that quotes a long argument loses the middle of it."""


def main() -> None:
    """Run the command line of this process and exit."""
    code = run(sys.argv[1:])
    import signal

    # Nothing is left to interrupt; a late Ctrl-C would only print a traceback of the interpreter's shutdown.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def run(args: Sequence[str]) -> int:
    """Run one command line.

    Args:
        args: the words after ``cardgods``.

    Returns:
        The exit code.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    try:
        if 1 in guard_streams():
            words.speak(words.from_environment())
            return _complain(_("standard output is closed"), EXIT_INTERNAL)
        with words.kept(), settings.kept():
            code = _outcome(list(args))
            return _flush(code)
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _outcome(args: list[str]) -> int:
    """Invoke the command; every way in which that can end becomes an exit code and at most one line."""
    try:
        rest, lang = words.taken_from(args)
        _set_up(lang)
        complete = os.environ.get(COMPLETE)
        return _complete(complete) if complete else _invoke(rest)
    except BaseException as error:
        if os.environ.get("CARDGODS_DEBUG") == "1" and not isinstance(error, SystemExit | OutputStopped):
            _traceback()
        return _report(error)


def _set_up(lang: Language | None) -> None:
    """Put language and settings in force; a shell that completes a word hears of no fault in them."""
    try:
        words.speak(lang or words.from_environment(), asked=lang is not None)
        settings.load()
    except Exception:
        if not os.environ.get(COMPLETE):
            raise


def _invoke(args: list[str]) -> int:
    import click

    from cardgods_cli.main import cli
    from cardgods_cli.pages import in_language

    try:
        # Not cli.main(): it turns interrupts and closed pipes into exit code 1.
        told_in = in_language(cli)
        with told_in.make_context(PROGRAM, args) as context:
            told_in.invoke(context)
    except click.exceptions.Exit as done:
        return done.exit_code
    return 0


def _complete(instruction: str) -> int:
    """Answer a shell that completes a command line, or print the script that makes it ask."""
    from cardgods_cli.completing import answer
    from cardgods_cli.main import cli

    guarded = sys.stdout
    # The answer is bytes, which the guard does not take.
    sys.stdout = getattr(guarded, "inner", guarded)
    try:
        return answer(cli, PROGRAM, COMPLETE, instruction)
    finally:
        sys.stdout = guarded


def _report(error: BaseException) -> int:
    """Say in one line why the command ended and return the exit code."""
    notes = "".join(_("; ") + note for note in getattr(error, "__notes__", ()))
    if isinstance(error, OutputStopped):
        silence(sys.stdout)
        return _complain(error.message + notes, error.code) if error.message else error.code
    if isinstance(error, KeyboardInterrupt):
        return _interrupted(notes)
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else EXIT_INTERNAL if error.code else 0
    click_code = _report_click(error)
    if click_code is not None:
        return click_code
    # If the module was never imported, nothing can have raised from it.
    errors = sys.modules.get("cardgods.errors")
    if errors is not None and isinstance(error, errors.CardgodsError):
        return _complain(f"{told(str(error))}{notes}", getattr(error, "exit_code", EXIT_USAGE))
    if isinstance(error, OSError) and error.filename is not None:
        text = _("{file}: {reason}").format(file=error.filename, reason=told(error.strerror or ""))
        return _complain(f"{text}{notes}", EXIT_USAGE)
    text = _("internal error: {kind}: {error} (CARDGODS_DEBUG=1 shows the traceback)")
    return _complain(text.format(kind=type(error).__name__, error=f"{error}{notes}"), EXIT_INTERNAL)


def _report_click(error: BaseException) -> int | None:
    """The exit code of an error of click's, None if it is none."""
    import click

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return _say(error.format_message(), EXIT_USAGE, keep_lines=True)
    if isinstance(error, click.ClickException):
        return _complain(error.format_message().rstrip(".") + _where_help_is(error), EXIT_USAGE)
    if isinstance(error, click.Abort):
        # A prompt of click's own; it hides which of the two it was in the cause.
        return (
            _complain(_("input ended"), EXIT_INPUT_ENDED)
            if isinstance(error.__cause__, EOFError)
            else _interrupted()
        )
    return None


def _interrupted(notes: str = "") -> int:
    # A terminal shows ^C where the cursor was.
    start = "\n" if sys.stderr.isatty() else ""
    return _say(f"{start}{PROGRAM}: {_('interrupted')}{notes}", EXIT_INTERRUPTED)


def _where_help_is(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if context is None:
        return ""
    return " " + _("(see '{command} --help')").format(command=context.command_path)


def _complain(text: str, code: int) -> int:
    # Blanks that must not break stay what they are.
    line = clean(re.sub(r"[ \t\n\r\f\v]+", " ", text).strip())
    if len(line) > LONGEST_COMPLAINT:
        half = LONGEST_COMPLAINT // 2
        line = f"{line[:half]} ... {line[-half:]}"
    return _say(_("{program}: error: {line}").format(program=PROGRAM, line=line), code)


def _say(text: str, code: int, *, keep_lines: bool = False) -> int:
    """Write a line on standard error, whatever becomes of it, after what is still due on standard output."""
    try:
        sys.stdout.flush()
    except OutputStopped:
        silence(sys.stdout)
    lines = text.split("\n") if keep_lines or text.startswith("\n") else [text]
    try:
        sys.stderr.write("\n".join(clean(line) for line in lines) + "\n")
        sys.stderr.flush()
    except OutputStopped:
        silence(sys.stderr)
    return code


def _flush(code: int) -> int:
    """Flush both streams; a failure that shows only now counts unless the command failed already."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OutputStopped as error:
            silence(stream)
            failed = _complain(error.message, error.code) if error.message else error.code
            code = code or failed
    return code


def _traceback() -> None:
    import traceback

    try:
        traceback.print_exc()
    except OutputStopped:
        silence(sys.stderr)


if __name__ == "__main__":
    main()
