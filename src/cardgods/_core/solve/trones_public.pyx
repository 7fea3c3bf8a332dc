"""The public tree of Trois Trônes and its symmetries; trones_public.pxd says what is what."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t
from libc.string cimport memset

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.cards cimport rank_of, suit_of
from cardgods._core.games.trones cimport FRONTS, force_of, trump_of
from cardgods._core.solve.trones_hands cimport hand_number, hands_open


cdef int free_fronts(const Setting* s, const Board* b, int player, int* out) noexcept nogil:
    cdef int f, n = 0
    for f in range(FRONTS):
        if popcount(b.laid[player][f]) < s.capacity:
            out[n] = f
            n += 1
    return n


cdef int cards_left(const Setting* s, const Board* b, int* out) noexcept nogil:
    cdef int c, n = 0
    for c in range(s.hands.deck):
        if not b.gone >> c & 1:
            out[n] = c
            n += 1
    return n


cdef void lay(const Setting* s, const Board* b, int card, int front, Board* after) noexcept nogil:
    cdef int g
    after[0] = b[0]
    after.laid[mover_of(b)][front] |= <uint32_t>1 << card
    after.gone |= <uint32_t>1 << card
    after.count += 1
    for g in range(1, SYMMETRIES):
        if b.stable >> g & 1 and (s.image[g][card] != card or s.front[g][front] != front):
            after.stable &= ~(1 << g)


cdef bint chosen(const Setting* s, const Board* b, int card, int front) noexcept nogil:
    # Whether this action stands for those that look like it.
    cdef int g, other
    for g in range(1, SYMMETRIES):
        if b.stable >> g & 1:
            other = s.image[g][card]
            if other < card or (other == card and s.front[g][front] < front):
                return False
    return True


cdef int images(const Setting* s, const Board* b, int card, int front, int* out) noexcept nogil:
    # Symmetries, one for each other action that looks like this one.
    cdef int seen[SYMMETRIES]
    cdef int g, k, code, n = 0
    for g in range(1, SYMMETRIES):
        if not b.stable >> g & 1:
            continue
        code = FRONTS * s.image[g][card] + s.front[g][front]
        if code == FRONTS * card + front:
            continue
        k = 0
        while k < n and seen[k] != code:
            k += 1
        if k == n:
            seen[n] = code
            out[n] = g
            n += 1
    return n


cdef int32_t hand_image(const Setting* s, const Board* b, const int* cards, int left, int g,
                        int32_t hand) noexcept nogil:
    # The image of a hand; both are numbered among the cards that are left.
    cdef uint32_t mask = s.hands.mask[hand], full = 0
    cdef int place, card
    while mask:
        card = s.image[g][cards[lsb(mask)]]
        mask &= mask - 1
        place = card - popcount(b.gone & ((<uint32_t>1 << card) - 1))
        full |= <uint32_t>1 << place
    return hand_number(&s.hands, full)


cdef void tally(const Setting* s, const Board* b, int player, int front, Side* found) noexcept nogil:
    cdef uint32_t rest = b.laid[player][front]
    found.total = found.high = 0
    while rest:
        found[0] = joined_by(found, s.force[lsb(rest)][front])
        rest &= rest - 1


cdef struct Count:
    const Setting* setting
    Node* nodes
    int64_t room              # nodes after which to stop
    int64_t used
    int64_t sets
    int64_t entries


cdef void count_below(Count* n, const Board* b) noexcept nogil:
    cdef const Setting* s = n.setting
    cdef Board after
    cdef int cards[MOST_DECK]
    cdef int fronts[3]
    cdef int64_t node = n.used
    cdef int left, free, c, f
    if b.count == s.leaf or n.used > n.room:
        return
    left = cards_left(s, b, cards)
    free = free_fronts(s, b, mover_of(b), fronts)
    if n.nodes != NULL:
        n.nodes[node].entry = n.entries
    n.used += 1
    n.sets += s.hands.choose[left][s.hands.held]
    n.entries += <int64_t>s.hands.choose[left][s.hands.held] * s.hands.held * free
    for c in range(left):
        for f in range(free):
            if chosen(s, b, cards[c], fronts[f]):
                lay(s, b, cards[c], fronts[f], &after)
                count_below(n, &after)
    if n.nodes != NULL:
        n.nodes[node].end = <int32_t>n.used


cdef int64_t number_nodes(const Setting* s, Node* nodes, int64_t room, int64_t* sets,
                          int64_t* entries) noexcept nogil:
    # Nodes with a decision, in all; more than room if there are too many. Fills nodes unless it is NULL.
    cdef Count n
    cdef Board start
    memset(&n, 0, sizeof(Count))
    memset(&start, 0, sizeof(Board))
    start.stable = (1 << SYMMETRIES) - 1
    n.setting = s
    n.nodes = nodes
    n.room = room
    count_below(&n, &start)
    sets[0] = n.sets
    entries[0] = n.entries
    return n.used


cdef void fill_symmetries(Setting* s, const int* deck) noexcept nogil:
    # The six orders of the fronts; a trump follows its front, hearts stay.
    cdef int suit[4]
    cdef int g = 0, a, b, f, c, k
    for a in range(FRONTS):
        for b in range(FRONTS):
            if a == b:
                continue
            s.front[g][0] = <int8_t>a
            s.front[g][1] = <int8_t>b
            s.front[g][2] = <int8_t>(3 - a - b)
            for c in range(4):
                suit[c] = c
            for f in range(FRONTS):
                suit[trump_of(f)] = trump_of(s.front[g][f])
            for c in range(s.hands.deck):
                for k in range(s.hands.deck):
                    if suit_of(deck[k]) == suit[suit_of(deck[c])] and rank_of(deck[k]) == rank_of(deck[c]):
                        s.image[g][c] = <int8_t>k
            g += 1


cdef int setting_open(Setting* s, const int* deck, int cards, int capacity, int held) noexcept nogil:
    # -1 if there is no memory.
    cdef int c, f
    memset(s, 0, sizeof(Setting))
    if hands_open(&s.hands, cards, held):
        return -1
    s.capacity = capacity
    s.leaf = 2 * (FRONTS * capacity - 1)
    for c in range(cards):
        for f in range(FRONTS):
            s.force[c][f] = <int8_t>force_of(deck[c], f)
    fill_symmetries(s, deck)
    return 0
