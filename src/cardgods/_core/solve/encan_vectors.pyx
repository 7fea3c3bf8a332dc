"""Values of score classes on hand patterns: the vectors that a solution consists of."""

cimport cython
from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from cardgods._core.solve.encan_hands cimport HandLevel
from cardgods._core.solve.encan_pattern cimport Pattern, pattern_of
from cardgods._core.solve.encan_reach cimport Reach, reach_meets, reach_mirror
from cardgods._core.solve.encan_scores cimport ScoreLevel
from cardgods._core.solve.encan_situation cimport LEAF_GOLD, LEAF_LEVEL


cdef void fill(double* out, int32_t n, double x) noexcept nogil:
    for _ in range(n):
        out[0] = x
        out += 1


cdef double leaf_value(int32_t code) noexcept nogil:
    return 0.0 if code == LEAF_LEVEL else (-1.0 if code & 1 else 1.0)


cdef int64_t domain_size(const HandLevel* hands, const Reach* past) noexcept nogil:
    # Starts of turns with hands that fit these pasts.
    cdef int64_t size = 0
    cdef int32_t b
    for b in range(hands.start_blocks):
        if reach_meets(&hands.start_reach[b], past):
            size += hands.begins[b + 1] - hands.begins[b]
    return size


cdef void add_up(const HandLevel* hands, const Reach* past, const Reach* wanted, const int64_t* values,
                 int32_t times, int64_t* sums) noexcept nogil:
    # Add `times` the values of a triple with these pasts, packed, where they are wanted; negative: those of
    # the exchanged triple, on mirrored patterns.
    cdef int32_t b, i, begin, end
    for b in range(hands.start_blocks):
        if not reach_meets(&hands.start_reach[b], past):
            continue
        begin, end = hands.begins[b], hands.begins[b + 1]
        if reach_meets(&hands.start_reach[b], wanted):
            if times > 0:
                for i in range(begin, end):
                    sums[i] += times * values[i - begin]
            else:
                for i in range(begin, end):
                    sums[hands.mirror[i]] += times * values[i - begin]
        values += end - begin


