"""The one State: the boundary between Python and the tables of functions. It knows no game.

Legality is checked here, once; below, nothing raises. A state belongs to one thread.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.number cimport PyNumber_Index
from libc.math cimport sqrt
from libc.stdint cimport int16_t, int32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from cardgods._core.bits cimport lsb, popcount
from cardgods._core.ops cimport CHANCE, MAX_ACTIONS, MAX_EVENTS, MAX_PLAYERS, SIMULTANEOUS, TERMINAL
from cardgods._core.rng cimport Random, bounded

from cardgods.errors import ActionTextError, IllegalActionError, ParameterError, shown

cdef tuple LANGUAGES = ("en", "fr")

cdef enum:
    NO_MARK = 0x7FFFFFFF


cdef object whole(value, what):
    """The integer that a value stands for: an int, a bool or a numpy integer, say."""
    if type(value) is int:
        return value
    try:
        return PyNumber_Index(value)
    except TypeError:
        raise IllegalActionError(f"{what} is an integer, not {type(value).__name__}") from None


cdef object language(lang):
    if not isinstance(lang, str) or lang not in LANGUAGES:
        raise ParameterError(f"unknown language {shown(lang)}: languages are {', '.join(LANGUAGES)}")
    return lang


cdef object cannot_undo(steps, int length):
    if length == 0:
        return IllegalActionError("there is no action to take back")
    return IllegalActionError(f"{shown(steps)} steps cannot be taken back after {length} actions")


cdef class Rules:
    """The constant part of a game: its table of functions and its options, compiled."""


cdef class State:
    """A position with the history that led to it.

    Made by ``Game.new_initial_state``; never constructed directly. Players are 0..n-1; the numbers -1, -2
    and -4 stand for chance, a simultaneous move and the end (:class:`cardgods.types.PlayerId`).
    """

    def __cinit__(self, game, Rules rules, bint turn_based=False, setup=None):
        self.game = game
        self.rules = rules
        self.ops = rules.ops
        self.data = rules.data
        self.turn_based = turn_based
        self.setup = setup
        self.length = 0
        self.capacity = 64
        self.mark = NULL
        self.mark_length = NO_MARK
        self.pos = <unsigned char*>malloc(2 * self.ops.state_bytes)
        self.actions = <int32_t*>malloc(self.capacity * sizeof(int32_t))
        if self.pos == NULL or self.actions == NULL:
            raise MemoryError
        self.start = self.pos + self.ops.state_bytes
        self.ops.init(self.data, self.pos)
        memcpy(self.start, self.pos, self.ops.state_bytes)

    def __dealloc__(self):
        free(self.pos)
        free(self.actions)
        free(self.mark)

    cdef void begin(self, const void* position) noexcept:
        """Let the history begin at a position that was set up by hand."""
        memcpy(self.start, position, self.ops.state_bytes)
        memcpy(self.pos, position, self.ops.state_bytes)
        self.length = 0
        self.mark_length = NO_MARK

    cdef void push(self, int32_t action) except *:
        cdef int32_t* grown
        if self.length == self.capacity:
            grown = <int32_t*>realloc(self.actions, 2 * self.capacity * sizeof(int32_t))
            if grown == NULL:
                raise MemoryError
            self.actions = grown
            self.capacity *= 2
        self.actions[self.length] = action
        self.length += 1
        self.ops.apply(self.data, self.pos, action)

    cdef void forward(self, int length) noexcept:
        # On from pos, which stands behind `self.length` actions.
        cdef int i
        for i in range(self.length, length):
            self.ops.apply(self.data, self.pos, self.actions[i])
        self.length = length

    cdef void rewind(self, int length) noexcept:
        memcpy(self.pos, self.start, self.ops.state_bytes)
        self.length = 0
        self.forward(length)

    cdef void seek(self, int length) noexcept:
        # As rewind, from the mark if that is on the way.
        if self.mark_length <= length:
            memcpy(self.pos, self.mark, self.ops.state_bytes)
            self.length = self.mark_length
            self.forward(length)
        else:
            self.rewind(length)

    cdef void back(self, int length) except *:
        # As seek, and keeps the mark about a root of the history away, so that any number of steps taken back
        # one by one in a history of any length stays bearable.
        cdef int root = <int>sqrt(<double>length)
        if self.mark == NULL:
            self.mark = <unsigned char*>malloc(self.ops.state_bytes)
            if self.mark == NULL:
                raise MemoryError
        if self.mark_length > length or length - self.mark_length > 2 * root:
            self.seek(length - root)
            memcpy(self.mark, self.pos, self.ops.state_bytes)
            self.mark_length = self.length
        self.seek(length)

    cdef int sealed_mask(self) noexcept:
        return 0 if self.turn_based else self.ops.sealed(self.data, self.pos)

    cdef int last_step(self) noexcept:
        """Length of the history before the last step (a joint move is one step)."""
        cdef int keep = self.length, i = 0, before = 0, width
        cdef int mask
        memcpy(self.pos, self.start, self.ops.state_bytes)
        while i < keep:
            before = i
            mask = self.sealed_mask()
            width = popcount(mask) if mask else 1
            while width and i < keep:
                self.ops.apply(self.data, self.pos, self.actions[i])
                i += 1
                width -= 1
        return before

    cdef object describe(self, const void* pos):
        raise NotImplementedError

    # Who acts -----------------------------------------------------------------------------------------

    def current_player(self):
        """The player to act, or -1 chance, -2 simultaneous, -4 terminal."""
        if self.sealed_mask():
            return SIMULTANEOUS
        return self.ops.actor(self.data, self.pos)

    def is_terminal(self):
        """True at the end of the game."""
        return self.ops.actor(self.data, self.pos) == TERMINAL

    def is_chance_node(self):
        """True where chance acts."""
        return self.ops.actor(self.data, self.pos) == CHANCE

    def is_simultaneous_node(self):
        """True where several players act at once (never if the state takes turns)."""
        return self.sealed_mask() != 0

    def num_players(self):
        """Number of players."""
        return self.rules.num_players

    # Actions ------------------------------------------------------------------------------------------

    def legal_actions(self, player=None):
        """Legal actions, ascending.

        Args:
            player: whose actions; None = whoever acts. A player who does not act here has none. At a
                chance node the outcomes are given for None and -1.

        Raises:
            IllegalActionError: at a simultaneous node if no player is named, or if the player is no integer.
        """
        cdef int32_t out[MAX_ACTIONS]
        cdef int32_t weights[MAX_ACTIONS]
        cdef int mask = self.sealed_mask()
        cdef int actor, n, i
        if player is not None:
            player = whole(player, "a player")
        if mask:
            if player is None:
                raise IllegalActionError("at a simultaneous node legal_actions() takes a player")
            if not 0 <= player < self.rules.num_players or not (mask >> <int>player) & 1:
                return []
            n = self.ops.legal(self.data, self.pos, player, out)
        else:
            actor = self.ops.actor(self.data, self.pos)
            if actor == TERMINAL or (player is not None and player != actor):
                return []
            if actor == CHANCE:
                n = self.ops.chance(self.data, self.pos, out, weights)
            else:
                n = self.ops.legal(self.data, self.pos, actor, out)
        return [out[i] for i in range(n)]

    cdef int32_t check(self, int player, object action) except? -1:
        cdef int32_t out[MAX_ACTIONS]
        cdef int32_t weights[MAX_ACTIONS]
        cdef int n, i
        cdef long wanted
        action = whole(action, "an action")
        if player == TERMINAL:
            raise IllegalActionError(f"action {shown(action)}: the game is over")
        if -2147483648 <= action <= 2147483647:
            wanted = action
            if player == CHANCE:
                n = self.ops.chance(self.data, self.pos, out, weights)
            else:
                n = self.ops.legal(self.data, self.pos, player, out)
            for i in range(n):
                if out[i] == wanted:
                    return out[i]
        who = "chance" if player == CHANCE else f"player {player}"
        raise IllegalActionError(f"action {shown(action)} is not legal for {who}: {self._allowed(player)}")

    def _allowed(self, int player):
        actions = self.legal_actions(player)
        some = ", ".join(str(a) for a in actions[:16])
        return f"legal are {some}" + (f" and {len(actions) - 16} more" if len(actions) > 16 else "")

    def apply_action(self, action):
        """Carry out one action or chance outcome.

        Raises:
            IllegalActionError: if it is not legal, or several players act at once; the state is unchanged.
        """
        if self.sealed_mask():
            raise IllegalActionError("several players act at once here: apply_actions() takes an action each")
        self.push(self.check(self.ops.actor(self.data, self.pos), action))

    def apply_actions(self, actions):
        """Carry out a simultaneous move: one action for each player who acts, by ascending player.

        Raises:
            IllegalActionError: if the node is not simultaneous or one of them is not legal; the state is
                unchanged.
        """
        cdef int32_t chosen[MAX_PLAYERS]
        cdef int mask = self.sealed_mask()
        cdef int rest = mask, i
        if not mask:
            raise IllegalActionError("one player acts here: apply_action() takes his action")
        if isinstance(actions, (dict, set, frozenset)) or not hasattr(actions, "__len__"):
            raise IllegalActionError(f"actions are a sequence by player, not {type(actions).__name__}")
        given = list(actions)
        if len(given) != popcount(mask):
            wanted = popcount(mask)
            raise IllegalActionError(f"{wanted} players act at once here, {len(given)} actions given")
        for i in range(len(given)):
            chosen[i] = self.check(lsb(rest), given[i])
            rest &= rest - 1
        for i in range(len(given)):
            self.push(chosen[i])

    def child(self, action):
        """A new state after one action (or, given a sequence, after a simultaneous move)."""
        state = self.clone()
        if isinstance(action, (list, tuple)):
            state.apply_actions(action)
        else:
            state.apply_action(action)
        return state

    def undo(self, steps=1):
        """Take the last steps back (a simultaneous move is one step; turn-based, every action is one).

        Args:
            steps: how many, at least 1.

        Raises:
            IllegalActionError: if not so many have happened; the state is left as it was.
        """
        cdef int length = self.length
        steps = whole(steps, "a number of steps")
        if not 1 <= steps <= length:
            raise cannot_undo(steps, length)
        if self.turn_based:
            self.back(length - <int>steps)
            return
        for _ in range(steps):
            if self.length == 0:
                self.rewind(length)
                raise cannot_undo(steps, length)
            self.rewind(self.last_step())

    # Chance -------------------------------------------------------------------------------------------

    def chance_outcomes(self):
        """Pairs (outcome, probability), ascending; empty where chance does not act."""
        cdef int32_t out[MAX_ACTIONS]
        cdef int32_t weights[MAX_ACTIONS]
        cdef int n, i
        cdef double total = 0
        if self.ops.actor(self.data, self.pos) != CHANCE:
            return []
        n = self.ops.chance(self.data, self.pos, out, weights)
        for i in range(n):
            total += weights[i]
        return [(out[i], weights[i] / total) for i in range(n)]

    def sample_chance(self, Random rng):
        """An outcome drawn with its probability: one bounded draw over the total weight, outcomes ascending.

        Raises:
            IllegalActionError: where chance does not act.
        """
        cdef int32_t out[MAX_ACTIONS]
        cdef int32_t weights[MAX_ACTIONS]
        cdef int n, i
        cdef long total = 0, rest
        if self.ops.actor(self.data, self.pos) != CHANCE:
            raise IllegalActionError("chance does not act here")
        n = self.ops.chance(self.data, self.pos, out, weights)
        for i in range(n):
            total += weights[i]
        rest = bounded(&rng.rng, total)
        for i in range(n):
            rest -= weights[i]
            if rest < 0:
                return out[i]

    # Results ------------------------------------------------------------------------------------------

    def returns(self):
        """What each player has won by now; final at the end of the game."""
        cdef double out[MAX_PLAYERS]
        cdef int i
        self.ops.returns(self.data, self.pos, out)
        return [out[i] for i in range(self.rules.num_players)]

    def rewards(self):
        """What the last step has brought each player."""
        cdef double before[MAX_PLAYERS]
        cdef double now[MAX_PLAYERS]
        cdef int length = self.length, i
        self.ops.returns(self.data, self.pos, now)
        self.rewind(self.last_step())
        self.ops.returns(self.data, self.pos, before)
        self.rewind(length)
        return [now[i] - before[i] for i in range(self.rules.num_players)]

    # Knowledge ----------------------------------------------------------------------------------------

    cdef int _player(self, player) except -2:
        player = whole(player, "a player")
        if not 0 <= player < self.rules.num_players:
            last = self.rules.num_players - 1
            raise IllegalActionError(f"player {shown(player)} does not exist: players are 0..{last}")
        return player

    cdef int _first(self, first) except -1:
        first = whole(first, "the number of events left out")
        if not 0 <= first <= self.length:
            raise IllegalActionError(f"{shown(first)} events cannot be left out of {self.length}")
        return first

    def events(self, player, first=0):
        """What the player has learnt from each action and chance outcome since the start, in order.

        Args:
            player: 0..n-1.
            first: leave out so many at the beginning.

        Returns:
            For each of them the numbers of GameOps.events in pairs of bytes, low byte first; empty where he
            learnt nothing.

        Raises:
            IllegalActionError: if there is no such player, or `first` is no number 0..length.
        """
        cdef int16_t learnt[MAX_EVENTS]
        cdef int who = self._player(player)
        cdef int i = 0, j, n, start = self._first(first)
        cdef int size = self.ops.state_bytes
        cdef unsigned char* before
        cdef unsigned char* after
        before = <unsigned char*>malloc(2 * size)
        if before == NULL:
            raise MemoryError
        after = before + size
        seen = []
        memcpy(after, self.start, size)
        if self.mark_length <= start:
            memcpy(after, self.mark, size)
            i = self.mark_length
        for i in range(i, start):
            self.ops.apply(self.data, after, self.actions[i])
        for i in range(start, self.length):
            memcpy(before, after, size)
            self.ops.apply(self.data, after, self.actions[i])
            n = self.ops.events(self.data, before, self.actions[i], after, who, learnt)
            pairs = bytearray(2 * n)
            for j in range(n):
                pairs[2 * j] = learnt[j] & 255
                pairs[2 * j + 1] = learnt[j] >> 8
            seen.append(bytes(pairs))
        free(before)
        return seen

    def information_state(self, player):
        """All that the player has learnt since the start, in order (perfect recall).

        Returns:
            The concatenation of :meth:`events`; two histories give the same bytes exactly if the player
            cannot tell them apart.

        Raises:
            IllegalActionError: if there is no such player.
        """
        return b"".join(self.events(player))

    def observation(self, player):
        """What lies on the table for the player now, as bytes: the position without what he may not know.

        Args:
            player: 0..n-1, or -1 for a spectator.
        """
        cdef int who = -1 if type(player) is int and player == -1 else self._player(player)
        out = PyBytes_FromStringAndSize(NULL, self.ops.state_bytes)
        self.ops.observe(self.data, self.pos, who, PyBytes_AS_STRING(out))
        return out

    def view(self, player=None):
        """The position in plain values, built from what the player may know.

        Args:
            player: 0..n-1, -1 for a spectator, None for the open view of everything.
        """
        cdef bytes seen
        if player is None:
            return self.describe(self.pos)
        seen = self.observation(player)
        return self.describe(<const void*><const char*>seen)

    def resample(self, player, Random rng):
        """A state that the player cannot tell from this one, hidden cards drawn anew.

        Uniform over the hidden cards that fit all that he has learnt; other players' sealed decisions are
        drawn uniformly too.

        Raises:
            IllegalActionError: if there is no such player.
        """
        cdef int who = self._player(player)
        cdef State world = self.clone()
        self.ops.resample(
            self.data, self.start, self.actions, self.length, who, &rng.rng, world.actions
        )
        world.rewind(self.length)
        return world

    # History ------------------------------------------------------------------------------------------

    def history(self):
        """All actions and chance outcomes since the start, in order, sealed ones by ascending player."""
        cdef int i
        return [self.actions[i] for i in range(self.length)]

    def full_history(self, first=0):
        """Pairs (actor, action) since the start; the actor is a player or -1 for chance.

        Args:
            first: leave out so many at the beginning.

        Raises:
            IllegalActionError: if it is no number 0..length.
        """
        cdef int i, length = self.length
        pairs = []
        self.seek(self._first(first))
        for i in range(self.length, length):
            pairs.append((self.ops.actor(self.data, self.pos), self.actions[i]))
            self.ops.apply(self.data, self.pos, self.actions[i])
        self.length = length
        return pairs

    def clone(self):
        """An independent copy."""
        cdef State other = type(self).__new__(type(self), self.game, self.rules, self.turn_based, self.setup)
        if other.capacity < self.capacity:
            free(other.actions)
            other.actions = <int32_t*>malloc(self.capacity * sizeof(int32_t))
            if other.actions == NULL:
                raise MemoryError
            other.capacity = self.capacity
        memcpy(other.pos, self.pos, 2 * self.ops.state_bytes)
        memcpy(other.actions, self.actions, self.length * sizeof(int32_t))
        other.length = self.length
        return other

    __copy__ = clone

    def __deepcopy__(self, memo):
        return self.clone()

    def __reduce__(self):
        from cardgods.game import deserialize_state

        return deserialize_state, (self.serialize(),)

    def serialize(self):
        """The state as bytes that ``cardgods.deserialize_state`` reads back, on any platform."""
        return self.game.serialize_state(self)

    def __len__(self):
        return self.length

    def __bool__(self):
        return True

    def __eq__(self, other):
        if not isinstance(other, State):
            return NotImplemented
        return self.serialize() == other.serialize()

    __hash__ = None

    # Wording ------------------------------------------------------------------------------------------

    def action_to_string(self, action, lang="en"):
        """An action or chance outcome of this node in words that :meth:`string_to_action` reads back.

        Raises:
            IllegalActionError: if the action is no integer.
            ParameterError: if it does not exist, or the language is unknown.
        """
        return self.game.action_to_string(self, whole(action, "an action"), language(lang))

    def string_to_action(self, text, lang="en"):
        """The legal action that a text names.

        Raises:
            ActionTextError: if it names none, or more than one.
            ParameterError: if the language is unknown.
        """
        if not isinstance(text, str):
            raise ActionTextError(f"an action is told by a text, not by {type(text).__name__}")
        return self.game.string_to_action(self, text, language(lang))

    def __str__(self):
        who = {-1: "chance", -2: "simultaneous", -4: "terminal"}
        actor = self.current_player()
        return f"{self.game} after {self.length} actions, {who.get(actor, f'player {actor}')} to act"

    def __repr__(self):
        return f"<{self}>"
