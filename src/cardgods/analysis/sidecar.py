"""Analyses in files beside their logs, which are never touched: one JSON object each.

Such a file names its log by the log's last tag, which vouches for every byte of it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardgods.analysis.records import MARKS, Analysis, Mark
from cardgods.errors import ParameterError, SolveError
from cardgods.log import Log
from cardgods.solve.whole_file import whole_file

FORMAT = "cardgods analysis"
VERSION = 1
LARGEST = 64 << 20
"""Bytes of a file that are read at most."""


@dataclass(frozen=True)
class Note:
    """What a file says of one decision.

    Attributes:
        player: who decided.
        action: what he chose.
        best: the best move.
        loss: what was given up.
        unit: its unit.
        mark: the mark; empty for none.
        gave_away: whether a game won with open cards was given away.
    """

    player: int
    action: int
    best: int
    loss: float
    unit: str
    mark: Mark
    gave_away: bool


def write_analysis(path: Path, analysis: Analysis) -> None:
    """Write an analysis into a file, which takes its name once it is whole and is readable by its owner only.

    Raises:
        SolveError: if it cannot be written.
    """
    record = {"format": FORMAT, "version": VERSION, **analysis.to_dict()}
    with whole_file(path, 0o600) as file:
        file.write(json.dumps(record, allow_nan=False, indent=1).encode() + b"\n")


def read_notes(path: Path, log: Log) -> dict[int, Note]:
    """What a file says of a log: the number of an event -> the note on it.

    Raises:
        ParameterError: if the file is of another log, or says what cannot be.
        SolveError: if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise SolveError(f"cannot read {path}: {error.strerror}") from None
    try:
        record = json.loads(data) if len(data) <= LARGEST else None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ParameterError(f"{path} is no analysis of a game")
    if record.get("version") != VERSION:
        raise ParameterError(f"{path} is an analysis of a version that is not known here")
    if record.get("log") != log.tag.hex():
        raise ParameterError(f"{path} is the analysis of another game")
    try:
        return {_whole(found["step"]): _note(found, record["unit"]) for found in record["decisions"]}
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ParameterError(f"{path} is damaged: it says what no analysis says") from None


def _note(found: Mapping[str, Any], unit: str) -> Note:
    loss, mark = float(found["loss"]), found["mark"]
    if unit not in ("wins", "points", "right") or not math.isfinite(loss) or loss < 0:
        raise ValueError
    if mark not in ("", *(name for _, name in MARKS)) or found["gave_away"] not in (True, False, None):
        raise ValueError
    player, action, best = (_whole(found[name]) for name in ("player", "action", "best"))
    return Note(player, action, best, loss, unit, mark, bool(found["gave_away"]))


def _whole(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 31:
        raise ValueError
    return value
