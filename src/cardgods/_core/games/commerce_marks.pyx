"""Which hidden choices of Commerce fit what a player has seen of the cards that he gave away.

The hidden choices are which card of three another player discarded, offered or returned. By place they are
all equally likely, and they fit unless they send a card that the player has once held the wrong way. So only
such marked cards are followed:

- a card that he has given away and sees again later (it comes back, or lies open at the end of the deal)
  must be where he sees it: it is followed by name;
- one that he never sees again must not come back nor lie open: only its number at each seat matters.

The ways to reach each placing of marked cards are summed forwards through the deal, and one way is drawn
backwards (forward filtering, backward sampling), so the draw is exactly uniform.
"""

from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.cards cimport bit
from cardgods._core.rng cimport Rng, uniform01

cdef enum:
    BUCKETS = 1024
    MOVES = 9            # most ways, by kind, to swap a card of three with one of three


cdef struct Move:
    int pick, pick_other
    double ways


# What will be seen again -----------------------------------------------------------------------------------

cdef void look_ahead(Deal* d, int player, int players) noexcept nogil:
    # Backwards: which cards given away are seen again, and from where each can still get there.
    cdef uint16_t reach[52]
    cdef uint64_t again = 0, cards
    cdef int i, c
    cdef uint16_t two
    memset(reach, 0, sizeof(reach))
    for i in range(players if d.shown else 0):
        cards = d.open[i] if i != player else 0
        again |= cards
        while cards:
            reach[lsb(cards)] = <uint16_t>(1 << i)
            cards &= cards - 1
    for i in range(d.n - 1, -1, -1):
        memcpy(d.steps[i].reach, reach, sizeof(reach))
        if d.steps[i].kind == EXCHANGE:
            d.steps[i].seen = again >> d.steps[i].going & 1
            again = again & ~bit(d.steps[i].going) | bit(d.steps[i].coming)
            reach[d.steps[i].coming] = <uint16_t>(1 << d.steps[i].seat)
        elif d.steps[i].kind == SWAP:
            two = <uint16_t>(1 << d.steps[i].seat | 1 << d.steps[i].other)
            for c in range(52):
                if reach[c] & two:
                    reach[c] |= two


cdef void look_back(Deal* d) noexcept nogil:
    # Forwards: which cards that come to the player have been his before.
    cdef uint64_t given = 0
    cdef int i
    for i in range(d.n):
        if d.steps[i].kind == EXCHANGE:
            d.steps[i].known = given >> d.steps[i].coming & 1
            given = given & ~bit(d.steps[i].coming) | bit(d.steps[i].going)


# What can move ---------------------------------------------------------------------------------------------

cdef inline int kinds(const Placing* p, int seat, Move* out) noexcept nogil:
    # What one card taken from a seat can be, and in how many ways.
    cdef uint64_t cards = p.named[seat]
    cdef int n = 0, plain = 3 - popcount(cards) - p.lost[seat]
    while cards:
        out[n].pick = lsb(cards)
        out[n].ways = 1
        cards &= cards - 1
        n += 1
    if p.lost[seat]:
        out[n].pick = LOST
        out[n].ways = p.lost[seat]
        n += 1
    if plain > 0:
        out[n].pick = PLAIN
        out[n].ways = plain
        n += 1
    return n


cdef int moves_of(const Step* t, const Placing* p, Move* out) noexcept nogil:
    cdef Move mine[4]
    cdef Move others[4]
    cdef int i, j, n = 0, wanted
    cdef int a = kinds(p, t.seat, mine)
    cdef int b = kinds(p, t.other, others) if t.kind == SWAP else 1
    wanted = t.coming if t.known else PLAIN
    for i in range(a):
        if t.kind == LOSE and mine[i].pick < LOST or t.kind == EXCHANGE and mine[i].pick != wanted:
            continue
        for j in range(b):
            out[n] = mine[i]
            if t.kind == SWAP:
                out[n].pick_other = others[j].pick
                out[n].ways *= others[j].ways / 3
            n += 1
    return n


cdef inline void take(Placing* p, int seat, int pick) noexcept nogil:
    if pick < LOST:
        p.named[seat] ^= bit(pick)
    elif pick == LOST:
        p.lost[seat] -= 1


cdef inline void put(Placing* p, int seat, int pick) noexcept nogil:
    if pick < LOST:
        p.named[seat] |= bit(pick)
    elif pick == LOST:
        p.lost[seat] += 1


cdef inline bint on_course(const Step* t, const Placing* p, int seat) noexcept nogil:
    cdef uint64_t cards = p.named[seat]
    while cards:
        if not t.reach[lsb(cards)] >> seat & 1:
            return False
        cards &= cards - 1
    return True


cdef bint follow(const Step* t, const Placing* before, const Move* m, Placing* after) noexcept nogil:
    # The placing after a move; False if a marked card can no longer get where it is seen again.
    memcpy(after, before, sizeof(Placing))
    take(after, t.seat, m.pick)
    if t.kind == SWAP:
        take(after, t.other, m.pick_other)
        put(after, t.seat, m.pick_other)
        put(after, t.other, m.pick)
        return on_course(t, after, t.seat) and on_course(t, after, t.other)
    if t.kind == EXCHANGE:
        put(after, t.seat, t.going if t.seen else LOST)
    return on_course(t, after, t.seat)


# Forwards --------------------------------------------------------------------------------------------------

cdef inline unsigned int bucket(const Placing* p, int players) noexcept nogil:
    cdef uint64_t h = 0
    cdef int i
    for i in range(players):
        h = (h ^ p.named[i] ^ <uint64_t>p.lost[i] << 56) * <uint64_t>0x9E3779B97F4A7C15
        h ^= h >> 29
    return h & (BUCKETS - 1)


