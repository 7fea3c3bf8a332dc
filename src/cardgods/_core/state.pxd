from libc.stdint cimport int32_t

from cardgods._core.ops cimport GameOps

cdef class Rules:
    cdef const GameOps* ops
    cdef const void* data          # the game's rules struct, owned by the subclass, constant
    cdef readonly int num_players
    cdef readonly int num_distinct_actions
    cdef readonly int max_game_length

cdef class State:
    cdef readonly object game
    cdef readonly bint turn_based
    cdef readonly object setup     # keyword arguments of a position set up by hand, or None
    cdef Rules rules
    cdef const GameOps* ops
    cdef const void* data
    cdef unsigned char* pos
    cdef unsigned char* start      # where the history begins
    cdef int32_t* actions
    cdef int length, capacity
    cdef unsigned char* mark       # a position on the way here, from which undo() may start; NULL until then
    cdef int mark_length           # its history is so long; NO_MARK if there is none

    cdef void push(self, int32_t action) except *
    cdef int sealed_mask(self) noexcept
    cdef int32_t check(self, int player, object action) except? -1
    cdef void begin(self, const void* position) noexcept
    cdef void rewind(self, int length) noexcept
    cdef void forward(self, int length) noexcept
    cdef void seek(self, int length) noexcept
    cdef void back(self, int length) except *
    cdef int last_step(self) noexcept
    cdef object describe(self, const void* pos)
    cdef int _first(self, first) except -1
    cdef int _player(self, player) except -2
