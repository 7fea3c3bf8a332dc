"""Quick play of Commerce, and what actions are worth if everybody goes on like that in sampled worlds.

Chances are those against hands drawn independently from the whole pack, a fair guide that costs one look-up:
a hand of strength s at k places from the dealer wins with probability F(s-)^k F(s)^(n-1-k), where F is the
share of hands that are no stronger.
"""

from libc.math cimport sqrt
from libc.stdint cimport int8_t, int32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, popcount, select_bit
from cardgods._core.cards cimport bit
from cardgods._core.commerce_hands cimport STRENGTHS, strength_of
from cardgods._core.games.commerce_rules cimport (
    BUY, DEAL, DISCARD, DRAW, KNOCK, OFFER, OVER, REPLY, TRADE, TURN,
    CommercePos, CommerceRules, commerce_actor, commerce_apply, commerce_legal, seat_after,
)
from cardgods._core.games.commerce_worlds cimport commerce_resample
from cardgods._core.ops cimport MAX_ACTIONS, MAX_PLAYERS
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.state cimport State
from cardgods._core.walk cimport Cancel


# Tables ----------------------------------------------------------------------------------------------------

cdef double power(double base, int exponent) noexcept nogil:
    cdef double out = 1
    cdef int _i
    for _i in range(exponent):
        out *= base
    return out


cdef void chances(Quick* q, const CommerceRules* r, double* won) noexcept nogil:
    # Points of knocking by place and strength, and the mean chance to win by strength.
    cdef double share[STRENGTHS]
    cdef double below = 0, upto, win
    cdef int a, b, c, i, s, total = 0, n = r.players
    for s in range(STRENGTHS):
        share[s] = 0
    for i in range(22100):
        a = r.table.cards[i][0]
        b = r.table.cards[i][1]
        c = r.table.cards[i][2]
        if r.pack >> a & 1 and r.pack >> b & 1 and r.pack >> c & 1:
            share[r.table.strength[i]] += 1
            total += 1
    for s in range(STRENGTHS):
        upto = below + share[s] / total
        won[s] = 0
        for i in range(n):
            win = power(below, i) * power(upto, n - 1 - i)
            q.points[i][s] = (n + (i > 0)) * win - 1
            won[s] += win / n
        below = upto


cdef void quick_tables(Quick* q, const CommerceRules* r) noexcept nogil:
    """Fill the tables for a variant, the numbers apart."""
    cdef double won[STRENGTHS]
    cdef int a, b, card
    cdef double total
    chances(q, r, won)
    for a in range(52):
        for b in range(52):
            q.keep[a][b] = 0
            if a == b or not (r.pack >> a & 1 and r.pack >> b & 1):
                continue
            total = 0
            for card in range(52):
                if r.pack >> card & 1 and card != a and card != b:
                    total += won[strength_of(r.table, bit(a) | bit(b) | bit(card))]
            q.keep[a][b] = total / (popcount(r.pack) - 2)


# Play ------------------------------------------------------------------------------------------------------

cdef int least_useful(const Quick* q, uint64_t hand) noexcept nogil:
    # The card whose going leaves the pair with the best prospects.
    cdef int a = lsb(hand), b = lsb(hand & (hand - 1)), c = select_bit(hand, 2)
    if q.keep[a][b] >= q.keep[a][c] and q.keep[a][b] >= q.keep[b][c]:
        return c
    return b if q.keep[a][c] >= q.keep[b][c] else a


cdef int32_t quick_action(const Quick* q, const CommerceRules* r, const CommercePos* s) noexcept nogil:
    """What the player who acts does, from his own hand alone."""
    cdef int player = commerce_actor(r, s)
    cdef int place = seat_after(r, player, r.players - s.dealer)
    cdef uint64_t hand = s.hand[player]
    if s.phase == DISCARD or s.phase == OFFER:
        return least_useful(q, hand)
    if q.points[place][strength_of(r.table, hand)] >= q.threshold:
        return KNOCK
    if s.phase == REPLY:
        return least_useful(q, hand)
    # a trade is free, and so is the dealer's buy
    return TRADE if place > 0 else BUY


