"""One pass over the public tree; trones_walk.pxd says what is what.

The update is predictive regret matching+ (Farina, Kroer and Sandholm 2021) with counterfactual values of all
hands at once (Johanson et al., "Accelerating best response calculation in large extensive games", 2011).
"""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cardgods._core.bits cimport lsb
from cardgods._core.games.trones cimport FRONTS
from cardgods._core.solve.trones_hands cimport MOST_DECK, Hands
from cardgods._core.solve.trones_public cimport (
    FORCES, LEAST_FORCE, SYMMETRIES, Board, Setting, Side, cards_left, chosen, free_fronts, hand_image,
    images, joined_by, lay, mover_of, takes, tally)


cdef int desk_open(Desk* desk, const Setting* s) noexcept nogil:
    # -1 if there is no memory.
    cdef const Hands* h = &s.hands
    cdef Level* level
    cdef int32_t size
    cdef int i
    memset(desk, 0, sizeof(Desk))
    desk.levels = s.leaf + 1
    desk.sums = <double*>calloc((FORCES + 1) * h.width, sizeof(double))
    if desk.sums == NULL:
        return -1
    for i in range(desk.levels):
        level = &desk.level[i]
        size = h.choose[h.deck - i][h.held]
        level.own = <double*>calloc(size, sizeof(double))
        level.other = <double*>calloc(size, sizeof(double))
        level.value = <double*>calloc(size, sizeof(double))
        level.action = <double*>calloc(size * h.held * FRONTS, sizeof(double))
        level.share = <double*>calloc(size * h.held * FRONTS, sizeof(double))
        if (level.own == NULL or level.other == NULL or level.value == NULL or level.action == NULL
                or level.share == NULL):
            return -1
    return 0


cdef void desk_close(Desk* desk) noexcept nogil:
    cdef int i
    for i in range(MOST_LEVELS):
        free(desk.level[i].own)
        free(desk.level[i].other)
        free(desk.level[i].value)
        free(desk.level[i].action)
        free(desk.level[i].share)
    free(desk.sums)


cdef inline int32_t hands_at(const Pass* x, const Board* b) noexcept nogil:
    return x.setting.hands.choose[x.setting.hands.deck - b.count][x.setting.hands.held]


cdef inline int cells_at(const Pass* x, const Board* b) noexcept nogil:
    cdef int fronts[3]
    return x.setting.hands.held * free_fronts(x.setting, b, mover_of(b), fronts)


cdef void read_shares(const Pass* x, const Board* b, int64_t node, Level* here) noexcept nogil:
    # The strategy in force, or the average when it is answered.
    cdef const float* weights = (x.coming if x.mode == LEARN else x.average) + x.nodes[node].entry
    cdef int cells = cells_at(x, b)
    cdef int32_t _i
    cdef int a
    cdef double total
    cdef double* share = here.share
    for _i in range(hands_at(x, b)):
        total = 0.0
        for a in range(cells):
            total += weights[a]
        if total > 0.0:
            total = 1.0 / total
            for a in range(cells):
                share[a] = weights[a] * total
        else:
            for a in range(cells):
                share[a] = 1.0 / cells
        weights += cells
        share += cells


cdef void spread(const Pass* x, const Board* b, const double* before, const double* share, double* after,
                 int place, int front, int cells) noexcept nogil:
    # The reach of the mover's hands when he has laid a card and drawn.
    cdef const Hands* h = &x.setting.hands
    cdef int left = h.deck - b.count - 1
    cdef int fronts = cells // h.held
    cdef const int32_t* joined = h.joined + place * h.rests
    cdef const int32_t* add
    cdef double part
    cdef int32_t q
    cdef int d
    memset(after, 0, h.choose[left][h.held] * sizeof(double))
    for q in range(h.choose[left][h.held - 1]):
        part = before[joined[q]]
        if part != 0.0:
            part *= share[joined[q] * cells + h.slot[place * h.rests + q] * fronts + front]
        if part != 0.0:
            part /= left + 1 - 2 * h.held
            add = h.add + q * h.deck
            for d in range(left):
                if add[d] >= 0:
                    after[add[d]] += part


