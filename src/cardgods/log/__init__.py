"""Game logs, format 1: written record by record, chained, read strictly (docs/log-format.md)."""

from cardgods.log.archive import ArchiveWriter, Entry, is_archive
from cardgods.log.archive import entries as archive_entries
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
from cardgods.log.recorder import LogBuffer, Recorder, make_header
from cardgods.log.records import (
    ChanceOutcome,
    Commitment,
    Cut,
    End,
    Header,
    Log,
    Move,
    Record,
    Seat,
    Secret,
    Seen,
    Skipped,
    Undo,
    ViewOf,
    standing,
)
from cardgods.log.replay import Replayer, load_logged_game, replay
from cardgods.log.verify import Verification, verify, verify_bytes
from cardgods.log.views import derive
from cardgods.log.writer import LogWriter, Recovery, recover

__all__ = [
    "ArchiveWriter",
    "ChanceOutcome",
    "Commitment",
    "CorruptLogError",
    "Cut",
    "End",
    "Entry",
    "Header",
    "IllegalLogError",
    "Log",
    "LogBuffer",
    "LogBusyError",
    "LogError",
    "LogReadError",
    "LogWriteError",
    "LogWriter",
    "Move",
    "NotALogError",
    "Record",
    "Recorder",
    "Recovery",
    "Replayer",
    "Seat",
    "Secret",
    "Seen",
    "Skipped",
    "TornTailError",
    "Undo",
    "UnsupportedLogError",
    "Verification",
    "ViewOf",
    "archive_entries",
    "derive",
    "is_archive",
    "load_logged_game",
    "make_header",
    "parse_log",
    "read_log",
    "record_of",
    "recover",
    "replay",
    "standing",
    "to_json",
    "verify",
    "verify_bytes",
]
