"""The course of a round of Eleusis: deal, starter, turns, scores."""

from libc.stdint cimport int8_t, uint8_t, uint16_t
from libc.string cimport memcpy, memset

from cardgods._core.games.eleusis_position cimport (
    DRAW,
    ENDED_EXPELLED,
    ENDED_OUT,
    ENDED_STOCK,
    ENDED_TURNS,
    ENTRY_STARTER,
    FIRST,
    GOD_STARTER,
    KINDS,
    NEXT_ROUND,
    NOBODY,
    OVER,
    PROPHECY,
    STARTER,
    TURN,
    EleusisPos,
    EleusisRules,
)
from cardgods._core.games.eleusis_table cimport (
    enter,
    extend_line,
    is_human,
    right_now,
    shuffle_in,
    take_stock,
)


# Rounds ----------------------------------------------------------------------------------------------------

cdef bint is_seeker(const EleusisPos* s, int seat) noexcept nogil:
    return seat != s.god and seat != s.prophet and not (s.expelled >> seat) & 1


cdef int seekers_but(const EleusisRules* r, const EleusisPos* s, int seat) noexcept nogil:
    cdef int k
    cdef int n = 0
    for k in range(r.players):
        n += k != seat and is_seeker(s, k)
    return n


cdef void score_round(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    cdef int top = 0
    cdef int best = 0
    cdef int k, points
    for k in range(r.players):
        if k != s.god and s.size[k] > top:
            top = s.size[k]
    for k in range(r.players):
        points = 0
        if k != s.god:
            points = top - s.size[k]
            if s.size[k] == 0 and is_seeker(s, k):
                points += r.out_bonus
            if k == s.prophet:
                points += s.since_right + 2 * s.since_wrong
            best = points if points > best else best
        s.round_score[k] = points
    s.round_score[s.god] = best
    if s.prophet >= 0 and 2 * s.mark < best:
        s.round_score[s.god] = 2 * s.mark
    for k in range(r.players):
        s.score[k] += s.round_score[k]


cdef void begin_round(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    cdef EleusisPos old
    memcpy(&old, s, sizeof(EleusisPos))
    memset(s, 0, sizeof(EleusisPos))
    memcpy(s.score, old.score, sizeof(s.score))
    memcpy(s.round_score, old.round_score, sizeof(s.round_score))
    s.verdict = old.verdict
    s.verdicts = old.verdicts
    s.round = old.round
    s.rule_known = 1
    s.god = <uint8_t>((r.god + s.round) % r.players)
    s.prophet = s.turned = s.picked = -1
    s.packs = <uint8_t>r.packs
    memset(s.stock, r.packs, KINDS)
    s.stock_size = <uint16_t>(KINDS * r.packs)
    s.starters = <uint8_t>(1 + r.extra_starters)
    s.dealing = 1
    s.turn = <uint8_t>((s.god + 1) % r.players)
    s.draw_seat[0] = s.turn
    s.draw_left[0] = <uint16_t>r.hand
    s.phase = DRAW


cdef void end_round(const EleusisRules* r, EleusisPos* s, int reason) noexcept nogil:
    # The table stays as it is until the next deal begins.
    cdef int k
    score_round(r, s)
    s.ended = <uint8_t>reason
    s.draw_left[0] = s.draw_left[1] = 0
    if s.round + 1 < r.rounds:
        s.phase = NEXT_ROUND
        return
    s.phase = OVER
    if r.rounds < r.players:
        for k in range(r.players):
            if (k - r.god + r.players) % r.players >= r.rounds:
                s.score[k] += r.compensation


cdef void next_round(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    s.round += 1
    begin_round(r, s)


cdef void next_turn(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    cdef int k, seat
    s.turns += 1
    s.claim = s.laid = s.expel = s.said = 0
    s.picked = -1
    if s.turns >= r.turn_cap:
        end_round(r, s, ENDED_TURNS)
        return
    for k in range(1, r.players + 1):
        seat = (s.turn + k) % r.players
        if is_seeker(s, seat):
            s.turn = <uint8_t>seat
            s.phase = TURN
            return
    end_round(r, s, ENDED_EXPELLED)


cdef inline bint may_declare(const EleusisRules* r, const EleusisPos* s) noexcept nogil:
    if s.prophet >= 0 or (s.was_prophet >> s.turn) & 1 or not is_seeker(s, s.turn):
        return False
    return seekers_but(r, s, s.turn) >= 2


cdef void finish_move(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    # All cards are drawn: expulsion, the end of the round, or the question who will be Prophet.
    cdef bint out = s.size[s.turn] == 0
    if s.expel:
        s.expelled |= <uint8_t>(1 << s.turn)
    elif out and not (r.prophet_after_out and may_declare(r, s)):
        end_round(r, s, ENDED_OUT)
        return
    if seekers_but(r, s, -1) == 0:
        end_round(r, s, ENDED_EXPELLED)
    elif may_declare(r, s):
        s.phase = PROPHECY
    else:
        next_turn(r, s)


cdef void continue_draws(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    # The next card to be drawn, or what follows when none is left to draw.
    if s.draw_left[0] == 0:
        s.draw_left[0] = s.draw_left[1]
        s.draw_seat[0] = s.draw_seat[1]
        s.draw_left[1] = 0
    if s.draw_left[0]:
        if s.stock_size + s.bottom_size == 0:
            end_round(r, s, ENDED_STOCK)
        else:
            s.phase = DRAW
        return
    if not s.dealing:
        finish_move(r, s)
        return
    s.turn = <uint8_t>((s.turn + 1) % r.players)
    if s.turn == s.god:
        s.phase = STARTER
    else:
        s.draw_seat[0] = s.turn
        s.draw_left[0] = <uint16_t>r.hand


cdef void owe(EleusisPos* s, int seat, int cards) noexcept nogil:
    # A batch of cards to be drawn once the move is settled.
    cdef int batch = 1 if s.draw_left[0] else 0
    s.draw_seat[batch] = <uint8_t>seat
    s.draw_left[batch] = <uint16_t>cards


# The start -------------------------------------------------------------------------------------------------

cdef void choose_first(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    # By lot, or counted clockwise from God's left by the rank of the starter (ace 1).
    cdef int rank
    s.dealing = 0
    if not r.first_by_rank:
        s.phase = FIRST
        return
    rank = (s.table[2] % 13 + 1) % 13 + 1
    s.turn = <uint8_t>((s.god + 1 + (rank - 1) % (r.players - 1)) % r.players)
    s.phase = TURN


cdef void judge_starter(const EleusisRules* r, EleusisPos* s, int card, bint right) noexcept nogil:
    cdef uint8_t laid = <uint8_t>card
    if right:
        enter(s, ENTRY_STARTER, NOBODY, &laid, 1)
        extend_line(r, s, card)
        if r.count_starter:
            s.played += 1
        s.starters -= 1
        if s.starters and right_now(r, s):
            s.phase = STARTER
        else:
            choose_first(r, s)
        return
    s.bottom[card] += 1
    s.bottom_size += 1
    s.phase = STARTER
    if s.stock_size == 0:
        if r.refill_at >= 0 and s.packs < r.packs_max:
            shuffle_in(s)
        else:
            end_round(r, s, ENDED_STOCK)


cdef void turn_starter(const EleusisRules* r, EleusisPos* s, int card) noexcept nogil:
    # A low stock is topped up before the card is judged, so a refused one is not shuffled in at once.
    cdef bint right = (right_now(r, s) >> card) & 1
    take_stock(r, s, card)
    if is_human(r, s):
        s.turned = <int8_t>card
        s.phase = GOD_STARTER
    else:
        judge_starter(r, s, card, right)
