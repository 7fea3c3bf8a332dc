# The rules that agree with a board: atoms grouped by what they say of it, and combinations of the groups.
from libc.stdint cimport int32_t, uint64_t

from cardgods._core.rule.atoms cimport Atom, Table

cdef enum:
    SINGLE           # a
    BOTH           # a and b
    EITHER            # a or b
    DIFFER           # a xor b
    CHOOSE            # if a then b else c
    PATTERN_2     # pattern(a, b)
    PATTERN_3     # pattern(a, b, c)
    FORMS

cdef enum:
    COSTS = 34            # costs of a literal
    LEVELS = 128          # costs of a rule

cdef struct Board:
    int32_t words
    uint64_t* label       # [words] right or wrong, of each observation
    uint64_t* sure        # [words] observations that are judged each by itself
    int32_t groups        # refused sequences: at least one card of each is wrong
    uint64_t* group       # [groups * words]
    uint64_t* place       # [5 * words] observations at places 0, 1 modulo 2, then 0, 1, 2 modulo 3

cdef struct Classes:
    int32_t count
    int32_t words
    uint64_t* yes         # [count * words] where the atoms are surely true
    uint64_t* may         # [2 * count * words] where each literal is not surely false
    int32_t* start        # [count + 1]
    int32_t* member       # atoms of each class, cheapest first; the classes too are in that order
    int32_t* cheapest     # [count] least cost of an atom
    int32_t* costs        # [count * COSTS] atoms of each cost

cdef struct Found:
    int32_t a             # literals
    int32_t b
    int32_t c
    int32_t form
    int32_t cost
    int32_t merged        # rules that are this one in other words, itself included
    uint64_t now          # cards right next
    double weight         # 2 to the minus cost, of all of them

cdef struct Search:
    const Board* board
    const Classes* classes
    const Atom* atom
    int32_t form_cost[FORMS]
    uint64_t count[FORMS][LEVELS]    # how many rules there are, by cost
    bint listing
    int32_t most                     # list rules up to this cost
    Found* found
    long listed
    long room
    bint failed                      # no memory

cdef int group_atoms(const Table* t, const Atom* atom, int atoms, Classes* out) noexcept nogil
cdef void classes_free(Classes* c) noexcept nogil
cdef void simple_forms(Search* s) noexcept nogil
cdef void take(Search* s, int form, int i, int j, int k) noexcept nogil
