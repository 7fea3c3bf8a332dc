"""Eleusis in the core; docs/rules/eleusis.md has the rules and options."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from cardgods._core.bits cimport lsb
from cardgods._core.games.eleusis_knowledge cimport eleusis_events, eleusis_observe
from cardgods._core.games.eleusis_moves cimport eleusis_apply, is_sudden_death
from cardgods._core.games.eleusis_position cimport (
    ACTIONS,
    CLAIM,
    DECLARE,
    DECLINE,
    DONE,
    DRAW,
    ENTRY_FORCED,
    ENTRY_RIGHT,
    ENTRY_STARTER,
    ENTRY_WRONG,
    FIRST,
    FORCED,
    GOD_PICK,
    JUDGE,
    JUDGE_CLAIM,
    KINDS,
    NEXT_ROUND,
    NOBODY,
    OVER,
    PICK,
    PROPHECY,
    RIGHT,
    SEQUENCE,
    STARTER,
    TURN,
    WRONG,
    EleusisPos,
    EleusisRules,
)
from cardgods._core.games.eleusis_round cimport begin_round
from cardgods._core.games.eleusis_table cimport enter, extend_line, right_now, take_up
from cardgods._core.games.eleusis_worlds cimport eleusis_resample
from cardgods._core.ops cimport CHANCE, TERMINAL, GameOps
from cardgods._core.rule.machine cimport Machine
from cardgods._core.rule.program cimport FULL_DECK, Program
from cardgods._core.state cimport Rules, State


# The table of functions ------------------------------------------------------------------------------------

cdef void eleusis_init(const void* rules, void* pos) noexcept nogil:
    memset(pos, 0, sizeof(EleusisPos))
    begin_round(<const EleusisRules*>rules, <EleusisPos*>pos)


cdef int eleusis_actor(const void* rules, const void* pos) noexcept nogil:
    cdef const EleusisPos* s = <const EleusisPos*>pos
    if s.phase in (DRAW, STARTER, FIRST, FORCED, NEXT_ROUND):
        return CHANCE
    if s.phase in (TURN, SEQUENCE, PROPHECY):
        return s.turn
    if s.phase in (JUDGE, JUDGE_CLAIM, PICK):
        return s.prophet
    if s.phase == OVER:
        return TERMINAL
    return s.god


cdef int eleusis_sealed(const void* rules, const void* pos) noexcept nogil:
    return 0


cdef inline int list_kinds(uint64_t kinds, int32_t* out) noexcept nogil:
    cdef int n = 0
    while kinds:
        out[n] = lsb(kinds)
        kinds &= kinds - 1
        n += 1
    return n


cdef int eleusis_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil:
    cdef const EleusisPos* s = <const EleusisPos*>pos
    cdef int n
    if s.phase == TURN or s.phase == SEQUENCE:
        n = list_kinds(s.held[s.turn], out)
        out[n] = CLAIM if s.phase == TURN else DONE
        return n + 1
    if s.phase == PICK:
        return list_kinds(s.held[s.turn], out)
    if s.phase == GOD_PICK:
        # not the card that God has just called wrong, unless the hand has no other
        if s.picked >= 0 and s.held[s.turn] & ~(<uint64_t>1 << s.picked):
            return list_kinds(s.held[s.turn] & ~(<uint64_t>1 << s.picked), out)
        return list_kinds(s.held[s.turn], out)
    out[0] = DECLARE if s.phase == PROPHECY else RIGHT
    out[1] = DECLINE if s.phase == PROPHECY else WRONG
    return 2


cdef int eleusis_chance(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil:
    cdef const EleusisRules* r = <const EleusisRules*>rules
    cdef const EleusisPos* s = <const EleusisPos*>pos
    cdef const uint8_t* counts = &s.stock[0]
    cdef uint64_t kinds = <uint64_t>FULL_DECK
    cdef int n = 0
    cdef int k
    if s.phase == NEXT_ROUND:
        for k in range(KINDS):
            out[k] = k
            weights[k] = r.packs
        return KINDS
    if s.phase == FIRST:
        for k in range(r.players):
            if k != s.god:
                out[n] = k
                weights[n] = 1
                n += 1
        return n
    if s.phase == FORCED:
        counts = &s.hand[s.turn][0]
        kinds = right_now(r, s)
    elif s.stock_size == 0:
        counts = &s.bottom[0]
    for k in range(KINDS):
        if counts[k] and (kinds >> k) & 1:
            out[n] = k
            weights[n] = counts[k]
            n += 1
    return n


cdef void eleusis_returns(const void* rules, const void* pos, double* out) noexcept nogil:
    cdef const EleusisPos* s = <const EleusisPos*>pos
    cdef int k
    for k in range((<const EleusisRules*>rules).players):
        out[k] = s.score[k]


cdef GameOps OPS
OPS.name = b"eleusis"
OPS.state_bytes = sizeof(EleusisPos)
OPS.init = eleusis_init
OPS.actor = eleusis_actor
OPS.sealed = eleusis_sealed
OPS.legal = eleusis_legal
OPS.chance = eleusis_chance
OPS.apply = eleusis_apply
OPS.returns = eleusis_returns
OPS.events = eleusis_events
OPS.observe = eleusis_observe
OPS.resample = eleusis_resample


# Python face -----------------------------------------------------------------------------------------------

PHASES = (
    "draw", "starter", "first", "turn", "sequence", "judge", "judge_claim", "pick", "god_starter",
    "god_judge", "god_claim", "god_pick_judge", "god_pick", "forced", "prophecy", "next_round", "over",
)
END_REASONS = (None, "out", "expelled", "turns", "stock")
ENTRY_KINDS = ("starter", "right", "wrong", "forced", "hand")
VERDICTS = (None, "right", "wrong")


cdef class EleusisRulesObject(Rules):
    """The compiled options of one game; see ``cardgods.games.eleusis.EleusisOptions``.

    Args:
        rules: for each round a pair (program, machine): the machine is None for a rule with too many
            states, and the pair is None where a human God judges.
        texts: the canonical text of each rule.
        numbers: the options by the names of the fields of ``struct EleusisRules``.
    """

    def __cinit__(self, rules, texts, numbers):
        cdef Program program
        cdef Machine machine
        cdef int k
        memset(&self.r, 0, sizeof(EleusisRules))
        self._set_numbers(numbers)
        self.texts = tuple(texts)
        self.owners = tuple(rules)
        for k, pair in enumerate(self.owners):
            if pair is not None:
                program, machine = pair
                self.r.rule[k].code = &program.c
                if machine is not None:
                    self.r.rule[k].machine = &machine.m
        self.ops = &OPS
        self.data = &self.r
        self.num_players = self.r.players
        self.num_distinct_actions = ACTIONS
        self.max_game_length = self.r.rounds * self._round_length()

    def _set_numbers(self, numbers):
        self.r.players = numbers["players"]
        self.r.rounds = numbers["rounds"]
        self.r.god = numbers["god"]
        self.r.hand = numbers["hand"]
        self.r.packs = numbers["packs"]
        self.r.packs_max = numbers["packs_max"]
        self.r.refill_at = numbers["refill_at"]
        self.r.extra_starters = numbers["extra_starters"]
        self.r.max_sequence = numbers["max_sequence"]
        self.r.sudden_death = numbers["sudden_death"]
        self.r.prophet_sudden_death = numbers["prophet_sudden_death"]
        self.r.wrong_penalty = numbers["wrong_penalty"]
        self.r.claim_penalty = numbers["claim_penalty"]
        self.r.claim_relief = numbers["claim_relief"]
        self.r.prophet_penalty = numbers["prophet_penalty"]
        self.r.out_penalty = numbers["out_penalty"]
        self.r.out_bonus = numbers["out_bonus"]
        self.r.compensation = numbers["compensation"]
        self.r.turn_cap = numbers["turn_cap"]
        self.r.first_by_rank = numbers["first_by_rank"]
        self.r.count_starter = numbers["count_starter"]
        self.r.forced_lowest = numbers["forced_lowest"]
        self.r.expel_on_wrong_claim = numbers["expel_on_wrong_claim"]
        self.r.keep_prophet_card = numbers["keep_prophet_card"]
        self.r.prophet_after_out = numbers["prophet_after_out"]

    def _round_length(self):
        # Every card is drawn once, a refused starter again after each further pack; a turn is at most the
        # cards and "done", the Prophet's word and pick, God's two words and card, and the prophecy.
        starters = 2 * 52 * sum(range(self.r.packs, self.r.packs_max + 1))
        return 52 * self.r.packs_max + starters + 1 + self.r.turn_cap * (self.r.max_sequence + 8)


cdef class EleusisState(State):
    """A position of Eleusis.

    Actions: 0..51 a card; 52 done, 53 the claim "I cannot play", 54 declare, 55 decline, 56 right, 57 wrong.
    Chance outcomes: cards, or the seat that begins.
    """

    cdef object describe(self, const void* pos):
        cdef const EleusisPos* s = <const EleusisPos*>pos
        cdef const EleusisRules* r = <const EleusisRules*>self.data
        cdef int players = r.players
        over = s.phase in (NEXT_ROUND, OVER)
        texts = (<EleusisRulesObject>self.rules).texts
        table = entries(s)
        return {
            "phase": PHASES[s.phase],
            "round": s.round,
            "rounds": r.rounds,
            "god": s.god,
            "turn": None if over or s.dealing else s.turn,
            "hands": [
                None if s.size[k] and not s.held[k] else
                [c for c in range(52) for _ in range(s.hand[k][c])] for k in range(players)
            ],
            "hand_sizes": [s.size[k] for k in range(players)],
            "stock": s.stock_size + s.bottom_size,
            "packs": s.packs,
            "line": [
                c for entry in table if entry["kind"] not in ("wrong", "hand") for c in entry["cards"]
            ],
            "table": table,
            "laid": [s.card[k] for k in range(s.laid)],
            "claim": bool(s.claim),
            "played": s.played,
            "turns": s.turns,
            "prophet": s.prophet if s.prophet >= 0 else None,
            "mark": s.mark if s.prophet >= 0 else None,
            "since_mark": [s.since_right, s.since_wrong] if s.prophet >= 0 else None,
            "was_prophet": [k for k in range(players) if (s.was_prophet >> k) & 1],
            "expelled": [k for k in range(players) if (s.expelled >> k) & 1],
            "sudden_death": bool(is_sudden_death(r, s)),
            "said": VERDICTS[s.said],
            "verdict": VERDICTS[s.verdict],
            "turned": s.turned if s.turned >= 0 else None,
            "picked": s.picked if s.picked >= 0 else None,
            "to_draw": [[s.draw_seat[k], s.draw_left[k]] for k in range(2) if s.draw_left[k]],
            "scores": [s.score[k] for k in range(players)],
            "round_scores": [s.round_score[k] for k in range(players)] if s.round or over else None,
            "rule": texts[s.round] if s.rule_known or over else None,
            "past_rules": list(texts[:s.round + over]),
            "end_reason": END_REASONS[s.ended],
        }

    def set_up(self, hands, table, numbers, scores):
        """Let the history begin at a turn; everything is already checked (``EleusisGame.new_position``).

        Args:
            hands: cards of each seat.
            table: triples (kind of entry, seat or NOBODY, cards), in the order of play.
            numbers: round, turn, packs, prophet, mark, since_right, since_wrong, expelled, was_prophet,
                turns, by name; seats as bits where there can be several.
            scores: points of each seat from earlier rounds.
        """
        cdef EleusisPos s
        cdef const EleusisRules* r = <const EleusisRules*>self.data
        cdef uint8_t cards[255]
        cdef int k, n
        eleusis_init(r, &s)
        s.round = numbers["round"]
        begin_round(r, &s)
        s.packs = numbers["packs"]
        memset(s.stock, s.packs, KINDS)
        for k in range(r.players):
            s.score[k] = scores[k]
            for card in hands[k]:
                s.stock[<int>card] -= 1
                take_up(&s, k, card)
        for kind, seat, laid in table:
            n = len(laid)
            for k in range(n):
                cards[k] = laid[k]
                s.stock[cards[k]] -= 1
                if kind in (ENTRY_STARTER, ENTRY_RIGHT, ENTRY_FORCED):
                    extend_line(r, &s, cards[k])
            enter(&s, kind, seat, cards, n)
            if kind in (ENTRY_RIGHT, ENTRY_WRONG, ENTRY_FORCED) or r.count_starter and kind == ENTRY_STARTER:
                s.played += n
        s.stock_size = sum([s.stock[k] for k in range(KINDS)])
        s.prophet = numbers["prophet"]
        s.mark = numbers["mark"]
        s.since_right = numbers["since_right"]
        s.since_wrong = numbers["since_wrong"]
        s.expelled = numbers["expelled"]
        s.was_prophet = numbers["was_prophet"]
        s.turns = numbers["turns"]
        s.turn = numbers["turn"]
        s.starters = s.dealing = s.draw_left[0] = 0
        s.phase = TURN
        self.begin(&s)

    @property
    def phase(self):
        """What is to be decided now; the first entry of :meth:`view`."""
        return PHASES[(<const EleusisPos*>self.pos).phase]

    def right(self):
        """Mask of the cards that God would call right now; all cards if a human God judges."""
        cdef const EleusisPos* s = <const EleusisPos*>self.pos
        if s.phase == OVER or s.phase == NEXT_ROUND:
            return 0
        return right_now(<const EleusisRules*>self.data, s)


cdef entries(const EleusisPos* s):
    cdef int at = 0
    cdef int k, n
    found = []
    while at < s.table_used:
        n = s.table[at + 1]
        seat = s.table[at] & 15
        found.append({
            "kind": ENTRY_KINDS[s.table[at] >> 4],
            "seat": seat if seat != NOBODY else None,
            "cards": [s.table[at + 2 + k] for k in range(n)],
        })
        at += n + 2
    return found
