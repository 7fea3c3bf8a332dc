"""The explicit tree of histories, and values and best responses computed on it.

This is the second, independent road to the numbers of profile.pyx: it knows no sequences, sums nothing up
beforehand and shares only the information sets.
"""

from libc.stdint cimport int8_t, int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cardgods._core.ops cimport CHANCE, TERMINAL
from cardgods._core.search.keys cimport map_find
from cardgods._core.search.path cimport (
    CANCELLED, DONE, INCONSISTENT, NO_MEMORY, Frame, explain, path_close, path_open, path_pop, path_push,
    path_top)
from cardgods._core.search.profile cimport Profile
from cardgods._core.search.tree cimport Seat, Tree
from cardgods._core.walk cimport Cancel

from cardgods.errors import SolveError


cdef int grow(Nodes* n, Tree tree, int32_t parent, int32_t action, double step) noexcept nogil:
    # Add the top of the path and all below it.
    cdef Frame* frame = path_top(&n.path)
    cdef int32_t me = n.count
    cdef int i, outcome
    cdef double chance
    n.count += 1
    n.actor[me] = <int8_t>frame.actor
    n.action[me] = action
    n.parent[me] = parent
    n.step[me] = step
    n.set[me] = -1
    if frame.actor == TERMINAL:
        n.set[me] = n.terminals
        n.path.ops.returns(n.path.rules, frame.pos, n.returns + <int64_t>n.terminals * n.players)
        n.terminals += 1
    elif frame.actor != CHANCE and frame.count > 1:
        n.set[me] = map_find(&tree.map, &frame.keys[frame.actor])
        if n.set[me] < 0:
            return INCONSISTENT
    if n.cancel[0]:
        return CANCELLED
    for i in range(frame.count):
        chance = frame.weights[i] / frame.total if frame.actor == CHANCE else 1.0
        if path_push(&n.path, i):
            return NO_MEMORY
        outcome = grow(n, tree, me, frame.actions[i], chance)
        if outcome != DONE:
            return outcome
        path_pop(&n.path)
    n.end[me] = n.count
    return DONE


