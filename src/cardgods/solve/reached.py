"""Values of a profile and best responses to it where the whole tree is too large to be built.

A profile that does few things with positive probability leads to a small part of the tree only. What all
win under it, and what one player would win by the best answer, depends on that part and on what the one who
answers can do from there. It is walked over the game's own states, and the profile is asked once in every
information set that is met.

Example:
    >>> import cardgods
    >>> from cardgods.solve.reached import reached_best_response, reached_values
    >>> state = cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3)).new_initial_state()
    >>> highest = lambda state, player: state.legal_actions()[-1]
    >>> found = reached_values([(state, 1.0)], highest)
    >>> found.values, found.information_sets
    ((0.0, 0.0), 18)
    >>> round(reached_best_response([(state, 1.0)], highest, 0).value, 6)
    0.833333
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from cardgods._core.search.reach import Reached
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError, SolveError
from cardgods.walk import turn_based
from cardgods.work import run

MEMORY_LIMIT = 4 << 30
"""Bytes that information sets may take, unless told otherwise."""

NOBODY = -1

Answer = int | Mapping[int, float]
"""What a profile does: one action, or the probability of each (missing ones have none)."""
Policy = Callable[[State, int], Answer]
Positions = Iterable[tuple[State, float]]
"""States and the probability of each."""


@dataclass(frozen=True)
class ReachedValues:
    """What a profile comes to.

    Attributes:
        values: expected return of each player, added up over the positions.
        positions: nodes that were visited.
        information_sets: those of more than one action that the profile was asked for.
    """

    values: tuple[float, ...]
    positions: int
    information_sets: int


@dataclass(frozen=True)
class ReachedResponse:
    """What the best answer of one player to a profile comes to.

    Attributes:
        player: who answers.
        value: his expected return, added up over the positions.
        positions: nodes that were visited.
        information_sets: his own of more than one action, all that the others let him come to.
        asked: those of the others, where the profile was asked.
    """

    player: int
    value: float
    positions: int
    information_sets: int
    asked: int


def reached_values(starts: Positions, policy: Policy, memory: int = MEMORY_LIMIT) -> ReachedValues:
    """What all win when all follow a profile, exactly.

    Args:
        starts: where the game is, with probabilities; one state with probability 1 for a whole game.
        policy: called with a turn-based state and the player to act; it may use only what he knows, and is
            asked once in every information set.
        memory: bytes that information sets may take.

    Raises:
        SolveError: if an answer is no legal action or no probabilities, or memory does not suffice.
    """
    core = _walked(starts, policy, NOBODY, memory)
    return ReachedValues(tuple(core.sums), core.nodes, core.asked)


def reached_best_response(
    starts: Positions, policy: Policy, player: int, memory: int = MEMORY_LIMIT
) -> ReachedResponse:
    """What a player wins by the best answer when the others follow a profile, exactly.

    Args:
        starts: where the game is, with probabilities. The player answers knowing his information state
            there: starts that he cannot tell apart belong in one call.
        policy: as for :func:`reached_values`; not asked for this player.
        player: who answers.
        memory: bytes that information sets may take.

    Raises:
        ParameterError: if there is no such player.
        SolveError: if an answer is no legal action or no probabilities, or memory does not suffice.
    """
    if player < 0:
        raise ParameterError(f"player {player} cannot answer: players count from 0")
    core = _walked(starts, policy, player, memory)
    return ReachedResponse(player, core.best(), core.nodes, core.answered, core.asked)


def _walked(starts: Positions, policy: Policy, responder: int, memory: int) -> Reached:
    def ask(state: State) -> list[float]:
        return _probabilities(state, policy(state, state.current_player()))

    core = Reached(ask, responder, memory)

    def walk(start: tuple[State, float], cancel: Cancel) -> None:
        state, weight = start
        if responder >= state.num_players():
            raise ParameterError(f"player {responder} cannot answer: there are {state.num_players()}")
        core.add(turn_based(state), weight, cancel)

    run(walk, starts)
    return core


def _probabilities(state: State, answer: Answer) -> list[float]:
    actions = state.legal_actions()
    given = answer if isinstance(answer, Mapping) else {answer: 1.0}
    strange = [action for action in given if action not in actions]
    if strange:
        raise SolveError(f"action {strange[0]} is not legal here: {actions} are")
    shares = [float(given.get(action, 0.0)) for action in actions]
    if min(shares) < 0.0 or not abs(sum(shares) - 1.0) < 1e-9:
        raise SolveError(f"{dict(given)} are no probabilities")
    return shares
