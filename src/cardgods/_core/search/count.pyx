"""Counting all that a game tree holds, before anything is built."""

from libc.stdint cimport int16_t, int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

from cardgods._core.ops cimport CHANCE, MAX_PLAYERS, TERMINAL
from cardgods._core.search.keys cimport KeyMap, map_add, map_close, map_open
from cardgods._core.search.path cimport (
    CANCELLED, DONE, INCONSISTENT, NO_MEMORY, OVER_LIMIT, Frame, Path, explain, path_close, path_open,
    path_pop, path_push, path_top)
from cardgods._core.state cimport State
from cardgods._core.walk cimport Cancel


cdef struct Census:
    Path path
    KeyMap map
    int16_t* actions             # legal actions of each information set
    int64_t room
    int64_t limit
    const int* cancel
    int64_t histories
    int64_t terminals
    int64_t chance_nodes
    int64_t decisions[MAX_PLAYERS]         # decision nodes
    int64_t information_sets[MAX_PLAYERS]
    int64_t choices[MAX_PLAYERS]           # information sets with more than one action
    int64_t sequences[MAX_PLAYERS]         # actions of those
    int64_t events[MAX_PLAYERS]            # numbers learnt between them
    int depth


cdef int note_decision(Census* c, Frame* frame) noexcept nogil:
    cdef int player = frame.actor
    cdef int32_t known = c.map.used
    cdef int32_t found = map_add(&c.map, &frame.keys[player])
    cdef int16_t* grown
    if found < 0:
        return NO_MEMORY
    c.decisions[player] += 1
    if found < known:
        return DONE if c.actions[found] == frame.count else INCONSISTENT
    if found == c.room:
        grown = <int16_t*>realloc(c.actions, 2 * c.room * sizeof(int16_t))
        if grown == NULL:
            return NO_MEMORY
        c.actions = grown
        c.room *= 2
    c.actions[found] = <int16_t>frame.count
    c.information_sets[player] += 1
    if frame.count > 1:
        c.choices[player] += 1
        c.sequences[player] += frame.count
        c.events[player] += frame.learnt[player] - frame.mark[player]
    return DONE


cdef int census(Census* c) noexcept nogil:
    cdef Frame* frame = path_top(&c.path)
    cdef int player = frame.actor
    cdef int i, outcome
    c.histories += 1
    if c.histories > c.limit:
        return OVER_LIMIT
    if c.path.depth > c.depth:
        c.depth = c.path.depth
    if player == TERMINAL:
        c.terminals += 1
        return DONE
    if c.cancel[0]:
        return CANCELLED
    if player == CHANCE:
        c.chance_nodes += 1
    else:
        outcome = note_decision(c, frame)
        if outcome != DONE:
            return outcome
        if frame.count > 1:
            frame.mark[player] = frame.learnt[player]
    for i in range(frame.count):
        if path_push(&c.path, i):
            return NO_MEMORY
        outcome = census(c)
        if outcome != DONE:
            return outcome
        path_pop(&c.path)
    return DONE


def count(State state, int64_t limit, Cancel cancel):
    """Count the tree below a state, up to a number of histories.

    Returns:
        (whether it was counted to the end; histories, terminal nodes, chance nodes and depth; lists by player
        of decision nodes, information sets, those with more than one action, the actions of the latter, and
        the numbers learnt between the latter).
    """
    cdef Census c
    cdef int outcome
    memset(&c, 0, sizeof(Census))
    c.limit = limit
    c.cancel = &cancel.flag
    c.room = 1024
    try:
        c.actions = <int16_t*>malloc(c.room * sizeof(int16_t))
        if c.actions == NULL or map_open(&c.map, 1024):
            raise MemoryError
        path_open(&c.path, state)
        with nogil:
            outcome = census(&c)
        if outcome != OVER_LIMIT:
            explain(outcome, state.game)
        players = range(c.path.players)
        return outcome == DONE, (c.histories, c.terminals, c.chance_nodes, c.depth), (
            [c.decisions[p] for p in players],
            [c.information_sets[p] for p in players],
            [c.choices[p] for p in players],
            [c.sequences[p] for p in players],
            [c.events[p] for p in players],
        )
    finally:
        path_close(&c.path)
        map_close(&c.map)
        free(c.actions)
