"""External-sampling Monte Carlo CFR straight over a game, for trees that are too large to be built.

Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret minimization in extensive games"
(2009). One traversal follows all actions of one player and one sampled move of chance and of everybody else;
the regrets it adds are the counterfactual ones on average. Regrets are kept for the information sets that
have been met, by the 128-bit key of the information state.
"""

from libc.math cimport pow
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from cardgods._core.ops cimport CHANCE, MAX_PLAYERS, TERMINAL
from cardgods._core.rng cimport Random, Rng, bounded, rng_init, uniform01
from cardgods._core.search.keys cimport (
    Key, KeyMap, key_of_bytes, map_add, map_close, map_find, map_open)
from cardgods._core.search.path cimport (
    DONE, INCONSISTENT, NO_MEMORY, OVER_LIMIT, Frame, Path, explain, path_close, path_open, path_pop,
    path_push, path_top)
from cardgods._core.search.profile cimport Profile
from cardgods._core.search.tree cimport Seat, Tree
from cardgods._core.state cimport State
from cardgods._core.walk cimport Cancel

from cardgods.errors import SolveError


cdef struct Table:
    KeyMap map
    int64_t* start            # [sets + 1] into regret and average
    int64_t sets_room
    double* regret
    double* average
    int64_t room
    int64_t limit             # bytes

cdef struct Walk:
    Path path
    Table* table
    Rng rng
    double* scratch           # strategies and values of the decisions on the path
    int64_t used
    int64_t room
    int player                # who learns
    int averaged              # whose average is kept
    double weight
    int64_t nodes
    int outcome


# The table -------------------------------------------------------------------------------------------------

cdef int64_t table_bytes(const Table* t) noexcept nogil:
    return (t.map.room * sizeof(Key) + (t.map.mask + 1) * sizeof(int32_t) + t.sets_room * sizeof(int64_t)
            + 2 * t.room * sizeof(double))


cdef int table_open(Table* t) noexcept nogil:
    t.sets_room = 1024
    t.room = 4096
    t.start = <int64_t*>malloc((t.sets_room + 1) * sizeof(int64_t))
    t.regret = <double*>malloc(t.room * sizeof(double))
    t.average = <double*>malloc(t.room * sizeof(double))
    if t.start == NULL or t.regret == NULL or t.average == NULL or map_open(&t.map, t.sets_room):
        return -1
    t.start[0] = 0
    return 0


cdef void table_close(Table* t) noexcept nogil:
    free(t.start)
    free(t.regret)
    free(t.average)
    map_close(&t.map)


cdef int table_grow(Table* t, int count) noexcept nogil:
    # Room for one more information set of `count` actions.
    cdef void* grown
    if t.map.used == t.sets_room:
        grown = realloc(t.start, (2 * t.sets_room + 1) * sizeof(int64_t))
        if grown == NULL:
            return NO_MEMORY
        t.start = <int64_t*>grown
        t.sets_room *= 2
    while t.start[t.map.used] + count > t.room:
        grown = realloc(t.regret, 2 * t.room * sizeof(double))
        if grown == NULL:
            return NO_MEMORY
        t.regret = <double*>grown
        grown = realloc(t.average, 2 * t.room * sizeof(double))
        if grown == NULL:
            return NO_MEMORY
        t.average = <double*>grown
        t.room *= 2
    return OVER_LIMIT if table_bytes(t) > t.limit else DONE


cdef int table_enter(Table* t, const Key* key, int count, int64_t* start) noexcept nogil:
    # Where the numbers of an information set begin, new ones at 0.
    cdef int32_t found = map_find(&t.map, key)
    cdef int outcome
    if found < 0:
        outcome = table_grow(t, count)
        if outcome != DONE:
            return outcome
        found = map_add(&t.map, key)
        if found < 0:
            return NO_MEMORY
        memset(t.regret + t.start[found], 0, count * sizeof(double))
        memset(t.average + t.start[found], 0, count * sizeof(double))
        t.start[found + 1] = t.start[found] + count
    start[0] = t.start[found]
    return DONE if t.start[found + 1] - t.start[found] == count else INCONSISTENT


cdef void matched(const double* regret, int count, double* strategy) noexcept nogil:
    # Regret matching: in proportion to the positive regrets, uniform without any.
    cdef double total = 0.0
    cdef int i
    for i in range(count):
        strategy[i] = regret[i] if regret[i] > 0.0 else 0.0
        total += strategy[i]
    for i in range(count):
        strategy[i] = strategy[i] / total if total > 0.0 else 1.0 / count


# The traversal ---------------------------------------------------------------------------------------------

