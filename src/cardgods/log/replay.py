"""Playing a log again by the rules: every decision and chance outcome must be legal, and the result true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NoReturn, Protocol, TypeAlias

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.errors import IllegalActionError
from cardgods.game import Game, game_with
from cardgods.log.codec import pack, unpack
from cardgods.log.deal import commitment, deal_seed
from cardgods.log.errors import IllegalLogError, UnsupportedLogError
from cardgods.log.records import ChanceOutcome, Cut, End, Header, Log, Move, Record, Secret, Skipped, Undo
from cardgods.play import event_stream
from cardgods.types import PlayerId

Step: TypeAlias = tuple[Header | Record, State]


def load_logged_game(log: Source) -> Game:
    """The game with the very rules that the log names.

    Raises:
        UnsupportedLogError: if this version does not know the game, an option, or has other rules for it.
        IllegalLogError: if the number of seats is not the game's.
    """
    header = log.header
    if header.view is not None:
        raise UnsupportedLogError("it is a view, what one seat has seen, and not the log of a game")
    try:
        game, digest = _game(header.game, pack(header.options))
    except (ValueError, TypeError) as error:
        raise UnsupportedLogError(f"the log's rules are not known here: {error}") from None
    if digest != header.digest:
        raise UnsupportedLogError(
            f"the log was played by other rules of {header.game} than this version has "
            f"(digest {header.digest}, here {digest})"
        )
    if game.num_players() != len(header.seats):
        raise IllegalLogError(
            f"the log has {len(header.seats)} seats, the game has {game.num_players()}", 0, log.offset(0)
        )
    return game


@lru_cache(maxsize=64)
def _game(name: str, options: bytes) -> tuple[Game, str]:
    # Every option that the writer knew is in the header, so the variant is only a label; one that the rules
    # gained since has its default, as in the digest.
    game = game_with(name, unpack(options))
    return game, game.ruleset_digest()


def replay(log: Log) -> Iterator[Step]:
    """Play a log again, record by record.

    Args:
        log: the log, whole or unfinished.

    Yields:
        Each record with the state after it, the header with the initial state first. The states take
        turns (``turn_based=True``) and are copies: they may be kept.

    Raises:
        UnsupportedLogError: if the rules are not known here.
        IllegalLogError: at the first record that the rules refuse.
    """
    player = Replayer(log)
    yield log.header, player.state.clone()
    for record in log.records:
        player.step(record)
        yield record, player.state.clone()


class Source(Protocol):
    """What a Replayer has to know of a log beside its records; a Log is one."""

    @property
    def header(self) -> Header:
        """Record 0."""

    def offset(self, record: int) -> int:
        """Byte at which a record begins, the last one that was read."""

    @property
    def opening_tag(self) -> bytes:
        """Tag of the last record before the game, once the game has begun."""


class Replayer:
    """A state that follows a log.

    Args:
        log: the log.
        seeded: hold the chance outcomes against the seed of the header, if it has one, as well; they are
            always held against a committed deal.

    Attributes:
        state: the state after the records so far.
        secret: what opens the commitment of the header, once it was given.
        deal: the generator that chance outcomes are held against; None before all have cut.
        dealt: number of chance outcomes so far that stand.

    Raises:
        UnsupportedLogError: if the rules are not known here.
    """

    def __init__(self, log: Source, *, seeded: bool = False) -> None:
        self._log = log
        self._number = 0  # of the last record that was followed; the header is 0
        self.game = load_logged_game(log)
        self.state: State = self.game.new_initial_state(turn_based=True)
        self.deal = Random(log.header.seed) if seeded and log.header.seed is not None else None
        self.dealt = 0
        self.secret: bytes | None = None
        deal = log.header.deal
        self._due: list[int] | None = None if deal is None else [-1, *deal.cuts]  # -1: the secret

    @property
    def opened(self) -> bool:
        """True once nothing has to come before the next move."""
        return not self._due

    @property
    def due(self) -> tuple[int, ...]:
        """Players who have not cut yet."""
        return tuple(player for player in self._due or () if player >= 0)

    def run(self, records: Iterable[Record]) -> None:
        """Follow records, which must be the next ones of the log.

        Raises:
            IllegalLogError: at the first record that the rules refuse.
        """
        for record in records:
            self.step(record)

    def step(self, record: Record) -> None:
        """Follow one record, which must be the next one of the log.

        Raises:
            IllegalLogError: if the rules refuse it; the state is left as it was.
        """
        try:
            if type(record) is Move:
                self._move(record)
            elif type(record) is ChanceOutcome:
                self._chance(record)
            elif type(record) is Undo:
                self._undo(record)
            elif type(record) is End:
                self._finish(record)
            elif type(record) is not Skipped:
                self._open(record)
        except IllegalActionError as error:
            self._refuse(str(error))
        self._number += 1

    def skip(self, records: int, dealt: int) -> None:
        """Take note that records were followed by somebody else, who moved the state on.

        Args:
            records: how many.
            dealt: number of chance outcomes that stand.
        """
        self._number += records
        self.dealt = dealt

    def _move(self, move: Move) -> None:
        self._begin()
        if self.state.current_player() != move.player:
            self._refuse(f"player {move.player} does not act here, {self._actor()}")
        self.state.apply_action(move.action)

    def _chance(self, chance: ChanceOutcome) -> None:
        self._begin()
        if self.state.current_player() != PlayerId.CHANCE:
            self._refuse(f"chance does not act here, {self._actor()}")
        if self.deal is not None:
            dealt = self.state.sample_chance(self.deal.spawn(event_stream(PlayerId.CHANCE, self.dealt)))
            if dealt != chance.outcome:
                self._refuse(f"its deal gives {dealt}, not {chance.outcome}")
        self.state.apply_action(chance.outcome)
        self.dealt += 1

    def _undo(self, undo: Undo) -> None:
        self._begin()
        if undo.player >= self.game.num_players():
            self._refuse(f"player {undo.player} does not exist")
        if undo.events > len(self.state):
            self._refuse(f"{undo.events} events cannot be taken back: {len(self.state)} stand")
        taken = self.state.full_history(len(self.state) - undo.events)
        self.state.undo(undo.events)
        # Outcomes are dealt by their number among those that stand, so an undo gives nobody other cards.
        self.dealt -= sum(actor == PlayerId.CHANCE for actor, _ in taken)

    def _finish(self, end: End) -> None:
        self._begin()
        if not self.state.is_terminal():
            self._refuse(f"the game does not end here, {self._actor()}")
        returns = tuple(self.state.returns())
        if returns != end.returns:
            self._refuse(f"the result is {list(returns)}, not {list(end.returns)}")

    def _open(self, record: Record) -> None:
        """Follow what belongs to a committed deal: its secret, then the cuts that the header names."""
        if not isinstance(record, Secret | Cut):
            self._refuse("it is a record of a view")
        deal = self._log.header.deal
        if deal is None or self._due is None:
            self._refuse("its header commits to no deal")
        who = record.player if isinstance(record, Cut) else -1
        if not self._due or who != self._due[0]:
            self._refuse("it is not what the committed deal needs here")
        if isinstance(record, Secret):
            if commitment(record.value, self.game.secret_parameters()) != deal.digest:
                self._refuse("the secret is not the one that was committed to")
            self.secret = record.value
        del self._due[0]
        if not self._due and self.secret is not None:
            self.deal = Random(deal_seed(self.secret, self._log.opening_tag))

    def _begin(self) -> None:
        """Refuse a game that begins before its deal is fixed."""
        if self._due:
            missing = "its secret" if self._due[0] < 0 else f"the cut of player {self._due[0]}"
            self._refuse(f"the committed deal lacks {missing}")

    def _actor(self) -> str:
        actor = self.state.current_player()
        if actor == PlayerId.TERMINAL:
            return "the game is over"
        return "chance does" if actor == PlayerId.CHANCE else f"player {actor} does"

    def _refuse(self, why: str) -> NoReturn:
        number = self._number + 1
        offset = self._log.offset(number)
        raise IllegalLogError(
            f"record {number} (byte {offset}) breaks the rules: {why}", number, offset
        ) from None
