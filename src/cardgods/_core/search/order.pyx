"""The final order: information sets depth first in their owner's tree, ends gathered into rows."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memset


cdef void seat_close(Seat* seat) noexcept nogil:
    free(seat.first)
    free(seat.parent)
    free(seat.end)
    free(seat.node)
    free(seat.action)
    free(seat.row)
    free(seat.others)
    free(seat.weight)
    memset(seat, 0, sizeof(Seat))


cdef int seat_open(Seat* seat, int32_t sets, int32_t sequences) noexcept nogil:
    seat.sets = sets
    seat.sequences = sequences
    seat.first = <int32_t*>malloc((sets + 1) * sizeof(int32_t))
    seat.parent = <int32_t*>malloc((sets + 1) * sizeof(int32_t))
    seat.end = <int32_t*>malloc((sets + 1) * sizeof(int32_t))
    seat.node = <int32_t*>malloc((sets + 1) * sizeof(int32_t))
    seat.action = <int32_t*>malloc(sequences * sizeof(int32_t))
    return -(seat.first == NULL or seat.parent == NULL or seat.end == NULL or seat.node == NULL
             or seat.action == NULL)


cdef struct Children:
    int32_t* start            # [sequences + 1] into list
    int32_t* list             # draft numbers of a player's sets, by the sequence that leads there
    int32_t* stack


cdef int children_open(Children* c, const Draft* d, int player, int32_t* sets) noexcept nogil:
    cdef int32_t sequences = d.sequences[player]
    cdef int32_t i
    cdef int32_t* at
    sets[0] = 0
    c.start = <int32_t*>calloc(sequences + 2, sizeof(int32_t))
    if c.start == NULL:
        return -1
    for i in range(d.sets):
        if d.player[i] == player:
            sets[0] += 1
            c.start[d.parent[i] + 2] += 1
    for i in range(sequences):
        c.start[i + 2] += c.start[i + 1]
    c.list = <int32_t*>malloc((sets[0] + 1) * sizeof(int32_t))
    c.stack = <int32_t*>malloc((sets[0] + 1) * sizeof(int32_t))
    if c.list == NULL or c.stack == NULL:
        return -1
    at = c.start + 1
    for i in range(d.sets):
        if d.player[i] == player:
            c.list[at[d.parent[i]]] = i
            at[d.parent[i]] += 1
    return 0


cdef inline int32_t push_children(const Children* c, int32_t sequence, int32_t depth) noexcept nogil:
    # The last child first, so that the first is taken off first.
    cdef int32_t k = c.start[sequence + 1]
    while k > c.start[sequence]:
        k -= 1
        c.stack[depth] = c.list[k]
        depth += 1
    return depth


cdef void number_sets(const Draft* d, const Children* c, int player, int32_t offset, Seat* seat,
                      int32_t* place, int32_t* renamed) noexcept nogil:
    cdef int32_t depth, found, k = 0, next_sequence = 1
    cdef int i
    renamed[0] = 0
    seat.action[0] = -1
    depth = push_children(c, 0, 0)
    while depth:
        depth -= 1
        found = c.stack[depth]
        place[found] = offset + k
        seat.node[k] = offset + k
        seat.first[k] = next_sequence
        seat.parent[k] = renamed[d.parent[found]]
        for i in range(d.count[found]):
            renamed[d.first[found] + i] = next_sequence
            seat.action[next_sequence] = d.action[player][d.first[found] + i]
            next_sequence += 1
        i = d.count[found]
        while i:
            i -= 1
            depth = push_children(c, d.first[found] + i, depth)
        k += 1
    seat.first[k] = next_sequence


cdef int close_ranges(Seat* seat) noexcept nogil:
    # Where the sets below each set end; they are numbered right behind it.
    cdef int32_t* owner = <int32_t*>malloc(seat.sequences * sizeof(int32_t))
    cdef int32_t k, s
    if owner == NULL:
        return -1
    owner[0] = -1
    for k in range(seat.sets):
        for s in range(seat.first[k], seat.first[k + 1]):
            owner[s] = k
        seat.end[k] = k + 1
    k = seat.sets
    while k:
        k -= 1
        s = owner[seat.parent[k]]
        if s >= 0 and seat.end[s] < seat.end[k]:
            seat.end[s] = seat.end[k]
    free(owner)
    return 0


cdef int order_seat(const Draft* d, int player, int32_t offset, Seat* seat, int32_t* place,
                    int32_t* renamed) noexcept nogil:
    # Give a player's information sets and sequences their final numbers: place[draft set], renamed[draft
    # sequence]; -1 if there is no memory.
    cdef Children c
    cdef int32_t sets = 0
    cdef int failed
    memset(&c, 0, sizeof(Children))
    failed = children_open(&c, d, player, &sets)
    if not failed:
        failed = seat_open(seat, sets, d.sequences[player])
    if not failed:
        number_sets(d, &c, player, offset, seat, place, renamed)
        failed = close_ranges(seat)
    free(c.start)
    free(c.list)
    free(c.stack)
    return failed


cdef void rename_ends(Draft* d, int player, const int32_t* renamed) noexcept nogil:
    cdef int64_t z
    cdef int players = d.path.players
    for z in range(d.ends):
        d.sequence[z * players + player] = renamed[d.sequence[z * players + player]]


# Rows ------------------------------------------------------------------------------------------------------

cdef int sort_pass(const Draft* d, int player, int32_t sequences, const int32_t* source,
                   int32_t* target) noexcept nogil:
    # One stable counting sort of the ends by the sequence of a player.
    cdef int players = d.path.players
    cdef int64_t* at = <int64_t*>calloc(sequences + 1, sizeof(int64_t))
    cdef int64_t z
    cdef int32_t s
    if at == NULL:
        return -1
    for z in range(d.ends):
        at[d.sequence[z * players + player] + 1] += 1
    for s in range(sequences):
        at[s + 1] += at[s]
    for z in range(d.ends):
        s = d.sequence[<int64_t>source[z] * players + player]
        target[at[s]] = source[z]
        at[s] += 1
    free(at)
    return 0


cdef int sorted_ends(const Draft* d, int player, const Seat* seats, int32_t** buffers) noexcept nogil:
    # The ends by the player's sequence, then by those of the others in ascending order of players; the
    # result is in buffers[0].
    cdef int players = d.path.players
    cdef int64_t z
    cdef int q = players, key, failed = 0
    cdef int32_t* swap
    for z in range(d.ends):
        buffers[0][z] = <int32_t>z
    while q >= 0 and not failed:
        q -= 1
        key = q if q >= 0 else player
        if q == player:
            continue
        failed = sort_pass(d, key, seats[key].sequences, buffers[0], buffers[1])
        swap = buffers[0]
        buffers[0] = buffers[1]
        buffers[1] = swap
    return failed


cdef void fill_rows(const Draft* d, int player, Seat* seat, const int32_t* order) noexcept nogil:
    cdef int players = d.path.players
    cdef int64_t z, k, into = 0, last = -1
    cdef int32_t s, row = 0
    cdef int q, j
    cdef const int32_t* at
    seat.row[0] = 0
    for z in range(d.ends):
        k = order[z]
        at = d.sequence + k * players
        s = at[player]
        if last >= 0 and memcmp(d.sequence + last * players, at, players * sizeof(int32_t)) == 0:
            seat.weight[into - 1] += d.weight[k * players + player]
            continue
        if last >= 0 and seat.weight[into - 1] == 0.0:
            into -= 1
        while row < s:
            row += 1
            seat.row[row] = into
        j = 0
        for q in range(players):
            if q != player:
                seat.others[into * (players - 1) + j] = at[q]
                j += 1
        seat.weight[into] = d.weight[k * players + player]
        into += 1
        last = k
    if last >= 0 and seat.weight[into - 1] == 0.0:
        into -= 1
    while row < seat.sequences:
        row += 1
        seat.row[row] = into
    seat.entries = into


cdef int gather_rows(const Draft* d, int player, const Seat* seats) noexcept nogil:
    # The rows of one player from the renamed ends; -1 if there is no memory.
    cdef Seat* seat = <Seat*>&seats[player]
    cdef int others = d.path.players - 1
    cdef int32_t* buffers[2]
    cdef void* cut
    cdef int failed
    buffers[0] = <int32_t*>malloc((d.ends + 1) * sizeof(int32_t))
    buffers[1] = <int32_t*>malloc((d.ends + 1) * sizeof(int32_t))
    failed = -(buffers[0] == NULL or buffers[1] == NULL)
    if not failed:
        failed = sorted_ends(d, player, seats, buffers)
    free(buffers[1])
    if not failed:
        seat.row = <int64_t*>malloc((seat.sequences + 1) * sizeof(int64_t))
        seat.others = <int32_t*>malloc((d.ends * others + 1) * sizeof(int32_t))
        seat.weight = <double*>malloc((d.ends + 1) * sizeof(double))
        failed = -(seat.row == NULL or seat.others == NULL or seat.weight == NULL)
    if not failed:
        fill_rows(d, player, seat, buffers[0])
        cut = realloc(seat.others, (seat.entries * others + 1) * sizeof(int32_t))
        seat.others = <int32_t*>cut if cut != NULL else seat.others
        cut = realloc(seat.weight, (seat.entries + 1) * sizeof(double))
        seat.weight = <double*>cut if cut != NULL else seat.weight
    free(buffers[0])
    return failed
