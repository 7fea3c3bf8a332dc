"""The walk that turns a game into sequences: see tree.pxd for the shape."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from cardgods._core.ops cimport CHANCE, MAX_PLAYERS, TERMINAL
from cardgods._core.search.keys cimport map_add, map_close, map_open
from cardgods._core.search.path cimport (
    CANCELLED, COLLISION, DONE, INCONSISTENT, NO_MEMORY, NO_RECALL, Frame, path_pop, path_push, path_top)


cdef int draft_open(Draft* d, int64_t sets, int64_t ends, int64_t events,
                    const int64_t* sequences) noexcept nogil:
    # Room for exactly what was counted (`ends` is an upper bound); -1 if there is not enough memory.
    cdef int players = d.path.players
    cdef int p
    d.player = <int8_t*>malloc(sets + 1)
    d.parent = <int32_t*>malloc((sets + 1) * sizeof(int32_t))
    d.first = <int32_t*>malloc((sets + 1) * sizeof(int32_t))
    d.count = <int16_t*>malloc((sets + 1) * sizeof(int16_t))
    d.learnt = <int64_t*>malloc((sets + 1) * sizeof(int64_t))
    d.events = <int16_t*>malloc((events + 1) * sizeof(int16_t))
    d.sequence = <int32_t*>malloc((ends * players + 1) * sizeof(int32_t))
    d.weight = <double*>malloc((ends * players + 1) * sizeof(double))
    if (d.player == NULL or d.parent == NULL or d.first == NULL or d.count == NULL or d.learnt == NULL
            or d.events == NULL or d.sequence == NULL or d.weight == NULL):
        return -1
    for p in range(players):
        d.action[p] = <int32_t*>malloc((sequences[p] + 1) * sizeof(int32_t))
        if d.action[p] == NULL:
            return -1
        d.action[p][0] = -1
        d.sequences[p] = 1
    d.learnt[0] = 0
    memset(d.recent, 0xFF, sizeof(d.recent))
    d.constant_sum = True
    return map_open(&d.map, sets)


cdef void draft_close(Draft* d) noexcept nogil:
    # Whatever has been handed on is NULL by then. The path is its opener's to close.
    cdef int p
    free(d.player)
    free(d.parent)
    free(d.first)
    free(d.count)
    free(d.learnt)
    free(d.events)
    free(d.sequence)
    free(d.weight)
    for p in range(MAX_PLAYERS):
        free(d.action[p])
    map_close(&d.map)


cdef int compare_set(const Draft* d, const Frame* frame, int32_t found) noexcept nogil:
    # Whether an information set that was met before is this one in every respect. With the owner's sequence
    # and what he learnt since equal, the whole information states are equal, by induction.
    cdef int player = frame.actor
    cdef int64_t size = frame.learnt[player] - frame.mark[player]
    cdef const int16_t* learnt = d.path.events[player] + frame.mark[player]
    if d.parent[found] != frame.sequence[player]:
        return NO_RECALL
    if (d.player[found] != player or d.learnt[found + 1] - d.learnt[found] != size
            or memcmp(d.events + d.learnt[found], learnt, size * sizeof(int16_t)) != 0):
        return COLLISION
    if d.count[found] != frame.count or memcmp(
            d.action[player] + d.first[found], frame.actions, frame.count * sizeof(int32_t)) != 0:
        return INCONSISTENT
    return DONE


cdef int enter_set(Draft* d, const Frame* frame, int32_t* number) noexcept nogil:
    cdef int player = frame.actor
    cdef int64_t size = frame.learnt[player] - frame.mark[player]
    cdef int32_t found = map_add(&d.map, &frame.keys[player])
    number[0] = found
    if found < 0:
        return NO_MEMORY
    if found < d.sets:
        return compare_set(d, frame, found)
    d.player[found] = <int8_t>player
    d.parent[found] = frame.sequence[player]
    d.first[found] = d.sequences[player]
    d.count[found] = <int16_t>frame.count
    memcpy(d.action[player] + d.sequences[player], frame.actions, frame.count * sizeof(int32_t))
    d.sequences[player] += frame.count
    memcpy(d.events + d.learnt[found], d.path.events[player] + frame.mark[player], size * sizeof(int16_t))
    d.learnt[found + 1] = d.learnt[found] + size
    d.sets += 1
    return DONE


cdef void enter_end(Draft* d, const Frame* frame) noexcept nogil:
    # Ends that lead to the same sequences of all players are added up as far as they lie near each other in
    # the walk, which is where most do (cards nobody has looked at, forced moves).
    cdef double returns[MAX_PLAYERS]
    cdef int players = d.path.players, p
    cdef uint64_t hash = 0
    cdef int64_t at
    cdef double total = 0.0
    d.path.ops.returns(d.path.rules, frame.pos, returns)
    for p in range(players):
        hash = (hash ^ <uint64_t>frame.sequence[p]) * <uint64_t>0x9E3779B97F4A7C15
        hash ^= hash >> 29
        total += returns[p]
    if d.ends == 0:
        d.constant = total
    elif total != d.constant:
        d.constant_sum = False
    at = d.recent[hash % RECENT]
    if at >= 0 and memcmp(d.sequence + at * players, frame.sequence, players * sizeof(int32_t)) == 0:
        for p in range(players):
            d.weight[at * players + p] += frame.chance * returns[p]
        return
    at = d.ends
    d.ends += 1
    d.recent[hash % RECENT] = at
    for p in range(players):
        d.sequence[at * players + p] = frame.sequence[p]
        d.weight[at * players + p] = frame.chance * returns[p]


cdef int draft_walk(Draft* d) noexcept nogil:
    # From the top of the path to all ends below.
    cdef Frame* frame = path_top(&d.path)
    cdef int player = frame.actor
    cdef bint choice = player != CHANCE and frame.count > 1
    cdef int32_t number
    cdef int i, outcome
    if player == TERMINAL:
        enter_end(d, frame)
        return DONE
    if d.cancel[0]:
        return CANCELLED
    if choice:
        outcome = enter_set(d, frame, &number)
        if outcome != DONE:
            return outcome
        frame.mark[player] = frame.learnt[player]
    for i in range(frame.count):
        if choice:
            frame.sequence[player] = d.first[number] + i
        if path_push(&d.path, i):
            return NO_MEMORY
        outcome = draft_walk(d)
        if outcome != DONE:
            return outcome
        path_pop(&d.path)
    return DONE
