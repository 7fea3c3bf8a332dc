# Open-hand Trois Trônes: what a side can still reach, and when that settles the game.
#
# With all cards open nobody can hinder the other's laying: the pile gives each side a fixed stream of
# cards, and any choice of as many of them as he will lay, in any split over his free places, can be laid
# in time (of the cards that come after his i-th turn there are never more than turns after it). So
#
#   * the greatest sum a side can bring to one front is the sum of his strongest cards for it, and
#   * a side that can set aside disjoint cards which hold two fronts against those sums has won: he need
#     only lay them, whatever the other does. This test alone settles 99 % of random deals at the root.
#
# A front goes by the sum; equal sums by the highest force there (a trump is at least 17 and any other
# card at most 14, so that is "highest trump, else highest card"); equal again, to player 0.
from libc.stdint cimport int8_t, int32_t, uint16_t, uint32_t, uint64_t

cdef enum:
    STREAM = 12               # cards a side can still lay: hand 4 and 8 draws at most
    MAX_TURNS = 9             # cards a side lays: 3 fronts of 3 places

# The cards of one side in the order he gets them; constant during a search.
cdef struct Stream:
    int n
    int8_t card[STREAM]
    int8_t force[STREAM][3]           # force of the i-th card on each front
    int8_t place[STREAM][3]           # its place when the cards are sorted by that force, weakest first
    int8_t sorted_force[3][STREAM]    # the forces in that order
    int8_t sorted_index[3][STREAM]    # and the cards

# What changes when a side lays a card. Masks count stream places, or sorted places per front.
cdef struct Side:
    uint16_t avail            # not yet laid, whether held or still to be drawn
    uint16_t seen             # held or laid: the stream up to the last draw
    uint16_t order[3]         # avail in the sorted order of each front
    int8_t room[3]            # free places
    int8_t plays              # cards he will yet lay
    int8_t first              # 1 for player 0, who takes a front that is level in all respects
    int8_t score[3]           # sum of the forces laid
    int8_t high[3]            # highest force laid, 0 if none
    int8_t top[3]             # the most he can still add to this front alone
    int8_t best[3]            # the highest force among those cards

# A position as the solver gets it, before the streams are worked out.
cdef struct OpenDeal:
    int capacity
    int mover
    int held[2]               # number of cards in hand
    int32_t hand[2][4]
    int piled
    int32_t pile[52]          # the next card first
    uint64_t laid[2][3]       # masks of the cards on the table

cdef void setup(const OpenDeal* deal, Stream* streams, Side* sides) noexcept nogil
cdef void lay(const Stream* stream, const Side* before, int index, int front, Side* after) noexcept nogil
cdef bint commits(const Stream* stream, const Side* x, const Side* y, uint32_t* proof) noexcept nogil
cdef bint leads(const Side* x, const Side* y, int front) noexcept nogil

cdef inline int open_fronts(const Side* side) noexcept nogil:
    # Fronts on which he still has a choice to make; 0 once he has laid his last card.
    if side.plays == 0:
        return 0
    return (side.room[0] > 0) + (side.room[1] > 0) + (side.room[2] > 0)

# How far ahead a side must be on a front for a proof to hold, packed so that most comparisons are one of
# integers: lead + 128 (8 bits), least own high card (5 bits), 31 - greatest high card of the other
# (5 bits). A greater lead always suffices, an equal one if both high cards do. 0 asks nothing.
cdef inline uint32_t demand(int lead, int own_high, int other_high) noexcept nogil:
    return (<uint32_t>(lead + 128) << 10) | (<uint32_t>own_high << 5) | <uint32_t>(31 - other_high)

cdef inline uint32_t standing(const Side* x, const Side* y, int front) noexcept nogil:
    return demand(x.score[front] - y.score[front], x.high[front], y.high[front])

cdef inline bint meets(uint32_t standing, uint32_t demand) noexcept nogil:
    if (standing >> 10) != (demand >> 10):
        return standing > demand
    return (standing & 0x3E0) >= (demand & 0x3E0) and (standing & 31) >= (demand & 31)

cdef inline uint32_t stricter(uint32_t a, uint32_t b) noexcept nogil:
    # The least demand that implies both.
    if (a >> 10) != (b >> 10):
        return a if a > b else b
    return (
        (a & ~<uint32_t>1023)
        | ((a & 0x3E0) if (a & 0x3E0) > (b & 0x3E0) else (b & 0x3E0))
        | ((a & 31) if (a & 31) > (b & 31) else (b & 31))
    )

cdef inline uint32_t before_own_card(uint32_t demand, int force) noexcept nogil:
    # The demand on a front before its owner laid a card of this force there.
    if (demand >> 10) <= <uint32_t>force:
        return 0
    demand -= <uint32_t>force << 10
    if <uint32_t>force >= ((demand >> 5) & 31):
        demand &= ~<uint32_t>0x3E0
    return demand

cdef inline uint32_t before_other_card(uint32_t demand, int force) noexcept nogil:
    # The same when the other side laid the card.
    if demand == 0:
        return 0
    demand += <uint32_t>force << 10
    if force > 31 - <int>(demand & 31):
        return ((demand >> 10) + 1) << 10
    return demand
