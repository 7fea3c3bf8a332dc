"""Values of a whole game lent to the solution of a game that begins at one of its positions."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from cardgods._core.solve.encan_hands cimport HandLevel, Hands
from cardgods._core.solve.encan_pattern cimport patterns_find
from cardgods._core.solve.encan_reach cimport Reach, reach_meets, reach_mirror
from cardgods._core.solve.encan_scores cimport Scores
from cardgods._core.solve.encan_situation cimport LEAVES, Situation, situation_of, situation_reduce
from cardgods._core.solve.encan_vectors cimport Vectors


cdef bint in_domain(const HandLevel* hands, int32_t at, const Reach* past) noexcept nogil:
    # True if a pattern has a value for a class with these pasts.
    cdef int32_t low = 0, high = hands.start_blocks, middle
    while high - low > 1:
        middle = (low + high) // 2
        if hands.begins[middle] <= at:
            low = middle
        else:
            high = middle
    return reach_meets(&hands.start_reach[low], past)


cdef int32_t* places_in(Hands whole, Hands part, int k) noexcept nogil:
    # Where the patterns of a level of `part` stand in `whole`, -1 for none; NULL when memory runs out.
    cdef const HandLevel* hands = &part.levels[k]
    cdef int32_t* places = <int32_t*>malloc((<size_t>hands.starts + 1) * sizeof(int32_t))
    cdef int32_t i, number
    if places == NULL:
        return NULL
    for i in range(hands.starts):
        number = patterns_find(&whole.sets[k], hands.keys[i])
        places[i] = whole.places[k][number] if number >= 0 else -1
    return places


cdef int gather(Vectors whole, Vectors part, int k, int32_t c, bint turned, int32_t code,
                const int32_t* places, const double* values) noexcept nogil:
    # Fill the vector of a class from the values of a code of the whole game; -1 when memory runs out, -2 if
    # something is missing. `turned`: the code is that of the class with the players exchanged.
    cdef const HandLevel* hands = &part.hands.levels[k]
    cdef const HandLevel* wide = &whole.hands.levels[k]
    cdef const Reach* past = &part.scores.levels[k].class_reach[c]
    cdef Reach known
    cdef double* out
    cdef double scale = whole.scale / part.scale
    cdef int32_t b, i, at
    if part.sizes[k][c] == 0:
        return 0
    if code >= 2 * LEAVES:
        known = whole.scores.levels[k].class_reach[code // 2 - whole.scores.levels[k].first]
        if code & 1:
            known = reach_mirror(&known)
    out = <double*>malloc(part.sizes[k][c] * sizeof(double))
    if out == NULL:
        return -1
    part.values[k][c] = out
    for b in range(hands.start_blocks):
        if not reach_meets(&hands.start_reach[b], past):
            continue
        for i in range(hands.begins[b], hands.begins[b + 1]):
            at = places[hands.mirror[i] if turned else i]
            if at < 0 or (code >= 2 * LEAVES and not in_domain(wide, at, &known)):
                return -2
            out[0] = -values[at] * scale if turned else values[at] * scale
            out += 1
    return 0


cdef int lend_all(Vectors whole, Vectors part, Scores scores, int k, const int32_t* places,
                  double* values) noexcept nogil:
    # `scores` are those of `part`.
    cdef Situation s
    cdef int32_t i, c, code
    cdef int status
    for i in range(scores.found[k].count):
        c = scores.codes[k][i] // 2 - scores.levels[k].first
        if scores.codes[k][i] < 2 * LEAVES or part.values[k][c] != NULL:
            continue
        s = situation_of(scores.found[k].keys[i])
        situation_reduce(&whole.scores.terms, &s)
        code = whole.scores.code(&s)
        if code < 0:
            return -2
        whole.unpack(k, code, 0, values)
        status = gather(whole, part, k, c, scores.codes[k][i] & 1, code, places, values)
        if status < 0:
            return status
    return 0


def lend(Vectors whole, Vectors part, int k):
    """Fill a level of a solution from that of a whole game, in place of solving it and all below.

    Args:
        whole: has the level, of triples.
        part: of a game from one of its positions, its patterns found down to this level.
        k: turns to come.

    Returns:
        False if the whole game lacks a value that is needed, as it does if no play leads to the position.
    """
    cdef int status = -1
    cdef int32_t* places
    cdef double* values
    if part.hands.lowest != k or whole.hands.places[k] == NULL or not whole.has(k):
        raise ValueError(f"the level of {k} turns to come cannot be lent")
    with nogil:
        places = places_in(whole.hands, part.hands, k)
        values = <double*>malloc((<size_t>whole.hands.levels[k].starts + 1) * sizeof(double))
        if places != NULL and values != NULL:
            status = lend_all(whole, part, part.scores, k, places, values)
        free(places)
        free(values)
    if status == -1:
        raise MemoryError("no memory left for the values of the solution")
    return status == 0
