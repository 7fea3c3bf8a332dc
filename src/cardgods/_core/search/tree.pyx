"""The sequence form of a game, built once from its functions and then constant; tree.pxd tells the shape."""

from libc.math cimport NAN
from libc.stdint cimport int16_t, int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from cpython.bytes cimport PyBytes_FromStringAndSize

from cardgods._core.ops cimport MAX_PLAYERS
from cardgods._core.search.draft cimport Draft, draft_close, draft_open, draft_walk
from cardgods._core.search.keys cimport Key, key_of_bytes, map_close, map_find, map_reorder
from cardgods._core.search.order cimport gather_rows, order_seat, rename_ends, seat_close
from cardgods._core.search.path cimport DONE, NO_MEMORY, explain, path_close, path_open
from cardgods._core.state cimport State
from cardgods._core.walk cimport Cancel


cdef class Tree:
    """A game in sequence form; made by :func:`build`.

    Information sets that leave a choice are numbered over all players, seat by seat.

    Attributes:
        root: the state where the game begins; its position counts as known to all.
        players: number of players.
        bases: the information state of each player at the root.
        histories: nodes of the game tree.
        terminals: those of them where the game ends.
        constant: the sum of the returns if it is the same at every end, else NaN.
    """

    def __cinit__(self, State root):
        self.root = root.clone()
        self.players = root.rules.num_players
        self.bases = tuple(root.information_state(p) for p in range(self.players))

    def __dealloc__(self):
        cdef int p
        for p in range(MAX_PLAYERS):
            seat_close(&self.seats[p])
        map_close(&self.map)
        free(self.learnt)
        free(self.events)

    cdef int owner(self, int32_t number) noexcept nogil:
        cdef int player = 0
        while number >= self.offset[player + 1]:
            player += 1
        return player

    def __len__(self):
        """Number of information sets that leave a choice."""
        return self.sets

    def player(self, int32_t number):
        """Whose information set it is."""
        self._check(number)
        return self.owner(number)

    def sets_of(self, int player):
        """The numbers of a player's information sets, as a range."""
        return range(self.offset[player], self.offset[player + 1])

    def sequences(self, int player):
        """How many sequences a player has, the empty one included."""
        return self.seats[player].sequences

    def entries(self, int player):
        """How many entries the rows of a player have."""
        return self.seats[player].entries

    def actions(self, int32_t number):
        """The legal actions at an information set, ascending."""
        cdef Seat* seat
        cdef int32_t s, k
        self._check(number)
        seat = &self.seats[self.owner(number)]
        k = number - self.offset[self.owner(number)]
        return [seat.action[s] for s in range(seat.first[k], seat.first[k + 1])]

    def parent(self, int32_t number):
        """The owner's decision before: (information set, place of the action), None if it is his first."""
        cdef int player
        cdef int32_t k, low, high, middle, s
        cdef Seat* seat
        self._check(number)
        player = self.owner(number)
        seat = &self.seats[player]
        k = number - self.offset[player]
        s = seat.parent[k]
        if s == 0:
            return None
        low, high = 0, k
        while high - low > 1:
            middle = (low + high) // 2
            if seat.first[middle] <= s:
                low = middle
            else:
                high = middle
        return self.offset[player] + low, s - seat.first[low]

    def information_state(self, int32_t number):
        """The bytes of ``State.information_state`` of its owner at every state of an information set."""
        cdef int64_t start, stop
        parts = []
        player = self.player(number)
        at = number
        while at is not None:
            start, stop = self.learnt[<int32_t>at], self.learnt[<int32_t>at + 1]
            parts.append(PyBytes_FromStringAndSize(<const char*>(self.events + start), 2 * (stop - start)))
            before = self.parent(at)
            at = None if before is None else before[0]
        return self.bases[player] + b"".join(reversed(parts))

    def find(self, int player, bytes information_state):
        """Number of the information set with these bytes; -1 if it leaves no choice or is unknown."""
        cdef Key key
        cdef int32_t found
        key_of_bytes(&key, player, information_state, len(information_state))
        found = map_find(&self.map, &key)
        if found >= 0 and self.information_state(found) != information_state:
            return -1
        return found

    def shape(self, int player):
        """A player's own tree in plain lists.

        Returns:
            (sequence that leads to each of his information sets, first action of each and the end of the
            last; both as numbers of sequences, 0 the empty one).
        """
        cdef Seat* seat = &self.seats[player]
        cdef int32_t k
        return (
            [seat.parent[k] for k in range(seat.sets)],
            [seat.first[k] for k in range(seat.sets + 1)],
        )

    def rows(self, int player):
        """A player's outcomes in plain lists.

        Returns:
            (sequence, sequences of the others by ascending player, return times the probability of chance)
            of every entry.
        """
        cdef Seat* seat = &self.seats[player]
        cdef int others = self.players - 1, j
        cdef int32_t s
        cdef int64_t k
        return [
            (s, tuple([seat.others[k * others + j] for j in range(others)]), seat.weight[k])
            for s in range(seat.sequences)
            for k in range(seat.row[s], seat.row[s + 1])
        ]

    def memory(self):
        """Bytes that the arrays take."""
        cdef int64_t size = 0, others = self.players - 1
        cdef int p
        for p in range(self.players):
            size += self.seats[p].sets * 16 + self.seats[p].sequences * 12
            size += self.seats[p].entries * (8 + 4 * others)
        return size + self.sets * 24 + 2 * self.learnt[self.sets] + (self.map.mask + 1) * 4

    def _check(self, int32_t number):
        if not 0 <= number < self.sets:
            raise IndexError(f"information set {number} is not one of 0..{self.sets - 1}")


