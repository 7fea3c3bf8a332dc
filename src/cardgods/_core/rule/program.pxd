# A rule of Eleusis as a small register program over a memory of finite counters.
#
# The memory is what a rule must know of the cards played so far: classes of the last few cards, counters,
# sets. Every field of it is a number 0..size-1, all 0 on an empty table, so the memories of a rule are the
# states of a finite automaton (machine.pyx walks it). The program turns a memory into two 52-bit masks:
# the cards surely right and the cards surely wrong; what is in neither is unknown, because it needs a card
# that is not there yet, and unknown is accepted.
#
# Ranks are 1 (ace) .. 13 (king) as players say them; a number that depends on the candidate depends on
# his rank alone, so it is a vector of 13 lanes, lane = rank index of the card mask (2 .. ace).
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

cdef enum:
    MAX_FIELDS = 64
    MAX_REGISTERS = 64
    MAX_DIGITS = 64          # largest size of a field with a map
    LANES = 16
    FULL_DECK = 0xFFFFFFFFFFFFF

cdef enum FieldKind:
    SLOT          # class of an earlier card; 0 = there is none yet
    FIRST         # class of the first card; 0 = there is none yet
    COUNT         # cards of a mask so far, stops at arg
    COUNT_MOD     # the same modulo arg
    RUN           # length of the last run of equal attribute, stops at arg
    RUN_MOD       # the same modulo arg
    SEEN          # set of attribute values so far
    TALLY         # first of `link` fields: how often each value came, less the least of them
    TALLY_PART    # the other fields of such a group
    LOWEST        # least rank so far; 0 = there is no card yet
    HIGHEST       # greatest rank so far; 0 = there is no card yet

cdef struct Field:
    int32_t kind
    int32_t size              # values 0..size-1
    int32_t arg               # where it stops, or the modulus
    int32_t link              # SLOT: field it is shifted from, -1 for the newest; RUN: field of the last card
    uint8_t of_card[52]       # what a card contributes: its class, attribute value, or 1 if it counts
    uint8_t map[MAX_DIGITS]   # SLOT: digit of the linked field -> own digit; RUN: -> attribute value

cdef struct Instruction:
    uint8_t op
    uint8_t dst
    uint8_t a
    uint8_t b
    int32_t imm

cdef struct Code:
    int32_t fields
    int32_t length
    int32_t result            # condition register that holds the verdict
    int32_t letters           # classes of cards that no state can tell apart as history
    uint64_t start            # cards that may lie first
    int32_t shared            # fields that the next card does not change by what it is ...
    uint8_t shared_field[MAX_FIELDS]
    int32_t own               # ... and the others
    uint8_t own_field[MAX_FIELDS]
    Field field[MAX_FIELDS]
    uint8_t letter[52]
    uint8_t letter_card[52]   # one card of each letter
    uint64_t letter_mask[52]  # all cards of each letter
    Instruction* code
    uint64_t* masks           # constants of BMASK, BTABLE and the attribute tables
    int32_t* numbers          # constants of intervals and value tables

cdef void advance_shared(const Code* c, const uint16_t* before, uint16_t* after) noexcept nogil
cdef void advance_own(const Code* c, const uint16_t* before, int card, uint16_t* after) noexcept nogil
cdef void advance(const Code* c, const uint16_t* before, int card, uint16_t* after) noexcept nogil
cdef bint is_empty(const Code* c, const uint16_t* memory) noexcept nogil

cdef class Program:
    cdef Code c
    cdef readonly object size_product   # number of memories that the fields could form

cdef class Runner:
    cdef readonly Program program
    cdef uint16_t memory[MAX_FIELDS]
    cdef readonly int length
