"""What decisions and chance outcomes do in Eleusis."""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t

from cardgods._core.bits cimport lsb
from cardgods._core.games.eleusis_position cimport (
    CLAIM,
    DECLARE,
    DONE,
    DRAW,
    ENDED_OUT,
    ENTRY_FORCED,
    ENTRY_RIGHT,
    ENTRY_WRONG,
    FIRST,
    FORCED,
    GOD_CLAIM,
    GOD_JUDGE,
    GOD_PICK,
    GOD_PICK_JUDGE,
    GOD_STARTER,
    JUDGE,
    JUDGE_CLAIM,
    NEXT_ROUND,
    PICK,
    PROPHECY,
    RIGHT,
    SEQUENCE,
    STARTER,
    TURN,
    VERDICT_RIGHT,
    VERDICT_WRONG,
    EleusisPos,
    EleusisRules,
)
from cardgods._core.games.eleusis_round cimport (
    continue_draws,
    end_round,
    next_round,
    judge_starter,
    next_turn,
    owe,
    turn_starter,
)
from cardgods._core.games.eleusis_table cimport (
    enter,
    enter_hand,
    extend_line,
    is_human,
    pronounce,
    put_down,
    right_now,
    sequence_is_right,
    take_stock,
    take_up,
)


# Moves -----------------------------------------------------------------------------------------------------