cdef int take_events(Tree tree, const Draft* d, const int32_t* place) noexcept nogil:
    # The events of each information set, in the final order.
    cdef int64_t at = 0, size
    cdef int32_t i
    tree.learnt = <int64_t*>calloc(d.sets + 1, sizeof(int64_t))
    tree.events = <int16_t*>malloc((d.learnt[d.sets] + 1) * sizeof(int16_t))
    if tree.learnt == NULL or tree.events == NULL:
        return -1
    for i in range(d.sets):
        tree.learnt[place[i] + 1] = d.learnt[i + 1] - d.learnt[i]
    for i in range(d.sets):
        tree.learnt[i + 1] += tree.learnt[i]
    for i in range(d.sets):
        at = d.learnt[i]
        size = d.learnt[i + 1] - at
        memcpy(tree.events + tree.learnt[place[i]], d.events + at, size * sizeof(int16_t))
    return 0


cdef int order_all(Tree tree, Draft* d) noexcept nogil:
    cdef int32_t* place = <int32_t*>malloc((d.sets + 1) * sizeof(int32_t))
    cdef int32_t* renamed
    cdef int p, failed = place == NULL
    for p in range(tree.players):
        renamed = <int32_t*>malloc(d.sequences[p] * sizeof(int32_t))
        failed = failed or renamed == NULL
        if not failed:
            failed = order_seat(d, p, tree.offset[p], &tree.seats[p], place, renamed)
        if not failed:
            rename_ends(d, p, renamed)
            tree.offset[p + 1] = tree.offset[p] + tree.seats[p].sets
        free(renamed)
    for p in range(tree.players):
        failed = failed or gather_rows(d, p, tree.seats)
    if not failed:
        tree.sets = d.sets
        failed = take_events(tree, d, place) or map_reorder(&d.map, place)
    if not failed:
        tree.map = d.map
        d.map.keys = NULL
        d.map.slots = NULL
    free(place)
    return NO_MEMORY if failed else DONE


def build(State root, int64_t histories, int64_t terminals, int64_t sets, int64_t events, sequences,
          Cancel cancel):
    """The sequence form of the game below a state.

    Args:
        root: where it begins.
        histories: nodes of the tree, as counted.
        terminals: those where the game ends.
        sets: information sets with more than one action.
        events: numbers that players learn between their choices, over all information sets.
        sequences: actions of those information sets, a number a player.
        cancel: ends the walk early.

    Raises:
        SolveError: if the walk was stopped, or the game does not keep the contract (see GameOps.events).
        MemoryError: if there is not enough memory.
    """
    cdef Tree tree = Tree(root)
    cdef int64_t room[MAX_PLAYERS]
    cdef int outcome
    cdef Draft* d = <Draft*>calloc(1, sizeof(Draft))
    if d == NULL:
        raise MemoryError
    try:
        path_open(&d.path, root)
        for p in range(tree.players):
            room[p] = sequences[p]
        if draft_open(d, sets, terminals, events, room):
            raise MemoryError
        d.cancel = &cancel.flag
        with nogil:
            outcome = draft_walk(d)
            if outcome == DONE:
                outcome = order_all(tree, d)
        explain(outcome, root.game)
        tree.histories = histories
        tree.terminals = terminals
        tree.constant = d.constant if d.constant_sum else NAN
    finally:
        path_close(&d.path)
        draft_close(d)
        free(d)
    return tree
