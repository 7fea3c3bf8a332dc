# The public tree of Trois Trônes: what has been laid, in order, up to renaming the fronts with their trumps.
#
# Cards are places in the deck. Both hands are full at every node and everybody has a last card to lay at the
# leaves, on his only free place, where the strongest is best whatever the other does.
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t

from cardgods._core.solve.trones_hands cimport MOST_DECK, Hands

cdef enum:
    SYMMETRIES = 6
    IDENTITY = 0
    LEAST_FORCE = 7
    FORCES = 18               # from a seven that is no trump to the ace of trumps

cdef struct Setting:
    Hands hands
    int capacity
    int leaf                                  # cards laid at a leaf
    int8_t force[MOST_DECK][3]
    int8_t image[SYMMETRIES][MOST_DECK]       # of a card
    int8_t front[SYMMETRIES][3]               # of a front

cdef struct Board:
    uint32_t laid[2][3]
    uint32_t gone                             # all of them
    int8_t count                              # how many
    uint8_t stable                            # bit g: symmetry g leaves every card where it lies, in order

cdef struct Node:
    int64_t entry             # its first action, hands outside, then cards of the hand, then free fronts
    int32_t end               # the number of the first node that is not below it; children follow depth first

cdef struct Side:
    int total                 # of the forces on one front
    int high                  # highest of them, 0 for none

cdef inline bint takes(const Side* first, const Side* second) noexcept nogil:
    # Whether player 0 takes the front.
    return first.total > second.total or (first.total == second.total and first.high >= second.high)

cdef inline Side joined_by(const Side* side, int force) noexcept nogil:
    cdef Side after
    after.total = side.total + force
    after.high = force if force > side.high else side.high
    return after

cdef inline int mover_of(const Board* b) noexcept nogil:
    return b.count & 1

cdef int free_fronts(const Setting* s, const Board* b, int player, int* out) noexcept nogil
cdef int cards_left(const Setting* s, const Board* b, int* out) noexcept nogil
cdef bint chosen(const Setting* s, const Board* b, int card, int front) noexcept nogil
cdef int images(const Setting* s, const Board* b, int card, int front, int* out) noexcept nogil
cdef int32_t hand_image(const Setting* s, const Board* b, const int* cards, int left, int g,
                        int32_t hand) noexcept nogil
cdef void lay(const Setting* s, const Board* b, int card, int front, Board* after) noexcept nogil
cdef void tally(const Setting* s, const Board* b, int player, int front, Side* found) noexcept nogil
cdef int64_t number_nodes(const Setting* s, Node* nodes, int64_t room, int64_t* sets,
                          int64_t* entries) noexcept nogil
cdef int setting_open(Setting* s, const int* deck, int cards, int capacity, int held) noexcept nogil
