"""What a player of Trois Trônes may think the other holds; exact for an opponent whose strategy is known.

Before anything is laid all hands that miss one's own cards are equally likely. A move multiplies the weight
of each hand by the probability that the other makes it with that hand; a draw adds any card that one has not
seen. Cards that one gets later cannot have been his, so their hands fall out in hindsight.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, pop_lsb
from cardgods._core.games.trones cimport (
    DEAL, FRONTS, LAY, TronesPos, TronesRules, TronesState, room_on, trones_apply)
from cardgods._core.rng cimport Random, Rng, uniform01
from cardgods._core.solve.trones_blueprint cimport Blueprint
from cardgods._core.solve.trones_policy cimport Policy, shares_of
from cardgods._core.solve.trones_sets cimport Spot, View

from cardgods.errors import SolveError


cdef double chance_of(const TronesRules* r, const Policy* model, const Spot* s, int32_t action, double slip,
                      int legal) noexcept nogil:
    # That the player on turn makes a move; `slip` is the share of moves made at random.
    cdef View view
    cdef double shares[12]
    cdef double found = 0.0
    cdef int i
    shares_of(r, model, s, &view, shares)
    for i in range(view.count):
        if view.action[i] == action:
            found = shares[i]
    return (1.0 - slip) * found + slip / legal


cdef class Beliefs:
    """Weights of the hands that the other may hold.

    Args:
        state: a state of the game; they begin with its beginning.
        player: who believes.

    Raises:
        SolveError: if there is no such player.
        MemoryError: if there is not enough memory.
    """

    def __cinit__(self, TronesState state, int player):
        cdef const TronesRules* r
        cdef int n, k, i
        cdef uint64_t deck
        if player not in (0, 1):
            raise SolveError(f"there is no player {player} here")
        self.rules = state.rules
        self.player = player
        r = &self.rules.r
        memcpy(&self.spot.pos, state.start, sizeof(TronesPos))
        n = 0
        deck = r.deck
        while deck:
            self.card[n] = lsb(deck)
            self.place[lsb(deck)] = n
            deck = pop_lsb(deck)
            n += 1
        for n in range(MOST_CARDS + 1):
            for k in range(MOST_HELD + 1):
                self.choose[n][k] = 1 if k == 0 else 0
                if n and k:
                    self.choose[n][k] = self.choose[n - 1][k - 1] + self.choose[n - 1][k]
        for k in range(MOST_HELD + 1):
            self._list_hands(k)
        i = self.choose[MOST_CARDS][MOST_HELD]
        self.weight = <double*>calloc(i, sizeof(double))
        self.spare = <double*>calloc(i, sizeof(double))
        self.likely = <int32_t*>malloc(i * sizeof(int32_t))
        self.sums = <double*>malloc(i * sizeof(double))
        if self.weight == NULL or self.spare == NULL or self.likely == NULL or self.sums == NULL:
            raise MemoryError

    def __dealloc__(self):
        for k in range(MOST_HELD + 1):
            free(self.masks[k])
        free(self.weight)
        free(self.spare)
        free(self.likely)
        free(self.sums)

    cdef int _list_hands(self, int k) except -1:
        cdef int32_t total = self.choose[self.rules.r.cards][k]
        cdef uint32_t mask = (<uint32_t>1 << k) - 1
        cdef uint64_t low, up
        cdef int32_t i
        self.masks[k] = <uint32_t*>malloc((total + 1) * sizeof(uint32_t))
        if self.masks[k] == NULL:
            raise MemoryError
        for i in range(total):
            self.masks[k][i] = mask
            if mask:
                # The next larger number with as many bits: colexicographic order.
                low = mask & (~mask + 1)
                up = <uint64_t>mask + low
                mask = <uint32_t>(up | ((((up ^ mask) >> 2)) // low))
        return 0

    cdef int32_t number_of(self, uint32_t mask) noexcept nogil:
        cdef int32_t number = 0
        cdef int k = 0
        while mask:
            k += 1
            number += self.choose[lsb(mask)][k]
            mask &= mask - 1
        return number

    cdef uint64_t cards_of(self, uint32_t mask) noexcept nogil:
        cdef uint64_t cards = 0
        while mask:
            cards |= <uint64_t>1 << self.card[lsb(mask)]
            mask &= mask - 1
        return cards

    cdef uint32_t possible(self) noexcept nogil:
        # Places of the cards that the other may hold: neither laid nor one's own.
        cdef uint64_t cards = self.rules.r.deck & ~self.spot.pos.hand[self.player]
        cdef uint32_t found = 0
        cdef int p, f
        for p in range(2):
            for f in range(FRONTS):
                cards &= ~self.spot.pos.laid[p][f]
        while cards:
            found |= <uint32_t>1 << self.place[lsb(cards)]
            cards = pop_lsb(cards)
        return found

    cdef void drop_impossible(self) noexcept nogil:
        cdef uint32_t possible = self.possible()
        cdef int32_t i
        for i in range(self.choose[self.rules.r.cards][self.held]):
            if self.masks[self.held][i] & ~possible:
                self.weight[i] = 0.0

    cdef void lay_one(self, int card, const double* chances) noexcept nogil:
        # The other has laid a card: chances are those that he did with each of his hands.
        cdef uint32_t bit = <uint32_t>1 << self.place[card]
        cdef int32_t i, rests = self.choose[self.rules.r.cards][self.held - 1]
        cdef double total = 0.0
        memset(self.spare, 0, rests * sizeof(double))
        for i in range(self.choose[self.rules.r.cards][self.held]):
            if self.masks[self.held][i] & bit and self.weight[i] > 0.0:
                self.spare[self.number_of(self.masks[self.held][i] ^ bit)] = self.weight[i] * chances[i]
                total += self.weight[i] * chances[i]
        self.held -= 1
        for i in range(rests):
            self.weight[i] = self.spare[i] / total if total > 0.0 else 0.0

    cdef void draw_one(self) noexcept nogil:
        # He has drawn a card, which may be any that is possible.
        cdef uint32_t possible = self.possible(), rest, hand
        cdef int32_t i
        memset(self.spare, 0, self.choose[self.rules.r.cards][self.held + 1] * sizeof(double))
        for i in range(self.choose[self.rules.r.cards][self.held]):
            hand = self.masks[self.held][i]
            if self.weight[i] <= 0.0 or hand & ~possible:
                continue
            rest = possible & ~hand
            while rest:
                self.spare[self.number_of(hand | (rest & (~rest + 1)))] += self.weight[i]
                rest &= rest - 1
        self.held += 1
        memcpy(self.weight, self.spare, self.choose[self.rules.r.cards][self.held] * sizeof(double))

    cdef void ready(self) noexcept nogil:
        # Hands that count, so that one can be drawn; all alike if none does.
        cdef uint32_t possible = self.possible()
        cdef int32_t i
        cdef double total = 0.0
        self.drop_impossible()
        self.likelies = 0
        for i in range(self.choose[self.rules.r.cards][self.held]):
            if self.weight[i] > 0.0:
                total += self.weight[i]
                self.likely[self.likelies] = i
                self.sums[self.likelies] = total
                self.likelies += 1
        if self.likelies:
            return
        for i in range(self.choose[self.rules.r.cards][self.held]):
            if not self.masks[self.held][i] & ~possible:
                total += 1.0
                self.weight[i] = 1.0
                self.likely[self.likelies] = i
                self.sums[self.likelies] = total
                self.likelies += 1

    cdef uint64_t drawn(self, Rng* rng) noexcept nogil:
        # A hand, as cards, in proportion to the weights.
        cdef double at = uniform01(rng) * self.sums[self.likelies - 1]
        cdef int low = 0, high = self.likelies - 1, middle
        while low < high:
            middle = (low + high) // 2
            if self.sums[middle] > at:
                high = middle
            else:
                low = middle + 1
        return self.cards_of(self.masks[self.held][self.likely[low]])

    def advance(self, TronesState state, Blueprint model=None, double least=0.0, double slip=0.01, ask=None,
                int most=0, Random rng=None):
        """Take in what has happened since the last time.

        Args:
            state: a state of the same game, further on.
            model: how the other plays; the heuristic if there is none.
            least: what is less probable is not played.
            slip: share of moves that he is thought to make at random.
            ask: instead of a model, called with the number of cards laid before, hands (lists of cards) and
                his move: the probability of that move with each of them.
            most: hands to ask about at most, drawn by their weights with `rng`; 0 for all.
            rng: for that.
        """
        cdef int32_t action
        if self.rules is not state.rules:
            raise SolveError("the state is of another game than the beliefs")
        while self.seen < state.length:
            action = state.actions[self.seen]
            if self.spot.pos.phase == LAY and self.spot.pos.turn != self.player:
                if ask is None:
                    self._weigh(action, model, least, slip)
                else:
                    self._ask(action, ask, slip, most, rng)
            if self.spot.pos.phase == LAY:
                self.spot.laid[self.spot.count] = action
                self.spot.count += 1
            self._apply(action)
            self.seen += 1

    cdef int _apply(self, int32_t action) except -1:
        cdef bint his = self.spot.pos.phase != LAY and self.spot.pos.turn != self.player
        cdef bint deal = self.spot.pos.phase == DEAL
        cdef int32_t i
        trones_apply(&self.rules.r, &self.spot.pos, action)
        if deal and self.spot.pos.phase == LAY:
            self.held = self.spot.pos.held[1 - self.player]
            for i in range(self.choose[self.rules.r.cards][self.held]):
                self.weight[i] = 1.0
            self.drop_impossible()
        elif his and not deal:
            self.draw_one()
        return 0

    cdef int _legal(self) noexcept:
        # Moves of the other, whatever he holds.
        cdef int f, free_fronts = 0
        for f in range(FRONTS):
            free_fronts += room_on(&self.rules.r, &self.spot.pos, 1 - self.player, f) > 0
        return free_fronts * self.held

    cdef int _weigh(self, int32_t action, Blueprint model, double least, double slip) except -1:
        cdef Policy policy = Policy(NULL, NULL, 0.0)
        cdef Spot guess = self.spot
        cdef uint32_t bit = <uint32_t>1 << self.place[action // FRONTS]
        cdef int legal = self._legal()
        cdef double* chances = self.sums
        cdef int32_t i
        if model is not None:
            policy = Policy(&model.table, &model.grain, least)
        guess.pos.hand[self.player] = 0
        self.drop_impossible()
        with nogil:
            for i in range(self.choose[self.rules.r.cards][self.held]):
                if self.weight[i] > 0.0 and self.masks[self.held][i] & bit:
                    guess.pos.hand[1 - self.player] = self.cards_of(self.masks[self.held][i])
                    chances[i] = chance_of(&self.rules.r, &policy, &guess, action, slip, legal)
        self.lay_one(action // FRONTS, chances)
        return 0

    cdef int _ask(self, int32_t action, ask, double slip, int most, Random rng) except -1:
        cdef uint32_t bit = <uint32_t>1 << self.place[action // FRONTS]
        cdef int legal = self._legal()
        cdef int32_t i
        self.drop_impossible()
        numbers = [
            i for i in range(self.choose[self.rules.r.cards][self.held])
            if self.weight[i] > 0.0 and self.masks[self.held][i] & bit
        ]
        if most and len(numbers) > most:
            numbers = self._drawn_few(numbers, most, rng)
        hands = [self.hand(i) for i in numbers]
        found = ask(self.spot.count, hands, action)
        for i, chance in zip(numbers, found, strict=True):
            self.sums[i] = (1.0 - slip) * <double>chance + slip / legal
        self.lay_one(action // FRONTS, self.sums)
        return 0

    cdef list _drawn_few(self, list numbers, int most, Random rng):
        # Systematic resampling: each hand is met in proportion to its weight, and then all weigh the same.
        cdef double total = sum([self.weight[i] for i in numbers])
        cdef double step = total / most, at = step * uniform01(&rng.rng), run = 0.0
        cdef int32_t i
        kept = []
        for i in numbers:
            run += self.weight[i]
            times = 0
            while at < run:
                times += 1
                at += step
            self.weight[i] = times * step
            if times:
                kept.append(i)
        return kept

    def hand(self, int number):
        """The cards of a hand, by its number among those of as many cards."""
        cdef uint64_t cards = self.cards_of(self.masks[self.held][number])
        return [card for card in range(52) if cards >> card & 1]

    def weights(self):
        """Pairs (cards of a hand that the other may hold, probability)."""
        cdef int i
        cdef double before = 0.0
        self.ready()
        found = []
        for i in range(self.likelies):
            share = (self.sums[i] - before) / self.sums[self.likelies - 1]
            found.append((self.hand(self.likely[i]), share))
            before = self.sums[i]
        return found
