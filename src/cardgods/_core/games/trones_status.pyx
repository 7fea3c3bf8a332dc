# What can still become of a front of Trois Trônes.
#
# Who lays and draws how often depends on no choice, and any cards a player will come to hold can be laid
# together (see solve/trones_bounds.pxd); so the range of a front needs counts and sorted forces only.
from cardgods._core.bits cimport lsb, pop_lsb
from cardgods._core.games.trones cimport (
    DEAL, DRAW, OVER, TronesPos, TronesRules, force_of, room_of, room_on,
)

from libc.stdint cimport int32_t, uint64_t


cdef void outlook(const TronesRules* r, const TronesPos* s, uint64_t unseen, Outlook* out) noexcept nogil:
    cdef int held[2]
    cdef int room[2]
    cdef int player = s.turn
    cdef int piled = s.piled
    cdef bint drawing = s.phase == DRAW
    cdef int p
    out.unseen = unseen
    for p in range(2):
        out.turns[p] = out.draws[p] = 0
        held[p] = s.held[p]
        room[p] = room_of(r, s, p)
        if s.phase == DEAL:
            # What is still to be dealt counts as drawn.
            out.draws[p] = r.hand - held[p]
            piled -= out.draws[p]
            held[p] = r.hand
    if s.phase == DEAL:
        player = 0
    while s.phase != OVER:
        if not drawing:
            if not (room[player] and held[player]):
                player = 1 - player
                if not (room[player] and held[player]):
                    return
            room[player] -= 1
            held[player] -= 1
            out.turns[player] += 1
        if piled:
            piled -= 1
            held[player] += 1
            out.draws[player] += room[player] > 0
        drawing = False
        player = 1 - player


cdef int _forces(uint64_t cards, int front, int32_t* out) noexcept nogil:
    # Forces of some cards, descending; the count.
    cdef int n = 0
    cdef int j, force
    while cards:
        force = force_of(lsb(cards), front)
        cards = pop_lsb(cards)
        j = n
        while j > 0 and out[j - 1] < force:
            out[j] = out[j - 1]
            j -= 1
        out[j] = force
        n += 1
    return n


cdef int _extreme(const int32_t* own, int owned, const int32_t* other, int others, int limit, int count,
                  bint most) noexcept nogil:
    # The greatest (or least) sum of `count` forces with at most `limit` of them from the second list.
    cdef int found = -1
    cdef int k, i, total
    for k in range(count + 1):
        # k of the second list, the rest of the first
        if k > limit or k > others or count - k > owned:
            continue
        total = 0
        for i in range(k):
            total += other[i if most else others - 1 - i]
        for i in range(count - k):
            total += own[i if most else owned - 1 - i]
        if found < 0 or (total > found if most else total < found):
            found = total
    return found if found >= 0 else 0


cdef void front_range(const TronesRules* r, const TronesPos* s, const Outlook* look, int player, int front,
                      int* worst, int* best) noexcept nogil:
    cdef int32_t own[52]
    cdef int32_t unseen[52]
    cdef int owned = _forces(s.hand[player], front, own)
    cdef int others = _forces(look.unseen, front, unseen)
    # A hand that is not shown may hold any unseen cards.
    cdef int limit = look.draws[player] + s.held[player] - owned
    cdef int turns = look.turns[player]
    cdef int room = room_on(r, s, player, front)
    cdef int elsewhere = room_of(r, s, player) - room
    cdef uint64_t rest = s.laid[player][front]
    cdef int base = 0
    while rest:
        base += force_of(lsb(rest), front)
        rest = pop_lsb(rest)
    worst[0] = base + _extreme(
        own, owned, unseen, others, limit, turns - elsewhere if turns > elsewhere else 0, False
    )
    best[0] = base + _extreme(own, owned, unseen, others, limit, room if room < turns else turns, True)
