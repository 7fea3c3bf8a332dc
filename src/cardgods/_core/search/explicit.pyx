"""A game that is given as an explicit tree, so that the algorithms can be tried on any game small enough.

Actions and chance outcomes of a node are 0, 1, ... in the order given. A player learns the information set
when he comes to act, and his own action when he has acted; so his recall is perfect whatever the labels are.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp

from cardgods._core.ops cimport GameOps
from cardgods._core.rng cimport Rng, bounded
from cardgods._core.state cimport Rules, State


cdef struct ExplicitData:
    int players
    int32_t nodes
    int8_t* actor             # [nodes]
    int16_t* label            # [nodes] of the information set, 0 where nobody decides
    int32_t* first            # [nodes + 1] into child and weight
    int32_t* child
    int32_t* weight
    double* returns           # [nodes * players], 0 where the game goes on

cdef struct ExplicitPos:
    int32_t node
    int32_t label             # of whom it concerns; kept apart so that a view can hide the node


cdef void explicit_init(const void* rules, void* pos) noexcept nogil:
    (<ExplicitPos*>pos).node = 0
    (<ExplicitPos*>pos).label = (<const ExplicitData*>rules).label[0]


cdef int explicit_actor(const void* rules, const void* pos) noexcept nogil:
    return (<const ExplicitData*>rules).actor[(<const ExplicitPos*>pos).node]


cdef int explicit_sealed(const void* rules, const void* pos) noexcept nogil:
    return 0


cdef int explicit_legal(const void* rules, const void* pos, int player, int32_t* out) noexcept nogil:
    cdef const ExplicitData* r = <const ExplicitData*>rules
    cdef int32_t node = (<const ExplicitPos*>pos).node
    cdef int i, n = r.first[node + 1] - r.first[node]
    for i in range(n):
        out[i] = i
    return n


cdef int explicit_chance(const void* rules, const void* pos, int32_t* out, int32_t* weights) noexcept nogil:
    cdef const ExplicitData* r = <const ExplicitData*>rules
    cdef int32_t node = (<const ExplicitPos*>pos).node
    cdef int i, n = r.first[node + 1] - r.first[node]
    for i in range(n):
        out[i] = i
        weights[i] = r.weight[r.first[node] + i]
    return n


cdef void explicit_apply(const void* rules, void* pos, int32_t action) noexcept nogil:
    cdef const ExplicitData* r = <const ExplicitData*>rules
    cdef ExplicitPos* s = <ExplicitPos*>pos
    s.node = r.child[r.first[s.node] + action]
    s.label = r.label[s.node]


cdef void explicit_returns(const void* rules, const void* pos, double* out) noexcept nogil:
    cdef const ExplicitData* r = <const ExplicitData*>rules
    cdef int p
    for p in range(r.players):
        out[p] = r.returns[<size_t>(<const ExplicitPos*>pos).node * r.players + p]


cdef int explicit_events(const void* rules, const void* before, int32_t action, const void* after, int player,
                         int16_t* out) noexcept nogil:
    cdef const ExplicitData* r = <const ExplicitData*>rules
    cdef int n = 0
    if r.actor[(<const ExplicitPos*>before).node] == player:
        out[n] = <int16_t>action
        n += 1
    if r.actor[(<const ExplicitPos*>after).node] == player:
        out[n] = r.label[(<const ExplicitPos*>after).node]
        n += 1
    return n


cdef void explicit_observe(const void* rules, const void* pos, int player, void* out) noexcept nogil:
    cdef const ExplicitData* r = <const ExplicitData*>rules
    cdef const ExplicitPos* s = <const ExplicitPos*>pos
    (<ExplicitPos*>out).node = -1
    (<ExplicitPos*>out).label = s.label if player >= 0 and r.actor[s.node] == player else 0


cdef struct Search:
    const ExplicitData* r
    int player
    int length
    int16_t* wanted           # what the player has learnt
    int size
    int16_t* learnt
    int32_t* path
    int32_t* out
    Rng* rng
    uint32_t found


cdef int learn_explicit(const ExplicitData* r, int32_t before, int32_t action, int32_t after, int player,
                        int16_t* out) noexcept nogil:
    cdef ExplicitPos a, b
    a.node = before
    b.node = after
    return explicit_events(r, &a, action, &b, player, out)


cdef void search_alike(Search* s, int32_t node, int depth, int size) noexcept nogil:
    # Every history of the same length that shows the player the same; each replaces the choice with
    # probability 1 over their number so far, which leaves every one equally likely.
    cdef int32_t i, after
    cdef int more
    if depth == s.length:
        if size == s.size:
            s.found += 1
            if bounded(s.rng, s.found) == 0:
                for i in range(depth):
                    s.out[i] = s.path[i]
        return
    for i in range(s.r.first[node + 1] - s.r.first[node]):
        after = s.r.child[s.r.first[node] + i]
        more = learn_explicit(s.r, node, i, after, s.player, s.learnt + size)
        if size + more <= s.size and memcmp(s.learnt, s.wanted, (size + more) * sizeof(int16_t)) == 0:
            s.path[depth] = i
            search_alike(s, after, depth + 1, size + more)


cdef void explicit_resample(const void* rules, const void* start, const int32_t* history, int length,
                            int player, Rng* rng, int32_t* out) noexcept nogil:
    # Uniform over histories; without memory for the search the history itself is kept.
    cdef Search s
    cdef int32_t node = (<const ExplicitPos*>start).node, after
    cdef int i
    s.r = <const ExplicitData*>rules
    s.player = player
    s.length = length
    s.size = 0
    s.found = 0
    s.rng = rng
    s.out = out
    s.wanted = <int16_t*>malloc(2 * (length + 1) * sizeof(int16_t))
    s.learnt = <int16_t*>malloc(2 * (length + 1) * sizeof(int16_t))
    s.path = <int32_t*>malloc((length + 1) * sizeof(int32_t))
    if s.wanted == NULL or s.learnt == NULL or s.path == NULL:
        for i in range(length):
            out[i] = history[i]
    else:
        for i in range(length):
            after = s.r.child[s.r.first[node] + history[i]]
            s.size += learn_explicit(s.r, node, history[i], after, player, s.wanted + s.size)
            node = after
        search_alike(&s, (<const ExplicitPos*>start).node, 0, 0)
    free(s.wanted)
    free(s.learnt)
    free(s.path)


cdef GameOps OPS
OPS.name = b"explicit"
OPS.state_bytes = sizeof(ExplicitPos)
OPS.init = explicit_init
OPS.actor = explicit_actor
OPS.sealed = explicit_sealed
OPS.legal = explicit_legal
OPS.chance = explicit_chance
OPS.apply = explicit_apply
OPS.returns = explicit_returns
OPS.events = explicit_events
OPS.observe = explicit_observe
OPS.resample = explicit_resample
OPS.playout = NULL


cdef class ExplicitRules(Rules):
    """An explicit tree, compiled.

    Args:
        players: how many.
        actors: player, -1 chance or -4 the end, by node; node 0 is the root.
        labels: label of the information set, by node; 0 where nobody decides.
        children: list of the nodes that follow, by node.
        weights: list of the weights of the outcomes, by node; 1s where chance does not act.
        returns: list of the returns of the players, by node; 0s where the game goes on.
        depth: actions and chance outcomes of the longest path.
    """

    cdef ExplicitData r

    def __cinit__(self, int players, actors, labels, children, weights, returns, int depth):
        cdef int32_t i, at = 0
        edges = sum(len(part) for part in children)
        self.r.players = players
        self.r.nodes = len(actors)
        self.r.actor = <int8_t*>malloc(self.r.nodes)
        self.r.label = <int16_t*>malloc(self.r.nodes * sizeof(int16_t))
        self.r.first = <int32_t*>malloc((self.r.nodes + 1) * sizeof(int32_t))
        self.r.child = <int32_t*>malloc((edges + 1) * sizeof(int32_t))
        self.r.weight = <int32_t*>malloc((edges + 1) * sizeof(int32_t))
        self.r.returns = <double*>malloc(<size_t>self.r.nodes * players * sizeof(double))
        if (self.r.actor == NULL or self.r.label == NULL or self.r.first == NULL or self.r.child == NULL
                or self.r.weight == NULL or self.r.returns == NULL):
            raise MemoryError
        for i in range(self.r.nodes):
            self.r.actor[i] = actors[i]
            self.r.label[i] = labels[i]
            self.r.first[i] = at
            for child, weight in zip(children[i], weights[i]):
                self.r.child[at] = child
                self.r.weight[at] = weight
                at += 1
            for p in range(players):
                self.r.returns[<size_t>i * players + <int>p] = returns[i][p]
        self.r.first[self.r.nodes] = at
        self.ops = &OPS
        self.data = &self.r
        self.num_players = players
        self.num_distinct_actions = max([len(part) for part in children])
        self.max_game_length = depth

    def __dealloc__(self):
        free(self.r.actor)
        free(self.r.label)
        free(self.r.first)
        free(self.r.child)
        free(self.r.weight)
        free(self.r.returns)


cdef class ExplicitState(State):
    """A position of an explicit game: a node of its tree."""

    cdef object describe(self, const void* pos):
        cdef const ExplicitPos* s = <const ExplicitPos*>pos
        return {"node": s.node if s.node >= 0 else None, "information_set": s.label}
