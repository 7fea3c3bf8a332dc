"""One game of a match after the other: deals, asks the agents, and writes down what comes of it."""

from __future__ import annotations

import traceback

from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.arena.plan import Dealer, Plan
from cardgods.arena.record import Outcome, Scribe
from cardgods.errors import AgentError
from cardgods.log.records import End
from cardgods.log.whole import whole_log
from cardgods.play import GameStopped, end_reason, play_unwatched

LONGEST = 2000
"""Characters of what is told of a failure."""


class Referee:
    """Plays the games of a match with agents of its own.

    Args:
        plan: the match.
        logged: write a log of each game.

    Attributes:
        plan: the match.
        scribe: writes the headers of logs; None if there are none.

    Raises:
        ParameterError: if no such agent plays the game, a parameter of one is wrong, or the game cannot be
            played as it is.
    """

    def __init__(self, plan: Plan, *, logged: bool = False) -> None:
        self.plan = plan
        self._dealer = Dealer(plan)
        self._dealer.game(0).new_initial_state()
        self.scribe = Scribe(plan, self._dealer) if logged else None
        self._agents: list[Agent] = [entrant.make(plan.game) for entrant in plan.entrants]

    def play(self, number: int) -> Outcome:
        """Play a game of the match; an agent that fails ends it with an outcome that says so."""
        plan = self.plan
        chance, seats = plan.streams(number)
        state = self._dealer.game(number).new_initial_state(turn_based=True)
        agents = [self._agents[entrant] for entrant in plan.lineup(number)]
        try:
            play_unwatched(state, agents, chance, seats)
        except (AgentError, GameStopped) as error:
            return self._failed(number, state, error)
        returns, end = tuple(state.returns()), end_reason(state)
        data = None
        if self.scribe:
            data = whole_log(self.scribe.header(number), state.full_history(), End(end, returns))
        return Outcome(returns, end, data)

    def _failed(self, number: int, state: State, error: Exception) -> Outcome:
        """What is left of a game in which an agent failed: its log says why in a field of the header."""
        plan = self.plan
        seat = state.current_player()
        entrant = plan.entrants[plan.lineup(number)[seat]]
        deal = number // len(plan.lineups)
        where = f"game {number} (deal {deal}, seed {plan.deal_seed(number)}), seat {seat} ({entrant.name})"
        # What an agent's exception says can be anything, a log cannot hold everything.
        failure = f"{where}: {error}"[:LONGEST].encode("utf-8", "backslashreplace").decode()
        data = None
        if self.scribe:
            data = whole_log(self.scribe.header(number, failure), state.full_history(), None)
        return Outcome((), "", data, failure, "".join(traceback.format_exception(error)))
