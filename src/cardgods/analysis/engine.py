"""Looking a recorded game through: every decision by what its player knew, luck apart from skill."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from cardgods._core.state import State
from cardgods.analysis.judge import Judge, Worth, differences, judge_for
from cardgods.analysis.records import Account, Analysis, Decision, Luck
from cardgods.errors import ParameterError
from cardgods.log import ChanceOutcome, Log, Move, Undo, load_logged_game
from cardgods.types import PlayerId


@dataclass(frozen=True)
class Event:
    """A decision or chance outcome that was not taken back, and its number among all that happened."""

    step: int
    actor: int
    action: int


def events_of(log: Log) -> list[Event]:
    """The game as it went in the end, each event with the number that ``cardgods replay --json`` gives it."""
    events: list[Event] = []
    step = 0
    for record in log.records:
        if isinstance(record, Move):
            step += 1
            events.append(Event(step, record.player, record.action))
        elif isinstance(record, ChanceOutcome):
            step += 1
            events.append(Event(step, PlayerId.CHANCE, record.outcome))
        elif isinstance(record, Undo):
            step += 1
            del events[-record.events :]
    return events


def analyze(
    log: Log,
    *,
    players: Collection[int] | None = None,
    stored: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Judge the decisions of a recorded game.

    Each decision is judged by what its player knew then; what was taken back is left out, and so are
    decisions with one legal move. The same log gives the same analysis.

    Args:
        log: the log of a game, whole or unfinished.
        players: whose decisions; everybody's by default.
        stored: file with a solution of L'Encan d'Hermès; by default the one in its usual place, if there is
            one.
        progress: called with the number of events seen and of all.

    Raises:
        ParameterError: if there is no such player, or the file holds the solution of another game.
        SolveError: if the file cannot be read.
        UnsupportedLogError: if the log's rules are not known here, or it is a view.
        IllegalActionError: if an event is not legal: verify a log before.
    """
    game = load_logged_game(log)
    wanted = range(game.num_players()) if players is None else players
    for player in wanted:
        if player not in range(game.num_players()):
            raise ParameterError(f"there is no player {player}: players are 0 to {game.num_players() - 1}")
    walk = _Walk(judge_for(game, log, stored), game.new_initial_state(turn_based=True), wanted)
    events = events_of(log)
    for at, event in enumerate(events):
        walk.step(at, event)
        if progress is not None:
            progress(at + 1, len(events))
    names = [seat.name for seat in log.header.seats]
    return Analysis(
        str(game),
        log.tag,
        walk.judge.unit,
        tuple(walk.accounts(names)),
        tuple(walk.decisions),
        tuple(walk.luck),
        walk.value,
        walk.state.is_terminal(),
    )


class _Walk:
    """Goes through a game and keeps what it finds."""

    def __init__(self, judge: Judge, state: State, wanted: Collection[int]) -> None:
        self.judge = judge
        self.state = state
        self.value = judge.start(state)
        self.decisions: list[Decision] = []
        self.luck: list[Luck] = []
        self._wanted = wanted
        self._forced = [0] * state.num_players()
        self._unjudged = [0] * state.num_players()
        self._before: tuple[int, Worth] | None = None  # first event and worth before a run of chance

    def step(self, at: int, event: Event) -> None:
        """Judge an event and carry it out."""
        if event.actor == PlayerId.CHANCE:
            self._chance(event)
            return
        before = self.state.clone()
        if event.actor in self._wanted:
            self._decision(at, event)
        self.state.apply_action(event.action)
        luck = self.judge.watch(event.step, before, event.action, self.state)
        if luck is not None:
            self.luck.append(luck)

    def _chance(self, event: Event) -> None:
        if self._before is None:
            worth = self.judge.worth(self.state)
            self._before = None if worth is None else (event.step, worth)
        self.state.apply_action(event.action)
        if self._before is None or self.state.current_player() == PlayerId.CHANCE:
            return
        first, before = self._before
        after = self.judge.worth(self.state)
        assert after is not None
        gains, errors = differences(after, before)
        self.luck.append(Luck(first, event.step, "chance", tuple(gains), tuple(errors)))
        self._before = None

    def _decision(self, at: int, event: Event) -> None:
        state, player = self.state, event.actor
        if len(state.legal_actions()) == 1:
            self._forced[player] += 1
            return
        found = self.judge.candidates(state, player)
        if found is None or event.action not in [move.action for move in found[0]]:
            self._unjudged[player] += 1
            return
        moves, source = found
        decision = Decision(
            event.step,
            player,
            event.action,
            state.action_to_string(event.action),
            state.action_to_string(moves[0].action),
            tuple(moves),
            source,
            self.judge.unit,
            self.judge.gave_away(at, state, event.action),
        )
        self.decisions.append(decision)

    def accounts(self, names: list[str]) -> Iterator[Account]:
        """What it comes to for each seat that was looked at."""
        over = self.state.is_terminal() and self.judge.unit != "right"
        results = self.judge.result(self.state) if over else None
        for player in sorted(self._wanted):
            own = [decision for decision in self.decisions if decision.player == player]
            errors = [decision.error for decision in own]
            known = [decision.gave_away for decision in own if decision.gave_away is not None]
            marks = {mark: sum(d.mark == mark for d in own) for mark in ("?!", "?", "??")}
            yield Account(
                player,
                names[player],
                len(own),
                self._forced[player],
                self._unjudged[player],
                math.fsum(decision.loss for decision in own),
                None if None in errors else math.hypot(*(error or 0.0 for error in errors)),
                marks,
                sum(known) if known else None,
                math.fsum(luck.gains[player] for luck in self.luck) if self.luck else None,
                math.hypot(*(luck.errors[player] for luck in self.luck)) if self.luck else None,
                None if results is None else results[player],
            )
