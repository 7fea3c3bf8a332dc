# A path through a game: a stack of positions with all that the players have learnt on the way.
#
# Every generic walk is a depth-first recursion over push and pop. Frames live on the heap, one per depth,
# made when first reached, so that the C stack stays small and the depth has no limit.
from libc.stdint cimport int16_t, int32_t

from cardgods._core.ops cimport MAX_ACTIONS, MAX_PLAYERS, GameOps
from cardgods._core.search.keys cimport Key
from cardgods._core.state cimport State

cdef enum Outcome:
    DONE
    CANCELLED
    OVER_LIMIT
    NO_MEMORY
    INCONSISTENT              # two histories of one information set differ in their legal actions
    COLLISION                 # two information states share a key
    NO_RECALL                 # one information set follows two different own sequences

cdef struct Frame:
    void* pos
    int actor
    int count                 # legal actions or outcomes; 0 at the end
    int choice                # the one that the path follows
    int32_t actions[MAX_ACTIONS]
    int32_t weights[MAX_ACTIONS]
    double total              # sum of the weights of a chance node
    double chance             # probability of all chance outcomes on the path
    Key keys[MAX_PLAYERS]     # of the information states
    int32_t learnt[MAX_PLAYERS]     # events of each player on the path
    int32_t mark[MAX_PLAYERS]       # events up to his last decision (for walks that keep it)
    int32_t sequence[MAX_PLAYERS]   # his last own action (for walks that keep it)

cdef struct Path:
    const GameOps* ops
    const void* rules
    int players
    int depth
    int room
    Frame** frames
    int16_t* events[MAX_PLAYERS]
    int32_t event_room[MAX_PLAYERS]

cdef inline Frame* path_top(const Path* path) noexcept nogil:
    return path.frames[path.depth]

cdef inline void path_pop(Path* path) noexcept nogil:
    path.depth -= 1

cdef int path_open(Path* path, State state) except -1
cdef void path_close(Path* path) noexcept nogil
cdef int path_push(Path* path, int choice) noexcept nogil
cdef int explain(int outcome, object game) except -1
