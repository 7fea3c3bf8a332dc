"""Score situations of the Encan family: found from the root down, collapsed from the end up."""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cardgods._core.bits cimport lsb, msb, popcount
from cardgods._core.games.encan cimport (
    ORDER_ASCENDING,
    ORDER_RANDOM,
    PAYOFF_POINTS,
    EncanRulesObject,
)
from cardgods._core.solve.encan_reach cimport Reach, reach_add, reach_after, reach_mirror, reach_start
from cardgods._core.solve.encan_situation cimport (
    LEAF_GOLD,
    LEAF_LEVEL,
    LEAVES,
    UNORDERED_GOLD,
    Situation,
    Step,
    situation_key,
    situation_of,
    situation_reduce,
    situation_step,
)
from cardgods._core.solve.table cimport (
    KeySet,
    RowSet,
    keyset_add,
    keyset_find,
    keyset_free,
    keyset_init,
    rowset_add,
    rowset_free,
    rowset_init,
)
from cardgods._core.walk cimport Cancel

cdef enum:
    OUT_OF_MEMORY = -1
    CANCELLED = -2
    TOO_MANY = -3


cdef inline uint32_t may_come(Scores z, const Situation* s, bint first) noexcept nogil:
    # The treasures of which one comes next, each with the same chance.
    if first and z.opening:
        return z.opening
    if z.terms.rules.order == ORDER_RANDOM:
        return s.pile
    return 1u << (lsb(s.pile) if z.terms.rules.order == ORDER_ASCENDING else msb(s.pile))


# Down: all situations --------------------------------------------------------------------------------------

cdef int find_below(Scores z, int k, int32_t* refs, int64_t limit, const int* cancel) noexcept nogil:
    # Number the situations one turn on; refs gets, per situation, treasure and outcome, the number of what
    # follows, or -1 - code of a leaf.
    cdef KeySet* below = &z.found[k - 1]
    cdef Situation s
    cdef Step t
    cdef uint32_t offers
    cdef int32_t i, ref
    cdef int outcome, treasure
    for i in range(z.found[k].count):
        s = situation_of(z.found[k].keys[i])
        offers = may_come(z, &s, k == z.turns)
        while offers:
            treasure = lsb(offers)
            offers &= offers - 1
            for outcome in range(3):
                t = situation_step(&z.terms, &s, treasure, outcome)
                if t.leaf >= 0:
                    ref = -1 - t.leaf
                elif t.leaf == UNORDERED_GOLD:
                    return UNORDERED_GOLD
                else:
                    ref = keyset_add(below, situation_key(&t.next))
                    if ref < 0:
                        return OUT_OF_MEMORY
                refs[0] = ref
                refs += 1
        if i % 1024 == 0 and cancel[0]:
            return CANCELLED
        if below.count > limit:
            return TOO_MANY
    return 0


cdef int find_all(Scores z, int32_t** refs, int64_t limit, const int* cancel) noexcept nogil:
    cdef int k, status
    cdef int64_t total = 0
    if keyset_init(&z.found[z.turns], 1) < 0 or keyset_add(&z.found[z.turns], situation_key(&z.start)) < 0:
        return OUT_OF_MEMORY
    for k in range(z.turns, 0, -1):
        total += z.found[k].count
        refs[k] = <int32_t*>malloc(<size_t>z.found[k].count * z.levels[k].offers * 3 * sizeof(int32_t))
        if refs[k] == NULL or keyset_init(&z.found[k - 1], 64) < 0:
            return OUT_OF_MEMORY
        status = find_below(z, k, refs[k], limit - total, cancel)
        if status < 0:
            return status
    return 0


# Up: triples and classes -----------------------------------------------------------------------------------

cdef inline bint class_is_even(Scores z, int k, int32_t number) noexcept nogil:
    # True if a class of level k is its own mirror image.
    cdef const RowSet* classes = &z.levels[k].classes
    return classes.data[<int64_t>(number - z.levels[k].first + 1) * classes.width - 1]


