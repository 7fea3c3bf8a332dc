# Conditions held against a board: one bit per observation and condition, and what they say of the next card.
#
# An atom is a condition of the rule language. A literal is an atom (2 * number) or its negation (one more).
# Three-valued logic needs two bits: `yes` (surely true) and `no` (surely false); in neither, it is unknown.
from libc.stdint cimport int32_t, uint64_t

from cardgods._core.rule.program cimport Code

cdef enum AtomKind:
    STATIC        # of the card alone: its mask
    LAST          # of the last card alone: the mask of the cards it may be
    PROGRAM

cdef enum StepKind:
    LAY           # a right card joins the line
    ASK           # the verdict on a card is known: the next bit
    BRANCH        # remember the line; what is laid from now on is only supposed
    BACK          # the line is again what was remembered

cdef enum:
    PROBES = 222          # positions at which two rules are told apart

cdef struct Atom:
    int32_t kind
    int32_t cost          # bits that it costs to say
    uint64_t mask
    const Code* code

cdef struct Step:
    int32_t kind
    int32_t card

cdef struct Table:
    int32_t words         # words of 64 observations
    int32_t bits          # observations
    uint64_t* yes         # [atoms * words]
    uint64_t* no
    uint64_t* now_yes     # [atoms] masks of the next card
    uint64_t* now_no

cdef class Atoms:
    cdef list programs
    cdef Atom* atom
    cdef uint64_t* probe_yes     # [atoms * PROBES]; NULL until they are needed
    cdef uint64_t* probe_no
    cdef int32_t probe_length[PROBES]
    cdef readonly int size

    cdef int fill(self, const Step* steps, int n, Table* out) noexcept nogil
    cdef int probe(self) except -1

cdef void table_free(Table* t) noexcept nogil
