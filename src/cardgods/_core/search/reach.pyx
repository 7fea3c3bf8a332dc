"""The part of a game that a profile leads to, when the profile is a function and the tree too large to build.

One depth-first walk follows all chance outcomes and, of the actions, those of positive probability. A
player who answers the profile follows all of his; what an end pays is added to the last thing that he did
himself, so that his best answer is found afterwards from his last decisions to his first (the sequence form).
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from cardgods._core.ops cimport CHANCE, MAX_PLAYERS, TERMINAL
from cardgods._core.search.keys cimport Key, KeyMap, map_add, map_close, map_find, map_open
from cardgods._core.search.path cimport (
    CANCELLED, DONE, INCONSISTENT, NO_MEMORY, NO_RECALL, OVER_LIMIT, Frame, Path, explain, path_close,
    path_open, path_pop, path_push, path_top)
from cardgods._core.state cimport State
from cardgods._core.walk cimport Cancel

from cardgods.errors import SolveError

cdef enum:
    FAILED = 100              # the profile raised an exception


# Numbers of the actions of information sets, by key.
cdef struct Book:
    KeyMap map
    int64_t* start            # [sets + 1] into value
    int32_t* parent           # [sets] the player's last own action before, for who answers
    int64_t sets_room
    double* value
    int64_t room

cdef struct Walk:
    Path path
    Book asked                # probabilities
    Book own                  # what the actions of who answers are worth
    double sums[MAX_PLAYERS]  # of all weighted returns
    int responder             # -1 = all follow the profile
    int64_t limit             # bytes for both books
    int64_t nodes
    const int* cancel
    void* reached             # the Python object around this


cdef int64_t book_bytes(const Book* b) noexcept nogil:
    return (b.map.room * sizeof(Key) + (b.map.mask + 1) * sizeof(int32_t) + b.room * sizeof(double)
            + b.sets_room * (sizeof(int64_t) + sizeof(int32_t)))


cdef int book_open(Book* b) noexcept nogil:
    b.sets_room = 1024
    b.room = 4096
    b.start = <int64_t*>malloc((b.sets_room + 1) * sizeof(int64_t))
    b.parent = <int32_t*>malloc(b.sets_room * sizeof(int32_t))
    b.value = <double*>malloc(b.room * sizeof(double))
    if b.start == NULL or b.parent == NULL or b.value == NULL or map_open(&b.map, b.sets_room):
        return -1
    b.start[0] = 1            # 0 is the empty sequence
    b.value[0] = 0.0
    return 0


cdef void book_close(Book* b) noexcept nogil:
    free(b.start)
    free(b.parent)
    free(b.value)
    map_close(&b.map)


cdef int book_grow(Book* b, int count) noexcept nogil:
    cdef void* grown
    if b.map.used == b.sets_room:
        grown = realloc(b.start, (2 * b.sets_room + 1) * sizeof(int64_t))
        if grown == NULL:
            return NO_MEMORY
        b.start = <int64_t*>grown
        grown = realloc(b.parent, 2 * b.sets_room * sizeof(int32_t))
        if grown == NULL:
            return NO_MEMORY
        b.parent = <int32_t*>grown
        b.sets_room *= 2
    while b.start[b.map.used] + count > b.room:
        grown = realloc(b.value, 2 * b.room * sizeof(double))
        if grown == NULL:
            return NO_MEMORY
        b.value = <double*>grown
        b.room *= 2
    return DONE


cdef int book_add(Walk* w, Book* b, const Key* key, int count, int32_t parent,
                  int32_t* number) noexcept nogil:
    cdef int outcome = book_grow(b, count)
    if outcome != DONE:
        return outcome
    if book_bytes(&w.asked) + book_bytes(&w.own) > w.limit:
        return OVER_LIMIT
    number[0] = map_add(&b.map, key)
    if number[0] < 0:
        return NO_MEMORY
    b.parent[number[0]] = parent
    b.start[number[0] + 1] = b.start[number[0]] + count
    memset(b.value + b.start[number[0]], 0, count * sizeof(double))
    return DONE


cdef int consult(Walk* w, const Frame* frame, int32_t* number) noexcept nogil:
    # Where the probabilities of the one who acts stand; the profile is asked where it was not yet.
    cdef int outcome
    cdef Book* b = &w.asked
    number[0] = map_find(&b.map, &frame.keys[frame.actor])
    if number[0] >= 0:
        return DONE if b.start[number[0] + 1] - b.start[number[0]] == frame.count else INCONSISTENT
    outcome = book_add(w, b, &frame.keys[frame.actor], frame.count, 0, number)
    if outcome == DONE:
        with gil:
            outcome = (<Reached>w.reached).ask(frame, b.value + b.start[number[0]])
    return outcome


cdef int answer_node(Walk* w, const Frame* frame, double reach) noexcept nogil:
    # All actions of the one who answers.
    cdef Book* b = &w.own
    cdef int32_t sequence = frame.sequence[frame.actor]
    cdef int32_t number = map_find(&b.map, &frame.keys[frame.actor])
    cdef int i, outcome = DONE
    if number < 0:
        outcome = book_add(w, b, &frame.keys[frame.actor], frame.count, sequence, &number)
    elif b.start[number + 1] - b.start[number] != frame.count:
        outcome = INCONSISTENT
    elif b.parent[number] != sequence:
        outcome = NO_RECALL
    for i in range(frame.count):
        if outcome != DONE:
            break
        outcome = follow(w, i, <int32_t>(b.start[number] + i), reach)
    return outcome


cdef int follow(Walk* w, int choice, int32_t sequence, double reach) noexcept nogil:
    # sequence: what the one who answers has done last; -1 = as before.
    cdef int outcome
    if path_push(&w.path, choice):
        return NO_MEMORY
    if sequence >= 0:
        path_top(&w.path).sequence[w.responder] = sequence
    outcome = visit(w, reach)
    path_pop(&w.path)
    return outcome


cdef void end(Walk* w, const Frame* frame, double reach) noexcept nogil:
    cdef double returns[MAX_PLAYERS]
    cdef int p
    w.path.ops.returns(w.path.rules, frame.pos, returns)
    for p in range(w.path.players):
        w.sums[p] += reach * returns[p]
    if w.responder >= 0:
        w.own.value[frame.sequence[w.responder]] += reach * returns[w.responder]


cdef int visit(Walk* w, double reach) noexcept nogil:
    cdef Frame* frame = path_top(&w.path)
    cdef int32_t number = 0
    cdef int i, outcome = DONE
    cdef double share
    w.nodes += 1
    if w.cancel[0]:
        return CANCELLED
    if frame.actor == TERMINAL:
        end(w, frame, reach)
        return DONE
    if frame.actor >= 0 and frame.count > 1:
        if frame.actor == w.responder:
            return answer_node(w, frame, reach)
        outcome = consult(w, frame, &number)
    for i in range(frame.count):
        if outcome != DONE:
            break
        share = 1.0
        if frame.actor == CHANCE:
            share = frame.weights[i] / frame.total
        elif frame.count > 1:
            share = w.asked.value[w.asked.start[number] + i]
        if share > 0.0:
            outcome = follow(w, i, -1, reach * share)
    return outcome


cdef class Reached:
    """Sums over the part of a game that a profile leads to.

    Args:
        ask: the profile: called with a turn-based state at which a player decides, gives the probabilities of
            its legal actions, ascending; once for every information set.
        responder: a player who does what he likes instead; -1 for none.
        memory: bytes that the information sets may take.

    Attributes:
        nodes: positions visited.
    """

    cdef Walk walk
    cdef object function
    cdef State root
    cdef object error

    def __cinit__(self, ask, int responder, int64_t memory):
        self.function = ask
        self.walk.responder = responder
        self.walk.limit = memory
        self.walk.reached = <void*>self
        if book_open(&self.walk.asked) or book_open(&self.walk.own):
            raise MemoryError

    def __dealloc__(self):
        path_close(&self.walk.path)
        book_close(&self.walk.asked)
        book_close(&self.walk.own)

    cdef int ask(self, const Frame* frame, double* out) noexcept:
        cdef int depth, i
        cdef const Frame* step
        try:
            state = self.root.clone()
            for depth in range(self.walk.path.depth):
                step = self.walk.path.frames[depth]
                state.apply_action(step.actions[step.choice])
            shares = self.function(state)
            for i in range(frame.count):
                out[i] = shares[i]
        except BaseException as error:
            self.error = error
            return FAILED
        return DONE

    @property
    def nodes(self):
        """Positions visited."""
        return self.walk.nodes

    @property
    def asked(self):
        """Information sets at which the profile was asked."""
        return self.walk.asked.map.used

    @property
    def answered(self):
        """Information sets of the player who answers, those with one action left out."""
        return self.walk.own.map.used

    @property
    def sums(self):
        """Weighted returns of each player, added up; meaningless with a player who answers."""
        return [self.walk.sums[p] for p in range(self.walk.path.players)]

    def add(self, State root, double weight, Cancel cancel):
        """Walk below a state, whose information states go on from its own history.

        Args:
            root: a turn-based state; all roots are of one game.
            weight: what its returns are multiplied by.
            cancel: ends the walk early.

        Raises:
            SolveError: if the walk was stopped or takes too much memory, or the game does not keep its
                contract.
            MemoryError: if there is not enough memory.
        """
        cdef int outcome
        path_close(&self.walk.path)
        path_open(&self.walk.path, root)
        self.root = root
        self.walk.cancel = &cancel.flag
        with nogil:
            outcome = visit(&self.walk, weight)
        if outcome == FAILED:
            raise self.error
        if outcome == OVER_LIMIT:
            raise SolveError(
                f"{root.game}: {self.asked:,} + {self.answered:,} information sets after {self.nodes:,} "
                f"positions fill the {self.walk.limit / 1e6:.1f} MB that they may take"
            )
        explain(outcome, root.game)

    def best(self):
        """The weighted return of the best answer, added up over all that was walked."""
        cdef Book* b = &self.walk.own
        cdef int64_t i, size = b.start[b.map.used]
        cdef int32_t number
        cdef double most
        cdef double* worth = <double*>malloc(size * sizeof(double))
        if worth == NULL:
            raise MemoryError
        memcpy(worth, b.value, size * sizeof(double))
        # an information set is met after the one above it, so its number is higher
        for number in range(b.map.used - 1, -1, -1):
            most = worth[b.start[number]]
            for i in range(b.start[number] + 1, b.start[number + 1]):
                most = max(most, worth[i])
            worth[b.parent[number]] += most
        most = worth[0]
        free(worth)
        return most
