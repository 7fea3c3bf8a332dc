# Eleusis: God has a secret rule, the seekers lay cards and learn whether they are right.
#
# Cards are 0..51 as in cards.pxd; hands and the stock are multisets, because two packs and more are in play:
# a count for each of the 52 kinds. Actions: 0..51 a card, then the words below. Chance outcomes are cards,
# or seats where the first seeker is drawn. The rules page is docs/rules/eleusis.md.
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint64_t

from cardgods._core.rule.machine cimport Moore
from cardgods._core.rule.program cimport MAX_FIELDS, Code

cdef enum:
    KINDS = 52
    MAX_SEATS = 8
    MAX_ROUNDS = 16
    MAX_PACKS = 20
    MAX_TURNS = 250
    TABLE_BYTES = 2600        # all cards of 20 packs and a header of 2 bytes for three entries a turn
    NOBODY = 15               # seat of the starter's entry on the table

cdef enum Action:
    DONE = 52                 # the sequence is complete
    CLAIM = 53                # "I cannot play", the hand is shown
    DECLARE = 54              # become Prophet
    DECLINE = 55
    RIGHT = 56                # a judgement of the Prophet or of a human God
    WRONG = 57
    ACTIONS = 58

cdef enum Phase:
    DRAW                      # chance: a card from the stock for a seat
    STARTER                   # chance: God turns a card of the stock
    FIRST                     # chance: who begins
    TURN                      # the seeker lays a card or claims that he cannot
    SEQUENCE                  # he has laid some cards: more, or done
    JUDGE                     # the Prophet judges the cards laid
    JUDGE_CLAIM               # the Prophet judges the claim
    PICK                      # the Prophet, having denied the claim, picks a right card of the hand
    GOD_STARTER               # human God: may the turned card begin
    GOD_JUDGE                 # human God on the cards laid
    GOD_CLAIM                 # human God on the claim
    GOD_PICK_JUDGE            # human God on the Prophet's pick
    GOD_PICK                  # human God picks a right card of the hand
    FORCED                    # chance: the right card that God picks
    PROPHECY                  # the seeker may declare himself Prophet
    NEXT_ROUND                # chance: the first card of the next deal; the last round still lies there
    OVER

cdef enum EndReason:
    STILL_ON
    ENDED_OUT                 # a seeker has no card
    ENDED_EXPELLED            # nobody is left to play
    ENDED_TURNS               # the cap of turns
    ENDED_STOCK               # a card was missing

cdef enum EntryKind:
    ENTRY_STARTER
    ENTRY_RIGHT               # laid and right
    ENTRY_WRONG               # laid and wrong; a sequence is one entry
    ENTRY_FORCED              # taken from a shown hand by God or Prophet, and right
    ENTRY_HAND                # a hand shown by a seeker who truly could not play

cdef enum Verdict:
    NONE_YET
    VERDICT_RIGHT
    VERDICT_WRONG

cdef struct RoundRule:
    const Moore* machine      # NULL if the rule has too many states
    const Code* code          # NULL if a human God judges

cdef struct EleusisRules:
    int players
    int rounds
    int god                   # seat of the first God
    int hand                  # cards dealt to each seeker
    int packs                 # packs at the start
    int packs_max             # no further pack beyond these
    int refill_at             # a pack joins a stock of this many cards or fewer; -1 = never
    int extra_starters
    int max_sequence
    int sudden_death          # cards played before it begins, without a Prophet
    int prophet_sudden_death  # cards played since his mark, with one
    int wrong_penalty         # cards drawn for each wrong card
    int claim_penalty         # cards drawn for a wrong claim
    int claim_relief          # cards fewer in the new hand after a right claim
    int prophet_penalty       # cards drawn by an overthrown Prophet
    int out_penalty           # the same for one who had gone out
    int out_bonus             # points for having no card
    int compensation          # points for not having been God
    int turn_cap              # a round ends after this many turns
    bint first_by_rank
    bint count_starter
    bint forced_lowest        # God forces the lowest right card instead of a random one
    bint expel_on_wrong_claim
    bint keep_prophet_card
    bint prophet_after_out
    RoundRule rule[MAX_ROUNDS]

cdef struct EleusisPos:
    uint64_t held[MAX_SEATS]          # kinds in each hand
    int32_t score[MAX_SEATS]          # finished rounds
    int32_t round_score[MAX_SEATS]    # the last finished round
    int32_t rule_state                # state of the machine
    uint16_t memory[MAX_FIELDS]       # of a rule that is evaluated directly
    uint16_t size[MAX_SEATS]          # cards in each hand
    uint16_t stock_size, bottom_size
    uint16_t played                   # cards laid by seekers or forced, right and wrong
    uint16_t line                     # cards of the main line, starters included
    uint16_t mark                     # played when the Prophet declared himself
    uint16_t since_right, since_wrong   # cards since then
    uint16_t turns                    # turns completed in the round
    uint16_t verdicts                 # judgements of God so far, in all rounds (modulo 2^16)
    uint16_t table_used
    uint16_t draw_left[2]             # cards still to be drawn, in two batches
    uint8_t draw_seat[2]
    uint8_t hand[MAX_SEATS][KINDS]
    uint8_t stock[KINDS]
    uint8_t bottom[KINDS]             # refused starters, under the stock
    uint8_t packs
    uint8_t round, god, phase, turn
    int8_t prophet                    # seat, or -1
    uint8_t expelled                  # bit of each seat
    uint8_t was_prophet               # bit of each seat, this round
    uint8_t out_prophet               # the Prophet had gone out before
    uint8_t starters                  # starters still to be turned
    uint8_t dealing                   # the draws are the deal
    uint8_t claim                     # the move in hand is a claim
    uint8_t expel                     # the seeker is expelled at the end of the move
    uint8_t said                      # what the Prophet said of the move: a Verdict
    uint8_t verdict                   # God's last judgement: a Verdict
    uint8_t ended                     # why the round is over: an EndReason
    int8_t turned                     # card turned and not yet judged by a human God, -1
    int8_t picked                     # the Prophet's pick, -1
    uint8_t laid                      # cards of the move in hand
    uint8_t card[4]
    uint8_t rule_known                # 0 in a copy for those who may not know the rule
    uint8_t table[TABLE_BYTES]        # entries: kind << 4 | seat, number of cards, cards
