"""Information sets of Trois Trônes as keys; trones_sets.pxd says which."""

from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.string cimport memset

from cardgods._core.bits cimport lsb, pop_lsb
from cardgods._core.cards cimport rank_of, suit_of
from cardgods._core.games.trones cimport (
    DRAW, FRONTS, LAY, TronesRules, room_of, room_on, trones_apply, trones_init, trump_of)
from cardgods._core.games.trones_greedy cimport CERTAIN, Judgement, judge
from cardgods._core.rng cimport Rng, shuffle

cdef enum:
    SYMMETRIES = 6
    HEARTS = 2
    FIRST_GAP = 6             # of the heuristic's 1024ths

# The front that each front becomes.
cdef int[6][3] RENAMED = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
cdef int[4] FRONT_OF = [2, 0, -1, 1]      # whose trump a suit is


cdef inline uint64_t mixed(uint64_t key, uint64_t word) noexcept nogil:
    # One round of the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
    key = (key ^ word) + <uint64_t>0x9E3779B97F4A7C15
    key = (key ^ (key >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    key = (key ^ (key >> 27)) * <uint64_t>0x94D049BB133111EB
    return key ^ (key >> 31)


cdef inline int renamed_card(int g, int card) noexcept nogil:
    if suit_of(card) == HEARTS:
        return card
    return card + 13 * (trump_of(RENAMED[g][FRONT_OF[suit_of(card)]]) - suit_of(card))


cdef inline int renamed_action(int g, int action) noexcept nogil:
    return FRONTS * renamed_card(g, action // FRONTS) + RENAMED[g][action % FRONTS]


cdef void sort_moves(int32_t* action, int32_t* rank, int count) noexcept nogil:
    # By descending rank; equal ones stay in their order.
    cdef int i, k
    cdef int32_t a, x
    for i in range(1, count):
        a = action[i]
        x = rank[i]
        k = i
        while k and rank[k - 1] < x:
            action[k] = action[k - 1]
            rank[k] = rank[k - 1]
            k -= 1
        action[k] = a
        rank[k] = x


# Exactly ---------------------------------------------------------------------------------------------------

cdef uint64_t exact_key(const Spot* s, int g) noexcept nogil:
    cdef uint64_t key = <uint64_t>s.pos.turn
    cdef uint64_t hand = s.pos.hand[s.pos.turn]
    cdef uint64_t held = 0
    cdef int i
    for i in range(s.count):
        key = mixed(key, renamed_action(g, s.laid[i]))
    while hand:
        held |= <uint64_t>1 << renamed_card(g, lsb(hand))
        hand = pop_lsb(hand)
    return mixed(key, held)


cdef void exact_view(const TronesRules* r, const Spot* s, View* out) noexcept nogil:
    cdef Judgement found
    cdef int32_t rank[12]
    cdef uint64_t hand = s.pos.hand[s.pos.turn]
    cdef uint64_t key
    cdef int g, best = 0, f, i
    out.count = 0
    if room_of(r, &s.pos, s.pos.turn) == 1:
        # What counts most on the last place is best whatever happens.
        judge(r, &s.pos, &found)
        out.count = 1
        out.action[0] = found.action[0]
        out.key = 0
        return
    out.key = exact_key(s, 0)
    for g in range(1, SYMMETRIES):
        key = exact_key(s, g)
        if key < out.key:
            out.key = key
            best = g
    while hand:
        for f in range(FRONTS):
            if room_on(r, &s.pos, s.pos.turn, f):
                out.action[out.count] = FRONTS * lsb(hand) + f
                out.count += 1
        hand = pop_lsb(hand)
    for i in range(out.count):
        rank[i] = -renamed_action(best, out.action[i])
    sort_moves(out.action, rank, out.count)


# By the heuristic's moves ----------------------------------------------------------------------------------

cdef inline int group_of(const Grain* grain, int card) noexcept nogil:
    # Sevens in group 0, aces in the last.
    return (rank_of(card) - 5) * grain.groups // 8


cdef inline int step_of(const Grain* grain, int chance) noexcept nogil:
    if chance == 0:
        return 0
    return grain.steps + 1 if chance == CERTAIN else 1 + chance * grain.steps // CERTAIN


cdef inline int gap_of(const Grain* grain, int gap) noexcept nogil:
    # Steps of a loss against the heuristic's move, each three times as wide as the one before.
    cdef int edge = FIRST_GAP
    cdef int k = 0
    while k < grain.gaps - 1 and gap > edge:
        edge *= 3
        k += 1
    return k


cdef void sort_fronts(uint64_t* word, int* place) noexcept nogil:
    # Descending; where each front went.
    cdef uint64_t swap
    cdef int i, k
    for i in range(3):
        word[i] = (word[i] << 2) | <uint64_t>i
    for i in range(3):
        k = i & 1
        if word[k] < word[k + 1]:
            swap = word[k]
            word[k] = word[k + 1]
            word[k + 1] = swap
    for i in range(3):
        place[word[i] & 3] = i
        word[i] >>= 2


cdef int move_word(const TronesRules* r, const Grain* grain, const Spot* s, int action) noexcept nogil:
    # What a move looks like: places left on its front, what its card is there and could be elsewhere.
    cdef int card = action // FRONTS
    cdef int f = action % FRONTS
    cdef int me = s.pos.turn
    cdef int home = FRONT_OF[suit_of(card)]
    cdef int word = 4 * room_on(r, &s.pos, me, f) + room_on(r, &s.pos, 1 - me, f)
    word = 2 * word + (home == f)
    word = 2 * word + (home >= 0 and home != f and room_on(r, &s.pos, me, home) > 0)
    return 8 * word + group_of(grain, card)


cdef void moves_view(const TronesRules* r, const Grain* grain, const Spot* s, View* out) noexcept nogil:
    cdef Judgement found
    cdef uint64_t word[3]
    cdef int place[3]
    cdef int f, i, best, action
    judge(r, &s.pos, &found)
    for f in range(FRONTS):
        word[f] = step_of(grain, found.chance[f])
    sort_fronts(word, place)
    for i in range(found.count):
        # Equal moves in the order of their fronts, whatever these are called.
        found.worth[i] = 4 * found.worth[i] - place[found.action[i] % FRONTS]
    sort_moves(found.action, found.worth, found.count)
    out.count = found.count if found.count < grain.width else grain.width
    out.key = mixed(<uint64_t>(2 * out.count + s.pos.turn), (word[0] << 16) | (word[1] << 8) | word[2])
    out.key = mixed(out.key, <uint64_t>s.count)
    best = found.action[0]
    for i in range(out.count):
        action = found.action[i]
        out.action[i] = action
        out.key = mixed(out.key, <uint64_t>move_word(r, grain, s, action))
        if i:
            f = gap_of(grain, (found.worth[0] - found.worth[i]) >> 2)
            f = 2 * f + (action // FRONTS == best // FRONTS)
            out.key = mixed(out.key, <uint64_t>(2 * f + (action % FRONTS == best % FRONTS)))


cdef void view_of(const TronesRules* r, const Grain* grain, const Spot* s, View* out) noexcept nogil:
    # Key and moves of the player on turn; from his hand and the table alone.
    if grain.kind == EXACT:
        exact_view(r, s, out)
    else:
        moves_view(r, grain, s, out)


# Walking ---------------------------------------------------------------------------------------------------

cdef void lay_and_draw(const TronesRules* r, Spot* s, int32_t action, const int32_t* deck) noexcept nogil:
    # The deck is in the order of dealing and drawing.
    s.laid[s.count] = <int16_t>action
    s.count += 1
    trones_apply(r, &s.pos, action)
    if s.pos.phase == DRAW:
        trones_apply(r, &s.pos, deck[r.cards - s.pos.piled])


cdef void deal_hands(const TronesRules* r, const int32_t* deck, Spot* out) noexcept nogil:
    memset(out, 0, sizeof(Spot))
    trones_init(r, &out.pos)
    while out.pos.phase != LAY:
        trones_apply(r, &out.pos, deck[r.cards - out.pos.piled])


cdef void draw_deck(const TronesRules* r, Rng* rng, int32_t* deck) noexcept nogil:
    cdef uint64_t rest = r.deck
    cdef int n = 0
    while rest:
        deck[n] = lsb(rest)
        rest = pop_lsb(rest)
        n += 1
    shuffle(rng, deck, n)