cdef void send(const Pass* x, const Board* b, const Level* here, Level* below, int place, int front,
               bint leaf) noexcept nogil:
    # Reaches below an action: the place of the card among those left, of the front among the free ones.
    cdef const Hands* h = &x.setting.hands
    cdef int left = h.deck - b.count - 1
    cdef const int32_t* gap = h.gap + place * h.choose[h.deck - 1][h.held]
    cdef int cells = cells_at(x, b)
    cdef bint mine = mover_of(b) == x.player
    cdef bint follow = x.mode == LEARN and not leaf
    cdef int32_t q
    if mine:
        for q in range(h.choose[left][h.held]):
            below.other[q] = here.other[gap[q]]
        if follow:
            spread(x, b, here.own, here.share, below.own, place, front, cells)
    else:
        spread(x, b, here.other, here.share, below.other, place, front, cells)
        if follow:
            for q in range(h.choose[left][h.held]):
                below.own[q] = here.own[gap[q]]


cdef void take(const Pass* x, const Board* b, Level* here, const double* value, int place,
               int front) noexcept nogil:
    # What the hands win below an action, and below those that look like it.
    cdef const Setting* s = x.setting
    cdef const Hands* h = &s.hands
    cdef int left = h.deck - b.count - 1
    cdef int cards[MOST_DECK]
    cdef int fronts[3]
    cdef int others[SYMMETRIES]
    cdef int cells = cells_at(x, b)
    cdef int wide = cells // h.held, n = 0, k, d
    cdef const int32_t* gap = h.gap + place * h.choose[h.deck - 1][h.held]
    cdef const int32_t* add
    cdef int32_t q, i
    cdef double total
    if b.stable != 1:
        cards_left(s, b, cards)
        free_fronts(s, b, mover_of(b), fronts)
        n = images(s, b, cards[place], fronts[front], others)
    if mover_of(b) != x.player:
        for q in range(h.choose[left][h.held]):
            here.value[gap[q]] += value[q]
            for k in range(n):
                here.value[hand_image(s, b, cards, left + 1, others[k], gap[q])] += value[q]
        return
    for q in range(h.choose[left][h.held - 1]):
        add = h.add + q * h.deck
        total = 0.0
        for d in range(left):
            if add[d] >= 0:
                total += value[add[d]]
        total /= left + 1 - 2 * h.held
        i = h.joined[place * h.rests + q]
        here.action[i * cells + h.slot[place * h.rests + q] * wide + front] = total
        for k in range(n):
            here.action[action_image(s, b, cards, fronts, i, place, front, others[k], cells)] = total


cdef int64_t action_image(const Setting* s, const Board* b, const int* cards, const int* fronts, int32_t hand,
                          int place, int front, int g, int cells) noexcept nogil:
    # The action of another hand that looks like this one.
    cdef int wide = cells // s.hands.held
    cdef int32_t other = hand_image(s, b, cards, s.hands.deck - b.count, g, hand)
    cdef int card = s.image[g][cards[place]]
    cdef int slot = 0, f = 0, c = 0
    while cards[c] != card:
        slot += s.hands.mask[other] >> c & 1
        c += 1
    while fronts[f] != s.front[g][fronts[front]]:
        f += 1
    return <int64_t>other * cells + slot * wide + f


cdef void conclude(const Pass* x, const Board* b, int64_t node, Level* here) noexcept nogil:
    # The player's own node, when the values of his actions are known.
    cdef int cells = cells_at(x, b)
    cdef int64_t e = x.nodes[node].entry
    cdef const double* action = here.action
    cdef const double* share = here.share
    cdef int32_t i
    cdef int a
    cdef double value, gain, regret
    for i in range(hands_at(x, b)):
        value = action[0]
        if x.mode == ANSWER:
            for a in range(1, cells):
                value = action[a] if action[a] > value else value
        else:
            value = 0.0
            for a in range(cells):
                value += share[a] * action[a]
            for a in range(cells):
                gain = action[a] - value
                regret = x.regret[e + a] + gain
                regret = regret if regret > 0.0 else 0.0
                x.regret[e + a] = <float>regret
                regret += gain
                x.coming[e + a] = <float>(regret if regret > 0.0 else 0.0)
                x.average[e + a] += <float>(x.weight * here.own[i] * share[a])
        here.value[i] = value
        action += cells
        share += cells
        e += cells


cdef bint nothing(const double* reach, int32_t size) noexcept nogil:
    cdef int32_t i
    for i in range(size):
        if reach[i] != 0.0:
            return False
    return True


