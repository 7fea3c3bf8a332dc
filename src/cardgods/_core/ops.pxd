# The contract that every game fulfils, and all that generic code knows of a game.
#
# A position is a plain C struct without pointers, copied by assignment, in which only what the rules need
# is kept: no deck order, no history. A shuffled deck is a stream of chance outcomes beside the position.
# The rules (options, tables) are a second, constant struct that is passed to every function.
#
# Every function is total on reachable positions, never raises, needs no GIL and is called with legal
# actions only; the one check of legality is in state.pyx. Actions and chance outcomes are small integers.
#
# Decisions come one at a time, sealed ones too: at a sealed node the players named by `sealed` act in
# ascending order and nobody else learns of it before the last one has acted. state.pyx presents such a
# node as one simultaneous move unless it is asked to take turns.
from libc.stdint cimport int16_t, int32_t

from cardgods._core.rng cimport Rng

cdef enum:
    CHANCE = -1
    SIMULTANEOUS = -2
    TERMINAL = -4
    MAX_PLAYERS = 12
    MAX_ACTIONS = 256         # legal actions or chance outcomes of one node
    MAX_EVENTS = 512          # numbers that one player learns from one action

cdef struct GameOps:
    const char* name
    int state_bytes

    # The start of the game. Everything that follows, deals included, is actions.
    void (*init)(const void* rules, void* pos) noexcept nogil

    # Who acts: a player, CHANCE or TERMINAL.
    int (*actor)(const void* rules, const void* pos) noexcept nogil

    # Mask of the players, the actor the lowest, who each seal one decision before any is revealed; 0 if
    # the next decision is an open one. Asked before the first of them has acted.
    int (*sealed)(const void* rules, const void* pos) noexcept nogil

    # Legal actions of a player who acts here (at a sealed node: of any who will), ascending; the count.
    int (*legal)(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil

    # Chance outcomes, ascending, with positive integer weights; the count.
    int (*chance)(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil

    # Carry out a legal action or a chance outcome, in place.
    void (*apply)(const void* rules, void* pos, int32_t action) noexcept nogil

    # What each player has won by now (one number a player): final at a terminal node.
    void (*returns)(const void* rules, const void* pos, double* out) noexcept nogil

    # What `player` learns when `action` turns `before` into `after`, as numbers 0..32767 whose meaning
    # follows from what he has learnt before; the count, 0 if he learns nothing. The concatenation over
    # the game is his information state, so it must tell apart all that he can tell apart and no more.
    int (*events)(const void* rules, const void* before, int32_t action, const void* after, int player,
                  int16_t* out) noexcept nogil

    # A copy of the position in which every field that `player` may not know is blank (-1 for a
    # spectator). Equal for all positions that he can not tell apart by what lies on the table now.
    void (*observe)(const void* rules, const void* pos, int player, void* out) noexcept nogil

    # A history of the same length that `player` can not tell from `history`, drawn uniformly from the
    # hidden cards that fit all he has learnt (others' sealed decisions uniformly too).
    void (*resample)(const void* rules, const void* start, const int32_t* history, int length, int player,
                     Rng* rng, int32_t* out) noexcept nogil

    # Optional, NULL if the generic walk will do: play uniformly at random to the end, in place; the
    # number of actions and chance outcomes.
    int (*playout)(const void* rules, void* pos, Rng* rng) noexcept nogil

    # Optional, NULL if there is none: the action of a quick heuristic for whoever acts, from what he knows
    # alone. Searches roll out with it.
    int32_t (*policy)(const void* rules, const void* pos, Rng* rng) noexcept nogil
