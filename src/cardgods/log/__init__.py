"""Game logs, format 1: written record by record, chained, read strictly (docs/log-format.md)."""

from cardgods.log.errors import (
    CorruptLogError,
    IllegalLogError,
    LogBusyError,
    LogError,
    LogReadError,
    LogWriteError,
    NotALogError,
    TornTailError,
    UnsupportedLogError,
)
from cardgods.log.plain import record_of, to_json
from cardgods.log.reader import parse_log, read_log
from cardgods.log.records import ChanceOutcome, End, Header, Log, Move, Record, Seat, Skipped
from cardgods.log.replay import Replayer, load_logged_game, replay
from cardgods.log.verify import Verification, verify
from cardgods.log.writer import LogWriter, make_header

__all__ = [
    "ChanceOutcome",
    "CorruptLogError",
    "End",
    "Header",
    "IllegalLogError",
    "Log",
    "LogBusyError",
    "LogError",
    "LogReadError",
    "LogWriteError",
    "LogWriter",
    "Move",
    "NotALogError",
    "Record",
    "Replayer",
    "Seat",
    "Skipped",
    "TornTailError",
    "UnsupportedLogError",
    "Verification",
    "load_logged_game",
    "make_header",
    "parse_log",
    "read_log",
    "record_of",
    "replay",
    "to_json",
    "verify",
]
