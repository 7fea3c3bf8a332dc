"""Regret minimisation for small members of Trois Trônes with hidden hands; trones_public.pxd has the tree."""

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from cardgods._core.bits cimport popcount
from cardgods._core.games.trones cimport FRONTS
from cardgods._core.solve.trones_hands cimport MOST_DECK, hand_number, hands_close
from cardgods._core.solve.trones_public cimport (
    IDENTITY, SYMMETRIES, Board, Node, Setting, cards_left, chosen, free_fronts, lay, number_nodes,
    setting_open)
from cardgods._core.solve.trones_walk cimport (
    ANSWER, LEARN, Desk, Level, Pass, conclude, desk_close, desk_open, read_shares, send, take, walk)

from cardgods.errors import SolveError

PARTS = ("regret", "coming", "average")


cdef int open_setting(Setting* setting, deck, int capacity, int held) except -1:
    cdef int cards[MOST_DECK]
    for i in range(len(deck)):
        cards[i] = deck[i]
    if setting_open(setting, cards, len(deck), capacity, held):
        raise MemoryError
    return 0


def measure(deck, int capacity, int held, int64_t room):
    """Size of the public tree, up to renaming of the fronts.

    Args:
        deck: the cards.
        capacity: places per player and front.
        held: cards in hand.
        room: nodes after which to stop counting.

    Returns:
        Nodes where something is decided (more than room if it stopped), information sets and their actions.
    """
    cdef Setting setting
    cdef int64_t sets, entries, nodes
    open_setting(&setting, deck, capacity, held)
    with nogil:
        nodes = number_nodes(&setting, NULL, room, &sets, &entries)
    hands_close(&setting.hands)
    return nodes, sets, entries


