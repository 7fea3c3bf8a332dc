"""Generic walks over any game: perft and bulk random play, without the GIL.

A walk watches a :class:`Cancel` flag, so that the thread which waits for it can answer Ctrl-C.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.ops cimport CHANCE, MAX_ACTIONS, MAX_PLAYERS, TERMINAL, GameOps
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.state cimport State

# The walk calls itself for each ply and needs 3 KB of stack for it; a thread has 8 MB, or less.
MOST_PLIES = 1000


cdef class Cancel:
    """A flag that ends the walks which share it."""

    def set(self):
        """End them soon; their results are then meaningless."""
        self.flag = 1

    def is_set(self):
        """True once they have been told to end."""
        return self.flag != 0


cdef int moves(const GameOps* ops, const void* rules, const void* pos, int32_t* out) noexcept nogil:
    cdef int32_t weights[MAX_ACTIONS]
    cdef int actor = ops.actor(rules, pos)
    if actor == TERMINAL:
        return 0
    if actor == CHANCE:
        return ops.chance(rules, pos, out, weights)
    return ops.legal(rules, pos, actor, out)


cdef uint64_t perft_walk(const GameOps* ops, const void* rules, unsigned char* pos, int depth,
                         const int* cancel) noexcept nogil:
    # pos is the first of a stack of depth + 1 positions
    cdef int32_t out[MAX_ACTIONS]
    cdef int n, i
    cdef uint64_t leaves = 0
    cdef unsigned char* child = pos + ops.state_bytes
    if depth == 0:
        return 1
    n = moves(ops, rules, pos, out)
    if depth == 1:
        return n
    if cancel[0]:
        return 0
    for i in range(n):
        memcpy(child, pos, ops.state_bytes)
        ops.apply(rules, child, out[i])
        leaves += perft_walk(ops, rules, child, depth - 1, cancel)
    return leaves


def perft(State state, int depth, Cancel cancel):
    """Number of action sequences of exactly `depth` plies from a state, chance outcomes counted as plies.

    Raises:
        ValueError: if the depth is not from 0 to MOST_PLIES.
    """
    cdef unsigned char* stack
    cdef uint64_t leaves
    if not 0 <= depth <= MOST_PLIES:
        raise ValueError(f"a depth is from 0 to {MOST_PLIES}, not {depth}")
    stack = <unsigned char*>malloc((depth + 1) * <size_t>state.ops.state_bytes)
    if stack == NULL:
        raise MemoryError
    memcpy(stack, state.pos, state.ops.state_bytes)
    with nogil:
        leaves = perft_walk(state.ops, state.data, stack, depth, &cancel.flag)
    free(stack)
    return leaves


cdef int random_playout(const GameOps* ops, const void* rules, void* pos, Rng* rng,
                        bint quick) noexcept nogil:
    cdef int32_t out[MAX_ACTIONS]
    cdef int32_t weights[MAX_ACTIONS]
    cdef int steps = 0, actor, n, i
    cdef int32_t rest, total
    while True:
        actor = ops.actor(rules, pos)
        if actor == TERMINAL:
            return steps
        steps += 1
        if actor != CHANCE:
            if quick:
                ops.apply(rules, pos, ops.policy(rules, pos, rng))
                continue
            n = ops.legal(rules, pos, actor, out)
            ops.apply(rules, pos, out[bounded(rng, n)])
            continue
        n = ops.chance(rules, pos, out, weights)
        total = 0
        for i in range(n):
            total += weights[i]
        rest = <int32_t>bounded(rng, total)
        i = 0
        while rest >= weights[i]:
            rest -= weights[i]
            i += 1
        ops.apply(rules, pos, out[i])


def playouts(State state, long games, Random rng, Cancel cancel, bint generic=False, bint quick=False):
    """Play from a state to the end at random, many times.

    Args:
        state: where every game begins.
        games: how many.
        rng: where the numbers come from; it moves on.
        cancel: ends the walk early.
        generic: do without the game's own faster walk, for comparison.
        quick: players choose by the game's quick heuristic in place of uniformly.

    Returns:
        (actions and chance outcomes carried out, sum of the returns of each player, games with a positive
        return of each player).

    Raises:
        ValueError: if a heuristic is asked for that the game has not.
    """
    cdef const GameOps* ops = state.ops
    cdef double sums[MAX_PLAYERS]
    cdef double out[MAX_PLAYERS]
    cdef uint64_t wins[MAX_PLAYERS]
    cdef int players = state.rules.num_players
    cdef uint64_t steps = 0
    cdef long _
    cdef int p
    cdef Rng local = rng.rng
    cdef bint own = ops.playout != NULL and not generic and not quick
    if quick and ops.policy == NULL:
        raise ValueError(f"{state.game.name} has no quick heuristic")
    cdef unsigned char* pos = <unsigned char*>malloc(ops.state_bytes)
    if pos == NULL:
        raise MemoryError
    memset(sums, 0, sizeof(sums))
    memset(wins, 0, sizeof(wins))
    with nogil:
        for _ in range(games):
            if cancel.flag:
                break
            memcpy(pos, state.pos, ops.state_bytes)
            if own:
                steps += ops.playout(state.data, pos, &local)
            else:
                steps += random_playout(ops, state.data, pos, &local, quick)
            ops.returns(state.data, pos, out)
            for p in range(players):
                sums[p] += out[p]
                wins[p] += out[p] > 0
    free(pos)
    rng.rng = local
    return steps, [sums[p] for p in range(players)], [wins[p] for p in range(players)]
