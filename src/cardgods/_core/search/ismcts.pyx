"""Information-set Monte Carlo tree search with a tree for every player, over any game.

P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4 (2012), in its form with many observers (MO-ISMCTS): each
iteration draws a world that the searching player cannot tell from the real one and walks down all trees at
once; a player's tree branches by what he learns (GameOps.events) and by his own actions, so a choice
depends on nothing that he cannot see. Actions are chosen by upper confidence bounds that count how often an
action was there to be taken. A new leaf is valued by one game played out: by the game's quick heuristic
where it has one, else at random; the heuristic's action is also the first that a new node tries.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from cardgods._core.ops cimport CHANCE, MAX_ACTIONS, MAX_EVENTS, MAX_PLAYERS, TERMINAL, GameOps
from cardgods._core.rng cimport Random, Rng, bounded
from cardgods._core.state cimport State
from cardgods._core.walk cimport Cancel, random_playout

from cardgods.errors import IllegalActionError

cdef enum:
    PATH = 1024               # nodes of one tree that one iteration can touch


cdef struct Node:
    uint64_t key              # what leads here from the parent
    double value              # sum of what its tree's owner won
    int32_t visits
    int32_t chances           # how often it could have been chosen
    int32_t child             # first child, 0 if none (no child is node 0)
    int32_t sibling


cdef struct Trail:
    int32_t nodes[PATH]
    int length


cdef struct Search:
    const GameOps* ops
    const void* rules
    int players
    int player
    double exploration
    bint heuristic
    double low                # least return
    double scale              # 1 / (greatest - least)
    Node* pool
    int32_t used
    int32_t capacity
    int32_t limit
    const unsigned char* start
    const int32_t* history
    int length
    int32_t* world            # a history drawn
    unsigned char* pos
    unsigned char* after
    Trail trails[MAX_PLAYERS]
    int32_t at[MAX_PLAYERS]   # current node of each tree, -1 once outside
    int64_t steps             # actions carried out in all
    Rng rng


cdef inline int32_t find_child(const Search* s, int32_t node, uint64_t key) noexcept nogil:
    cdef int32_t child = s.pool[node].child
    while child and s.pool[child].key != key:
        child = s.pool[child].sibling
    return child


cdef int32_t add_child(Search* s, int32_t node, uint64_t key) noexcept nogil:
    # 0 if there is no room for another.
    cdef Node* grown
    cdef int32_t child
    if s.used == s.capacity:
        if s.capacity >= s.limit:
            return 0
        grown = <Node*>realloc(s.pool, 2 * <size_t>s.capacity * sizeof(Node))
        if grown == NULL:
            s.limit = s.capacity
            return 0
        s.pool = grown
        s.capacity *= 2
    child = s.used
    s.used += 1
    memset(&s.pool[child], 0, sizeof(Node))
    s.pool[child].key = key
    s.pool[child].sibling = s.pool[node].child
    s.pool[node].child = child
    return child


cdef void step_to(Search* s, int player, int32_t node) noexcept nogil:
    cdef Trail* trail = &s.trails[player]
    s.at[player] = node if node else -1
    if node and trail.length < PATH:
        trail.nodes[trail.length] = node
        trail.length += 1


cdef inline uint64_t own_key(int32_t action) noexcept nogil:
    return <uint64_t>(action + 1)


cdef uint64_t events_key(const int16_t* learnt, int n) noexcept nogil:
    # The highest bit keeps it apart from the keys of own actions.
    cdef uint64_t key = 0x9E3779B97F4A7C15
    cdef int i
    for i in range(n):
        key = (key ^ <uint64_t>(<int>learnt[i] + 1)) * <uint64_t>0xBF58476D1CE4E5B9
        key ^= key >> 29
    return key | (<uint64_t>1 << 63)


cdef void learn(Search* s, int actor, int32_t action) noexcept nogil:
    # Every player's tree follows what he learns from the action that led from pos to after.
    cdef int16_t learnt[MAX_EVENTS]
    cdef int p, n
    cdef uint64_t key
    cdef int32_t child
    for p in range(s.players):
        if s.at[p] < 0:
            continue
        n = s.ops.events(s.rules, s.pos, action, s.after, p, learnt)
        if n == 0 or (p == actor and n == 1 and learnt[0] == action):
            continue
        key = events_key(learnt, n)
        child = find_child(s, s.at[p], key)
        step_to(s, p, child if child else add_child(s, s.at[p], key))


cdef void carry_out(Search* s, int actor, int32_t action) noexcept nogil:
    cdef unsigned char* spare
    memcpy(s.after, s.pos, s.ops.state_bytes)
    s.ops.apply(s.rules, s.after, action)
    s.steps += 1
    learn(s, actor, action)
    spare = s.pos
    s.pos = s.after
    s.after = spare


cdef int32_t draw_chance(Search* s) noexcept nogil:
    cdef int32_t out[MAX_ACTIONS]
    cdef int32_t weights[MAX_ACTIONS]
    cdef int n = s.ops.chance(s.rules, s.pos, out, weights)
    cdef int32_t total = 0
    cdef int32_t rest
    cdef int i
    for i in range(n):
        total += weights[i]
    rest = <int32_t>bounded(&s.rng, total)
    i = 0
    while rest >= weights[i]:
        rest -= weights[i]
        i += 1
    return out[i]


cdef int32_t untried(Search* s, int player, const int32_t* legal, int n) noexcept nogil:
    # An action without a node, the heuristic's first; -1 if all have one.
    cdef int32_t fresh[MAX_ACTIONS]
    cdef int count = 0
    cdef int i
    cdef int32_t wish
    for i in range(n):
        if not find_child(s, s.at[player], own_key(legal[i])):
            fresh[count] = legal[i]
            count += 1
    if count == 0:
        return -1
    if s.heuristic:
        wish = s.ops.policy(s.rules, s.pos, &s.rng)
        for i in range(count):
            if fresh[i] == wish:
                return wish
    return fresh[bounded(&s.rng, count)]


cdef int32_t most_promising(Search* s, int player, const int32_t* legal, int n) noexcept nogil:
    cdef double best = -1.0
    cdef double bound
    cdef int32_t choice = legal[0]
    cdef Node* node
    cdef int i
    for i in range(n):
        node = &s.pool[find_child(s, s.at[player], own_key(legal[i]))]
        bound = node.value / node.visits + s.exploration * sqrt(log(<double>node.chances) / node.visits)
        if bound > best:
            best = bound
            choice = legal[i]
    return choice


cdef bint decide(Search* s, int player) noexcept nogil:
    # One decision inside the tree; True if it made a new leaf or the tree is left.
    cdef int32_t legal[MAX_ACTIONS]
    cdef int n = s.ops.legal(s.rules, s.pos, player, legal)
    cdef int32_t action, child
    cdef bint fresh
    cdef int i
    if s.at[player] < 0:
        return True
    action = untried(s, player, legal, n)
    fresh = action >= 0
    if fresh:
        add_child(s, s.at[player], own_key(action))
    else:
        action = most_promising(s, player, legal, n)
    for i in range(n):
        child = find_child(s, s.at[player], own_key(legal[i]))
        if child:
            s.pool[child].chances += 1
    step_to(s, player, find_child(s, s.at[player], own_key(action)))
    carry_out(s, player, action)
    return fresh


cdef void play_out(Search* s) noexcept nogil:
    cdef int actor
    if not s.heuristic:
        if s.ops.playout != NULL:
            s.steps += s.ops.playout(s.rules, s.pos, &s.rng)
        else:
            s.steps += random_playout(s.ops, s.rules, s.pos, &s.rng, False)
        return
    while True:
        actor = s.ops.actor(s.rules, s.pos)
        if actor == TERMINAL:
            return
        s.steps += 1
        if actor == CHANCE:
            s.ops.apply(s.rules, s.pos, draw_chance(s))
        else:
            s.ops.apply(s.rules, s.pos, s.ops.policy(s.rules, s.pos, &s.rng))


cdef void draw_world(Search* s) noexcept nogil:
    cdef int i
    s.ops.resample(s.rules, s.start, s.history, s.length, s.player, &s.rng, s.world)
    memcpy(s.pos, s.start, s.ops.state_bytes)
    for i in range(s.length):
        s.ops.apply(s.rules, s.pos, s.world[i])
    s.steps += s.length


cdef void iterate(Search* s) noexcept nogil:
    cdef double won[MAX_PLAYERS]
    cdef int actor, p, i
    cdef Node* node
    draw_world(s)
    for p in range(s.players):
        s.trails[p].length = 0
        step_to(s, p, p + 1)
    while True:
        actor = s.ops.actor(s.rules, s.pos)
        if actor == TERMINAL:
            break
        if actor == CHANCE:
            carry_out(s, CHANCE, draw_chance(s))
        elif decide(s, actor):
            break
    play_out(s)
    s.ops.returns(s.rules, s.pos, won)
    for p in range(s.players):
        for i in range(s.trails[p].length):
            node = &s.pool[s.trails[p].nodes[i]]
            node.visits += 1
            node.value += (won[p] - s.low) * s.scale


cdef class Ismcts:
    """A search for one player at one state; it can be run on as long as one likes.

    Args:
        state: the state; only what the player knows of it is used.
        player: who is to move there.
        rng: where the numbers come from; it is copied and stays as it is.
        exploration: weight of the confidence bound, for returns scaled to 0..1.
        heuristic: use the game's quick heuristic, which must be there.
        low: least return of the game.
        high: greatest return.
        max_nodes: when the trees have so many they grow no further.

    Raises:
        IllegalActionError: if the player is not on turn.
    """

    cdef Search s
    cdef State state
    cdef readonly long iterations

    def __cinit__(self, State state, int player, Random rng, double exploration, bint heuristic, double low,
                  double high, int max_nodes=4000000):
        cdef int size = state.ops.state_bytes
        if player < 0 or state.ops.actor(state.data, state.pos) != player:
            raise IllegalActionError(f"player {player} is not on turn here")
        self.state = state.clone()
        self.s.ops = state.ops
        self.s.rules = state.data
        self.s.players = state.rules.num_players
        self.s.player = player
        self.s.exploration = exploration
        self.s.heuristic = heuristic and state.ops.policy != NULL
        self.s.low = low
        self.s.scale = 1.0 / (high - low)
        self.s.start = self.state.start
        self.s.history = self.state.actions
        self.s.length = self.state.length
        self.s.rng = rng.rng
        self.s.capacity = 1024
        self.s.limit = max_nodes
        self.s.pool = <Node*>malloc(self.s.capacity * sizeof(Node))
        self.s.world = <int32_t*>malloc((self.s.length + 1) * sizeof(int32_t))
        self.s.pos = <unsigned char*>malloc(size)
        self.s.after = <unsigned char*>malloc(size)
        if not (self.s.pool and self.s.world and self.s.pos and self.s.after):
            raise MemoryError
        # Node 0 stands for none; the roots follow.
        self.s.used = self.s.players + 1
        memset(self.s.pool, 0, self.s.used * sizeof(Node))

    def __dealloc__(self):
        free(self.s.pool)
        free(self.s.world)
        free(self.s.pos)
        free(self.s.after)

    @property
    def nodes(self):
        """Nodes in the trees of all players."""
        return self.s.used - 1

    @property
    def steps(self):
        """Actions carried out so far, those that lead to the state included: a measure of the work done."""
        return self.s.steps

    def run(self, long iterations, Cancel cancel):
        """Go through some iterations, without the GIL; how many were done before the flag was set."""
        cdef long i = 0
        with nogil:
            while i < iterations and not cancel.flag:
                iterate(&self.s)
                i += 1
        self.iterations += i
        return i

    def moves(self):
        """Triples (action, visits, mean return on the scale 0..1) of the player, most visited first."""
        found = []
        cdef int32_t child = self.s.pool[self.s.player + 1].child
        while child:
            node = self.s.pool[child]
            if node.visits:
                found.append((node.key - 1, node.visits, node.value / node.visits))
            child = self.s.pool[child].sibling
        return sorted(found, key=lambda move: (-move[1], move[0]))
