# Proof search over open-hand positions of Trois Trônes.
#
# A node is first put to the commitment test of either side (trones_bounds). What is left is searched in
# the order of the margins that the moves leave. A solved node is stored with the least standing on each
# front for which its proof holds, worked back from the leaves, so that one entry answers for every
# position with the same cards and places and no worse a standing (as partition search does: M. Ginsberg,
# "Partition search", AAAI 1996).
#
# Moves left out: card b on front f if the hand holds an a with at least its force there and no more than
# its force on every other front still open. Whatever follows b follows a as well, with b in a's part.
from cardgods._core.bits cimport lsb
from cardgods._core.games.trones cimport FRONTS
from cardgods._core.solve.trones_bounds cimport (
    STREAM, before_other_card, before_own_card, commits, lay, leads, meets, open_fronts, setup, standing,
    stricter,
)

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    MOVES = 12                # 4 cards on 3 fronts
    DEMAND_BITS = 18
    GENERATIONS = 1 << 26


cdef struct Move:
    int index
    int front
    int promise
    Side after


cdef Entry* table_new(int bits) noexcept nogil:
    return <Entry*>calloc(<size_t>WAYS << bits, sizeof(Entry))


cdef void table_free(Entry* table) noexcept nogil:
    free(table)


cdef void begin(Search* search, const OpenDeal* deal) noexcept nogil:
    # Make `deal` the root. What was proved of earlier deals is forgotten; nodes go on counting.
    search.generation += 1
    if search.generation >= GENERATIONS:
        memset(search.table, 0, sizeof(Entry) * (<size_t>WAYS << search.bits))
        search.generation = 1
    search.mover = deal.mover
    setup(deal, search.streams, search.sides)


cdef inline uint64_t _key(const Search* search, const Side* me, const Side* him) noexcept nogil:
    cdef const Side* a = me if me.first else him
    cdef const Side* b = him if me.first else me
    cdef uint64_t places = (
        a.room[0] | a.room[1] << 2 | a.room[2] << 4 | b.room[0] << 6 | b.room[1] << 8 | b.room[2] << 10
    )
    # Whose turn it is follows from the cards left.
    return (a.avail | <uint64_t>b.avail << STREAM | places << 24 | <uint64_t>search.generation << 36) << 1


cdef inline Entry* _line(const Search* search, uint64_t key) noexcept nogil:
    cdef uint64_t x = (key >> 1) * <uint64_t>0x9E3779B97F4A7C15
    x ^= x >> 29
    x *= <uint64_t>0xBF58476D1CE4E5B9
    return &search.table[(x >> (64 - search.bits)) * WAYS]


cdef int _recall(
    Entry* line, uint64_t key, const Side* me, const Side* him, uint32_t* proof
) noexcept nogil:
    # 1 if a stored proof shows that `me` wins here, 0 if one shows that he loses, else -1.
    cdef int way, f, wins
    cdef bint valid
    for way in range(WAYS):
        if (line[way].key ^ key) > 1:
            continue
        wins = <int>(line[way].key & 1) == me.first
        valid = True
        for f in range(FRONTS):
            proof[f] = <uint32_t>(line[way].proof >> (DEMAND_BITS * f)) & ((1 << DEMAND_BITS) - 1)
            valid = valid and meets(standing(me, him, f) if wins else standing(him, me, f), proof[f])
        if valid:
            return wins
    return -1


cdef void _store(Entry* line, uint64_t key, bint first_wins, const uint32_t* proof) noexcept nogil:
    cdef int way, f
    for way in range(WAYS - 1, 0, -1):
        line[way] = line[way - 1]
    line[0].key = key | <uint64_t>first_wins
    line[0].proof = 0
    for f in range(FRONTS):
        line[0].proof |= <uint64_t>proof[f] << (DEMAND_BITS * f)


cdef inline bint _dominated(const Stream* stream, const Side* me, int b, int f) noexcept nogil:
    cdef uint32_t hand = me.avail & me.seen & ~(<uint32_t>1 << b)
    cdef int a, g
    cdef bint no_worse, same
    while hand:
        a = lsb(hand)
        hand &= hand - 1
        no_worse = stream.force[a][f] >= stream.force[b][f]
        same = stream.force[a][f] == stream.force[b][f]
        for g in range(FRONTS):
            if g != f and me.room[g]:
                no_worse = no_worse and stream.force[a][g] <= stream.force[b][g]
                same = same and stream.force[a][g] == stream.force[b][g]
        # Of cards that are alike in everything the first stands for all.
        if no_worse and (not same or a < b):
            return True
    return False


