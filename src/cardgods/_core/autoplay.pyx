"""What the core plays by itself: chance, uniform moves and quick heuristics, with the game loop's numbers."""

from libc.stdint cimport int32_t, uint64_t

from cardgods._core.ops cimport CHANCE, MAX_ACTIONS, TERMINAL
from cardgods._core.rng cimport Rng, bounded, rng_init
from cardgods._core.state cimport State

from cardgods.errors import SolveError

UNIFORM = 1
"""Chooses uniformly among the legal actions."""
POLICY = 2
"""Chooses by the game's quick heuristic."""


cdef int32_t choice(State state, int actor, bint uniform, Rng* rng) noexcept nogil:
    cdef int32_t out[MAX_ACTIONS]
    cdef int32_t weights[MAX_ACTIONS]
    cdef int n, i
    cdef int32_t rest
    if actor != CHANCE:
        if not uniform:
            return state.ops.policy(state.data, state.pos, rng)
        n = state.ops.legal(state.data, state.pos, actor, out)
        return out[bounded(rng, n)]
    n = state.ops.chance(state.data, state.pos, out, weights)
    rest = 0
    for i in range(n):
        rest += weights[i]
    rest = <int32_t>bounded(rng, rest)
    i = 0
    while rest >= weights[i]:
        rest -= weights[i]
        i += 1
    return out[i]


def advance(State state, list reflexes, list keys, list acted):
    """Carry out events in place up to a decision that the core cannot take, or to the end.

    Args:
        state: turn-based.
        reflexes: for each player UNIFORM or POLICY, 0 for who has to be asked.
        keys: 32 bytes that key the random numbers of chance, then of each player.
        acted: how often chance and each player have acted; counted on.

    Raises:
        SolveError: if a heuristic is asked for that the game has not.
    """
    cdef int actor, reflex
    cdef Rng rng
    cdef bytes key
    cdef uint64_t count
    if state.ops.policy == NULL and POLICY in reflexes:
        raise SolveError(f"{state.game.name} has no quick heuristic")
    while True:
        actor = state.ops.actor(state.data, state.pos)
        if actor == TERMINAL:
            return
        reflex = UNIFORM if actor == CHANCE else reflexes[actor]
        if reflex == 0:
            return
        key = keys[actor + 1]
        count = acted[actor + 1]
        # As cardgods.play.event_stream numbers them.
        rng_init(&rng, <const unsigned char*><const char*>key, <uint64_t>(actor + 1) << 40 | count)
        state.push(choice(state, actor, reflex == UNIFORM, &rng))
        acted[actor + 1] = count + 1