cdef void finish_deal(const Quick* q, const CommerceRules* r, CommercePos* s, Rng* rng) noexcept nogil:
    # Go on like that until the deal is settled.
    cdef int settled = s.settled
    while s.settled == settled:
        if s.phase == DRAW or s.phase == DEAL:
            commerce_apply(r, s, select_bit(s.stock, <int>bounded(rng, s.left)))
        else:
            commerce_apply(r, s, quick_action(q, r, s))


cdef struct Sums:
    double weight
    double weight_squares
    double total
    double squares


cdef bint surprising(const Quick* q, const CommerceRules* r, const CommercePos* s, const int32_t* history,
                     int at, int player) noexcept nogil:
    # Whether another player's decision is not what quick play would have done with his hand.
    cdef int32_t quick = quick_action(q, r, s)
    if s.phase == TURN or (s.phase == REPLY and (quick == KNOCK or history[at] == KNOCK)):
        return (quick == KNOCK) != (history[at] == KNOCK)
    if s.phase == REPLY and s.turn == player or s.phase == OFFER and seat_after(r, s.turn, 1) == player:
        return quick != history[at]
    return False


cdef double replayed(const Quick* q, State state, const int32_t* history, int player,
                     CommercePos* s) noexcept nogil:
    # The position after a history, and how likely the others' decisions of this deal are in it: one who
    # knocks where quick play does not, or the other way round, or gives the player another card, counts
    # `surprise`. An offer not yet answered is what quick play would offer.
    cdef const CommerceRules* r = <const CommerceRules*>state.data
    cdef int i, actor, settled = -1
    cdef double weight = 1
    memcpy(s, state.start, sizeof(CommercePos))
    for i in range(state.length):
        if s.settled != settled:
            settled = s.settled
            weight = 1
        actor = commerce_actor(r, s)
        if actor >= 0 and actor != player and surprising(q, r, s, history, i, player):
            weight *= q.surprise
        commerce_apply(r, s, history[i])
    if s.phase == REPLY and q.surprise < 1:
        s.offer = <int8_t>least_useful(q, s.hand[s.turn])
    return weight


cdef void one_world(const Quick* q, const CommerceRules* r, const CommercePos* world, double weight,
                    int player, const int32_t* actions, int n, Rng* rng, Sums* sums) noexcept nogil:
    # Every action once, and quick play to the end of the deal, with the same random numbers.
    cdef CommercePos s
    cdef Rng draws, last = rng[0]
    cdef int a
    cdef double points
    for a in range(n):
        draws = rng[0]
        memcpy(&s, world, sizeof(CommercePos))
        commerce_apply(r, &s, actions[a])
        if s.settled == world.settled:
            finish_deal(q, r, &s, &draws)
        if draws.block > last.block or draws.block == last.block and draws.used > last.used:
            last = draws
        points = s.balance[player] - world.balance[player]
        sums[a].weight += weight
        sums[a].weight_squares += weight * weight
        sums[a].total += weight * points
        sums[a].squares += weight * points * points
    # the next world begins with numbers that none has used
    rng[0] = last


cdef bint all_worlds(const Quick* q, State state, int player, const int32_t* actions, int n, long worlds,
                     Rng* rng, Sums* sums, const int* cancel) noexcept nogil:
    cdef const CommerceRules* r = <const CommerceRules*>state.data
    cdef int32_t* history = <int32_t*>malloc((state.length + 1) * sizeof(int32_t))
    cdef CommercePos s
    cdef double weight
    cdef long _w
    if history == NULL:
        return False
    for _w in range(worlds):
        if cancel[0]:
            break
        commerce_resample(r, state.start, state.actions, state.length, player, rng, history)
        weight = replayed(q, state, history, player, &s)
        one_world(q, r, &s, weight, player, actions, n, rng, sums)
    free(history)
    return True