cdef int _promise(const Side* me, const Side* him) noexcept nogil:
    # Two fronts decide, so the second best margin between what either can reach counts most.
    cdef int margin[3]
    cdef int f, low, high
    for f in range(FRONTS):
        margin[f] = me.score[f] + me.top[f] - him.score[f] - him.top[f]
    low = high = margin[0]
    for f in range(1, FRONTS):
        low = margin[f] if margin[f] < low else low
        high = margin[f] if margin[f] > high else high
    return 4 * (margin[0] + margin[1] + margin[2] - low - high) + high


cdef int _moves(const Stream* stream, const Side* me, const Side* him, Move* out) noexcept nogil:
    # The moves worth trying, most promising first; the count.
    cdef int count = 0
    cdef int f, i, j
    cdef uint32_t hand
    cdef Move move
    for f in range(FRONTS):
        hand = me.avail & me.seen if me.room[f] else 0
        while hand:
            i = lsb(hand)
            hand &= hand - 1
            if _dominated(stream, me, i, f):
                continue
            move.index = i
            move.front = f
            lay(stream, me, i, f, &move.after)
            move.promise = _promise(&move.after, him)
            j = count
            while j > 0 and out[j - 1].promise < move.promise:
                out[j] = out[j - 1]
                j -= 1
            out[j] = move
            count += 1
    return count


cdef bint _count(const Side* me, const Side* him, uint32_t* proof) noexcept nogil:
    # Does `me` win now that nobody has a card to lay? The proof is the standing itself.
    cdef int f
    cdef bint wins = leads(me, him, 0) + leads(me, him, 1) + leads(me, him, 2) >= 2
    for f in range(FRONTS):
        proof[f] = standing(me, him, f) if wins else standing(him, me, f)
    return wins


cdef bint _expand(Search* search, const Side* me, const Side* him, uint32_t* proof) noexcept nogil:
    cdef const Stream* stream = &search.streams[0 if me.first else 1]
    cdef Move moves[MOVES]
    cdef uint32_t reply[3]
    cdef uint32_t worst[3]
    cdef int count = _moves(stream, me, him, moves)
    cdef int k, f, force
    for f in range(FRONTS):
        worst[f] = 0
    for k in range(count):
        force = stream.force[moves[k].index][moves[k].front]
        if not _wins(search, him, &moves[k].after, reply):
            reply[moves[k].front] = before_own_card(reply[moves[k].front], force)
            for f in range(FRONTS):
                proof[f] = reply[f]
            return True
        reply[moves[k].front] = before_other_card(reply[moves[k].front], force)
        for f in range(FRONTS):
            worst[f] = stricter(worst[f], reply[f])
    for f in range(FRONTS):
        proof[f] = worst[f]
    return False


cdef bint _wins(Search* search, const Side* me, const Side* him, uint32_t* proof) noexcept nogil:
    # Does `me`, whose turn it is, win? proof: the demands on the winner's standing.
    cdef const Stream* mine = &search.streams[0 if me.first else 1]
    cdef const Stream* his = &search.streams[1 if me.first else 0]
    cdef uint64_t key
    cdef Entry* line
    cdef int known, f
    search.nodes += 1
    if me.plays == 0:
        if him.plays == 0:
            return _count(me, him, proof)
        return not _wins(search, him, me, proof)
    if commits(mine, me, him, proof):
        return True
    if commits(his, him, me, proof):
        return False
    # The test is exact against a side without a choice.
    if open_fronts(him) <= 1 or open_fronts(me) <= 1:
        known = open_fronts(him) > 1
        for f in range(FRONTS):
            proof[f] = standing(me, him, f) if known else standing(him, me, f)
        return known
    key = _key(search, me, him)
    line = _line(search, key)
    known = _recall(line, key, me, him, proof)
    if known < 0:
        known = _expand(search, me, him, proof)
        _store(line, key, known == me.first, proof)
    return known


cdef int winner(Search* search) noexcept nogil:
    # The player who wins the root with best play.
    cdef uint32_t proof[3]
    cdef int me = search.mover
    return me if _wins(search, &search.sides[me], &search.sides[1 - me], proof) else 1 - me


cdef int winner_after(Search* search, int index, int front) noexcept nogil:
    # The same after a move of the player on turn: the index-th card of his stream, which he holds.
    cdef uint32_t proof[3]
    cdef int me = search.mover
    cdef Side after
    lay(&search.streams[me], &search.sides[me], index, front, &after)
    return 1 - me if _wins(search, &search.sides[1 - me], &after, proof) else me


cdef void advance(Search* search, int index, int front) noexcept nogil:
    # Make that move at the root. The turn passes unless the other has no card to lay.
    cdef int me = search.mover
    cdef Side after
    lay(&search.streams[me], &search.sides[me], index, front, &after)
    search.sides[me] = after
    if search.sides[1 - me].plays:
        search.mover = 1 - me


cdef bint dominated(const Search* search, int index, int front) noexcept nogil:
    # Does another move of the player on turn do at least as well as this one at the root?
    return _dominated(&search.streams[search.mover], &search.sides[search.mover], index, front)