cdef int64_t reserve(Walk* w, int count) noexcept nogil:
    # Scratch for strategy and values of one decision; its place, -1 if there is no memory.
    cdef double* grown
    cdef int64_t at = w.used
    while at + 2 * count > w.room:
        grown = <double*>realloc(w.scratch, 2 * w.room * sizeof(double))
        if grown == NULL:
            return -1
        w.scratch = grown
        w.room *= 2
    w.used += 2 * count
    return at


cdef int drawn_chance(Walk* w, const Frame* frame) noexcept nogil:
    cdef int32_t rest = <int32_t>bounded(&w.rng, <uint32_t>frame.total)
    cdef int i = 0
    while rest >= frame.weights[i]:
        rest -= frame.weights[i]
        i += 1
    return i


cdef int drawn_action(Walk* w, const double* strategy, int count) noexcept nogil:
    # Never one of probability 0, whatever is lost in the sums.
    cdef double rest = uniform01(&w.rng)
    cdef int i, last = 0
    for i in range(count):
        if strategy[i] > 0.0:
            last = i
            rest -= strategy[i]
            if rest < 0.0:
                break
    return last


cdef double follow(Walk* w, int choice) noexcept nogil:
    cdef double value
    if path_push(&w.path, choice):
        w.outcome = NO_MEMORY
        return 0.0
    value = traverse(w)
    path_pop(&w.path)
    return value


cdef double explore(Walk* w, const Frame* frame, int64_t start, int64_t at) noexcept nogil:
    # All actions of the one who learns.
    cdef double here = 0.0
    cdef int i, count = frame.count
    cdef double value
    for i in range(count):
        value = follow(w, i)
        if w.outcome != DONE:
            return 0.0
        w.scratch[at + count + i] = value
        here += w.scratch[at + i] * value
    for i in range(count):
        w.table.regret[start + i] += w.scratch[at + count + i] - here
    return here


cdef double decide(Walk* w, const Frame* frame) noexcept nogil:
    cdef int64_t start = 0, at = reserve(w, frame.count)
    cdef int i, count = frame.count
    cdef double value
    w.outcome = NO_MEMORY if at < 0 else table_enter(w.table, &frame.keys[frame.actor], count, &start)
    if w.outcome != DONE:
        return 0.0
    matched(w.table.regret + start, count, w.scratch + at)
    if frame.actor == w.player:
        value = explore(w, frame, start, at)
    else:
        if frame.actor == w.averaged:
            for i in range(count):
                w.table.average[start + i] += w.weight * w.scratch[at + i]
        value = follow(w, drawn_action(w, w.scratch + at, count))
    w.used = at
    return value


cdef double traverse(Walk* w) noexcept nogil:
    cdef Frame* frame = path_top(&w.path)
    cdef double returns[MAX_PLAYERS]
    w.nodes += 1
    if frame.actor == TERMINAL:
        w.path.ops.returns(w.path.rules, frame.pos, returns)
        return returns[w.player]
    if frame.actor == CHANCE:
        return follow(w, drawn_chance(w, frame))
    if frame.count == 1:
        return follow(w, 0)
    return decide(w, frame)


