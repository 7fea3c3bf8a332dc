# What an instruction does; `dst`, `a` and `b` are registers of the bank that the first letter names
# (N numbers, V numbers by rank, C conditions) unless it is said otherwise.
from libc.stdint cimport uint16_t, uint64_t

from cardgods._core.rule.program cimport FULL_DECK, Code

cdef enum Op:
    # numbers that do not depend on the candidate
    N_CONST        # dst = imm
    N_CARD         # dst = numbers[imm + digit of field a]; unknown if the digit is 0
    N_FIELD        # dst = digit of field a + imm
    N_RANGE        # dst = digit of field a; unknown if 0
    N_ADD, N_SUB, N_MUL, N_MOD, N_MIN, N_MAX, N_GCD, N_DIST   # dst = a op b
    N_ABS          # dst = |a|
    # numbers with a value for each rank of the candidate
    V_RANK, V_POINTS
    V_SPLAT        # dst = number a in every lane
    V_ADD, V_SUB, V_MUL, V_MOD, V_MIN, V_MAX, V_GCD, V_DIST
    V_ABS
    # conditions
    C_MASK         # dst = masks[imm]
    C_TABLE        # dst = masks[imm + 2 * digit of field a], its complement side at + 1
    C_SEEN         # dst = union of masks[imm + value] over the set in field a
    C_LEAST        # dst = union of masks[imm + value] over the values least often in the tally a of b values
    C_MOST
    C_ATTRIBUTE    # dst = masks[imm + number a]
    C_N_EQ, C_N_LT, C_N_LE     # dst = number a op number b
    C_V_EQ, C_V_LT, C_V_LE     # the same lane by lane
    C_N_IN, C_V_IN             # dst = a in one of the b spans at numbers[imm]
    C_NOT, C_AND, C_OR, C_XOR
    C_IF           # dst = if a then b else imm
    C_PICK         # dst = register b + digit of field a

cdef void evaluate(const Code* c, const uint16_t* memory, uint64_t* yes, uint64_t* no) noexcept nogil

# The cards that are right when the memory is this and at least one card lies.
cdef inline uint64_t right_cards(const Code* c, const uint16_t* memory) noexcept nogil:
    cdef uint64_t yes, no
    evaluate(c, memory, &yes, &no)
    return ~no & <uint64_t>FULL_DECK
