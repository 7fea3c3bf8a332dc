"""Playing a log again by the rules: every decision and chance outcome must be legal, and the result true."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NoReturn, TypeAlias

from cardgods._core.state import State
from cardgods.errors import IllegalActionError
from cardgods.game import Game, game_with
from cardgods.log.codec import pack, unpack
from cardgods.log.errors import IllegalLogError, UnsupportedLogError
from cardgods.log.records import ChanceOutcome, End, Header, Log, Move, Record
from cardgods.types import PlayerId

Step: TypeAlias = tuple[Header | Record, State]


def load_logged_game(log: Log) -> Game:
    """The game with the very rules that the log names.

    Raises:
        UnsupportedLogError: if this version does not know the game, an option, or has other rules for it.
        IllegalLogError: if the number of seats is not the game's.
    """
    header = log.header
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
            f"the log has {len(header.seats)} seats, the game has {game.num_players()}", 0, log.offsets[0]
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


class Replayer:
    """A state that follows a log.

    Args:
        log: the log.

    Attributes:
        state: the state after the records so far.

    Raises:
        UnsupportedLogError: if the rules are not known here.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._number = 0  # of the last record that was followed; the header is 0
        self.state: State = load_logged_game(log).new_initial_state(turn_based=True)

    def run(self) -> None:
        """Follow the log to its end.

        Raises:
            IllegalLogError: at the first record that the rules refuse.
        """
        for record in self._log.records[self._number :]:
            self.step(record)

    def step(self, record: Record) -> None:
        """Follow one record, which must be the next one of the log.

        Raises:
            IllegalLogError: if the rules refuse it; the state is left as it was.
        """
        state = self.state
        try:
            if type(record) is Move:
                if state.current_player() != record.player:
                    self._refuse(f"player {record.player} does not act here, {self._actor()}")
                state.apply_action(record.action)
            elif type(record) is ChanceOutcome:
                if state.current_player() != PlayerId.CHANCE:
                    self._refuse(f"chance does not act here, {self._actor()}")
                state.apply_action(record.outcome)
            elif type(record) is End:
                self._finish(record)
        except IllegalActionError as error:
            self._refuse(str(error))
        self._number += 1

    def _finish(self, end: End) -> None:
        if not self.state.is_terminal():
            self._refuse(f"the game does not end here, {self._actor()}")
        returns = tuple(self.state.returns())
        if returns != end.returns:
            self._refuse(f"the result is {list(returns)}, not {list(end.returns)}")

    def _actor(self) -> str:
        actor = self.state.current_player()
        if actor == PlayerId.TERMINAL:
            return "the game is over"
        return "chance does" if actor == PlayerId.CHANCE else f"player {actor} does"

    def _refuse(self, why: str) -> NoReturn:
        number = self._number + 1
        offset = self._log.offsets[number]
        raise IllegalLogError(
            f"record {number} (byte {offset}) breaks the rules: {why}", number, offset
        ) from None