cdef inline int32_t exchanged(Scores z, int k, int32_t code) noexcept nogil:
    # What a code of level k becomes when the players trade places.
    if code == LEAF_LEVEL or (code >= 2 * LEAVES and class_is_even(z, k, code // 2)):
        return code
    return code ^ 1


cdef inline int compare(const int32_t* a, const int32_t* b, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if a[i] != b[i]:
            return -1 if a[i] < b[i] else 1
    return 0


cdef inline void sort(int32_t* a, int n) noexcept nogil:
    cdef int i, j
    cdef int32_t x
    for i in range(1, n):
        x = a[i]
        j = i
        while j > 0 and a[j - 1] > x:
            a[j] = a[j - 1]
            j -= 1
        a[j] = x


cdef int32_t add_triple(Scores z, int k, int32_t* row) noexcept nogil:
    # The signed number of a triple of level k, -1 when memory runs out.
    cdef int32_t other[TRIPLE_WIDTH]
    cdef int32_t number
    cdef int order = 1
    row[4] = other[4] = 0
    if z.symmetric:
        other[0] = exchanged(z, k - 1, row[1])
        other[1] = exchanged(z, k - 1, row[0])
        other[2] = exchanged(z, k - 1, row[2])
        other[3] = row[3]
        order = compare(other, row, 4)
        row[4] = order == 0
    number = rowset_add(&z.levels[k].triples, &other[0] if order < 0 else row)
    return number if number < 0 else 2 * number + (order < 0)


cdef int32_t add_class(Scores z, int k, int32_t* row) noexcept nogil:
    # The code of the class with these signed triples, which are put in order; -1 when memory runs out.
    cdef ScoreLevel* level = &z.levels[k]
    cdef int32_t other[MAX_TURNS + 1]
    cdef int32_t number
    cdef int i, n = level.offers, order = 1
    sort(row, n)
    row[n] = other[n] = 0
    if z.symmetric:
        for i in range(n):
            other[i] = row[i] ^ (not level.triples.data[<int64_t>(row[i] // 2) * TRIPLE_WIDTH + 4])
        sort(other, n)
        order = compare(other, row, n)
        row[n] = order == 0
    number = rowset_add(&level.classes, &other[0] if order < 0 else row)
    return number if number < 0 else 2 * (level.first + number) + (order < 0)


cdef inline bint decided(const int32_t* triples, int n) noexcept nogil:
    # True if all that the triples lead to is one and the same end.
    cdef int i, j
    for i in range(n):
        for j in range(3):
            if triples[i * TRIPLE_WIDTH + j] != triples[0]:
                return False
        if triples[i * TRIPLE_WIDTH + 3]:
            return False
    return triples[0] < LEAF_GOLD


cdef int32_t classify(Scores z, int k, const Situation* s, const int32_t* refs) noexcept nogil:
    # The code of a situation of level k, whose successors have theirs.
    cdef int32_t triples[MAX_TURNS * TRIPLE_WIDTH]
    cdef int32_t row[MAX_TURNS + 1]
    cdef int32_t* triple = triples
    cdef uint32_t offers = may_come(z, s, k == z.turns)
    cdef int n = z.levels[k].offers, i, outcome
    triples[0] = LEAF_GOLD
    for _ in range(n):
        for outcome in range(3):
            triple[outcome] = z.codes[k - 1][refs[outcome]] if refs[outcome] >= 0 else -1 - refs[outcome]
        triple[3] = 0
        if z.terms.rules.payoff == PAYOFF_POINTS:
            triple[3] = z.terms.rules.values[lsb(offers)] * z.terms.rules.scale + s.carry
        offers &= offers - 1
        refs += 3
        triple += TRIPLE_WIDTH
    if k < z.turns and decided(triples, n):
        return triples[0]
    for i in range(n):
        row[i] = add_triple(z, k, &triples[i * TRIPLE_WIDTH])
        if row[i] < 0:
            return -1
    return add_class(z, k, row)


cdef int classify_all(Scores z, int32_t** refs, const int* cancel) noexcept nogil:
    cdef int k, n
    cdef int32_t i
    cdef Situation s
    cdef ScoreLevel* level
    z.levels[1].first = LEAVES
    for k in range(1, z.turns + 1):
        level = &z.levels[k]
        n = z.found[k].count
        z.codes[k] = <int32_t*>malloc(<size_t>n * sizeof(int32_t))
        if (z.codes[k] == NULL or rowset_init(&level.triples, TRIPLE_WIDTH, 64) < 0
                or rowset_init(&level.classes, level.offers + 1, 64) < 0):
            return OUT_OF_MEMORY
        for i in range(n):
            s = situation_of(z.found[k].keys[i])
            z.codes[k][i] = classify(z, k, &s, &refs[k][<int64_t>i * level.offers * 3])
            if z.codes[k][i] < 0:
                return OUT_OF_MEMORY
            if i % 1024 == 0 and cancel[0]:
                return CANCELLED
        if k < z.turns:
            z.levels[k + 1].first = level.first + level.classes.count
        free(refs[k])
        refs[k] = NULL
    z.root = z.codes[z.turns][0]
    return 0


# Down again: which pasts lead where ------------------------------------------------------------------------

cdef inline void reach_code(Scores z, int k, int32_t code, const Reach* past) noexcept nogil:
    # A class of level k, as its code orients it, is reached after these pasts.
    cdef Reach turned
    if code < 2 * LEAVES:
        return
    if code & 1:
        turned = reach_mirror(past)
        past = &turned
    reach_add(&z.levels[k].class_reach[code // 2 - z.levels[k].first], past)


cdef void reach_level(Scores z, int k) noexcept nogil:
    cdef ScoreLevel* level = &z.levels[k]
    cdef Reach past
    cdef const int32_t* row
    cdef int32_t i
    cdef int j
    for i in range(level.classes.count):
        row = &level.classes.data[<int64_t>i * level.classes.width]
        past = reach_mirror(&level.class_reach[i])
        for j in range(level.offers):
            reach_add(&level.triple_reach[row[j] // 2], &past if row[j] & 1 else &level.class_reach[i])
    for i in range(level.triples.count):
        row = &level.triples.data[<int64_t>i * TRIPLE_WIDTH]
        if row[4]:
            past = reach_mirror(&level.triple_reach[i])
            reach_add(&level.triple_reach[i], &past)
        for j in range(3):
            past = reach_after(&level.triple_reach[i], j)
            reach_code(z, k - 1, row[j], &past)


cdef int reach_all(Scores z) noexcept nogil:
    cdef int k
    cdef Reach past = reach_start()
    for k in range(1, z.turns + 1):
        z.levels[k].triple_reach = <Reach*>calloc(z.levels[k].triples.count + 1, sizeof(Reach))
        z.levels[k].class_reach = <Reach*>calloc(z.levels[k].classes.count + 1, sizeof(Reach))
        if z.levels[k].triple_reach == NULL or z.levels[k].class_reach == NULL:
            return OUT_OF_MEMORY
    reach_code(z, z.turns, z.root, &past)
    for k in range(z.turns, 0, -1):
        reach_level(z, k)
    return 0


cdef int build_all(Scores z, int64_t limit, const int* cancel) noexcept nogil:
    cdef int32_t* refs[MAX_TURNS + 1]
    cdef int k, status
    memset(refs, 0, sizeof(refs))
    status = find_all(z, refs, limit, cancel)
    if status == 0:
        status = classify_all(z, refs, cancel)
    if status == 0:
        status = reach_all(z)
    for k in range(MAX_TURNS + 1):
        free(refs[k])
    return status


@cython.final
cdef class Scores:
    """All score situations below a root, as classes.

    Args:
        rules: the compiled options of the game.
        pile: treasures to come, a mask of places; the revealed one included.
        opening: mask of the treasures of which the first is drawn; 0 leaves it to the order of treasures.
        scores: units of score of each player.
        carry: units of score.
        gold: True if the hands may end unlike.
        symmetric: True if the hands at the root are alike, so that players may be exchanged.
    """

    def __cinit__(self, EncanRulesObject rules, pile, opening, scores, carry, gold, symmetric):
        cdef int k
        cdef int32_t rest = carry
        self.terms.rules = rules.r
        self.turns = popcount(pile)
        self.opening = opening
        self.start.pile = pile
        self.start.score[0], self.start.score[1] = scores
        self.start.carry = carry
        for k in range(self.terms.rules.cards):
            if (self.start.pile >> k) & 1:
                rest += self.terms.rules.values[k] * self.terms.rules.scale
        if max(scores) + rest < self.terms.rules.target:
            self.terms.rules.target = 0
        situation_reduce(&self.terms, &self.start)
        self.terms.gold = gold
        self.symmetric = symmetric
        for k in range(self.turns + 1):
            self.levels[k].offers = k if self.terms.rules.order == ORDER_RANDOM else 1
        if opening:
            self.levels[self.turns].offers = popcount(opening)

    def __dealloc__(self):
        cdef int k
        for k in range(MAX_TURNS + 1):
            keyset_free(&self.found[k])
            free(self.codes[k])
            rowset_free(&self.levels[k].triples)
            rowset_free(&self.levels[k].classes)
            free(self.levels[k].triple_reach)
            free(self.levels[k].class_reach)

    cdef int32_t code(self, const Situation* s) noexcept nogil:
        # The code of a situation, -1 if no game from the root leads to it.
        cdef int k = popcount(s.pile)
        cdef int32_t i = -1
        if self.codes[k] != NULL:
            i = keyset_find(&self.found[k], situation_key(s))
        return -1 if i < 0 else self.codes[k][i]

    def build(self, Cancel cancel, int64_t limit):
        """Find and classify all situations, at most `limit`; False if it was cancelled.

        Raises:
            MemoryError: when memory runs out.
            OverflowError: if there are more.
            ValueError: if the sum of gold in unlike hands would decide.
        """
        cdef int status
        with nogil:
            status = build_all(self, limit, &cancel.flag)
        if status == OUT_OF_MEMORY:
            raise MemoryError("no memory left for the score situations")
        if status == TOO_MANY:
            raise OverflowError(f"more than {limit} score situations")
        if status == UNORDERED_GOLD:
            raise ValueError("the sum of the gold in hand decides here")
        return status == 0

    def alive(self):
        """Per number of treasures left: pasts after which there is something to play for, as four words.

        Both orientations of a class are in it. With no treasure left, and where nothing was found, there is
        nothing to play for.
        """
        cdef Reach either, turned
        cdef int32_t c
        cdef int k
        found = []
        for k in range(self.turns + 1):
            memset(&either, 0, sizeof(either))
            if self.levels[k].class_reach != NULL:
                for c in range(self.levels[k].classes.count):
                    reach_add(&either, &self.levels[k].class_reach[c])
            if self.symmetric:
                turned = reach_mirror(&either)
                reach_add(&either, &turned)
            found.append((either.w[0], either.w[1], either.w[2], either.w[3]))
        return found

    def dump(self, int k):
        """What strategies need of a level, as bytes: (situations, their codes, pasts of the classes)."""
        cdef KeySet* found = &self.found[k]
        cdef ScoreLevel* level = &self.levels[k]
        if self.codes[k] == NULL or level.class_reach == NULL:
            raise ValueError(f"the situations with {k} treasures left are not there")
        return (
            PyBytes_FromStringAndSize(<char*>found.keys, found.count * sizeof(uint64_t)),
            PyBytes_FromStringAndSize(<char*>self.codes[k], found.count * sizeof(int32_t)),
            PyBytes_FromStringAndSize(<char*>level.class_reach, level.classes.count * sizeof(Reach)),
        )

    def load(self, int k, int32_t first, const unsigned char[::1] keys, const unsigned char[::1] codes,
             const unsigned char[::1] reach):
        """Take a level from what :meth:`dump` has given, in place of finding it.

        Args:
            k: treasures left.
            first: number of the first class of the level.
            keys: situations.
            codes: their codes.
            reach: pasts of the classes.

        Raises:
            ValueError: if the lengths do not fit together, or a code is none of the level's.
        """
        cdef ScoreLevel* level = &self.levels[k]
        cdef int32_t n = <int32_t>(keys.shape[0] // sizeof(uint64_t)), i, code
        cdef int32_t classes = <int32_t>(reach.shape[0] // sizeof(Reach))
        if (self.codes[k] != NULL or first < LEAVES or keys.shape[0] != n * <int64_t>sizeof(uint64_t)
                or codes.shape[0] != n * <int64_t>sizeof(int32_t)
                or reach.shape[0] != classes * <int64_t>sizeof(Reach)):
            raise ValueError("situations, codes and classes do not fit together")
        level.first = first
        level.classes.count = classes
        level.class_reach = <Reach*>malloc((<size_t>classes + 1) * sizeof(Reach))
        self.codes[k] = <int32_t*>malloc((<size_t>n + 1) * sizeof(int32_t))
        if level.class_reach == NULL or self.codes[k] == NULL or keyset_init(&self.found[k], n + 1) < 0:
            raise MemoryError("no memory left for the score situations")
        memcpy(level.class_reach, &reach[0], classes * sizeof(Reach))
        for i in range(n):
            memcpy(&code, &codes[i * <int64_t>sizeof(int32_t)], sizeof(int32_t))
            if code < 0 or code >= 2 * LEAVES and not first <= code // 2 < first + classes:
                raise ValueError("a situation has a code that is none of its level")
            self.codes[k][i] = code
            if keyset_add(&self.found[k], (<const uint64_t*>&keys[0])[i]) != i:
                raise ValueError("a situation stands twice")

    def dump_triples(self, int k):
        """What the classes of a level are made of, as bytes: (rows of triples, pasts of the triples)."""
        cdef ScoreLevel* level = &self.levels[k]
        if level.triple_reach == NULL:
            raise ValueError(f"the triples with {k} treasures left are not there")
        return (
            PyBytes_FromStringAndSize(
                <char*>level.classes.data,
                <int64_t>level.classes.count * level.classes.width * sizeof(int32_t),
            ),
            PyBytes_FromStringAndSize(<char*>level.triple_reach, level.triples.count * sizeof(Reach)),
        )

    def load_triples(self, int k, const unsigned char[::1] rows, const unsigned char[::1] reach):
        """Take from :meth:`dump_triples` what the classes of a level, which is loaded, are made of.

        Raises:
            ValueError: if the lengths do not fit together, or a class names a triple that is not there.
        """
        cdef ScoreLevel* level = &self.levels[k]
        cdef int32_t triples = <int32_t>(reach.shape[0] // sizeof(Reach)), c
        cdef int width = level.offers + 1, j
        if (self.codes[k] == NULL or level.triple_reach != NULL or triples < 1
                or reach.shape[0] != triples * <int64_t>sizeof(Reach)
                or rows.shape[0] != <int64_t>level.classes.count * width * <int64_t>sizeof(int32_t)):
            raise ValueError("classes and triples do not fit together")
        level.triples.count = triples
        level.classes.width = width
        level.triple_reach = <Reach*>malloc(triples * sizeof(Reach))
        level.classes.data = <int32_t*>malloc(rows.shape[0] + 1)
        if level.triple_reach == NULL or level.classes.data == NULL:
            raise MemoryError("no memory left for the score situations")
        memcpy(level.triple_reach, &reach[0], triples * sizeof(Reach))
        memcpy(level.classes.data, &rows[0], rows.shape[0])
        for c in range(level.classes.count):
            for j in range(level.offers):
                if not 0 <= level.classes.data[<int64_t>c * width + j] < 2 * triples:
                    raise ValueError("a class has a triple that is none of its level")

    def first(self, int k):
        """Number of the first class of a level."""
        return self.levels[k].first

    def counts(self):
        """Per number of treasures left: (situations, classes, triples)."""
        return [
            (self.found[k].count, self.levels[k].classes.count, self.levels[k].triples.count)
            for k in range(self.turns + 1)
        ]
