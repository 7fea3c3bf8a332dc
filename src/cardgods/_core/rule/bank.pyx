"""A bank of rules held against a board: which agree with it, and what they say of the next card."""

from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from cardgods._core.rule.machine cimport Machine, Moore, moore_right, moore_step


cdef class Bank:
    """Rules, each with a weight and its state on the board so far.

    What is told of the board is what lies there for all to see; a rule that disagrees is out for good.

    Args:
        machines: the rules.
        weights: a positive weight for each.
    """

    cdef list machines
    cdef const Moore** rule
    cdef int32_t* state          # -1 = out
    cdef double* weight
    cdef readonly int size

    def __cinit__(self, machines, weights):
        cdef Machine machine
        cdef int k
        self.machines = list(machines)
        self.size = len(self.machines)
        if len(weights) != self.size:
            raise ValueError(f"{self.size} rules need as many weights, not {len(weights)}")
        self.rule = <const Moore**>malloc((self.size + 1) * sizeof(void*))
        self.state = <int32_t*>calloc(self.size + 1, sizeof(int32_t))
        self.weight = <double*>malloc((self.size + 1) * sizeof(double))
        if self.rule == NULL or self.state == NULL or self.weight == NULL:
            raise MemoryError
        for k in range(self.size):
            machine = self.machines[k]
            self.rule[k] = &machine.m
            self.weight[k] = weights[k]

    def __dealloc__(self):
        free(self.rule)
        free(self.state)
        free(self.weight)

    def reset(self):
        """Begin a new board."""
        cdef int k
        for k in range(self.size):
            self.state[k] = 0

    cdef int after(self, int k, cards) except -2:
        """State of rule k after a sequence, -1 if it calls it wrong."""
        cdef int state = self.state[k]
        cdef int card
        for card in cards:
            if not (moore_right(self.rule[k], state) >> card) & 1:
                return -1
            state = moore_step(self.rule[k], state, card)
        return state

    def tell_right(self, cards):
        """These cards were right, in this order."""
        cdef int k
        for k in range(self.size):
            if self.state[k] >= 0:
                self.state[k] = self.after(k, cards)

    def tell_wrong(self, cards):
        """This sequence was wrong: at least one of its cards, in its place."""
        cdef int k
        for k in range(self.size):
            if self.state[k] >= 0 and self.after(k, cards) >= 0:
                self.state[k] = -1

    def tell_none_right(self, uint64_t kinds):
        """None of these kinds of card would have been right."""
        cdef int k
        for k in range(self.size):
            if self.state[k] >= 0 and moore_right(self.rule[k], self.state[k]) & kinds:
                self.state[k] = -1

    def alive(self):
        """Numbers of the rules that agree with the board."""
        return [k for k in range(self.size) if self.state[k] >= 0]

    cdef int number(self, k) except -1:
        if not 0 <= k < self.size:
            raise IndexError(f"rules are 0..{self.size - 1}, not {k}")
        return k

    def state_of(self, k):
        """State of a rule on the board, -1 if it is out."""
        return self.state[self.number(k)]

    def belief(self, k):
        """Weight of a rule, 0 if it is out."""
        return self.weight[k] if self.state[self.number(k)] >= 0 else 0.0

    def votes(self):
        """Total weight of the rules in play, and of those that call each card right, by card."""
        cdef double vote[52]
        cdef double total = 0
        cdef uint64_t right
        cdef int k, card
        for card in range(52):
            vote[card] = 0
        for k in range(self.size):
            if self.state[k] < 0:
                continue
            total += self.weight[k]
            right = moore_right(self.rule[k], self.state[k])
            for card in range(52):
                if (right >> card) & 1:
                    vote[card] += self.weight[k]
        return total, [vote[card] for card in range(52)]

    def support(self, cards):
        """Weight of the rules in play that call a sequence right as a whole."""
        cdef double weight = 0
        cdef int k
        for k in range(self.size):
            if self.state[k] >= 0 and self.after(k, cards) >= 0:
                weight += self.weight[k]
        return weight

    def support_none(self, uint64_t kinds):
        """Weight of the rules in play under which none of these kinds is right."""
        cdef double weight = 0
        cdef int k
        for k in range(self.size):
            if self.state[k] >= 0 and not moore_right(self.rule[k], self.state[k]) & kinds:
                weight += self.weight[k]
        return weight
