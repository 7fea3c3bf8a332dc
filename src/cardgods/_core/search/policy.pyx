"""The quick heuristic that a game may bring (GameOps.policy), for Python."""

from cardgods._core.ops cimport CHANCE, TERMINAL
from cardgods._core.rng cimport Random
from cardgods._core.state cimport State

from cardgods.errors import IllegalActionError, SolveError


def has_policy(State state):
    """Does the state's game bring a quick heuristic?"""
    return state.ops.policy != NULL


def policy_action(State state, Random rng):
    """The action of the game's quick heuristic for whoever acts.

    Raises:
        SolveError: if the game brings none.
        IllegalActionError: if no player acts here.
    """
    if state.ops.policy == NULL:
        raise SolveError(f"{state.game.name} has no quick heuristic")
    actor = state.ops.actor(state.data, state.pos)
    if actor == CHANCE or actor == TERMINAL:
        raise IllegalActionError("no player acts here")
    return state.ops.policy(state.data, state.pos, &rng.rng)
