"""The matrix game at one node of a solved Encan game, from the vectors that the sweep has kept."""

from libc.stdint cimport int8_t, int32_t, int64_t

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.solve.encan_hands cimport HandLevel
from cardgods._core.solve.encan_pattern cimport Pattern, pattern_after, pattern_ended, pattern_settle
from cardgods._core.solve.encan_reach cimport Reach, reach_meets
from cardgods._core.solve.encan_scores cimport Scores
from cardgods._core.solve.encan_situation cimport (
    LEAF_GOLD,
    LEAF_LEVEL,
    Situation,
    Step,
    situation_reduce,
    situation_step,
)
from cardgods._core.solve.encan_vectors cimport Vectors


cdef bint stored_value(Vectors s, int k, int32_t code, int32_t at, double* out) noexcept nogil:
    # The value of a code on one pattern of a level, of which `at` may be negative where the game is over;
    # False if it is not kept or was never needed.
    cdef const HandLevel* hands = &s.hands.levels[k]
    cdef const Reach* past
    cdef int32_t c = code // 2 - s.scores.levels[k].first, b
    cdef int64_t before = 0
    cdef double sign = 1.0
    if code == LEAF_LEVEL or code // 2 == 0:
        out[0] = 0.0 if code == LEAF_LEVEL else (-1.0 if code & 1 else 1.0)
        return True
    if at < 0:
        return False
    if code & 1:
        at = hands.mirror[at]
        sign = -1.0
    if code // 2 == LEAF_GOLD // 2:
        out[0] = sign * s.ends[at]
        return True
    if s.split[k] or s.values[k] == NULL or s.values[k][c] == NULL or at >= hands.starts:
        return False
    past = &s.scores.levels[k].class_reach[c]
    for b in range(hands.start_blocks):
        if reach_meets(&hands.start_reach[b], past):
            if at < hands.begins[b + 1]:
                if at < hands.begins[b]:
                    return False
                out[0] = sign * s.values[k][c][before + at - hands.begins[b]]
                return True
            before += hands.begins[b + 1] - hands.begins[b]
    return False


cdef Pattern position_pattern(hands, burnt, used):
    cdef Pattern p
    cdef int player
    p.used = used
    for player in range(2):
        p.hand[player] = hands[player]
        p.mark[player] = -1
        if burnt[player] and not (p.used >> player) & 1:
            p.mark[player] = <int8_t>lsb(burnt[player])
    pattern_settle(&p)
    return p


def root_value(Vectors vectors, Scores scores):
    """Value at the root, before its window: +1 or -1 for a win, or points still to be won.

    Args:
        vectors: those of a solution.
        scores: the situations that it was found with.
    """
    cdef double x = 0.0
    cdef Pattern p = vectors.hands.root
    if not stored_value(vectors, scores.turns, scores.root, vectors.hands.find(scores.turns, &p), &x):
        raise ValueError("the value at the root is not there")
    return x * vectors.scale


def bid_matrix(Vectors vectors, hands, burnt, used, pile, int treasure, scores, carry):
    """Values for player 0 after each pair of bids, the Obole window being closed.

    Args:
        vectors: those of a solution.
        hands: mask of places for each player.
        burnt: the same; only the smallest counts, and only for who may still call it back.
        used: bit p set if player p has used his Obole (both if there is none).
        pile: mask of the treasures to come, without the revealed one.
        treasure: place of the revealed one.
        scores: units of score of each player.
        carry: units of score.

    Returns:
        A row for each card of player 0, ascending, of a value for each card of player 1: +1 or -1 for a win,
        or points still to be won. None if the vectors that this takes are not there.
    """
    cdef Situation s
    cdef Step steps[3]
    cdef int32_t codes[3]
    cdef int32_t at
    cdef Pattern p = position_pattern(hands, burnt, used), q
    cdef int k = popcount(pile), outcome, i, j
    cdef double x = 0.0
    cdef unsigned int rows, cols
    s.pile = pile | 1u << treasure
    s.score[0], s.score[1] = scores
    s.carry = carry
    situation_reduce(&vectors.scores.terms, &s)
    for outcome in range(3):
        steps[outcome] = situation_step(&vectors.scores.terms, &s, treasure, outcome)
        codes[outcome] = steps[outcome].leaf
        if codes[outcome] < 0:
            codes[outcome] = vectors.scores.code(&steps[outcome].next)
        if codes[outcome] < 0:
            return None
    out = []
    rows = p.hand[0]
    while rows:
        i = lsb(rows)
        rows &= rows - 1
        row = []
        cols = p.hand[1]
        while cols:
            j = lsb(cols)
            cols &= cols - 1
            outcome = 2 if i == j else (0 if i > j else 1)
            q = pattern_after(&p, i, j)
            if k == 0:
                q = pattern_ended(&q)
            at = vectors.hands.find(k, &q)
            if not stored_value(vectors, k, codes[outcome], at, &x):
                return None
            x *= vectors.scale
            if outcome < 2:
                x += (1 - 2 * outcome) * steps[outcome].reward / <double>vectors.scores.terms.rules.scale
            row.append(x)
        out.append(row)
    return out
