# Small variants of Commerce for three players in one deal: what the solver needs to know by heart.
#
# Seats count in the order of play: 0 sits on the dealer's left and begins, 1 follows, 2 deals. Cards have
# local numbers 0..N-1, ascending; a hand is a mask of N bits or its place among all hands.
#
# The solver's tree holds the decisions at which the profile decides anything: everything up to the first
# buy, with all its trades, and after the first buy only to buy or to knock, since the profile neither offers
# nor accepts a trade from then on. docs/solving.md tells why that loses nothing.
#
# What a player knows at such a decision is his first hand and the trades he took part in, each a slot of his
# hand (0..2, ascending cards) that left and a card that came. So there are three levels of keys: the hand;
# with one trade; with two.
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t

cdef enum:
    MOST_CARDS = 12
    MASKS = 4096
    LEVELS = 3
    WIDTH = 8             # numbers kept for an information set: knock, three cards, three offers, unused
    KNOCKS = 0            # the action of that place; buy or return slot j is 1 + j, offer slot j is 4 + j
    CARD = 1
    OFFERS = 4

# Decisions. The number is the count of trades before; the second of an AFTER the buys before.
cdef enum:
    TURN0                 # seat 0 begins
    REPLY0                # seat 1 answers his offer
    AFTER01               # seat 1 after a buy of seat 0
    AFTER02               # seat 2 after buys of seats 0 and 1
    TURN1                 # seat 1 after a trade
    REPLY1                # seat 2 answers his offer
    AFTER11               # seat 2 after a trade and a buy of seat 1
    AFTER12               # seat 0 after a trade and buys of seats 1 and 2
    TURN2                 # seat 2 after two trades
    REPLY2                # seat 0 answers his offer
    AFTER21               # seat 0 after two trades and a buy of seat 2
    AFTER22               # seat 1 after two trades and buys of seats 2 and 0
    NODES

cdef struct Tables:
    int cards                        # N
    int stock                        # cards not dealt, 1..3
    int cap                          # accepted trades in a row that end the deal, 1..3
    int hands                        # N choose 3
    int renamings                    # of the suits
    uint8_t renamed[24][MOST_CARDS]
    uint16_t mask[220]               # of a hand
    int16_t place[MASKS]             # of a mask of three cards, -1 otherwise
    uint8_t strength[MASKS]
    uint8_t category[MASKS]
    int keys[LEVELS]                 # raw keys
    int classes[LEVELS]              # keys up to a renaming of the suits
    int32_t* of[LEVELS]              # [keys] class, -1 if no such hand and trades exist
    uint8_t* turn[LEVELS]            # [keys] slot in the class's hand of each slot, two bits each
    uint8_t* alike[LEVELS]           # [classes] for each slot the first that a renaming puts in its place
    int32_t* first[LEVELS]           # [classes] a key of the class
    int start[NODES + 1]             # where the information sets of each decision begin

cdef struct Seated:                  # level of the key at each decision and who decides
    int level
    int seat

cdef Seated seated(int node) noexcept nogil
cdef int key_hand(const Tables* t, int level, int key) noexcept nogil
cdef inline int slot_of(int hand, int card) noexcept nogil:
    # Slot of a card in a hand: how many lower cards it has.
    cdef int below = hand & ((1 << card) - 1)
    cdef int n = 0
    while below:
        below &= below - 1
        n += 1
    return n

cdef inline int card_at(int hand, int slot) noexcept nogil:
    cdef int card = 0
    while slot > 0:
        hand &= hand - 1
        slot -= 1
    while not hand >> card & 1:
        card += 1
    return card

cdef inline int width(int node) noexcept nogil:
    # Actions of a decision: seven on one's turn before the first buy, else four.
    return 7 if node % 4 == 0 else 4

cdef inline int set_of(const Tables* t, int node, int level, int key) noexcept nogil:
    return t.start[node] + t.of[level][key]

cdef inline int turned(const Tables* t, int level, int key, int slot) noexcept nogil:
    return t.turn[level][key] >> (2 * slot) & 3

cdef inline int traded(const Tables* t, int key, int slot, int card) noexcept nogil:
    # The key after a trade.
    return (3 * key + slot) * t.cards + card

cdef void level_out(double* row, int alike, int actions) noexcept nogil
cdef int open_tables(Tables* t, const int* pack, int cards, int suits, int cap) except -1
cdef void close_tables(Tables* t) noexcept nogil