@cython.final
cdef class Vectors:
    """A vector of numbers for every class: its value on each hand pattern that can meet it.

    Args:
        hands: the patterns, built.
        scores: the classes, built from the same root or loaded.
        bound: no value is larger than this; 1 if the win is played for.
    """

    def __cinit__(self, Hands hands, Scores scores, double bound):
        cdef int k
        cdef int32_t c
        cdef Pattern p
        self.hands = hands
        self.scores = scores
        self.buffers = [None] * (MAX_TURNS + 1)
        self.scale = 1.0
        while self.scale < bound:
            self.scale *= 2
        for k in range(max(hands.lowest, 1), hands.turns + 1):
            self.measure(k)
            self.numbers[k] = self.level_bytes(k) // <int64_t>sizeof(double)
        self.ends = <double*>malloc((hands.levels[0].starts + 1) * sizeof(double))
        if self.ends == NULL:
            raise MemoryError("no memory left for the values of the solution")
        for c in range(hands.levels[0].starts):
            p = pattern_of(hands.levels[0].keys[c])
            self.ends[c] = 1.0 if p.hand[0] > p.hand[1] else -1.0

    def __dealloc__(self):
        cdef int k
        cdef int32_t c
        for k in range(MAX_TURNS + 1):
            if self.values[k] != NULL:
                for c in range(self.count(k)):
                    self.release(k, c)
            free(self.values[k])
            free(self.sizes[k])
        free(self.ends)

    cdef int32_t count(self, int level) noexcept nogil:
        # Vectors of a level.
        if self.split[level]:
            return self.scores.levels[level].triples.count
        return self.scores.levels[level].classes.count

    def measure(self, int k):
        """Find how large the vectors of a level are, and make room to point at them."""
        cdef int32_t n = self.count(k), c
        cdef const Reach* pasts = self.scores.levels[k].class_reach
        if self.split[k]:
            pasts = self.scores.levels[k].triple_reach
        free(self.sizes[k])
        free(self.values[k])
        self.sizes[k] = <int64_t*>calloc(n + 1, sizeof(int64_t))
        self.values[k] = <double**>calloc(n + 1, sizeof(double*))
        if self.sizes[k] == NULL or self.values[k] == NULL:
            raise MemoryError("no memory left for the values of the solution")
        for c in range(n):
            self.sizes[k][c] = domain_size(&self.hands.levels[k], &pasts[c])

    def split_level(self, int k):
        """Keep the triples of a level, of which classes are sums, in place of its classes.

        That takes less memory where many classes share few triples, and more time to read a class.
        """
        if self.has(k):
            raise ValueError(f"the values with {k} turns to come are there already")
        self.split[k] = True
        self.measure(k)

    def is_split(self, int k):
        """True if the triples of a level are kept in place of its classes."""
        return bool(self.split[k])

    cdef void unpack(self, int level, int32_t code, double reward, double* out) noexcept nogil:
        # A code's values on all starts of a level, where it has any, plus a reward.
        cdef const HandLevel* hands = &self.hands.levels[level]
        cdef int32_t i
        if code == LEAF_LEVEL or code // 2 == 0:
            fill(out, hands.starts, leaf_value(code) + reward)
            return
        if code // 2 == LEAF_GOLD // 2:
            for i in range(hands.starts):
                out[i] = reward + (-self.ends[hands.mirror[i]] if code & 1 else self.ends[i])
        elif self.split[level]:
            self.unpack_split(level, code, reward, out)
        else:
            self.unpack_class(level, code, reward, out)

    cdef void unpack_class(self, int level, int32_t code, double reward, double* out) noexcept nogil:
        cdef const HandLevel* hands = &self.hands.levels[level]
        cdef const Reach* past
        cdef const double* values
        cdef int32_t b, i, c
        c = code // 2 - self.scores.levels[level].first
        past = &self.scores.levels[level].class_reach[c]
        values = self.values[level][c]
        for b in range(hands.start_blocks):
            if not reach_meets(&hands.start_reach[b], past):
                continue
            values -= hands.begins[b]
            if code & 1:
                for i in range(hands.begins[b], hands.begins[b + 1]):
                    out[hands.mirror[i]] = reward - values[i]
            else:
                for i in range(hands.begins[b], hands.begins[b + 1]):
                    out[i] = values[i] + reward
            values += hands.begins[b + 1]

    cdef void unpack_split(self, int level, int32_t code, double reward, double* out) noexcept nogil:
        # The sums are made in the place of the result, which has the same size.
        cdef const HandLevel* hands = &self.hands.levels[level]
        cdef const ScoreLevel* scores = &self.scores.levels[level]
        cdef int32_t c = code // 2 - scores.first, b, i, triple, times
        cdef const int32_t* row = &scores.classes.data[<int64_t>c * scores.classes.width]
        cdef Reach past = scores.class_reach[c], turned = reach_mirror(&past)
        cdef int64_t* sums = <int64_t*>out
        cdef double share = 1.0 / (fixed_one() * scores.offers)
        cdef int j
        if code & 1:
            past, turned = turned, past
        for b in range(hands.start_blocks):
            if reach_meets(&hands.start_reach[b], &past):
                memset(&sums[hands.begins[b]], 0,
                       (hands.begins[b + 1] - hands.begins[b]) * sizeof(int64_t))
        times = 0
        for j in range(scores.offers):
            times += 1
            if j == scores.offers - 1 or row[j + 1] != row[j]:
                triple = row[j] ^ (code & 1)
                add_up(hands, &scores.triple_reach[triple // 2], &turned if triple & 1 else &past,
                       <const int64_t*>self.values[level][triple // 2], -times if triple & 1 else times, sums)
                times = 0
        for b in range(hands.start_blocks):
            if reach_meets(&hands.start_reach[b], &past):
                for i in range(hands.begins[b], hands.begins[b + 1]):
                    out[i] = <double>sums[i] * share + reward

    cdef void release(self, int level, int32_t number) noexcept nogil:
        if not self.lent[level]:
            free(self.values[level][number])
        self.values[level][number] = NULL

    def attach(self, int k, buffer):
        """Take the vectors of a level from memory that somebody else owns, such as a mapped file.

        Args:
            k: turns to come.
            buffer: the numbers of all vectors, one vector after the other.

        Raises:
            ValueError: if the buffer has another length.
        """
        cdef const unsigned char[::1] view = buffer
        cdef int64_t at = 0
        cdef int32_t c
        if view.shape[0] != self.level_bytes(k):
            raise ValueError(f"{view.shape[0]} bytes of values, expected {self.level_bytes(k)}")
        self.drop(k)
        self.buffers[k] = view
        self.lent[k] = True
        for c in range(self.count(k)):
            self.values[k][c] = <double*>&view[at] if self.sizes[k][c] else NULL
            at += self.sizes[k][c] * <int64_t>sizeof(double)

    def drop(self, int k):
        """Give the vectors of a level back."""
        cdef int32_t c
        for c in range(self.count(k)):
            self.release(k, c)
        self.buffers[k] = None
        self.lent[k] = False

    def has(self, int k):
        """True if all vectors of a level are there, and were found or loaded."""
        cdef int32_t c
        if self.values[k] == NULL:
            return False
        for c in range(self.count(k)):
            if self.sizes[k][c] and self.values[k][c] == NULL:
                return False
        return True

    def views(self, int k):
        """The bytes of every vector of a level, in order; valid while the level is kept."""
        cdef int32_t c
        found = []
        for c in range(self.count(k)):
            if self.sizes[k][c]:
                if self.values[k][c] == NULL:
                    raise ValueError(f"the values with {k} turns to come were not kept")
                found.append(
                    PyMemoryView_FromMemory(
                        <char*>self.values[k][c], self.sizes[k][c] * sizeof(double), PyBUF_READ
                    )
                )
        return found

    def level_bytes(self, int k):
        """Bytes of all vectors with `k` turns to come."""
        cdef int32_t c
        cdef int64_t total = 0
        if k > 0 and self.sizes[k] != NULL:
            for c in range(self.count(k)):
                total += self.sizes[k][c] * <int64_t>sizeof(double)
        return total

    def counts(self):
        """Per number of turns to come: values of the classes."""
        return [self.numbers[k] for k in range(self.hands.turns + 1)]
