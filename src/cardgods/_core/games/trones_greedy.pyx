"""A quick heuristic for Trois Trônes, from one player's own hand and the table.

A move is judged by the position after it. On each front the lead is the difference of the forces, with 18
for each free place of either side (about what good play lays there). With n free places the front is won
with probability 1/2 + lead / (12.8 * sqrt(n)), cut off at 0 and 1, and the move with the greatest
probability of winning two fronts or more, the fronts taken as independent, is chosen; among equals the
lowest. The constants were found by playing against variations of themselves in the standard game, the
express game and a small one; all is integer arithmetic, so that every platform plays alike.

A card is not laid where another of the hand counts no less that counts no more on any other open front.
"""

from libc.stdint cimport int32_t, uint64_t

from cardgods._core.bits cimport lsb, pop_lsb
from cardgods._core.games.trones cimport (
    FRONTS, TronesPos, TronesRules, force_of, forces, room_on,
)

cdef enum:
    PLACE = 18                # force expected on a free place

# 16 * sqrt(n) for n free places.
cdef int[7] SPREAD = [1, 16, 23, 28, 32, 36, 39]


cdef struct Table:
    int lead[3]               # of the player on turn
    int free[3]               # places of both sides
    bint open[3]              # has he a free place


cdef void survey(const TronesRules* r, const TronesPos* s, Table* out, int* high) noexcept nogil:
    cdef int me = s.turn
    cdef int f, mine, his
    cdef int total[2]
    for f in range(FRONTS):
        forces(s.laid[me][f], f, &total[0], &high[f])
        forces(s.laid[1 - me][f], f, &total[1], &high[3 + f])
        mine = room_on(r, s, me, f)
        his = room_on(r, s, 1 - me, f)
        out.lead[f] = total[0] - total[1] + PLACE * (mine - his)
        out.free[f] = mine + his
        out.open[f] = mine > 0


cdef inline bint ahead(int own, int other, int me) noexcept nogil:
    return own > other or (own == other and me == 0)


cdef inline int chance(int lead, int free, bint level_won) noexcept nogil:
    cdef int x
    if free == 0:
        return CERTAIN if lead > 0 or (lead == 0 and level_won) else 0
    x = CERTAIN // 2 + 1280 * lead // SPREAD[free]
    return 0 if x < 0 else CERTAIN if x > CERTAIN else x


cdef inline int two_of_three(int a, int b, int c) noexcept nogil:
    return a * b + a * c + b * c - 2 * ((a * b // CERTAIN) * c)


cdef inline bint dominated(const TronesPos* s, const Table* table, int card, int f) noexcept nogil:
    cdef uint64_t rest = s.hand[s.turn] & ~(<uint64_t>1 << card)
    cdef int other, g
    cdef bint better, same
    while rest:
        other = lsb(rest)
        rest = pop_lsb(rest)
        better = force_of(other, f) >= force_of(card, f)
        same = force_of(other, f) == force_of(card, f)
        for g in range(FRONTS):
            if g != f and table.open[g]:
                better = better and force_of(other, g) <= force_of(card, g)
                same = same and force_of(other, g) == force_of(card, g)
        if better and (not same or other < card):
            return True
    return False


cdef void judge(const TronesRules* r, const TronesPos* s, Judgement* out) noexcept nogil:
    cdef Table table
    cdef int high[6]
    cdef uint64_t hand = s.hand[s.turn]
    cdef int f, card, force
    survey(r, s, &table, high)
    out.count = 0
    for f in range(FRONTS):
        out.chance[f] = chance(table.lead[f], table.free[f], ahead(high[f], high[3 + f], s.turn))
    while hand:
        card = lsb(hand)
        hand = pop_lsb(hand)
        for f in range(FRONTS):
            if not table.open[f] or dominated(s, &table, card, f):
                continue
            force = force_of(card, f)
            out.action[out.count] = FRONTS * card + f
            out.worth[out.count] = two_of_three(
                chance(
                    table.lead[f] + force - PLACE, table.free[f] - 1,
                    ahead(force if force > high[f] else high[f], high[3 + f], s.turn),
                ),
                out.chance[(f + 1) % FRONTS], out.chance[(f + 2) % FRONTS],
            )
            out.count += 1


cdef int32_t greedy_move(const TronesRules* r, const TronesPos* s) noexcept nogil:
    cdef Judgement found
    cdef int i, best = 0
    judge(r, s, &found)
    for i in range(1, found.count):
        if found.worth[i] > found.worth[best]:
            best = i
    return found.action[best]
