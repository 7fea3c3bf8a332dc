# Where the cards that a player of Commerce has given away can have gone; commerce_marks.pyx tells how.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from cardgods._core.games.commerce_rules cimport SEATS
from cardgods._core.rng cimport Rng

cdef enum:
    LOST = 64            # instead of a card: any marked card that is never seen again
    PLAIN = 65           # instead of a card: any card that the player has not held before

cdef enum StepKind:
    GET                  # a seat is dealt a card or draws one
    LOSE                 # a seat discards
    SHOW                 # a seat offers a card and gets it back
    SWAP                 # two other seats trade
    EXCHANGE             # the player trades with a seat

cdef struct Step:
    int kind
    int seat, other              # other: of a swap, the one who returns a card
    int at, at_other             # places in the history of their hidden actions
    int coming, going            # of an exchange: cards that come to the player and leave him
    bint known                   # the one that comes has been his before
    bint seen                    # the one that goes will be seen again
    uint16_t reach[52]           # after it: seats from which a card still gets where he sees it again
    int pick, pick_other         # what moved from seat and other: a card, LOST or PLAIN

cdef struct Placing:
    uint64_t named[SEATS]        # marked cards to be seen again
    uint8_t lost[SEATS]          # how many marked cards never to be seen again
    double weight                # ways that lead here, scaled
    int32_t next                 # in its bucket

cdef struct Deal:
    Step* steps
    int n, room                  # steps in use, steps allocated
    Placing* pool                # the layers of placings, one after the other
    int used, size
    int* first                   # where the layer before each step begins; n + 1 entries and an end
    uint64_t held                # all cards the player has held
    bint shown                   # the deal has ended and all hands lie open
    uint64_t open[SEATS]

cdef bint plan(Deal* d, int player, int players, Rng* rng) noexcept nogil
