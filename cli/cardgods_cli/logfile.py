"""Logs, views and archives as the commands take them, and what is said of them."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from cardgods.errors import ParameterError
from cardgods.log import (
    Cut,
    Entry,
    Log,
    LogError,
    LogWriteError,
    Replayer,
    Secret,
    TornTailError,
    Undo,
    Verification,
    archive_entries,
    derive,
    is_archive,
    load_logged_game,
    parse_log,
    verify_bytes,
)
from cardgods.log.archive import entry
from cardgods.log.errors import CorruptLogError
from cardgods.log.plain import header_of
from cardgods.log.reader import parser, read_bytes
from cardgods.log.views import SPECTATOR, positions, public, viewed_game
from cardgods_cli.render import together
from cardgods_cli.streams import clean
from cardgods_cli.told import told
from cardgods_cli.words import _, n_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardgods import Game

INCOMPLETE = TornTailError.exit_code
"""Exit code for a log that is valid but not complete."""


@dataclass(frozen=True)
class Found:
    """A log or a view that was read: sound bytes, rules not asked yet.

    Attributes:
        name: what messages call it.
        data: its bytes.
        log: what they say, as far as they are whole.
        torn: bytes of a record whose writing was cut short.
    """

    name: str
    data: bytes
    log: Log
    torn: int

    @property
    def exit_code(self) -> int:
        """0 for a whole game, 4 for a valid beginning of one."""
        return 0 if self.log.complete else INCOMPLETE

    @cached_property
    def game(self) -> Game:
        """The game, by the rules of the log."""
        return viewed_game(self.log) if self.log.header.view else load_logged_game(self.log)

    def seat(self, text: str) -> int:
        """The seat that a text names: a player's name, his number from 0, or ``spectator``.

        Raises:
            ParameterError: if it names none.
        """
        names = [seat.name for seat in self.log.header.seats]
        if text in names and names.count(text) == 1:
            return names.index(text)
        if text == "spectator":
            return SPECTATOR
        if text.isascii() and text.isdigit() and int(text) < len(names):
            return int(text)
        seats = ", ".join(f"{place} ({name[:40]})" for place, name in enumerate(names))
        problem = _("no seat '{text}': seats are {seats}, and spectator")
        raise ParameterError(problem.format(text=text, seats=seats))

    def player(self, text: str) -> int:
        """The player that a text names, who is no spectator.

        Raises:
            ParameterError: if it names none.
        """
        seat = self.seat(text)
        if seat == SPECTATOR:
            raise ParameterError(_("a spectator decides nothing"))
        return seat

    def hold_against(self, source: Found) -> str:
        """Compare a view with the log it is said to come from; one line if it does.

        Raises:
            ParameterError: if this is no view.
            CorruptLogError: if it does not come from there.
        """
        view = self.log.header.view
        if view is None:
            raise ParameterError(_("{name} is no view but the log of a game").format(name=self.name))
        viewer = SPECTATOR if view.seat is None else view.seat
        data = derive(source.log, viewer)
        if not data.startswith(self.data[: self.log.size]):
            pairs = zip_longest(self.log.records, parse_log(data).records)
            number = next((number for number, (a, b) in enumerate(pairs, 1) if a != b), 0)
            text = _("{name} is no view of {source}: they differ at record {number}")
            raise CorruptLogError(
                text.format(name=self.name, source=source.name, number=number),
                number,
                self.log.offset(number),
            )
        text = (
            _("{name}: valid: {view} of {source}")
            if len(data) == self.log.size
            else _("{name}: valid: {view} of {source}, as far as it goes")
        )
        return text.format(name=self.name, view=whose(self), source=source.name)


def load(file: str, number: int | None) -> Found:
    """Read a log, or one of an archive.

    Args:
        file: its path.
        number: which log of an archive.

    Raises:
        ParameterError: if an archive needs a number, or something else cannot have one.
        LogError: if it cannot be read, or is damaged.
    """
    name = clean(file)
    if is_archive(file):
        if number is None:
            raise ParameterError(_("{name} is an archive of logs: --game N picks one").format(name=name))
        data = entry(file, number).data
        name = _("{name}, log {number}").format(name=name, number=number)
    elif number is None:
        data = read_bytes(file)
    else:
        raise ParameterError(_("{name} is no archive: --game has no meaning").format(name=name))
    try:
        return Found(name, data, parse_log(data, name), 0)
    except TornTailError as error:
        if error.log is None:
            raise
        return Found(name, data, error.log, error.torn)


def may_be_shown(log: Log, what: str, *, spoil: bool) -> None:
    """Refuse what would show the hidden cards of a game that is not over.

    Args:
        log: the log of a game.
        what: what would be shown, in words.
        spoil: it is asked for all the same.

    Raises:
        ParameterError: if it must not be shown.
    """
    if not log.complete and not spoil:
        text = _("the game is not over, and this shows {what}: --spoil allows it")
        raise ParameterError(text.format(what=what))


def whose(found: Found) -> str:
    """The view of a seat, in words."""
    view = found.log.header.view
    seat = None if view is None else view.seat
    if seat is None:
        return _("a spectator's view")
    return _("the view of {name}").format(name=clean(found.log.header.seats[seat].name))


def verdict(found: Found) -> tuple[str, int]:
    """One line on a log that passes the whole check, and its exit code.

    Raises:
        LogError: if it does not pass.
    """
    names = ", ".join(clean(seat.name) for seat in found.log.header.seats)
    if found.log.header.view is not None:
        # All positions are gone through: the check is in the going.
        deque(positions(found.log), 0)
        text = _("{name}: valid: {view} of {game}, {players}, {records} records, {ending}")
        line = text.format(
            name=found.name,
            view=whose(found),
            game=found.game,
            players=names,
            records=len(found.log.records),
            ending=_ending(found, terminal=False),
        )
        return line, found.exit_code
    checked = verify_bytes(found.data, found.name)
    text = _("{name}: valid: {game}, {players}, {records} records, {ending}")
    line = text.format(
        name=found.name,
        game=found.game,
        players=names,
        records=checked.count,
        ending=_ending(found, terminal=checked.terminal),
    )
    return f"{line}{_dealt(found, checked)}{_taken_back(found)}", checked.exit_code


def _ending(found: Found, *, terminal: bool) -> str:
    log = found.log
    if log.end is not None:
        if len(log.end.winners) == len(log.header.seats):
            return _("complete, a draw")
        winners = together([clean(log.header.seats[p].name) for p in log.end.winners])
        return _("complete, won by {winners}").format(winners=winners)
    ending = _("without its end record") if terminal else _("the game is not over")
    if not found.torn:
        return ending
    text = _("{ending}, then {bytes} bytes of a record whose writing was cut short")
    return text.format(ending=ending, bytes=found.torn)


def _dealt(found: Found, checked: Verification) -> str:
    """What is known of where the cards came from."""
    header = found.log.header
    if header.deal is not None:
        cutters = together([clean(header.seats[player].name) for player in header.deal.cuts])
        if not cutters:
            return _(", dealt as it was committed to")
        return _(", dealt as it was committed to, cut by {names}").format(names=cutters)
    if header.seed is None:
        return ""
    try:
        Replayer(found.log, seeded=True).run(found.log.records)
    except LogError:
        return _(", not dealt from its seed")
    return _(", dealt from its seed")


def _taken_back(found: Found) -> str:
    """Who took something back, and how often."""
    players = [record.player for record in found.log.records if isinstance(record, Undo)]
    names = [clean(found.log.header.seats[player].name) for player in players]
    times = {name: names.count(name) for name in names}
    return "".join(
        n_(", taken back by {name} once", ", taken back by {name} {count} times", count).format(
            name=name, count=count
        )
        for name, count in times.items()
    )


def _whole_entries(file: str) -> tuple[Iterator[Entry], list[int]]:
    """The whole logs of an archive, and a list that will hold the bytes of a torn one behind them."""
    torn: list[int] = []

    def found() -> Iterator[Entry]:
        # An error of a log inside, raised by who takes it, must not pass for the archive's own.
        try:
            yield from archive_entries(file)
        except TornTailError as error:
            torn.append(error.torn)

    return found(), torn


def verify_archive(file: str) -> tuple[str, int]:
    """One line on an archive whose logs all pass the whole check, and its exit code.

    Raises:
        LogError: if the archive is damaged or one of its logs does not pass.
    """
    name = clean(file)
    count = complete = records = 0
    logs, torn = _whole_entries(file)
    for each in logs:
        found = verify_bytes(each.data, f"{name}, log {each.number}")
        count += 1
        complete += found.complete
        records += found.count
    line = (
        _(
            "{name}: valid: {count} logs, {complete} complete, {records} records, then {bytes} bytes of a "
            "log whose writing was cut short"
        )
        if torn
        else _("{name}: valid: {count} logs, {complete} complete, {records} records")
    ).format(name=name, count=count, complete=complete, records=records, bytes=sum(torn))
    return line, 0 if count == complete and not torn else INCOMPLETE


def facts(found: Found, *, spoil: bool) -> dict[str, Any]:
    """What a log says of itself; of a game that is not over only what everybody may know.

    Args:
        found: the log.
        spoil: tell everything.
    """
    log = found.log
    is_open = log.complete or spoil or log.header.view is not None
    header = header_of(log.header if is_open else public(log.header, found.game))
    free = header.pop("free")
    rows: dict[str, Any] = {"file": found.name, **header, **({"free": free} if free else {})}
    rows["cuts"] = [
        f"{clean(log.header.seats[cut.player].name)}: {cut.value.decode('utf-8', 'backslashreplace')}"
        for cut in log.records
        if isinstance(cut, Cut)
    ]
    rows["records"] = len(log.records)
    rows["undone"] = [
        f"{clean(log.header.seats[undo.player].name)}: {undo.events} events"
        for undo in log.records
        if isinstance(undo, Undo)
    ]
    rows["complete"] = log.complete
    if log.end is not None:
        rows["end"] = {
            "reason": log.end.reason,
            "returns": list(log.end.returns),
            "winners": list(log.end.winners),
        }
    if is_open:
        # The last tag and the size of an unfinished game would betray a sealed move to who tries them all.
        secret = next((record.value.hex() for record in log.records if isinstance(record, Secret)), None)
        rows |= {"secret": secret, "size": log.size, "torn": found.torn, "tag": log.tag.hex()}
    return rows


def archive_facts(file: str) -> dict[str, Any]:
    """What an archive says of itself.

    Raises:
        LogError: if it is damaged.
    """
    games: dict[str, int] = {}
    size = 0
    logs, torn = _whole_entries(file)
    for each in logs:
        log = parser(each.data, f"{clean(file)}, log {each.number}")
        log.read_header()
        games[log.header.game] = games.get(log.header.game, 0) + 1
        size += len(each.data)
    return {
        "file": clean(file),
        "logs": sum(games.values()),
        "games": games,
        "bytes of logs": size,
        "torn": sum(torn),
    }


def refuse_existing(file: str) -> None:
    """Refuse to write over a file that is there.

    Raises:
        LogWriteError: if it is.
    """
    if os.path.lexists(file):
        text = _("cannot write {file}: it exists and is not overwritten unless asked for")
        raise LogWriteError(text.format(file=clean(file)))


def write_view(file: str, data: bytes, *, overwrite: bool) -> None:
    """Write a view into a new file.

    Raises:
        LogWriteError: if it exists or cannot be written.
    """
    from cardgods.log import files, frame

    fd = files.open_new(file, frame.MAGIC, overwrite)
    try:
        files.write_all(fd, data)
        os.fsync(fd)
    except OSError as error:
        os.unlink(file)
        text = _("cannot write {file}: {reason}")
        raise LogWriteError(text.format(file=clean(file), reason=told(error.strerror or ""))) from None
    finally:
        os.close(fd)