cdef class QuickPlay:
    """Quick play of one variant, by everybody.

    Args:
        state: any state of the variant.
        threshold: points, by the chances above and net of the ante, from which a player knocks.
        surprise: how much a world counts for each decision to knock or not in which another player did
            what quick play would not have done in it; 1 = as much as any.
    """

    def __cinit__(self, State state, double threshold, double surprise=1.0):
        quick_tables(&self.q, <const CommerceRules*>state.data)
        self.q.threshold = threshold
        self.q.surprise = surprise

    def action(self, State state):
        """What quick play does at a decision, from the hand of who decides alone."""
        return quick_action(&self.q, <const CommerceRules*>state.data, <const CommercePos*>state.pos)

    def worths(self, State state, long worlds, Random rng, Cancel cancel):
        """What each action of a decision brings until the end of the deal, quick play following.

        Args:
            state: where somebody decides.
            worlds: how many worlds that he cannot tell apart are sampled; each action is tried once in each.
            rng: where the numbers come from; it moves on.
            cancel: ends the sampling early.

        Returns:
            For each legal action (action, mean points from now on, standard error of the mean).
        """
        cdef const CommerceRules* r = <const CommerceRules*>state.data
        cdef int player = commerce_actor(r, state.pos)
        cdef int32_t actions[MAX_ACTIONS]
        cdef Sums sums[8]
        cdef int n = commerce_legal(r, state.pos, player, actions), a
        cdef Rng local = rng.rng
        cdef bint done
        for a in range(n):
            sums[a].weight = sums[a].weight_squares = sums[a].total = sums[a].squares = 0
        with nogil:
            done = all_worlds(&self.q, state, player, actions, n, worlds, &local, sums, &cancel.flag)
        rng.rng = local
        if not done:
            raise MemoryError
        found = []
        for a in range(n):
            mean = sums[a].total / sums[a].weight
            spread = max(sums[a].squares / sums[a].weight - mean * mean, 0.0)
            # as many equally likely worlds would count as much
            size = sums[a].weight * sums[a].weight / sums[a].weight_squares
            found.append((actions[a], mean, sqrt(spread / size)))
        return found

    def match(self, State state, QuickPlay other, int player, long games, Random rng, Cancel cancel):
        """Games from the start in which one player plays like this and all others like `other`.

        Returns:
            Sum of his returns.
        """
        cdef const CommerceRules* r = <const CommerceRules*>state.data
        cdef CommercePos s
        cdef Rng local = rng.rng
        cdef double total = 0
        cdef long _g
        with nogil:
            for _g in range(games):
                if cancel.flag:
                    break
                memcpy(&s, state.pos, sizeof(CommercePos))
                quick_game(&self.q, &other.q, r, &s, player, &local)
                total += s.balance[player]
        rng.rng = local
        return total

    def values(self, State state, long games, Random rng, Cancel cancel):
        """What every player has on average at the end of games from a state that all play on like this.

        Returns:
            For each player (mean balance, its standard error).

        Raises:
            ValueError: if fewer than 2 games are asked for.
        """
        cdef const CommerceRules* r = <const CommerceRules*>state.data
        cdef CommercePos s
        cdef Rng local = rng.rng
        cdef double sums[MAX_PLAYERS]
        cdef double squares[MAX_PLAYERS]
        cdef long done = 0
        cdef int p, players = r.players
        if games < 2:
            raise ValueError(f"2 games at least, not {games}")
        memset(sums, 0, sizeof(sums))
        memset(squares, 0, sizeof(squares))
        with nogil:
            while done < games and not cancel.flag:
                memcpy(&s, state.pos, sizeof(CommercePos))
                quick_game(&self.q, &self.q, r, &s, 0, &local)
                for p in range(players):
                    sums[p] += s.balance[p]
                    squares[p] += <double>s.balance[p] * s.balance[p]
                done += 1
        rng.rng = local
        return [mean_of(sums[p], squares[p], max(done, 2)) for p in range(players)]


cdef tuple mean_of(double total, double squares, long count):
    cdef double mean = total / count
    return mean, sqrt(max(squares / count - mean * mean, 0) / (count - 1))


cdef void quick_game(const Quick* own, const Quick* others, const CommerceRules* r, CommercePos* s,
                     int player, Rng* rng) noexcept nogil:
    cdef int actor
    cdef uint64_t deck
    while s.phase != OVER:
        actor = commerce_actor(r, s)
        if actor >= 0:
            commerce_apply(r, s, quick_action(own if actor == player else others, r, s))
        elif s.dealer < 0:
            commerce_apply(r, s, bounded(rng, r.players))
        else:
            deck = s.stock if s.dealt else r.pack
            commerce_apply(r, s, select_bit(deck, <int>bounded(rng, popcount(deck))))
