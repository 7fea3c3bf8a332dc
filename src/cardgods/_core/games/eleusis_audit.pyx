"""Random play of Eleusis in which every step is counted: cards are neither lost nor made."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from cardgods._core.games.eleusis_position cimport KINDS, OVER, TABLE_BYTES, EleusisPos, EleusisRules
from cardgods._core.ops cimport CHANCE, MAX_ACTIONS, GameOps
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.state cimport State


cdef bint balanced(const EleusisRules* r, const EleusisPos* s) noexcept nogil:
    # Stock, hands, table and the move in hand make up whole packs, kind by kind; sums agree with counts.
    cdef int count[KINDS]
    cdef int k, seat, sum_of
    cdef int at = 0
    for k in range(KINDS):
        count[k] = s.stock[k] + s.bottom[k]
    for seat in range(r.players):
        sum_of = 0
        for k in range(KINDS):
            count[k] += s.hand[seat][k]
            sum_of += s.hand[seat][k]
            if ((s.held[seat] >> k) & 1) != (s.hand[seat][k] > 0):
                return False
        if sum_of != s.size[seat]:
            return False
    while at < s.table_used:
        for k in range(s.table[at + 1]):
            count[s.table[at + 2 + k]] += 1
        at += s.table[at + 1] + 2
    if s.table_used > TABLE_BYTES:
        return False
    for k in range(s.laid):
        count[s.card[k]] += 1
    if s.turned >= 0:
        count[s.turned] += 1
    for k in range(KINDS):
        if count[k] != s.packs:
            return False
    return True


def audit(State state, long games, Random rng):
    """Play at random from a state, checking every position.

    Args:
        state: where every game begins.
        games: how many.
        rng: where the numbers come from.

    Returns:
        Decisions, chance outcomes, and positions in which the cards did not add up.
    """
    cdef const GameOps* ops = state.ops
    cdef long decisions = 0, draws = 0, faults = 0, _
    cdef Rng local = rng.rng
    cdef unsigned char* pos = <unsigned char*>malloc(ops.state_bytes)
    if pos == NULL:
        raise MemoryError
    with nogil:
        for _ in range(games):
            memcpy(pos, state.pos, ops.state_bytes)
            audit_game(ops, state.data, pos, &local, &decisions, &draws, &faults)
    free(pos)
    rng.rng = local
    return decisions, draws, faults


cdef void audit_game(const GameOps* ops, const void* rules, void* pos, Rng* rng, long* decisions, long* draws,
                     long* faults) noexcept nogil:
    cdef int32_t out[MAX_ACTIONS]
    cdef int32_t weights[MAX_ACTIONS]
    cdef int i, n, total, rest, actor
    while (<const EleusisPos*>pos).phase != OVER:
        actor = ops.actor(rules, pos)
        i = 0
        if actor == CHANCE:
            draws[0] += 1
            n = ops.chance(rules, pos, out, weights)
            total = 0
            for i in range(n):
                total += weights[i]
            rest = <int>bounded(rng, total)
            i = 0
            while rest >= weights[i]:
                rest -= weights[i]
                i += 1
        else:
            decisions[0] += 1
            i = <int>bounded(rng, ops.legal(rules, pos, actor, out))
        ops.apply(rules, pos, out[i])
        if not balanced(<const EleusisRules*>rules, <const EleusisPos*>pos):
            faults[0] += 1