cdef void walk(const Pass* x, Desk* desk, const Board* b, int64_t node) noexcept nogil:
    # The values of all hands of the player at a node, from the reaches there.
    cdef const Setting* s = x.setting
    cdef Level* here = &desk.level[b.count]
    cdef Level* below = here + 1
    cdef Board after
    cdef int cards[MOST_DECK]
    cdef int fronts[3]
    cdef int32_t size = hands_at(x, b)
    cdef int64_t child = node + 1
    cdef int left, wide, c, f
    cdef bint leaf = b.count + 1 == s.leaf
    if nothing(here.other, size) and (x.mode == ANSWER or nothing(here.own, size)):
        memset(here.value, 0, size * sizeof(double))
        return
    if x.mode == LEARN or mover_of(b) != x.player:
        read_shares(x, b, node, here)
    memset(here.value, 0, size * sizeof(double))
    left = cards_left(s, b, cards)
    wide = free_fronts(s, b, mover_of(b), fronts)
    for c in range(left):
        for f in range(wide):
            if b.stable != 1 and not chosen(s, b, cards[c], fronts[f]):
                continue
            lay(s, b, cards[c], fronts[f], &after)
            send(x, b, here, below, c, f, leaf)
            if leaf:
                settle(x, desk, &after)
            else:
                walk(x, desk, &after, child)
                child = x.nodes[child].end
            take(x, b, here, below.value, c, f)
    if mover_of(b) == x.player:
        conclude(x, b, node, here)


# Leaves ----------------------------------------------------------------------------------------------------

cdef struct Strengths:
    int levels
    int strong[MOST_DECK]     # of the opponent's card: its level
    int beats[MOST_DECK]      # of the player's card: below which level of the opponent he wins


cdef bint settled(const Setting* s, const Board* b, int front) noexcept nogil:
    # Whether player 0 has taken a front that is full.
    cdef Side first, second
    tally(s, b, 0, front, &first)
    tally(s, b, 1, front, &second)
    return takes(&first, &second)


cdef void two_fronts(const Setting* s, const Board* b, const int* cards, int left, int player, int* last,
                     Strengths* found) noexcept nogil:
    # The last cards go to different fronts, so each settles one by itself.
    cdef bint third = settled(s, b, 3 - last[0] - last[1])
    cdef Side side[2][2]
    cdef Side more
    cdef bint first, second
    cdef int c, p
    found.levels = 2
    for p in range(2):
        tally(s, b, p, last[0], &side[p][0])
        tally(s, b, p, last[1], &side[p][1])
    for c in range(left):
        more = joined_by(&side[0][0], s.force[cards[c]][last[0]])
        first = takes(&more, &side[1][0])
        more = joined_by(&side[1][1], s.force[cards[c]][last[1]])
        second = not takes(&side[0][1], &more)
        if player == 0:
            found.strong[c] = second
            # one front is enough, or both are needed
            found.beats[c] = (2 if first else 1) if third else (1 if first else 0)
        else:
            found.strong[c] = first
            found.beats[c] = (1 if second else 0) if third else (2 if second else 1)


cdef void one_front(const Setting* s, const Board* b, const int* cards, int left, int player, int front,
                    Strengths* found) noexcept nogil:
    # Both last cards meet on one front, which matters if the others are shared.
    cdef int f, c, won = 0
    for f in range(FRONTS):
        if f != front:
            won += settled(s, b, f)
    found.levels = FORCES if won == 1 else 1
    for c in range(left):
        found.strong[c] = s.force[cards[c]][front] - LEAST_FORCE if won == 1 else 0
        found.beats[c] = (won == 2) == (player == 0)
    if won == 1:
        last_front(s, b, cards, left, player, front, found)


cdef void last_front(const Setting* s, const Board* b, const int* cards, int left, int player, int front,
                     Strengths* found) noexcept nogil:
    # A level of strength is a force; how many levels a card beats depends on its force alone.
    cdef int wins[FORCES]
    cdef Side mine, his, more, answer
    cdef int level, f, c
    tally(s, b, player, front, &mine)
    tally(s, b, 1 - player, front, &his)
    level = 0
    for f in range(FORCES):
        more = joined_by(&mine, f + LEAST_FORCE)
        while level < FORCES:
            answer = joined_by(&his, level + LEAST_FORCE)
            if (takes(&more, &answer) if player == 0 else takes(&answer, &more)) != (player == 0):
                break
            level += 1
        wins[f] = level
    for c in range(left):
        found.beats[c] = wins[found.strong[c]]