cdef class Sampler:
    """Regrets and averages of all information sets that the samples have met.

    Traversal i of player p draws from stream i * players + p of the seed, so the state after a number of
    traversals depends on the root, the seed and that number alone.

    Args:
        root: where every sample begins; its position counts as known to all.
        seed: of the samples, as for :class:`cardgods.Random`.
        gamma: the t-th iteration has the weight t^gamma in the average.
        memory: bytes that the table may take.

    Attributes:
        passes: finished traversals; passes // players iterations are complete.
        nodes: nodes that these traversals have walked through.
    """

    cdef readonly State root
    cdef Table table
    cdef Walk walk
    cdef readonly Random random
    cdef readonly double gamma
    cdef readonly int64_t passes

    def __cinit__(self, State root, seed, double gamma, int64_t memory):
        self.root = root.clone()
        self.random = Random(seed)
        self.gamma = gamma
        self.table.limit = memory
        self.walk.table = &self.table
        self.walk.room = 1024
        self.walk.scratch = <double*>malloc(self.walk.room * sizeof(double))
        if self.walk.scratch == NULL or table_open(&self.table):
            raise MemoryError
        path_open(&self.walk.path, root)

    def __dealloc__(self):
        path_close(&self.walk.path)
        table_close(&self.table)
        free(self.walk.scratch)

    def __len__(self):
        """Number of information sets met."""
        return self.table.map.used

    @property
    def nodes(self):
        """Nodes walked through."""
        return self.walk.nodes

    def memory(self):
        """Bytes that the table takes."""
        return table_bytes(&self.table)

    def run(self, int64_t passes, Cancel cancel):
        """Do some traversals; the flag ends them after the one under way.

        Raises:
            SolveError: if the table would outgrow its memory.
            MemoryError: if there is not enough memory.
        """
        cdef int64_t target = self.passes + passes
        cdef int players = self.root.rules.num_players
        cdef const unsigned char* key = self.random.key
        with nogil:
            while self.passes < target and not cancel.flag:
                rng_init(&self.walk.rng, key, self.passes)
                self.walk.player = <int>(self.passes % players)
                self.walk.averaged = (self.walk.player + 1) % players
                self.walk.weight = pow(<double>(self.passes // players + 1), self.gamma)
                self.walk.outcome = DONE
                self.walk.used = 0
                self.walk.path.depth = 0
                traverse(&self.walk)
                if self.walk.outcome != DONE:
                    break
                self.passes += 1
        if self.walk.outcome == OVER_LIMIT:
            raise SolveError(
                f"{self.root.game}: {self.table.map.used:,} information sets after {self.passes:,} samples "
                f"fill the {self.table.limit / 1e6:.1f} MB that the table may take"
            )
        explain(self.walk.outcome, self.root.game)

    cdef list _numbers(self, int player, bytes information_state, const double* data):
        cdef Key key
        cdef int32_t found
        cdef int64_t i
        key_of_bytes(&key, player, information_state, len(information_state))
        found = map_find(&self.table.map, &key)
        if found < 0:
            return None
        return [data[i] for i in range(self.table.start[found], self.table.start[found + 1])]

    def regrets(self, int player, bytes information_state):
        """The summed regrets of the actions at an information set, ascending; None if it was not met."""
        return self._numbers(player, information_state, self.table.regret)

    def weights(self, int player, bytes information_state):
        """The summed strategies at an information set; None if it was not met."""
        return self._numbers(player, information_state, self.table.average)

    def profile(self, Tree tree):
        """The average profile on a tree of the same game; uniform where the samples have not been.

        Raises:
            SolveError: if an information set has another number of actions there.
        """
        cdef Profile profile = Profile(tree)
        cdef int32_t number
        for number in range(tree.sets):
            if self._copy(tree, profile, number):
                raise SolveError("the tree is of another game than the samples")
        return profile

    cdef int _copy(self, Tree tree, Profile profile, int32_t number) noexcept:
        cdef int player = tree.owner(number)
        cdef const Seat* seat = &tree.seats[player]
        cdef int32_t first = seat.first[number - tree.offset[player]]
        cdef int count = seat.first[number - tree.offset[player] + 1] - first
        cdef int32_t found = map_find(&self.table.map, &tree.map.keys[number])
        if found < 0:
            return 0
        if self.table.start[found + 1] - self.table.start[found] != count:
            return -1
        matched(self.table.average + self.table.start[found], count, profile.probability[player] + first)
        return 0

    def dump(self):
        """The table as bytes: keys, beginnings, regrets, averages."""
        cdef Table* t = &self.table
        cdef int64_t numbers = t.start[t.map.used] * sizeof(double)
        return [
            PyBytes_FromStringAndSize(<const char*>t.map.keys, t.map.used * sizeof(Key)),
            PyBytes_FromStringAndSize(<const char*>t.start, (t.map.used + 1) * sizeof(int64_t)),
            PyBytes_FromStringAndSize(<const char*>t.regret, numbers),
            PyBytes_FromStringAndSize(<const char*>t.average, numbers),
        ]

    def restore(self, int64_t passes, int64_t nodes, list parts):
        """Take up the table of another sampler of the same root, seed and weight."""
        cdef bytes keys, starts, regrets, averages
        cdef const Key* key
        cdef const int64_t* start
        cdef int64_t at = 0
        cdef int32_t i
        keys, starts, regrets, averages = parts
        if self.table.map.used or len(starts) * 2 != len(keys) + 16 or len(regrets) != len(averages):
            raise SolveError("the table does not fit a fresh sampler")
        key = <const Key*>PyBytes_AS_STRING(keys)
        start = <const int64_t*>PyBytes_AS_STRING(starts)
        for i in range(<int32_t>(len(keys) // sizeof(Key))):
            explain(table_enter(&self.table, &key[i], <int>(start[i + 1] - start[i]), &at), self.root.game)
        memcpy(self.table.regret, PyBytes_AS_STRING(regrets), len(regrets))
        memcpy(self.table.average, PyBytes_AS_STRING(averages), len(averages))
        self.passes = passes
        self.walk.nodes = nodes