cdef bint enter(Deal* d, int layer, int32_t* heads, const Placing* p, int players) noexcept nogil:
    # Add the weight of a placing to its entry in the layer that begins at `layer`; False without memory.
    cdef unsigned int h = bucket(p, players)
    cdef int32_t i = heads[h]
    cdef Placing* grown
    while i >= layer:
        if (
            memcmp(d.pool[i].named, p.named, sizeof(p.named)) == 0
            and memcmp(d.pool[i].lost, p.lost, sizeof(p.lost)) == 0
        ):
            d.pool[i].weight += p.weight
            return True
        i = d.pool[i].next
    if d.used == d.size:
        grown = <Placing*>realloc(d.pool, 2 * d.size * sizeof(Placing))
        if grown == NULL:
            return False
        d.pool = grown
        d.size *= 2
    memcpy(&d.pool[d.used], p, sizeof(Placing))
    d.pool[d.used].next = heads[h]
    heads[h] = d.used
    d.used += 1
    return True


cdef inline bint moves_marked(const Deal* d, const Step* t, int low, int high) noexcept nogil:
    # Whether the step can touch a marked card at all.
    cdef int i
    if t.kind == EXCHANGE:
        return True
    if t.kind != LOSE and t.kind != SWAP:
        return False
    for i in range(low, high):
        if d.pool[i].named[t.seat] or d.pool[i].lost[t.seat]:
            return True
        if t.kind == SWAP and (d.pool[i].named[t.other] or d.pool[i].lost[t.other]):
            return True
    return False


cdef bint advance(Deal* d, int step, int players) noexcept nogil:
    # The layer after a step from the layer before it, its weights scaled to sum 1.
    cdef int32_t heads[BUCKETS]
    cdef Move moves[MOVES]
    cdef Placing after
    cdef const Step* t = &d.steps[step]
    cdef int low = d.first[step], high = d.used, i, j, n
    cdef double total = 0
    memset(heads, 255, sizeof(heads))
    for i in range(low, high):
        n = moves_of(t, &d.pool[i], moves)
        for j in range(n):
            if follow(t, &d.pool[i], &moves[j], &after):
                after.weight *= moves[j].ways / 3
                if not enter(d, high, heads, &after, players):
                    return False
    for i in range(high, d.used):
        total += d.pool[i].weight
    for i in range(high, d.used):
        d.pool[i].weight /= total
    return True


cdef bint forwards(Deal* d, int players) noexcept nogil:
    cdef int step
    memset(&d.pool[0], 0, sizeof(Placing))
    d.pool[0].weight = 1
    d.used = 1
    d.first[0] = 0
    for step in range(d.n):
        if moves_marked(d, &d.steps[step], d.first[step], d.used):
            d.first[step + 1] = d.used
            if not advance(d, step, players):
                return False
        else:
            d.first[step + 1] = d.first[step]      # the same layer
    return True


# Backwards -------------------------------------------------------------------------------------------------

cdef inline bint fits_end(const Deal* d, const Placing* p, int players) noexcept nogil:
    # At an open end no marked card is lost among the hands; the named ones are on course by then.
    cdef int i
    if d.shown:
        for i in range(players):
            if p.lost[i]:
                return False
    return True


cdef int draw_end(const Deal* d, int players, Rng* rng) noexcept nogil:
    cdef int i, last = -1
    cdef double total = 0, rest
    for i in range(d.first[d.n], d.used):
        if fits_end(d, &d.pool[i], players):
            total += d.pool[i].weight
    rest = uniform01(rng) * total
    for i in range(d.first[d.n], d.used):
        if fits_end(d, &d.pool[i], players):
            last = i
            rest -= d.pool[i].weight
            if rest < 0:
                break
    return last


cdef inline bint same(const Placing* a, const Placing* b) noexcept nogil:
    return (
        memcmp(a.named, b.named, sizeof(a.named)) == 0 and memcmp(a.lost, b.lost, sizeof(a.lost)) == 0
    )


cdef int draw_back(Deal* d, int step, int to, Rng* rng) noexcept nogil:
    # Draw the placing before a step and its move, given the placing after it.
    cdef Move moves[MOVES]
    cdef Placing after
    cdef Step* t = &d.steps[step]
    cdef int i, j, n, found = -1
    cdef double total = 0, ways
    for i in range(d.first[step], d.first[step + 1]):
        n = moves_of(t, &d.pool[i], moves)
        for j in range(n):
            if follow(t, &d.pool[i], &moves[j], &after) and same(&after, &d.pool[to]):
                ways = moves[j].ways * d.pool[i].weight
                total += ways
                # keep the new one with the probability of its share so far
                if uniform01(rng) * total < ways:
                    found = i
                    t.pick = moves[j].pick
                    t.pick_other = moves[j].pick_other
    return found


cdef void backwards(Deal* d, int players, Rng* rng) noexcept nogil:
    cdef int step, at = draw_end(d, players, rng)
    for step in range(d.n - 1, -1, -1):
        if d.first[step + 1] == d.first[step]:
            d.steps[step].pick = d.steps[step].pick_other = PLAIN
        else:
            at = draw_back(d, step, at, rng)


cdef bint plan(Deal* d, int player, int players, Rng* rng) noexcept nogil:
    """Draw what moves at every step; False if there is no memory for it."""
    cdef bint done
    look_ahead(d, player, players)
    look_back(d)
    d.size = 64
    d.pool = <Placing*>malloc(d.size * sizeof(Placing))
    d.first = <int*>malloc((d.n + 1) * sizeof(int))
    done = d.pool != NULL and d.first != NULL and forwards(d, players)
    if done:
        backwards(d, players, rng)
    free(d.pool)
    free(d.first)
    return done
