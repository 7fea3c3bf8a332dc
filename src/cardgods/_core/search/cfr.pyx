"""Counterfactual regret minimisation over a tree: the passes in their order, on one thread or several."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from cardgods._core.ops cimport MAX_PLAYERS
from cardgods._core.search.barrier cimport (
    Barrier, barrier_close, barrier_open, barrier_start, barrier_wait)
from cardgods._core.search.profile cimport Profile, spread
from cardgods._core.search.regret cimport (
    Learner, Rule, learn_top, learn_units, learner_close, learner_open, normalised, spread_units)
from cardgods._core.search.tree cimport Seat, Tree
from cardgods._core.walk cimport Cancel

from cardgods.errors import SolveError

PARTS = ("regret", "average", "strategy")


cdef class Minimiser:
    """Regrets and average strategies of all players of a tree.

    Players take turns: an iteration is a pass of each, and each answers what those before him have become.

    Args:
        tree: the game.
        alpha: exponent of the discount of positive regrets, inf for none.
        beta: exponent of the discount of negative regrets, inf for none, -inf to drop them.
        gamma: exponent of the weight of an iteration in the average.
        predictive: whether the last regrets are expected to come again.

    Attributes:
        passes: finished passes; passes // players iterations are complete.
    """

    cdef readonly Tree tree
    cdef Rule rule
    cdef Learner learners[MAX_PLAYERS]
    cdef double* reach[MAX_PLAYERS]
    cdef readonly int64_t passes

    def __cinit__(self, Tree tree, double alpha, double beta, double gamma, bint predictive):
        cdef int p
        self.tree = tree
        self.rule.alpha = alpha
        self.rule.beta = beta
        self.rule.gamma = gamma
        self.rule.predictive = predictive
        for p in range(tree.players):
            if learner_open(&self.learners[p], &tree.seats[p]):
                raise MemoryError
        self._follow()

    def __dealloc__(self):
        cdef int p
        for p in range(MAX_PLAYERS):
            learner_close(&self.learners[p])

    def _follow(self):
        cdef int p
        for p in range(self.tree.players):
            self.reach[p] = self.learners[p].reach
            spread(&self.tree.seats[p], self.learners[p].strategy, self.reach[p])

    def average(self):
        """The average profile, which is what converges; uniform where nobody has been."""
        return self._profile(1)

    def current(self):
        """The profile of the last iteration."""
        return self._profile(2)

    def _profile(self, int part):
        cdef Profile profile = Profile(self.tree)
        cdef int p
        for p in range(self.tree.players):
            normalised(&self.tree.seats[p], part_of(&self.learners[p], part), profile.probability[p])
        return profile

    def part(self, int player, str name):
        """One of the arrays (:data:`PARTS`) of a player, as the bytes of C doubles by sequence."""
        cdef double* data = part_of(&self.learners[player], PARTS.index(name))
        cdef Py_ssize_t size = self.tree.seats[player].sequences * sizeof(double)
        return PyBytes_FromStringAndSize(<const char*>data, size)

    def restore(self, int64_t passes, parts):
        """Take up the state of another minimiser of the same tree and rule.

        Args:
            passes: its passes.
            parts: its arrays: for each player, in order, the bytes of each of :data:`PARTS`.

        Raises:
            SolveError: if the arrays have another size.
        """
        cdef bytes data
        cdef int p, i
        sizes = [self.tree.seats[p].sequences * sizeof(double) for p in range(self.tree.players)]
        if [len(data) for data in parts] != [size for size in sizes for _ in PARTS]:
            raise SolveError("the arrays do not fit this tree")
        for p in range(self.tree.players):
            for i in range(len(PARTS)):
                data = parts[p * len(PARTS) + i]
                memcpy(part_of(&self.learners[p], i), PyBytes_AS_STRING(data), len(data))
        self.passes = passes
        self._follow()


cdef double* part_of(Learner* one, int part) noexcept nogil:
    if part == 0:
        return one.regret
    return one.average if part == 1 else one.strategy


cdef class Crew:
    """Threads that work on one minimiser; each calls :meth:`run` with a number of its own.

    Args:
        minimiser: whose passes they do.
        threads: how many there will be.
        passes: how many passes to do.
    """

    cdef Minimiser minimiser
    cdef Barrier barrier
    cdef int threads
    cdef int64_t target
    cdef bint stop
    cdef int32_t* bounds[MAX_PLAYERS]      # [threads + 1] units of each thread

    def __cinit__(self, Minimiser minimiser, int threads, int64_t passes):
        cdef int p
        barrier_open(&self.barrier, threads)
        self.minimiser = minimiser
        self.threads = threads
        self.target = minimiser.passes + passes
        self.stop = self.target <= minimiser.passes
        for p in range(minimiser.tree.players):
            self.bounds[p] = <int32_t*>calloc(threads + 1, sizeof(int32_t))
            if self.bounds[p] == NULL:
                raise MemoryError
            self._share(p)

    def __dealloc__(self):
        cdef int p
        barrier_close(&self.barrier)
        for p in range(MAX_PLAYERS):
            free(self.bounds[p])

    def _share(self, int player):
        # equal parts of the work, in order
        cdef Learner* one = &self.minimiser.learners[player]
        cdef int64_t total = 0, sofar = 0
        cdef int32_t u, k, before, thread = 1
        seat = &self.minimiser.tree.seats[player]
        total = seat.entries + seat.sequences
        self.bounds[player][self.threads] = one.units
        for u in range(one.units):
            k = one.unit[u]
            while thread < self.threads and sofar * self.threads >= total * thread:
                self.bounds[player][thread] = u
                thread += 1
            before = seat.first[k]
            k = seat.first[seat.end[k]]
            sofar += seat.row[k] - seat.row[before] + k - before
        while thread < self.threads:
            self.bounds[player][thread] = one.units
            thread += 1

    def run(self, int thread, Cancel cancel):
        """Do the share of one thread; the flag ends all after the pass that is under way."""
        with nogil:
            if self.threads == 1 or barrier_start(&self.barrier, &cancel.flag):
                work(self, self.minimiser, thread, &cancel.flag)


cdef void meet(Crew crew) noexcept nogil:
    if crew.threads > 1:
        barrier_wait(&crew.barrier)


cdef void work(Crew crew, Minimiser m, int thread, const int* cancel) noexcept nogil:
    cdef int players = m.tree.players, player
    cdef int64_t t
    cdef int32_t first, last
    cdef Learner* one
    cdef Seat* seat
    while not crew.stop:
        player = <int>(m.passes % players)
        t = m.passes // players + 1
        first = crew.bounds[player][thread]
        last = crew.bounds[player][thread + 1]
        one = &m.learners[player]
        seat = &m.tree.seats[player]
        learn_units(one, seat, players, player, m.reach, &m.rule, t, first, last)
        meet(crew)
        if thread == 0:
            learn_top(one, seat, players, player, m.reach, &m.rule, t)
            m.passes += 1
            crew.stop = m.passes >= crew.target or cancel[0] != 0
        meet(crew)
        spread_units(one, seat, first, last)
        meet(crew)