cdef class Histories:
    """All histories of a tree, as nodes numbered depth first from the root, 0.

    Args:
        tree: the game.
        cancel: ends the walk early.

    Raises:
        SolveError: if the walk was stopped or there are more than 2^31 - 1 histories.
        MemoryError: if there is not enough memory.
    """

    def __cinit__(self, Tree tree, Cancel cancel):
        cdef int64_t count = tree.histories
        cdef Nodes* n = &self.n
        cdef int outcome
        if count > 0x7FFFFFFF:
            raise SolveError(f"{count:,} histories are too many for nodes, of which there may be 2^31 - 1")
        self.tree = tree
        n.players = tree.players
        n.cancel = &cancel.flag
        n.actor = <int8_t*>malloc(count)
        n.action = <int32_t*>malloc(count * sizeof(int32_t))
        n.parent = <int32_t*>malloc(count * sizeof(int32_t))
        n.end = <int32_t*>malloc(count * sizeof(int32_t))
        n.set = <int32_t*>malloc(count * sizeof(int32_t))
        n.step = <double*>malloc(count * sizeof(double))
        n.returns = <double*>malloc(tree.terminals * tree.players * sizeof(double))
        self.start = <int32_t*>calloc(tree.sets + 2, sizeof(int32_t))
        self.members = <int32_t*>malloc(count * sizeof(int32_t))
        if (n.actor == NULL or n.action == NULL or n.parent == NULL or n.end == NULL or n.set == NULL
                or n.step == NULL or n.returns == NULL or self.start == NULL or self.members == NULL):
            raise MemoryError
        path_open(&n.path, tree.root)
        with nogil:
            outcome = grow(n, tree, -1, -1, 1.0)
        path_close(&n.path)
        explain(outcome, tree.root.game)
        self._index()

    def __dealloc__(self):
        path_close(&self.n.path)
        free(self.n.actor)
        free(self.n.action)
        free(self.n.parent)
        free(self.n.end)
        free(self.n.set)
        free(self.n.step)
        free(self.n.returns)
        free(self.start)
        free(self.members)

    def _index(self):
        cdef int32_t i
        cdef int32_t* at = self.start + 1
        for i in range(self.n.count):
            if self.n.actor[i] >= 0 and self.n.set[i] >= 0:
                self.start[self.n.set[i] + 2] += 1
        for i in range(self.tree.sets):
            self.start[i + 2] += self.start[i + 1]
        for i in range(self.n.count):
            if self.n.actor[i] >= 0 and self.n.set[i] >= 0:
                self.members[at[self.n.set[i]]] = i
                at[self.n.set[i]] += 1

    def __len__(self):
        """Number of nodes."""
        return self.n.count

    def node(self, int32_t number):
        """A node in plain values.

        Returns:
            (player to act, or -1 chance or -4 the end; action that leads here, -1 at the root; parent, -1 at
            the root; first node behind its subtree; information set, -1 where there is no choice; probability
            of the chance outcome that leads here, 1 if it is none).
        """
        self._check(number)
        n = &self.n
        found = n.set[number] if n.actor[number] >= 0 else -1
        return n.actor[number], n.action[number], n.parent[number], n.end[number], found, n.step[number]

    def children(self, int32_t number):
        """The nodes that follow, in the order of the actions."""
        cdef int32_t at = number + 1
        self._check(number)
        found = []
        while at < self.n.end[number]:
            found.append(at)
            at = self.n.end[at]
        return found

    def returns(self, int32_t number):
        """Returns of the players at a terminal node; an empty list elsewhere."""
        cdef int64_t at
        self._check(number)
        if self.n.actor[number] != TERMINAL:
            return []
        at = <int64_t>self.n.set[number] * self.tree.players
        return [self.n.returns[at + p] for p in range(self.tree.players)]

    def members_of(self, int32_t number):
        """All nodes of an information set, ascending."""
        cdef int32_t i
        self.tree._check(number)
        return [self.members[i] for i in range(self.start[number], self.start[number + 1])]

    def history(self, int32_t number):
        """The actions from the root to a node."""
        self._check(number)
        path = []
        while number > 0:
            path.append(self.n.action[number])
            number = self.n.parent[number]
        return path[::-1]

    def _check(self, int32_t number):
        if not 0 <= number < self.n.count:
            raise IndexError(f"node {number} is not one of 0..{self.n.count - 1}")


cdef inline double choice_probability(const Nodes* n, Tree tree, double** probability, int32_t node,
                                      int32_t place) noexcept nogil:
    # Of the place-th action at a node with a choice.
    cdef int player = n.actor[node]
    cdef const Seat* seat = &tree.seats[player]
    return probability[player][seat.first[n.set[node] - tree.offset[player]] + place]


cdef void fill_chances(const Nodes* n, Tree tree, double** probability, double* edge) noexcept nogil:
    # The probability of the step to every node under a profile.
    cdef int32_t i, at, place
    cdef bint choice
    edge[0] = 1.0
    for i in range(n.count):
        choice = n.actor[i] >= 0 and n.set[i] >= 0
        at = i + 1
        place = 0
        while at < n.end[i]:
            edge[at] = choice_probability(n, tree, probability, i, place) if choice else n.step[at]
            at = n.end[at]
            place += 1


cdef void back_up(const Nodes* n, int players, const double* edge, double* value) noexcept nogil:
    cdef int32_t i = n.count
    cdef int64_t me, up
    cdef int p
    memset(value, 0, <int64_t>n.count * players * sizeof(double))
    while i:
        i -= 1
        me = <int64_t>i * players
        if n.actor[i] == TERMINAL:
            for p in range(players):
                value[me + p] = n.returns[<int64_t>n.set[i] * players + p]
        if i:
            up = <int64_t>n.parent[i] * players
            for p in range(players):
                value[up + p] += edge[i] * value[me + p]


