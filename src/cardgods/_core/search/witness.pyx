"""One history for every information set of a tree."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from cpython.bytes cimport PyBytes_FromStringAndSize

from cardgods._core.search.keys cimport map_find
from cardgods._core.search.path cimport (
    CANCELLED, DONE, INCONSISTENT, NO_MEMORY, Frame, Path, explain, path_close, path_open, path_pop,
    path_push, path_top)
from cardgods._core.search.tree cimport Tree
from cardgods._core.walk cimport Cancel


cdef struct Witnesses:
    Path path
    const int* cancel
    int64_t* start            # [sets] into actions
    int32_t* length           # [sets] -1 = not met yet
    int32_t* actions
    int64_t used
    int64_t room
    int32_t missing           # information sets not met yet


cdef int note_history(Witnesses* w, int32_t number) noexcept nogil:
    cdef int32_t* grown
    cdef Frame* frame
    cdef int depth
    while w.used + w.path.depth > w.room:
        grown = <int32_t*>realloc(w.actions, 2 * w.room * sizeof(int32_t))
        if grown == NULL:
            return NO_MEMORY
        w.actions = grown
        w.room *= 2
    w.start[number] = w.used
    w.length[number] = w.path.depth
    w.missing -= 1
    for depth in range(w.path.depth):
        frame = w.path.frames[depth]
        w.actions[w.used] = frame.actions[frame.choice]
        w.used += 1
    return DONE


cdef int meet(Witnesses* w, Tree tree) noexcept nogil:
    cdef Frame* frame = path_top(&w.path)
    cdef int32_t number
    cdef int i, outcome
    if frame.actor >= 0 and frame.count > 1:
        number = map_find(&tree.map, &frame.keys[frame.actor])
        if number < 0:
            return INCONSISTENT
        if w.length[number] < 0:
            outcome = note_history(w, number)
            if outcome != DONE:
                return outcome
    if w.cancel[0]:
        return CANCELLED
    for i in range(frame.count):
        if w.missing == 0:
            return DONE
        if path_push(&w.path, i):
            return NO_MEMORY
        outcome = meet(w, tree)
        if outcome != DONE:
            return outcome
        path_pop(&w.path)
    return DONE


def witnesses(Tree tree, Cancel cancel):
    """The first history of every information set, in depth-first order of the game.

    Returns:
        (where the history of each information set begins, as bytes of C int64; its length, as bytes of int32;
        all actions, as bytes of int32). Histories begin at the root of the tree.

    Raises:
        SolveError: if the walk was stopped.
        MemoryError: if there is not enough memory.
    """
    cdef Witnesses w
    cdef int outcome
    memset(&w, 0, sizeof(Witnesses))
    w.cancel = &cancel.flag
    w.room = 1024
    w.missing = tree.sets
    try:
        w.start = <int64_t*>calloc(tree.sets + 1, sizeof(int64_t))
        w.length = <int32_t*>malloc((tree.sets + 1) * sizeof(int32_t))
        w.actions = <int32_t*>malloc(w.room * sizeof(int32_t))
        if w.start == NULL or w.length == NULL or w.actions == NULL:
            raise MemoryError
        memset(w.length, 0xFF, (tree.sets + 1) * sizeof(int32_t))
        path_open(&w.path, tree.root)
        with nogil:
            outcome = meet(&w, tree)
        explain(outcome, tree.root.game)
        return (
            PyBytes_FromStringAndSize(<const char*>w.start, tree.sets * sizeof(int64_t)),
            PyBytes_FromStringAndSize(<const char*>w.length, tree.sets * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<const char*>w.actions, w.used * sizeof(int32_t)),
        )
    finally:
        path_close(&w.path)
        free(w.start)
        free(w.length)
        free(w.actions)
