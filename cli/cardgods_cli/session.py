"""A game that is about to be played or goes on: its seats, its log, and where its cards come from."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgods.errors import ParameterError
from cardgods_cli.keeping import Kept
from cardgods_cli.seats import Seat
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game, Random, State, log
    from cardgods.log import Header, LogWriter, Recorder
    from cardgods_cli.look import Look
    from cardgods_cli.reader import Reader
    from cardgods_cli.render import View
    from cardgods_cli.table import Table

TOLD = "_told"
"""Free field of a header with what everybody was told at the start."""

NOT_FAIR = N_("The seed makes this game again: it is reproducible, but no fair deal.")


@dataclass(frozen=True)
class Session:
    """A game and what is needed to play it.

    Attributes:
        header: of its log.
        seats: who plays.
        kept: takes its records, in a file or in memory only.
        state: where it stands.
    """

    header: Header
    seats: Sequence[Seat]
    kept: Kept
    state: State

    @property
    def rng(self) -> Random:
        """The generator of everything that is drawn, once all have cut."""
        from cardgods import Random

        if self.header.seed is not None:
            return Random(self.header.seed)
        deal = self.kept.recorder.deal
        assert deal is not None
        return deal


def new_session(
    game: Game,
    seats: Sequence[Seat],
    *,
    seed: int | str | None = None,
    cut: bool = False,
    path: str | None = None,
    overwrite: bool = False,
    told: Sequence[str] = (),
    free: Mapping[str, object] | None = None,
) -> Session:
    """A game from its start.

    Args:
        game: the game with its options.
        seats: one for each player.
        seed: of a reproducible game; None for a deal that the program commits to.
        cut: the people at the keyboard cut the deal.
        path: the log; its header is on disk when this returns.
        overwrite: replace a log that is there.
        told: what everybody is told at the start, line by line; a resumed game tells it again.
        free: further free fields of the log's header.

    Raises:
        ParameterError: if a game from a seed is to be cut.
        LogWriteError: if the log cannot be begun.
    """
    from cardgods import log
    from cardgods.log.deal import new_secret

    if cut and seed is not None:
        raise ParameterError(_("--cut needs a fresh deal: a game from --seed is reproducible, not fair"))
    secret = new_secret() if seed is None else None
    cuts = [player for player, seat in enumerate(seats) if seat.spec is None] if cut else []
    entries = [_entry(seat) for seat in seats]
    fields = {**(free or {}), **({TOLD: list(told)} if told else {})}
    header = log.make_header(game, entries, seed=seed, secret=secret, cuts=cuts, free=fields)
    recorder: Recorder
    if path is None:
        recorder = log.LogBuffer(header, secret)
    else:
        try:
            recorder = log.LogWriter(path, header, secret=secret, overwrite=overwrite)
        except log.LogWriteError as error:
            if os.path.exists(path) and not overwrite:
                error.add_note(_("--overwrite replaces a log"))
            raise
    return Session(header, seats, Kept(recorder, path), game.new_initial_state(turn_based=True))


def _entry(seat: Seat) -> log.Seat:
    from cardgods import log

    if seat.spec is None:
        return log.Seat(seat.name, "human")
    return log.Seat(seat.name, "agent", str(replace(seat.spec, seed=None)), seat.spec.seed)


def resumed_session(path: str) -> Session:
    """A game whose log ends before it does.

    Raises:
        ParameterError: if the log does not say who plays or where the cards come from.
        LogError: if the log is no valid beginning of a game, is in use, or cannot be written.
    """
    from cardgods.log import LogWriter

    recorder = LogWriter.resume(path)
    try:
        return _resumed(path, recorder)
    except BaseException:
        recorder.close()
        raise


def _resumed(path: str, recorder: LogWriter) -> Session:
    from cardgods.agents import parse_spec
    from cardgods.log import Replayer

    found = recorder.found
    assert found is not None
    header = found.header
    seats = []
    for place, entry in enumerate(header.seats):
        if entry.kind == "human":
            seats.append(Seat(entry.name, None))
        elif entry.agent is None:
            text = _("cannot go on with {path}: it does not say who plays seat {seat}")
            raise ParameterError(text.format(path=path, seat=place + 1))
        else:
            spec = parse_spec(entry.agent)
            seats.append(Seat(entry.name, spec if entry.seed is None else replace(spec, seed=entry.seed)))
    if header.seed is None and header.deal is None:
        text = _("cannot go on with {path}: it does not say where its cards came from")
        raise ParameterError(text.format(path=path))
    if header.seed is not None:
        Replayer(found.log, seeded=True).run(found.log.records)
    return Session(header, seats, Kept(recorder, path), found.state)


def ask_for_cuts(session: Session, names: Sequence[str], look: Look, reader: Reader) -> None:
    """Let the players cut who are to and have not yet.

    Raises:
        InputEnded: at the end of the input.
    """
    from cardgods.log.values import MAX_CUT

    recorder = session.kept.recorder
    while recorder.due:
        player = recorder.due[0]
        prompt = _("{name}, cut: type a word of yours, which goes into the deal >")
        text = reader.ask(prompt.format(name=names[player]) + " ")
        value = text.encode("utf-8", "surrogateescape")
        if len(value) > MAX_CUT:
            look.show(_("That is too long: a cut has at most {limit} bytes.").format(limit=MAX_CUT))
        else:
            recorder.cut(player, value)


def deal_lines(header: Header) -> list[str]:
    """What is said of the deal before the game."""
    if header.deal is None:
        return [] if header.seed is None else [_(NOT_FAIR)]
    return [_("The deal is committed to: SHA-256 {digest}.").format(digest=header.deal.digest.hex())]


def reveal_lines(session: Session) -> list[str]:
    """What is said of a committed deal after the game, once it was checked.

    Raises:
        LogError: if the log does not hold what was played.
    """
    from cardgods.log import LogBuffer, verify, verify_bytes

    if session.header.deal is None:
        return []
    recorder = session.kept.recorder
    if isinstance(recorder, LogBuffer):
        found = verify_bytes(recorder.getvalue())
    else:
        assert session.kept.path is not None
        found = verify(session.kept.path)
    return reveal(found.secret)


def reveal(secret: bytes | None) -> list[str]:
    """What is said of the secret of a deal that was checked."""
    if secret is None:
        return []
    text = _("The secret of the deal was {secret}; the cards are those that were committed to.")
    return [text.format(secret=secret.hex())]


def told_lines(header: Header) -> list[str]:
    """What everybody was told at the start of the game, beside the rules."""
    from cardgods_cli.streams import clean

    told = header.free.get(TOLD)
    return [clean(str(line)) for line in told] if isinstance(told, list | tuple) else []


def opening_line(header: Header, game: Game, view: View) -> str:
    """The game, its seed and its players."""
    from cardgods_cli.streams import clean

    names = ", ".join(view.names)
    if header.seed is None:
        return _("{game}: {names}.").format(game=game, names=names)
    seed = clean(str(header.seed))
    return _("{game}, seed {seed}: {names}.").format(game=game, seed=seed, names=names)


def fast_forward(session: Session, table: Table) -> None:
    """Tell the table what has happened before a game was resumed."""
    from cardgods.log import ChanceOutcome, LogWriter, Move, Undo, replay

    recorder = session.kept.recorder
    if not isinstance(recorder, LogWriter) or recorder.found is None:
        return
    for record, state in replay(recorder.found.log):
        if isinstance(record, Move):
            table.observe(state, record.player, record.action)
        elif isinstance(record, ChanceOutcome):
            table.observe(state, -1, record.outcome)
        elif isinstance(record, Undo):
            table.take_back(state, record.player, record.events)