def values(Histories histories, Profile profile):
    """What each player wins on average from the root, and from every node, when all follow a profile.

    Returns:
        (list of the expected returns, list of such lists by node).
    """
    cdef Nodes* n = &histories.n
    cdef int players = histories.tree.players
    cdef int64_t i
    cdef double* edge
    cdef double* value
    same_tree(histories, profile)
    edge = <double*>malloc(n.count * sizeof(double))
    value = <double*>malloc(<int64_t>n.count * players * sizeof(double))
    try:
        if edge == NULL or value == NULL:
            raise MemoryError
        with nogil:
            fill_chances(n, histories.tree, profile.probability, edge)
            back_up(n, players, edge, value)
        by_node = [[value[i * players + p] for p in range(players)] for i in range(n.count)]
        return by_node[0], by_node
    finally:
        free(edge)
        free(value)


cdef double settle(const Nodes* n, int player, int32_t node, const double* edge,
                   const double* value) noexcept nogil:
    # What the player expects from a node, his own choices below it being settled already.
    cdef int32_t at = node + 1
    cdef double total = 0.0
    if n.actor[node] == TERMINAL:
        return n.returns[<int64_t>n.set[node] * n.players + player]
    if n.actor[node] == player and n.set[node] >= 0:
        return value[node]
    while at < n.end[node]:
        total += edge[at] * settle(n, player, at, edge, value)
        at = n.end[at]
    return total


cdef void settle_set(Histories h, int32_t number, int player, const double* reach, const double* edge,
                     double* value, double* gain) noexcept nogil:
    # Choose the first best action of one information set for all its nodes.
    cdef const Nodes* n = &h.n
    cdef int32_t k, at, node
    cdef int i, _, best = 0, count = 0
    for k in range(h.start[number], h.start[number + 1]):
        node = h.members[k]
        at = node + 1
        i = 0
        while at < n.end[node]:
            if k == h.start[number]:
                gain[i] = 0.0
                count += 1
            value[at] = settle(n, player, at, edge, value)
            gain[i] += reach[node] * value[at]
            at = n.end[at]
            i += 1
    for i in range(count):
        if gain[i] > gain[best]:
            best = i
    for k in range(h.start[number], h.start[number + 1]):
        node = h.members[k]
        at = node + 1
        for _ in range(best):
            at = n.end[at]
        value[node] = value[at]


cdef double answer_histories(Histories h, int player, double* edge, double* reach,
                             double* value) noexcept nogil:
    cdef const Nodes* n = &h.n
    cdef double gain[256]
    cdef int32_t i, number
    reach[0] = 1.0
    for i in range(1, n.count):
        reach[i] = reach[n.parent[i]]
        if n.actor[n.parent[i]] != player:
            reach[i] *= edge[i]
    number = h.tree.offset[player + 1]
    while number > h.tree.offset[player]:
        number -= 1
        settle_set(h, number, player, reach, edge, value, gain)
    return settle(n, player, 0, edge, value)


def best_response_value(Histories histories, Profile profile, int player):
    """What a player gets at best when the others follow a profile, computed history by history."""
    cdef Nodes* n = &histories.n
    cdef double result
    cdef double* buffers
    same_tree(histories, profile)
    buffers = <double*>malloc(3 * <int64_t>n.count * sizeof(double))
    if buffers == NULL:
        raise MemoryError
    with nogil:
        fill_chances(n, histories.tree, profile.probability, buffers)
        result = answer_histories(
            histories, player, buffers, buffers + n.count, buffers + 2 * <int64_t>n.count
        )
    free(buffers)
    return result


def same_tree(Histories histories, Profile profile):
    """Raise SolveError if the profile belongs to another tree."""
    if profile.tree is not histories.tree:
        raise SolveError("the profile belongs to another tree")
