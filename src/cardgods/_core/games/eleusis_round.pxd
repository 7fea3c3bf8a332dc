# The course of a round: deal, starter, turns, scores.
from cardgods._core.games.eleusis_position cimport EleusisPos, EleusisRules

cdef void begin_round(const EleusisRules* r, EleusisPos* s) noexcept nogil
cdef void end_round(const EleusisRules* r, EleusisPos* s, int reason) noexcept nogil
cdef void next_round(const EleusisRules* r, EleusisPos* s) noexcept nogil
cdef void next_turn(const EleusisRules* r, EleusisPos* s) noexcept nogil
cdef void continue_draws(const EleusisRules* r, EleusisPos* s) noexcept nogil
cdef void owe(EleusisPos* s, int seat, int cards) noexcept nogil
cdef void judge_starter(const EleusisRules* r, EleusisPos* s, int card, bint right) noexcept nogil
cdef void turn_starter(const EleusisRules* r, EleusisPos* s, int card) noexcept nogil
cdef bint is_seeker(const EleusisPos* s, int seat) noexcept nogil
