"""Random games of Commerce with the books checked after every action; for tests and benches."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy

from cardgods._core.bits cimport popcount
from cardgods._core.games.commerce_rules cimport (
    DEAL, KNOCK, LOT, OVER, REPLY, CommercePos, CommerceRules, commerce_apply, hands_open,
)
from cardgods._core.ops cimport CHANCE, MAX_ACTIONS
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.state cimport State
from cardgods._core.walk cimport Cancel, moves


cdef bint books_agree(const CommerceRules* r, const CommercePos* s) noexcept nogil:
    # Every card is in one place, every point has an owner, everybody has the cards he should have.
    cdef uint64_t cards = s.stock
    cdef int p, n = popcount(s.stock), money = s.pot, held
    for p in range(r.players):
        money += s.balance[p]
        held = popcount(s.hand[p])
        cards |= s.hand[p] | s.rejected[p]
        n += held + popcount(s.rejected[p])
        if s.bought[p] != popcount(s.rejected[p]):
            return False
        if held != 3 and s.phase != DEAL and s.phase != LOT and not (held == 2 and p == s.turn):
            return False
    if s.phase == REPLY and not s.hand[s.turn] >> s.offer & 1:
        return False
    return money == 0 and cards == r.pack and n == popcount(r.pack) and s.left == popcount(s.stock)


cdef inline int32_t pick(const int32_t* out, int n, int patience, Rng* rng) noexcept nogil:
    cdef int32_t action = out[bounded(rng, n)]
    while action == KNOCK and bounded(rng, patience):
        action = out[bounded(rng, n)]
    return action


cdef int one_game(const CommerceRules* r, State state, CommercePos* s, int patience, int limit, Rng* rng,
                  uint64_t* reasons, uint64_t* decisions) noexcept nogil:
    # Actions of a game, or -1 where the books do not agree, -2 where it is longer than it can be.
    cdef int32_t out[MAX_ACTIONS]
    cdef int n, steps = 0, settled = 0
    while True:
        n = moves(state.ops, r, s, out)
        if n == 0:
            return steps if s.phase == OVER and s.settled == r.deals else -1
        if state.ops.actor(r, s) != CHANCE:
            decisions[0] += 1
        commerce_apply(r, s, pick(out, n, patience, rng))
        steps += 1
        if s.settled > settled:
            settled = s.settled
            reasons[s.reason] += 1
            if s.pot != 0 or s.winner < 0 or not hands_open(s):
                return -1
        if not books_agree(r, s):
            return -1
        if steps > limit:
            return -2


def audit(State state, long games, Random rng, Cancel cancel, int patience=1):
    """Play random games from the start, checking after every action.

    Args:
        state: where every game begins.
        games: how many.
        rng: where the numbers come from; it moves on.
        cancel: ends the walk early.
        patience: 1 plays uniformly; with a larger number a knock that was drawn is carried out only once in
            so many times, so that deals get long.

    Returns:
        (actions, decisions of players, deals ended by [knock, refusal, stock, cap]).

    Raises:
        AssertionError: if the books do not agree, or a game runs past its bound.
    """
    cdef const CommerceRules* r = <const CommerceRules*>state.data
    cdef CommercePos s
    cdef Rng local = rng.rng
    cdef uint64_t reasons[5]
    cdef uint64_t decisions = 0, actions = 0
    cdef long _g
    cdef int i, steps = 0, limit = state.rules.max_game_length
    for i in range(5):
        reasons[i] = 0
    with nogil:
        for _g in range(games):
            if cancel.flag:
                break
            memcpy(&s, state.pos, sizeof(CommercePos))
            steps = one_game(r, state, &s, patience, limit, &local, reasons, &decisions)
            if steps < 0:
                break
            actions += steps
    rng.rng = local
    if steps < 0:
        raise AssertionError("the books do not agree" if steps == -1 else "a game is too long")
    return actions, decisions, [reasons[1], reasons[2], reasons[3], reasons[4]]