cdef class HiddenMinimiser:
    """Regrets and average strategies of both players.

    An iteration is a pass of player 0 and one of player 1. A pass is begun, the parts below each first move
    are walked in any order and by any threads, and it is ended.

    Args:
        deck: the cards, in the order of their numbers; both hands stay full until each has one card to lay.
        capacity: places per player and front.
        held: cards in hand.
        nodes: what :func:`measure` said.
        entries: what it said of the actions.

    Attributes:
        passes: finished passes that learnt.
        parts: first moves that differ by more than names.
    """

    cdef Setting setting
    cdef Node* nodes
    cdef Pass current
    cdef Desk top                 # whose first level is the root
    cdef int32_t* place           # per first move: the card
    cdef int32_t* front           # and the front
    cdef int64_t* child           # and the node below
    cdef double* found            # and the value of each hand there
    cdef readonly int parts
    cdef readonly int64_t passes
    cdef readonly int64_t entries

    def __cinit__(self, deck, int capacity, int held, int64_t nodes, int64_t entries):
        cdef int64_t sets = 0
        open_setting(&self.setting, deck, capacity, held)
        self.entries = entries
        self.nodes = <Node*>malloc((nodes + 1) * sizeof(Node))
        self.current.regret = <float*>calloc(entries, sizeof(float))
        self.current.coming = <float*>calloc(entries, sizeof(float))
        self.current.average = <float*>calloc(entries, sizeof(float))
        self.place = <int32_t*>malloc(FRONTS * MOST_DECK * sizeof(int32_t))
        self.front = <int32_t*>malloc(FRONTS * MOST_DECK * sizeof(int32_t))
        self.child = <int64_t*>malloc(FRONTS * MOST_DECK * sizeof(int64_t))
        self.found = <double*>malloc(FRONTS * MOST_DECK * self._size(1) * sizeof(double))
        if (self.nodes == NULL or self.current.regret == NULL or self.current.coming == NULL
                or self.current.average == NULL or self.place == NULL or self.front == NULL
                or self.child == NULL or self.found == NULL or desk_open(&self.top, &self.setting)):
            raise MemoryError
        number_nodes(&self.setting, self.nodes, nodes, &sets, &entries)
        self.current.setting = &self.setting
        self.current.nodes = self.nodes
        self._list_parts()

    def __dealloc__(self):
        hands_close(&self.setting.hands)
        desk_close(&self.top)
        free(self.nodes)
        free(self.current.regret)
        free(self.current.coming)
        free(self.current.average)
        free(self.place)
        free(self.front)
        free(self.child)
        free(self.found)

    cdef int32_t _size(self, int laid) noexcept:
        return self.setting.hands.choose[self.setting.hands.deck - laid][self.setting.hands.held]

    cdef void _list_parts(self) noexcept:
        cdef Board start = beginning()
        cdef int c, f
        cdef int64_t child = 1
        for c in range(self.setting.hands.deck):
            for f in range(FRONTS):
                if chosen(&self.setting, &start, c, f):
                    self.place[self.parts] = c
                    self.front[self.parts] = f
                    self.child[self.parts] = child
                    child = self.nodes[child].end
                    self.parts += 1

    cdef void _begin(self, int player, bint answers) noexcept:
        cdef Level* root = &self.top.level[0]
        cdef Board start = beginning()
        cdef int32_t i
        cdef double first = 1.0 / self._size(0)
        cdef double second = 1.0 / self._size(self.setting.hands.held)
        self.current.player = player
        self.current.mode = ANSWER if answers else LEARN
        self.current.weight = <double>(self.passes // 2 + 1) ** 2
        for i in range(self._size(0)):
            root.own[i] = second if player else first
            root.other[i] = first if player else second
            root.value[i] = 0.0
        read_shares(&self.current, &start, 0, root)

    def begin(self, answer=None):
        """Begin a pass.

        Args:
            answer: the player who gives the best answer to the other's average; None to learn.
        """
        self._begin(self.passes % 2 if answer is None else answer, answer is not None)

    def walk(self, int part):
        """Walk through the part below one of the first moves."""
        cdef Desk desk
        cdef Board start = beginning(), after
        cdef int place = self.place[part], front = self.front[part]
        cdef int32_t size = self._size(1)
        if desk_open(&desk, &self.setting):
            desk_close(&desk)
            raise MemoryError
        with nogil:
            lay(&self.setting, &start, place, front, &after)
            send(&self.current, &start, &self.top.level[0], &desk.level[1], place, front, False)
            walk(&self.current, &desk, &after, self.child[part])
            memcpy(self.found + part * size, desk.level[1].value, size * sizeof(double))
        desk_close(&desk)

    def end(self):
        """End a pass of which all parts have been walked through.

        Returns:
            What the player wins on average, if he gave the best answer.
        """
        cdef Level* root = &self.top.level[0]
        cdef Board start = beginning()
        cdef double total = 0.0
        cdef int32_t i
        cdef int part
        for part in range(self.parts):
            take(&self.current, &start, root, self.found + part * self._size(1), self.place[part],
                 self.front[part])
        if self.current.player == 0:
            conclude(&self.current, &start, 0, root)
        if self.current.mode == LEARN:
            self.passes += 1
        for i in range(self._size(0)):
            total += root.own[i] * root.value[i]
        return total

    def part(self, str name):
        """One of the arrays (:data:`PARTS`), as the bytes of C floats by action."""
        return PyBytes_FromStringAndSize(<const char*>self._array(name), self.entries * sizeof(float))

    cdef float* _array(self, str name) except NULL:
        cdef int number = PARTS.index(name)
        if number == 0:
            return self.current.regret
        return self.current.coming if number == 1 else self.current.average

    def restore(self, int64_t passes, parts):
        """Take up the state of another of the same game.

        Args:
            passes: its passes.
            parts: its arrays, in the order of :data:`PARTS`.

        Raises:
            SolveError: if the arrays have another size.
        """
        if [len(data) for data in parts] != [self.entries * sizeof(float)] * len(PARTS):
            raise SolveError("the arrays do not fit this game")
        for name, data in zip(PARTS, parts, strict=True):
            memcpy(self._array(name), PyBytes_AS_STRING(data), len(data))
        self.passes = passes

    def adopt(self, ask):
        """Take another strategy, the same up to renaming the fronts, for the average.

        Args:
            ask: called with the (place in the deck, front) laid so far, in order, and the places of the
                cards in a hand, ascending; a row for each card with the probabilities of the free fronts,
                ascending.
        """
        cdef Board start = beginning()
        self._adopt(&start, 0, [], ask)

    cdef int _adopt(self, const Board* b, int64_t node, list laid, ask) except -1:
        cdef int cards[MOST_DECK]
        cdef int fronts[3]
        cdef int left = cards_left(&self.setting, b, cards), c, f
        cdef int wide = free_fronts(&self.setting, b, b.count & 1, fronts)
        cdef int64_t at = self.nodes[node].entry, child = node + 1
        cdef int32_t hand
        cdef Board after
        for hand in range(self._size(b.count)):
            held = [cards[c] for c in range(left) if self.setting.hands.mask[hand] >> c & 1]
            for row in ask(laid, held):
                for share in row:
                    self.current.average[at] = share
                    at += 1
        for c in range(left):
            for f in range(wide):
                if b.count + 1 < self.setting.leaf and chosen(&self.setting, b, cards[c], fronts[f]):
                    lay(&self.setting, b, cards[c], fronts[f], &after)
                    self._adopt(&after, child, [*laid, (cards[c], fronts[f])], ask)
                    child = self.nodes[child].end
        return 0

    def average(self, laid, hand):
        """The average strategy of the player on turn.

        Args:
            laid: (place in the deck, front) of the cards laid, in order.
            hand: places in the deck of the player's cards, ascending.

        Returns:
            The probability of each card of the hand on each free front: rows are cards, columns fronts.
        """
        cdef Board board = beginning(), after
        cdef int64_t node = 0
        cdef int g = IDENTITY, card, front
        for card, front in laid:
            g = self._turned(&board, g, &card, &front)
            node = self._below(&board, node, card, front)
            lay(&self.setting, &board, card, front, &after)
            board = after
        return self._shares(&board, node, g, hand)

    cdef int _turned(self, const Board* b, int g, int* card, int* front) except -1:
        # The symmetry that makes of an action the one that stands for it; the action itself is changed too.
        cdef int k, c, f, best = g
        cdef int home_card = card[0], home_front = front[0]
        card[0] = self.setting.image[g][home_card]
        front[0] = self.setting.front[g][home_front]
        for k in range(1, SYMMETRIES):
            if b.stable >> k & 1:
                c = self.setting.image[k][self.setting.image[g][home_card]]
                f = self.setting.front[k][self.setting.front[g][home_front]]
                if c < card[0] or (c == card[0] and f < front[0]):
                    card[0] = c
                    front[0] = f
                    best = self._after(g, k)
        return best

    cdef int _after(self, int g, int k) noexcept:
        # The symmetry that does g first, then k.
        cdef int n
        for n in range(SYMMETRIES):
            if all([self.setting.front[n][f] == self.setting.front[k][self.setting.front[g][f]]
                    for f in range(FRONTS)]):
                return n
        return IDENTITY

    cdef int64_t _below(self, const Board* b, int64_t node, int card, int front) except -1:
        cdef int cards[MOST_DECK]
        cdef int fronts[3]
        cdef int left = cards_left(&self.setting, b, cards), c, f
        cdef int wide = free_fronts(&self.setting, b, b.count & 1, fronts)
        cdef int64_t child = node + 1
        for c in range(left):
            for f in range(wide):
                if cards[c] == card and fronts[f] == front:
                    return child
                if chosen(&self.setting, b, cards[c], fronts[f]):
                    child = self.nodes[child].end
        raise SolveError(f"no card {card} can be laid on front {front} here")

    cdef object _shares(self, const Board* b, int64_t node, int g, hand):
        cdef int fronts[3]
        cdef int wide = free_fronts(&self.setting, b, b.count & 1, fronts)
        cdef uint32_t mask = 0, below
        cdef int cells = self.setting.hands.held * wide
        cdef const float* weights
        images = [self.setting.image[g][card] for card in hand]
        for card in images:
            below = ((<uint32_t>1 << <int>card) - 1) & ~b.gone
            mask |= <uint32_t>1 << popcount(below)
        weights = self.current.average + self.nodes[node].entry + <int64_t>hand_number(
            &self.setting.hands, mask) * cells
        total = sum([weights[a] for a in range(cells)])
        order = sorted(images)
        rows = []
        for card in images:
            row = {}
            for f in range(FRONTS):
                for k in range(wide):
                    if self.setting.front[g][f] == fronts[k]:
                        weight = weights[order.index(card) * wide + k]
                        row[f] = weight / total if total > 0.0 else 1.0 / cells
            rows.append(row)
        return rows


cdef Board beginning() noexcept:
    cdef Board b
    memset(&b, 0, sizeof(Board))
    b.stable = (1 << SYMMETRIES) - 1
    return b
