"""Strategy profiles over a tree, what they are worth and how well they can be answered."""

from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cpython.bytes cimport PyBytes_FromStringAndSize

from cardgods._core.ops cimport MAX_PLAYERS
from cardgods._core.search.tree cimport Seat, Tree, row_value

from cardgods.errors import SolveError


cdef void uniform(const Seat* seat, double* probability) noexcept nogil:
    cdef int32_t k, s
    probability[0] = 1.0
    for k in range(seat.sets):
        for s in range(seat.first[k], seat.first[k + 1]):
            probability[s] = 1.0 / (seat.first[k + 1] - seat.first[k])


cdef class Profile:
    """A strategy for every player: probabilities of the actions at each information set of a tree.

    A new profile is uniform.

    Args:
        tree: the game.
    """

    def __cinit__(self, Tree tree):
        cdef int p
        self.tree = tree
        for p in range(tree.players):
            self.probability[p] = <double*>malloc(tree.seats[p].sequences * sizeof(double))
            if self.probability[p] == NULL:
                raise MemoryError
            uniform(&tree.seats[p], self.probability[p])

    def __dealloc__(self):
        cdef int p
        for p in range(MAX_PLAYERS):
            free(self.probability[p])

    def get(self, int32_t number):
        """Probabilities of the actions at an information set, in the order of ``tree.actions(number)``."""
        cdef int32_t s, k
        cdef Seat* seat
        cdef int player = self.tree.player(number)
        seat = &self.tree.seats[player]
        k = number - self.tree.offset[player]
        return [self.probability[player][s] for s in range(seat.first[k], seat.first[k + 1])]

    def set(self, int32_t number, probabilities):
        """Set the probabilities at an information set.

        Raises:
            SolveError: if they are not as many as there are actions, negative, or do not add up to 1 (up to
                1e-9).
        """
        cdef int player = self.tree.player(number)
        cdef int32_t first = self.tree.seats[player].first[number - self.tree.offset[player]]
        values = [float(x) for x in probabilities]
        actions = self.tree.actions(number)
        if len(values) != len(actions):
            raise SolveError(f"{len(values)} probabilities given for {len(actions)} actions")
        if not (all(x >= 0.0 for x in values) and abs(sum(values) - 1.0) <= 1e-9):
            raise SolveError(f"{values} are no probabilities: each is 0 or more, together they are 1")
        for i, x in enumerate(values):
            self.probability[player][first + i] = x

    def probabilities(self, int player, bytes information_state):
        """Action -> probability at the information set with these bytes.

        Raises:
            SolveError: if the game has no such information set with a choice.
        """
        number = self.tree.find(player, information_state)
        if number < 0:
            raise SolveError(
                f"player {player} has no choice at the information state {information_state.hex()}"
            )
        return dict(zip(self.tree.actions(number), self.get(number)))

    def clone(self):
        """An independent copy."""
        cdef Profile other = Profile(self.tree)
        cdef int p
        for p in range(self.tree.players):
            memcpy(other.probability[p], self.probability[p], self.tree.seats[p].sequences * sizeof(double))
        return other

    def with_player(self, int player, Profile other):
        """A copy in which one player plays as he does in another profile of the same tree."""
        cdef Profile mixed = self.clone()
        if other.tree is not self.tree:
            raise SolveError("the two profiles belong to different trees")
        memcpy(mixed.probability[player], other.probability[player],
               self.tree.seats[player].sequences * sizeof(double))
        return mixed

    def raw(self, int player):
        """A player's probabilities as the bytes of C doubles, by sequence."""
        return PyBytes_FromStringAndSize(
            <const char*>self.probability[player], self.tree.seats[player].sequences * sizeof(double)
        )


# Values ----------------------------------------------------------------------------------------------------

cdef void spread(const Seat* seat, const double* probability, double* reach) noexcept nogil:
    # The probability that a player contributes to each of his sequences.
    cdef int32_t k, s
    cdef double before
    reach[0] = 1.0
    for k in range(seat.sets):
        before = reach[seat.parent[k]]
        for s in range(seat.first[k], seat.first[k + 1]):
            reach[s] = before * probability[s]


cdef class Reach:
    """The reach of every sequence of every player under a profile."""

    def __cinit__(self, Profile profile):
        cdef int p
        cdef Tree tree = profile.tree
        for p in range(tree.players):
            self.of[p] = <double*>malloc(tree.seats[p].sequences * sizeof(double))
            if self.of[p] == NULL:
                raise MemoryError
        with nogil:
            for p in range(tree.players):
                spread(&tree.seats[p], profile.probability[p], self.of[p])

    def __dealloc__(self):
        cdef int p
        for p in range(MAX_PLAYERS):
            free(self.of[p])


cdef double expected_return(const Seat* seat, int players, int player, double** reach) noexcept nogil:
    cdef double total = 0.0
    cdef int32_t s
    for s in range(seat.sequences):
        if reach[player][s] != 0.0:
            total += reach[player][s] * row_value(seat, players, player, s, reach)
    return total


def expected_returns(Profile profile):
    """What each player wins on average when all follow the profile."""
    cdef Tree tree = profile.tree
    cdef Reach reach = Reach(profile)
    cdef double out[MAX_PLAYERS]
    cdef int p
    with nogil:
        for p in range(tree.players):
            out[p] = expected_return(&tree.seats[p], tree.players, p, reach.of)
    return [out[p] for p in range(tree.players)]


cdef double answer(const Seat* seat, int players, int player, double** reach, double* value,
                   double* probability) noexcept nogil:
    # The best return against the reach of the others; a first best action gets probability 1. `value` has a
    # place a sequence.
    cdef int32_t k = seat.sets, s, best
    cdef double here
    memset(value, 0, seat.sequences * sizeof(double))
    while k:
        k -= 1
        best = seat.first[k]
        for s in range(seat.first[k], seat.first[k + 1]):
            probability[s] = 0.0
            value[s] += row_value(seat, players, player, s, reach)
            if value[s] > value[best]:
                best = s
        probability[best] = 1.0
        here = value[best]
        value[seat.parent[k]] += here
    return value[0] + row_value(seat, players, player, 0, reach)


def best_response(Profile profile, int player):
    """The best answer of a player to what the others do in a profile.

    Of equally good actions the lowest is taken, so the answer is pure; where the others never lead him, that
    is his lowest action.

    Returns:
        (his expected return, the profile with his strategy replaced by the answer).
    """
    cdef Tree tree = profile.tree
    cdef Reach reach = Reach(profile)
    cdef Profile answered = profile.clone()
    cdef double result
    cdef double* value = <double*>malloc(tree.seats[player].sequences * sizeof(double))
    if value == NULL:
        raise MemoryError
    with nogil:
        result = answer(
            &tree.seats[player], tree.players, player, reach.of, value, answered.probability[player]
        )
    free(value)
    return result, answered
