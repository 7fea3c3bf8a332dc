"""The whole check of a log: bytes, chain, rules, deal and result."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property

from cardgods._core import logscan
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.log.errors import LogError, TornTailError
from cardgods.log.reader import Parser, parse_log, parser, read_bytes, shown
from cardgods.log.recorder import Head
from cardgods.log.records import End, Header, Log
from cardgods.log.replay import Replayer


@dataclass(frozen=True)
class Verification:
    """What a log that passed the check is.

    Args:
        header: record 0.
        head: where the log stands: behind its last record, or before its torn tail.
        end: the end record, None while the game is unfinished.
        state: the position after all records, turn-based.
        secret: what opens the header's commitment, if it has one.
        deal: the generator of a committed deal, once all have cut.
        torn: bytes of a record whose write was cut short; they follow the valid beginning.
        source: the log, or its bytes.
    """

    header: Header
    head: Head
    end: End | None
    state: State = field(compare=False)
    secret: bytes | None = field(repr=False)
    deal: Random | None = field(repr=False, compare=False)
    torn: int
    source: Log | bytes = field(repr=False, compare=False)

    @property
    def count(self) -> int:
        """Records behind the header; of a torn log those of the valid beginning."""
        return self.head.number - 1

    @property
    def size(self) -> int:
        """Bytes of the valid records."""
        return self.head.size

    @property
    def tag(self) -> bytes:
        """Tag of the last valid record."""
        return self.head.tag

    @cached_property
    def log(self) -> Log:
        """The log; of a torn one the valid beginning."""
        return self.source if isinstance(self.source, Log) else parse_log(self.source)

    @property
    def rng(self) -> Random | None:
        """The generator of all that was drawn, as far as the log says; None if the game goes on otherwise."""
        if self.header.seed is not None:
            return Random(self.header.seed)
        return self.deal

    @property
    def terminal(self) -> bool:
        """True if the game was played to its end, even if the end record is missing."""
        return self.state.is_terminal()

    @property
    def complete(self) -> bool:
        """True if the log holds the whole game, end record included."""
        return self.end is not None

    @property
    def exit_code(self) -> int:
        """0 for a whole game, 4 for a valid beginning of one."""
        return 0 if self.complete else TornTailError.exit_code


def verify(source: Log | bytes | str | os.PathLike[str]) -> Verification:
    """Check a log completely.

    Args:
        source: a file, the bytes of a log, or a log that was read.

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
    if isinstance(source, Log):
        return _verify_log(source, 0)
    if isinstance(source, bytes):
        return verify_bytes(source)
    return verify_bytes(read_bytes(source), shown(source))


def verify_bytes(data: bytes, name: str = "the log") -> Verification:
    """Check the bytes of a log as :func:`verify` does.

    Args:
        data: the whole log.
        name: what messages call it.
    """
    try:
        return _quickly(parser(data, name))
    except LogError:
        # Which of several flaws is reported must not depend on the way: bytes come before rules.
        pass
    try:
        return _verify_log(parse_log(data, name), 0)
    except TornTailError as error:
        if error.log is None:
            raise
        return _verify_log(error.log, error.torn)


def _verify_log(log: Log, torn: int) -> Verification:
    player = Replayer(log)
    player.run(log.records)
    ended, events = log.end is not None, len(player.state)
    head = Head(len(log.records) + 1, log.tag, log.size, log.opening_tag, player.due, ended, events)
    return Verification(log.header, head, log.end, player.state, player.secret, player.deal, torn, log)


def _quickly(log: Parser) -> Verification:
    """One pass over bytes and rules, most of it in the core."""
    log.read_header()
    player = Replayer(log)
    end = None
    while log.at < len(log.data):
        if player.opened:
            place = logscan.follow(
                log.data, log.at, log.number, log.tag, player.state, player.deal, player.dealt
            )
            player.skip(place[1] - log.number, place[3])
            log.jump(*place[:3])
            if log.at == len(log.data):
                break
        record = log.read_record()
        player.step(record)
        end = record if type(record) is End else None
    ended, events = end is not None, len(player.state)
    head = Head(log.number, log.tag, log.at, log.opening_tag, player.due, ended, events)
    return Verification(log.header, head, end, player.state, player.secret, player.deal, 0, log.data)