cdef void settle(const Pass* x, Desk* desk, const Board* b) noexcept nogil:
    # +1 or -1 against each hand that shares no card, weighed by reach.
    cdef const Hands* h = &x.setting.hands
    cdef Level* here = &desk.level[b.count]
    cdef int32_t size = hands_at(x, b), i
    cdef Strengths found
    if nothing(here.other, size):
        memset(here.value, 0, size * sizeof(double))
        return
    strengths(x, b, &found)
    memset(desk.sums, 0, (found.levels + 1) * h.width * sizeof(double))
    if h.held == 2:
        settle_pairs(h, &found, here, desk.sums, h.deck - b.count)
        return
    add_up(h, &found, here.other, desk.sums, size)
    for i in range(size):
        here.value[i] = won_by(h, &found, here.other, desk.sums, i)


cdef void strengths(const Pass* x, const Board* b, Strengths* found) noexcept nogil:
    cdef int cards[MOST_DECK]
    cdef int fronts[3]
    cdef int last[2]
    cdef int left = cards_left(x.setting, b, cards), p
    for p in range(2):
        free_fronts(x.setting, b, p, fronts)
        last[p] = fronts[0]
    if last[0] == last[1]:
        one_front(x.setting, b, cards, left, x.player, last[0], found)
    else:
        two_fronts(x.setting, b, cards, left, x.player, last, found)


cdef inline int best_of(const Hands* h, const int* strong, int32_t hand) noexcept nogil:
    cdef uint32_t mask = h.mask[hand]
    cdef int best = 0, level
    while mask:
        level = strong[lsb(mask)]
        best = level if level > best else best
        mask &= mask - 1
    return best


cdef void add_up(const Hands* h, const Strengths* found, const double* reach, double* sums,
                 int32_t size) noexcept nogil:
    # sums[t][S] = weight of the hands below level t that contain S.
    cdef int32_t i
    cdef int u
    cdef double* row
    for i in range(size):
        if reach[i] != 0.0:
            row = sums + (best_of(h, found.strong, i) + 1) * h.width
            for u in range(h.subsets):
                row[h.subset[i * h.subsets + u]] += reach[i]
    heap_up(h, found, sums)


cdef void heap_up(const Hands* h, const Strengths* found, double* sums) noexcept nogil:
    # From the weight at each level to the weight at all below.
    cdef int u, t
    cdef double* row
    for t in range(1, found.levels + 1):
        row = sums + t * h.width
        for u in range(h.width):
            row[u] += (row - h.width)[u]


cdef void settle_pairs(const Hands* h, const Strengths* found, Level* here, double* sums,
                       int left) noexcept nogil:
    # The same as below for hands of two cards, which are in the order (0, 1), (0, 2), (1, 2), (0, 3) ...
    cdef const double* reach = here.other
    cdef const double* everything = sums + found.levels * h.width
    cdef double* row
    cdef int32_t n = 0
    cdef int i, j, level, other
    cdef double won
    for j in range(1, left):
        for i in range(j):
            level = found.strong[i] if found.strong[i] > found.strong[j] else found.strong[j]
            row = sums + (level + 1) * h.width
            row[0] += reach[n]
            row[1 + i] += reach[n]
            row[1 + j] += reach[n]
            n += 1
    heap_up(h, found, sums)
    n = 0
    for j in range(1, left):
        for i in range(j):
            level = found.beats[i] if found.beats[i] > found.beats[j] else found.beats[j]
            other = found.strong[i] if found.strong[i] > found.strong[j] else found.strong[j]
            row = sums + level * h.width
            won = row[0] - row[1 + i] - row[1 + j]
            won += reach[n] if other < level else 0.0
            here.value[n] = 2.0 * won - (everything[0] - everything[1 + i] - everything[1 + j] + reach[n])
            n += 1


cdef inline double won_by(const Hands* h, const Strengths* found, const double* reach, const double* sums,
                          int32_t hand) noexcept nogil:
    cdef int level = best_of(h, found.beats, hand)
    cdef const double* wins = sums + level * h.width
    cdef const double* everything = sums + found.levels * h.width
    cdef double won = 0.0, total = 0.0, same
    cdef int u
    cdef int32_t at
    for u in range(h.subsets):
        at = h.subset[hand * h.subsets + u]
        won += h.sign[u] * wins[at]
        total += h.sign[u] * everything[at]
    same = -reach[hand] if h.held & 1 else reach[hand]
    total += same
    if best_of(h, found.strong, hand) < level:
        won += same
    return 2.0 * won - total
