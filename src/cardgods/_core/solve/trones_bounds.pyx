# Set-up of the streams, laying a card, and the commitment test; the ideas are in the .pxd.
from cardgods._core.bits cimport lsb, msb, pop_lsb, popcount
from cardgods._core.games.trones cimport FRONTS, force_of

from libc.string cimport memset


# A search for cards that hold front f while the rest still holds front g.
cdef struct Pair:
    const Stream* stream
    const Side* x
    const Side* y
    int f
    int g
    int spare                 # cards he may lay on g besides those on f, given by the size of the set
    uint32_t* proof


cdef inline int _least(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int _most(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline int _reach(const Side* side, int front) noexcept nogil:
    return _least(side.room[front], side.plays)


cdef inline bint _holds(const Side* x, const Side* y, int f, int added, int high) noexcept nogil:
    # Does x keep front f by adding this sum, with this highest force, against the most y can add?
    cdef int lead = x.score[f] - y.score[f] + added - y.top[f]
    cdef int own, other
    if lead:
        return lead > 0
    own = _most(x.high[f], high)
    other = _most(y.high[f], y.best[f])
    return own > other or (own == other and x.first)


cdef inline uint32_t _hold_demand(const Side* x, const Side* y, int f, int added, int high) noexcept nogil:
    # The least standing of x on f for which _holds stays true.
    cdef int own
    if x.score[f] - y.score[f] + added - y.top[f] > 0:
        return demand(y.top[f] - added + 1, 0, 31)
    own = _most(x.high[f], high)
    return demand(y.top[f] - added, 0 if high >= own else own, own if x.first else own - 1)


cdef void _order(Stream* stream, int f) noexcept nogil:
    # Insertion sort of the cards by their force on f.
    cdef int i, j
    for i in range(stream.n):
        j = i
        while j > 0 and stream.force[stream.sorted_index[f][j - 1]][f] > stream.force[i][f]:
            stream.sorted_index[f][j] = stream.sorted_index[f][j - 1]
            j -= 1
        stream.sorted_index[f][j] = <int8_t>i
    for j in range(stream.n):
        i = stream.sorted_index[f][j]
        stream.place[i][f] = <int8_t>j
        stream.sorted_force[f][j] = stream.force[i][f]


cdef void _append(Stream* stream, int card) noexcept nogil:
    cdef int f
    stream.card[stream.n] = <int8_t>card
    for f in range(FRONTS):
        stream.force[stream.n][f] = <int8_t>force_of(card, f)
    stream.n += 1


cdef void _best_rest(const Stream* stream, Side* side) noexcept nogil:
    cdef int f, i, left, total
    cdef uint32_t rest
    for f in range(FRONTS):
        left = _reach(side, f)
        rest = side.order[f]
        total = 0
        side.best[f] = 0
        if left and rest:
            side.best[f] = stream.sorted_force[f][msb(rest)]
        while left and rest:
            i = msb(rest)
            total += stream.sorted_force[f][i]
            rest ^= <uint32_t>1 << i
            left -= 1
        side.top[f] = <int8_t>total


cdef void _table(const OpenDeal* deal, int player, Side* side) noexcept nogil:
    cdef int f, force
    cdef uint64_t rest
    memset(side, 0, sizeof(Side))
    side.first = player == 0
    for f in range(FRONTS):
        rest = deal.laid[player][f]
        side.room[f] = <int8_t>(deal.capacity - popcount(rest))
        while rest:
            force = force_of(lsb(rest), f)
            side.score[f] += <int8_t>force
            side.high[f] = <int8_t>_most(side.high[f], force)
            rest = pop_lsb(rest)


cdef void _walk(const OpenDeal* deal, Stream* streams, Side* sides) noexcept nogil:
    # Who lays when and who draws what depends on no choice: go through the turns once.
    cdef int player = deal.mover
    cdef int room[2]
    cdef int held[2]
    cdef int drawn = 0
    cdef int p
    for p in range(2):
        room[p] = sides[p].room[0] + sides[p].room[1] + sides[p].room[2]
        held[p] = deal.held[p]
    while True:
        if not (room[player] and held[player]):
            player = 1 - player
            if not (room[player] and held[player]):
                return
        room[player] -= 1
        held[player] -= 1
        sides[player].plays += 1
        if drawn < deal.piled:
            if room[player]:
                _append(&streams[player], deal.pile[drawn])
            held[player] += 1
            drawn += 1
        player = 1 - player


cdef void setup(const OpenDeal* deal, Stream* streams, Side* sides) noexcept nogil:
    cdef int p, f, i
    for p in range(2):
        streams[p].n = 0
        for i in range(deal.held[p]):
            _append(&streams[p], deal.hand[p][i])
        _table(deal, p, &sides[p])
        sides[p].seen = <uint16_t>((1 << deal.held[p]) - 1)
    _walk(deal, streams, sides)
    for p in range(2):
        sides[p].avail = <uint16_t>((1 << streams[p].n) - 1)
        for f in range(FRONTS):
            _order(&streams[p], f)
            sides[p].order[f] = sides[p].avail
        _best_rest(&streams[p], &sides[p])


cdef void lay(const Stream* stream, const Side* before, int index, int front, Side* after) noexcept nogil:
    cdef int force = stream.force[index][front]
    cdef int f
    after[0] = before[0]
    after.avail ^= <uint16_t>(1 << index)
    after.seen = <uint16_t>((after.seen << 1) | 1)
    after.room[front] -= 1
    after.plays -= 1
    after.score[front] += <int8_t>force
    after.high[front] = <int8_t>_most(after.high[front], force)
    for f in range(FRONTS):
        after.order[f] ^= <uint16_t>(1 << stream.place[index][f])
    _best_rest(stream, after)


cdef bint leads(const Side* x, const Side* y, int front) noexcept nogil:
    cdef int lead = x.score[front] - y.score[front]
    if lead:
        return lead > 0
    return x.high[front] > y.high[front] or (x.high[front] == y.high[front] and x.first)


cdef bint _rest_holds(const Pair* pair, uint32_t used, int added, int high) noexcept nogil:
    # The set is chosen for f (`used`, in the sorted order of g): do the strongest others hold g?
    cdef const Stream* stream = pair.stream
    cdef uint32_t rest = pair.x.order[pair.g] & ~used
    cdef int left = pair.spare
    cdef int total = 0
    cdef int best = 0
    cdef int i
    if left and rest:
        best = stream.sorted_force[pair.g][msb(rest)]
    while left and rest:
        i = msb(rest)
        total += stream.sorted_force[pair.g][i]
        rest ^= <uint32_t>1 << i
        left -= 1
    if not _holds(pair.x, pair.y, pair.g, total, best):
        return False
    pair.proof[3 - pair.f - pair.g] = 0
    pair.proof[pair.f] = _hold_demand(pair.x, pair.y, pair.f, added, high)
    pair.proof[pair.g] = _hold_demand(pair.x, pair.y, pair.g, total, best)
    return True


cdef bint _choose(
    const Pair* pair, uint32_t rest, int left, uint32_t used, int added, int high
) noexcept nogil:
    # Add `left` more cards, strongest on f first, to the set for f; `rest` are those weaker than the last.
    cdef const Stream* stream = pair.stream
    cdef int i, force
    if left == 0:
        return _holds(pair.x, pair.y, pair.f, added, high) and _rest_holds(pair, used, added, high)
    while popcount(rest) >= left:
        i = msb(rest)
        force = stream.sorted_force[pair.f][i]
        # No set of cards up to this one adds more than `left` times its force.
        if not _holds(pair.x, pair.y, pair.f, added + left * force, _most(high, force)):
            return False
        rest ^= <uint32_t>1 << i
        if _choose(
            pair, rest, left - 1,
            used | <uint32_t>1 << stream.place[stream.sorted_index[pair.f][i]][pair.g],
            added + force, _most(high, force),
        ):
            return True
    return False


cdef bint _pair(Pair* pair) noexcept nogil:
    cdef const Side* x = pair.x
    cdef int plays = x.plays
    cdef int most = _least(_reach(x, pair.f), popcount(x.avail))
    cdef int least = _least(most, _most(0, plays - x.room[pair.g]))
    cdef int size = most
    while size >= least:
        pair.spare = _least(x.room[pair.g], plays - size)
        if _choose(pair, x.order[pair.f], size, 0, 0, 0):
            return True
        size -= 1
    return False


cdef bint commits(const Stream* stream, const Side* x, const Side* y, uint32_t* proof) noexcept nogil:
    # Can x set cards aside that hold two fronts against anything y does? If so, proof[f] is the least
    # standing on each front for which the same cards would do. Exact when y has no choice left.
    cdef bint possible[3]
    cdef Pair pair
    cdef int f, g
    for f in range(FRONTS):
        possible[f] = _holds(x, y, f, x.top[f], x.best[f])
    if possible[0] + possible[1] + possible[2] < 2:
        return False
    pair.stream = stream
    pair.x = x
    pair.y = y
    pair.proof = proof
    for f in range(FRONTS - 1):
        for g in range(f + 1, FRONTS):
            if possible[f] and possible[g]:
                pair.f = f
                pair.g = g
                if _pair(&pair):
                    return True
    return False
