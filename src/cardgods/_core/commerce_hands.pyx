"""The strength of every hand of Commerce, from one dense table; docs/rules/commerce.md has the ranking."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from cardgods._core.cards cimport rank_of, suit_of


cdef HandTable TABLE


cdef const HandTable* hand_table() noexcept nogil:
    return &TABLE


cdef inline int points(int card) noexcept nogil:
    # ace 11, courts 10, the others their number
    cdef int rank = rank_of(card)
    return 11 if rank == 12 else 10 if rank > 8 else rank + 2


cdef inline int key(int category, int value, int size) noexcept nogil:
    return category << 8 | value << 2 | size


cdef int point_key(int a, int b, int c) noexcept nogil:
    # The best total of two or three cards of one suit; of three cards, only one suit can have two.
    cdef int sa = suit_of(a), sb = suit_of(b), sc = suit_of(c)
    if sa == sb == sc:
        return key(POINT, points(a) + points(b) + points(c), 3)
    if sa == sb:
        return key(POINT, points(a) + points(b), 2)
    if sa == sc:
        return key(POINT, points(a) + points(c), 2)
    if sb == sc:
        return key(POINT, points(b) + points(c), 2)
    return key(NOTHING, 0, 0)


cdef int hand_key(int a, int b, int c) noexcept nogil:
    # Orders hands of ascending cards a < b < c; category, value and size can be read back from it.
    cdef int ra = rank_of(a), rb = rank_of(b), rc = rank_of(c)
    if ra == rb == rc:
        return key(TRICON, ra, 3)
    if suit_of(a) == suit_of(c):
        if rb == ra + 1 and rc == rb + 1:
            return key(SEQUENCE, rc, 3)
        if ra == 0 and rb == 1 and rc == 12:
            return key(SEQUENCE, 1, 3)      # ace, two, three: the three is its top
    return point_key(a, b, c)


cdef void number_hands(HandTable* t, uint16_t* keys) noexcept nogil:
    cdef int a, b, c, i = 0
    for c in range(52):
        t.choose2[c] = <uint16_t>(c * (c - 1) // 2)
        t.choose3[c] = <uint16_t>(c * (c - 1) * (c - 2) // 6)
        for b in range(c):
            for a in range(b):
                keys[i] = <uint16_t>hand_key(a, b, c)
                t.cards[i][0] = <uint8_t>a
                t.cards[i][1] = <uint8_t>b
                t.cards[i][2] = <uint8_t>c
                i += 1


cdef void rank_hands(HandTable* t, const uint16_t* keys) noexcept nogil:
    cdef int seen[1024]
    cdef int k, i, strength = 0, place = 0
    for k in range(1024):
        seen[k] = 0
    for i in range(HANDS):
        seen[keys[i]] += 1
    for k in range(1024):
        if seen[k]:
            t.category[strength] = <uint8_t>(k >> 8)
            t.value[strength] = <uint8_t>(k >> 2 & 63)
            t.size[strength] = <uint8_t>(k & 3)
            t.start[strength] = place
            for i in range(HANDS):
                if keys[i] == k:
                    t.strength[i] = <uint8_t>strength
                    t.order[place] = <uint16_t>i
                    place += 1
            strength += 1
    t.start[strength] = place
    for k in range(5):
        t.first[k] = 0
        while t.first[k] < STRENGTHS and t.category[t.first[k]] < k:
            t.first[k] += 1


cdef uint16_t KEYS[HANDS]
number_hands(&TABLE, KEYS)
rank_hands(&TABLE, KEYS)


def strength(int a, int b, int c):
    """Strength 0..64 of three different cards 0..51, in any order.

    Raises:
        ValueError: if they are not three different cards.
    """
    cdef uint64_t hand
    if not (0 <= a < 52 and 0 <= b < 52 and 0 <= c < 52) or a == b or b == c or a == c:
        raise ValueError(f"a hand has three different cards 0..51, not {a}, {b}, {c}")
    hand = <uint64_t>1 << a | <uint64_t>1 << b | <uint64_t>1 << c
    return strength_of(&TABLE, hand)


def meaning(int strength):
    """(category 0..3, value, number of cards that make it) of a strength.

    The value is a point's total, or the rank 0..12 of a sequence's top card or of a tricon.

    Raises:
        ValueError: if the strength is not 0..64.
    """
    if not 0 <= strength < STRENGTHS:
        raise ValueError(f"a strength is 0..{STRENGTHS - 1}, not {strength}")
    return TABLE.category[strength], TABLE.value[strength], TABLE.size[strength]


cdef void strengths_of(const HandTable* t, const uint64_t* hands, uint8_t* out, long n) noexcept nogil:
    cdef long i
    for i in range(n):
        out[i] = <uint8_t>strength_of(t, hands[i])


def evaluate(const uint64_t[::1] hands, uint8_t[::1] out, long rounds=1):
    """Strengths of many hands, given as masks of three cards: the bulk loop.

    Args:
        hands: uint64[n], each with three of the low 52 bits set; not checked.
        out: uint8[n], filled with the strengths.
        rounds: how many times to do it, for timing.

    Raises:
        ValueError: if the lengths differ.
    """
    cdef long _r, n = hands.shape[0]
    cdef const HandTable* t = &TABLE
    cdef const uint64_t* source
    cdef uint8_t* target
    if out.shape[0] != n:
        raise ValueError(f"{n} hands need {n} places, not {out.shape[0]}")
    if n == 0:
        return
    source = &hands[0]
    target = &out[0]
    with nogil:
        for _r in range(rounds):
            strengths_of(t, source, target, n)
