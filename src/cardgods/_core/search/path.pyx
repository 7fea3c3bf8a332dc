"""The stack of positions under every generic walk."""

from libc.stdint cimport int16_t, int32_t, uint16_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from cardgods._core.ops cimport CHANCE, MAX_EVENTS, TERMINAL
from cardgods._core.search.keys cimport key_add, key_of_bytes
from cardgods._core.state cimport State

from cardgods.errors import SolveError


cdef Frame* frame_at(Path* path, int depth) noexcept nogil:
    # The frame of a depth, made if need be; NULL if there is no memory.
    cdef Frame** grown
    cdef Frame* frame
    if depth == path.room:
        grown = <Frame**>realloc(path.frames, 2 * path.room * sizeof(void*))
        if grown == NULL:
            return NULL
        path.frames = grown
        memset(path.frames + path.room, 0, path.room * sizeof(void*))
        path.room *= 2
    frame = path.frames[depth]
    if frame == NULL:
        frame = <Frame*>malloc(sizeof(Frame) + path.ops.state_bytes)
        if frame != NULL:
            frame.pos = <void*>(frame + 1)
        path.frames[depth] = frame
    return frame


cdef void frame_expand(const Path* path, Frame* frame) noexcept nogil:
    # Fill in the moves of a frame whose position and actor are set.
    cdef int i
    cdef long total = 0
    frame.count = 0
    if frame.actor == CHANCE:
        frame.count = path.ops.chance(path.rules, frame.pos, frame.actions, frame.weights)
        for i in range(frame.count):
            total += frame.weights[i]
        frame.total = total
    elif frame.actor != TERMINAL:
        frame.count = path.ops.legal(path.rules, frame.pos, frame.actor, frame.actions)


cdef int path_open(Path* path, State state) except -1:
    """Begin a path at a state, whose position counts as known to all."""
    cdef Frame* frame
    cdef bytes seen
    memset(path, 0, sizeof(Path))
    path.ops = state.ops
    path.rules = state.data
    path.players = state.rules.num_players
    path.room = 64
    path.frames = <Frame**>calloc(path.room, sizeof(void*))
    if path.frames == NULL:
        raise MemoryError
    frame = frame_at(path, 0)
    if frame == NULL:
        raise MemoryError
    for player in range(path.players):
        path.event_room[player] = MAX_EVENTS
        path.events[player] = <int16_t*>malloc(MAX_EVENTS * sizeof(int16_t))
        if path.events[player] == NULL:
            raise MemoryError
        seen = state.information_state(player)
        key_of_bytes(&frame.keys[player], player, seen, len(seen))
        frame.learnt[player] = frame.mark[player] = frame.sequence[player] = 0
    memcpy(frame.pos, state.pos, state.ops.state_bytes)
    frame.chance = 1.0
    frame.actor = path.ops.actor(path.rules, frame.pos)
    frame_expand(path, frame)
    return 0


cdef void path_close(Path* path) noexcept nogil:
    cdef int i
    if path.frames != NULL:
        for i in range(path.room):
            free(path.frames[i])
    for i in range(path.players):
        free(path.events[i])
    free(path.frames)
    memset(path, 0, sizeof(Path))


cdef inline int learn(Path* path, const Frame* frame, Frame* child, int32_t action,
                      int player) noexcept nogil:
    # What one player learns from an action goes to his events and into his key.
    cdef int32_t at = frame.learnt[player]
    cdef int i, n
    cdef int16_t* grown
    if at + MAX_EVENTS > path.event_room[player]:
        grown = <int16_t*>realloc(path.events[player], 2 * (at + MAX_EVENTS) * sizeof(int16_t))
        if grown == NULL:
            return -1
        path.events[player] = grown
        path.event_room[player] = 2 * (at + MAX_EVENTS)
    n = path.ops.events(path.rules, frame.pos, action, child.pos, player, path.events[player] + at)
    for i in range(n):
        key_add(&child.keys[player], <uint16_t>path.events[player][at + i])
    child.learnt[player] = at + n
    return 0


cdef int path_push(Path* path, int choice) noexcept nogil:
    # Follow a move of the top frame by its place; -1 if there is no memory. What the players learn from the
    # move that ends the game is of no use to any decision and is left out.
    cdef Frame* frame = path.frames[path.depth]
    cdef Frame* child = frame_at(path, path.depth + 1)
    cdef int32_t action = frame.actions[choice]
    cdef int player
    if child == NULL:
        return -1
    frame.choice = choice
    memcpy(child.pos, frame.pos, path.ops.state_bytes)
    path.ops.apply(path.rules, child.pos, action)
    child.actor = path.ops.actor(path.rules, child.pos)
    child.chance = frame.chance
    if frame.actor == CHANCE:
        child.chance *= frame.weights[choice] / frame.total
    for player in range(path.players):
        child.mark[player] = frame.mark[player]
        child.sequence[player] = frame.sequence[player]
    if child.actor != TERMINAL:
        for player in range(path.players):
            child.keys[player] = frame.keys[player]
            if learn(path, frame, child, action, player):
                return -1
    path.depth += 1
    frame_expand(path, child)
    return 0


cdef int explain(int outcome, object game) except -1:
    """Raise what the outcome of a walk calls for, if anything."""
    if outcome == NO_MEMORY:
        raise MemoryError(f"{game} does not fit into memory")
    if outcome == CANCELLED:
        raise SolveError(f"{game}: the walk was stopped before its end")
    if outcome == INCONSISTENT:
        raise SolveError(f"{game}: histories that a player cannot tell apart offer him different actions")
    if outcome == NO_RECALL:
        raise SolveError(f"{game}: histories that a player cannot tell apart hold different own actions")
    if outcome == COLLISION:
        raise SolveError(f"{game}: two information states share a key")
    return 0