cdef void overthrow(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    # Back to the seekers with penalty cards; his period leaves no trace.
    owe(s, s.prophet, r.out_penalty if s.out_prophet else r.prophet_penalty)
    s.prophet = -1
    s.out_prophet = 0
    s.mark = s.since_right = s.since_wrong = 0


cdef inline void count_since(EleusisPos* s, int cards, bint right) noexcept nogil:
    if s.prophet >= 0:
        if right:
            s.since_right += <uint16_t>cards
        else:
            s.since_wrong += <uint16_t>cards


cdef bint is_sudden_death(const EleusisRules* r, const EleusisPos* s) noexcept nogil:
    if s.prophet >= 0:
        return s.played - s.mark >= r.prophet_sudden_death
    return s.played >= r.sudden_death


cdef void settle_cards(const EleusisRules* r, EleusisPos* s, bint right) noexcept nogil:
    # God's word on the cards laid; the count is tested before the play.
    cdef bint sudden = is_sudden_death(r, s)
    cdef int i
    pronounce(s, VERDICT_RIGHT if right else VERDICT_WRONG)
    enter(s, ENTRY_RIGHT if right else ENTRY_WRONG, s.turn, s.card, s.laid)
    s.played += s.laid
    if right:
        for i in range(s.laid):
            extend_line(r, s, s.card[i])
    if s.prophet >= 0 and (s.said == VERDICT_RIGHT) != right:
        overthrow(r, s)
    else:
        count_since(s, s.laid, right)
        if not right:
            owe(s, s.turn, r.wrong_penalty * s.laid)
            s.expel = sudden
    s.laid = 0
    continue_draws(r, s)


cdef inline void ask_god_on_cards(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    if is_human(r, s):
        s.phase = GOD_JUDGE
    else:
        settle_cards(r, s, sequence_is_right(r, s))


cdef inline void complete_cards(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    if s.prophet >= 0:
        s.phase = JUDGE
    else:
        ask_god_on_cards(r, s)


cdef inline void lay(const EleusisRules* r, EleusisPos* s, int card) noexcept nogil:
    put_down(s, s.turn, card)
    s.card[s.laid] = <uint8_t>card
    s.laid += 1
    if s.laid == r.max_sequence:
        complete_cards(r, s)
    else:
        s.phase = SEQUENCE


cdef void force(const EleusisRules* r, EleusisPos* s, int card) noexcept nogil:
    # A right card of the shown hand goes to the line; it counts as played.
    cdef uint8_t laid = <uint8_t>card
    put_down(s, s.turn, card)
    enter(s, ENTRY_FORCED, s.turn, &laid, 1)
    extend_line(r, s, card)
    s.played += 1
    count_since(s, 1, True)
    continue_draws(r, s)


cdef void god_forces(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    # A human God who contradicts himself can leave no card to force.
    if s.size[s.turn] == 0:
        continue_draws(r, s)
    elif is_human(r, s):
        s.phase = GOD_PICK
    elif r.forced_lowest:
        force(r, s, lsb(right_now(r, s) & s.held[s.turn]))
    else:
        s.phase = FORCED


cdef void settle_claim(const EleusisRules* r, EleusisPos* s, bint right) noexcept nogil:
    # God's word on "I cannot play".
    cdef int seat = s.turn
    cdef int cards = s.size[seat]
    pronounce(s, VERDICT_RIGHT if right else VERDICT_WRONG)
    if right:
        enter_hand(s, seat)
        if cards > r.claim_relief:
            owe(s, seat, cards - r.claim_relief)
        if s.prophet >= 0 and s.said == VERDICT_WRONG:
            overthrow(r, s)
        continue_draws(r, s)
    elif s.prophet < 0:
        owe(s, seat, r.claim_penalty)
        s.expel = r.expel_on_wrong_claim and is_sudden_death(r, s)
        god_forces(r, s)
    elif s.said == VERDICT_RIGHT:
        overthrow(r, s)
        god_forces(r, s)
    else:
        s.phase = PICK


cdef inline void ask_god_on_claim(const EleusisRules* r, EleusisPos* s) noexcept nogil:
    if is_human(r, s):
        s.phase = GOD_CLAIM
    else:
        settle_claim(r, s, not right_now(r, s) & s.held[s.turn])


cdef void settle_pick(const EleusisRules* r, EleusisPos* s, bint right) noexcept nogil:
    # God's word on the card that the Prophet has picked from the shown hand.
    cdef uint8_t card = <uint8_t>s.picked
    pronounce(s, VERDICT_RIGHT if right else VERDICT_WRONG)
    if right:
        owe(s, s.turn, r.claim_penalty)
        s.expel = r.expel_on_wrong_claim and is_sudden_death(r, s)
        force(r, s, card)
        return
    if r.keep_prophet_card:
        put_down(s, s.turn, card)
        enter(s, ENTRY_WRONG, s.turn, &card, 1)
        s.played += 1
    overthrow(r, s)
    god_forces(r, s)


cdef inline void say(EleusisPos* s, int32_t action) noexcept nogil:
    s.said = VERDICT_RIGHT if action == RIGHT else VERDICT_WRONG


cdef void prophecy(const EleusisRules* r, EleusisPos* s, bint declared) noexcept nogil:
    cdef bint out = s.size[s.turn] == 0
    if declared:
        s.prophet = <int8_t>s.turn
        s.was_prophet |= <uint8_t>(1 << s.turn)
        s.mark = s.played
        s.since_right = s.since_wrong = 0
        s.out_prophet = out
    elif out:
        end_round(r, s, ENDED_OUT)
        return
    next_turn(r, s)


cdef void decide(const EleusisRules* r, EleusisPos* s, int32_t action) noexcept nogil:
    # The decisions of seekers, Prophet and God.
    if s.phase == TURN or s.phase == SEQUENCE:
        if action == CLAIM:
            s.claim = 1
            if s.prophet >= 0:
                s.phase = JUDGE_CLAIM
            else:
                ask_god_on_claim(r, s)
        elif action == DONE:
            complete_cards(r, s)
        else:
            lay(r, s, action)
    elif s.phase == JUDGE:
        say(s, action)
        ask_god_on_cards(r, s)
    elif s.phase == JUDGE_CLAIM:
        say(s, action)
        ask_god_on_claim(r, s)
    elif s.phase == PICK:
        s.picked = <int8_t>action
        if is_human(r, s):
            s.phase = GOD_PICK_JUDGE
        else:
            settle_pick(r, s, (right_now(r, s) >> action) & 1)
    elif s.phase == PROPHECY:
        prophecy(r, s, action == DECLARE)


cdef void god_decides(const EleusisRules* r, EleusisPos* s, int32_t action) noexcept nogil:
    cdef int card = s.turned
    if s.phase == GOD_STARTER:
        s.turned = -1
        pronounce(s, VERDICT_RIGHT if action == RIGHT else VERDICT_WRONG)
        judge_starter(r, s, card, action == RIGHT)
    elif s.phase == GOD_JUDGE:
        settle_cards(r, s, action == RIGHT)
    elif s.phase == GOD_CLAIM:
        settle_claim(r, s, action == RIGHT)
    elif s.phase == GOD_PICK_JUDGE:
        settle_pick(r, s, action == RIGHT)
    else:
        force(r, s, action)


cdef void eleusis_apply(const void* rules, void* pos, int32_t action) noexcept nogil:
    cdef const EleusisRules* r = <const EleusisRules*>rules
    cdef EleusisPos* s = <EleusisPos*>pos
    if s.phase == NEXT_ROUND:
        next_round(r, s)
    if s.phase == DRAW:
        take_stock(r, s, action)
        take_up(s, s.draw_seat[0], action)
        s.draw_left[0] -= 1
        continue_draws(r, s)
    elif s.phase == STARTER:
        turn_starter(r, s, action)
    elif s.phase == FIRST:
        s.turn = <uint8_t>action
        s.phase = TURN
    elif s.phase == FORCED:
        force(r, s, action)
    elif s.phase >= GOD_STARTER and s.phase <= GOD_PICK:
        god_decides(r, s, action)
    else:
        decide(r, s, action)
