"""The whole check of a log: bytes, chain, rules and result."""

from __future__ import annotations

import os
from dataclasses import dataclass

from cardgods.log.errors import TornTailError
from cardgods.log.reader import read_log
from cardgods.log.records import Log
from cardgods.log.replay import Replayer


@dataclass(frozen=True, slots=True)
class Verification:
    """What a log that passed the check is.

    Args:
        log: the log; of a torn one the valid beginning.
        terminal: True if the game was played to its end, even if the end record is missing.
        torn: bytes of a record whose write was cut short; they follow the valid beginning.
    """

    log: Log
    terminal: bool
    torn: int = 0

    @property
    def complete(self) -> bool:
        """True if the log holds the whole game, end record included."""
        return self.log.complete

    @property
    def exit_code(self) -> int:
        """0 for a whole game, 4 for a valid beginning of one."""
        return 0 if self.complete else TornTailError.exit_code


def verify(source: Log | str | os.PathLike[str]) -> Verification:
    """Check a log completely.

    Args:
        source: a file, or a log that was read.

    Returns:
        What was found, for a valid log and for the valid beginning of an unfinished or torn one.

    Raises:
        LogReadError: if the file cannot be read.
        NotALogError: if it is no log.
        CorruptLogError: if its bytes were damaged or edited.
        TornTailError: if it was torn before the game began.
        IllegalLogError: if a record breaks the rules or the result is not true.
        UnsupportedLogError: if its format or rules are not known here.
    """
    torn = 0
    if isinstance(source, Log):
        log = source
    else:
        try:
            log = read_log(source)
        except TornTailError as error:
            if error.log is None:
                raise
            log, torn = error.log, error.torn
    player = Replayer(log)
    player.run()
    return Verification(log, player.state.is_terminal(), torn)
