"""Tables of a small variant of Commerce: hands, strengths, and information sets up to renamed suits."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cardgods._core.bits cimport popcount
from cardgods._core.cards cimport bit
from cardgods._core.commerce_hands cimport HandTable, hand_table, strength_of

from itertools import permutations


cdef Seated seated(int node) noexcept nogil:
    cdef Seated s
    s.level = 0
    if node == TURN1 or node == TURN2 or node == REPLY2 or node == AFTER12 or node == AFTER21:
        s.level = 1
    elif node == AFTER22:
        s.level = 2
    s.seat = 0
    if node == REPLY0 or node == AFTER01 or node == TURN1 or node == AFTER22:
        s.seat = 1
    elif node == AFTER02 or node == REPLY1 or node == AFTER11 or node == TURN2:
        s.seat = 2
    return s


cdef int key_hand(const Tables* t, int level, int key) noexcept nogil:
    """The hand held at a key, as a mask; -1 if the key is of no hand and trades."""
    cdef int card, slot, hand
    if level == 0:
        return t.mask[key]
    card = key % t.cards
    key //= t.cards
    slot = key % 3
    hand = key_hand(t, level - 1, key // 3)
    if hand < 0 or hand >> card & 1:
        return -1
    return hand & ~(1 << card_at(hand, slot)) | 1 << card


cdef int renamed_hand(const Tables* t, int renaming, int hand) noexcept nogil:
    cdef int card, out = 0
    for card in range(t.cards):
        if hand >> card & 1:
            out |= 1 << t.renamed[renaming][card]
    return out


cdef int renamed_key(const Tables* t, int renaming, int level, int key) noexcept nogil:
    cdef int card, slot, before, hand
    if level == 0:
        return t.place[renamed_hand(t, renaming, t.mask[key])]
    card = key % t.cards
    slot = key // t.cards % 3
    before = key // t.cards // 3
    hand = key_hand(t, level - 1, before)
    slot = slot_of(renamed_hand(t, renaming, hand), t.renamed[renaming][card_at(hand, slot)])
    return traded(t, renamed_key(t, renaming, level - 1, before), slot, t.renamed[renaming][card])


cdef int turned_slots(const Tables* t, int renaming, int hand) noexcept nogil:
    cdef int slot, out = 0, image = renamed_hand(t, renaming, hand)
    for slot in range(3):
        out |= slot_of(image, t.renamed[renaming][card_at(hand, slot)]) << (2 * slot)
    return out


cdef void classify(Tables* t, int level, int32_t* least) noexcept nogil:
    # A class is named by its least key; classes are numbered in the order of those.
    cdef int key, renaming, image, hand, best
    t.classes[level] = 0
    for key in range(t.keys[level]):
        t.of[level][key] = -1
        hand = key_hand(t, level, key)
        if hand < 0:
            continue
        least[key] = key
        best = 0
        for renaming in range(t.renamings):
            image = renamed_key(t, renaming, level, key)
            if image < least[key]:
                least[key] = image
                best = renaming
        t.turn[level][key] = <uint8_t>turned_slots(t, best, hand)
        if least[key] == key:
            t.first[level][t.classes[level]] = key
            t.of[level][key] = t.classes[level]
            t.classes[level] += 1
        else:
            t.of[level][key] = t.of[level][least[key]]


cdef void find_alike(Tables* t, int level) noexcept nogil:
    # Renamings that leave the first key of a class as it is may exchange slots of its hand.
    cdef int c, renaming, key, hand, slots, slot, image
    cdef int lead[3]
    for c in range(t.classes[level]):
        key = t.first[level][c]
        hand = key_hand(t, level, key)
        for slot in range(3):
            lead[slot] = slot
        for renaming in range(t.renamings):
            if renamed_key(t, renaming, level, key) == key:
                slots = turned_slots(t, renaming, hand)
                for slot in range(3):
                    image = slots >> (2 * slot) & 3
                    lead[image] = min(lead[image], lead[slot])
        t.alike[level][c] = <uint8_t>(lead[0] | lead[1] << 2 | lead[2] << 4)


cdef void rank_masks(Tables* t, const int* pack) noexcept nogil:
    cdef const HandTable* table = hand_table()
    cdef int mask, card
    cdef uint64_t hand
    t.hands = 0
    for mask in range(MASKS):
        t.place[mask] = -1
        if popcount(mask) != 3 or mask >> t.cards:
            continue
        hand = 0
        for card in range(t.cards):
            if mask >> card & 1:
                hand |= bit(pack[card])
        t.strength[mask] = <uint8_t>strength_of(table, hand)
        t.category[mask] = table.category[t.strength[mask]]
        t.place[mask] = <int16_t>t.hands
        t.mask[t.hands] = <uint16_t>mask
        t.hands += 1


cdef void level_out(double* row, int alike, int actions) noexcept nogil:
    """Give slots that a renaming of the suits exchanges their mean."""
    cdef int base, slot, other, n
    cdef double total
    cdef double mean[3]
    for base in range(CARD, actions, 3):
        for slot in range(3):
            total = 0
            n = 0
            for other in range(3):
                if (alike >> (2 * other) & 3) == (alike >> (2 * slot) & 3):
                    total += row[base + other]
                    n += 1
            mean[slot] = total / n
        for slot in range(3):
            row[base + slot] = mean[slot]


cdef int open_tables(Tables* t, const int* pack, int cards, int suits, int cap) except -1:
    """Fill the tables for a pack of whole suits; memory is given back by close_tables."""
    cdef int level, card, node, ranks = cards // suits
    cdef int32_t* least
    memset(t, 0, sizeof(Tables))
    t.cards = cards
    t.stock = cards - 9
    t.cap = cap
    for order in permutations(range(suits)):
        for card in range(cards):
            t.renamed[t.renamings][card] = <uint8_t>(<int>order[card // ranks] * ranks + card % ranks)
        t.renamings += 1
    rank_masks(t, pack)
    for level in range(LEVELS):
        t.keys[level] = t.hands if level == 0 else t.keys[level - 1] * 3 * cards
        t.of[level] = <int32_t*>calloc(t.keys[level], sizeof(int32_t))
        t.turn[level] = <uint8_t*>calloc(t.keys[level], 1)
        t.alike[level] = <uint8_t*>calloc(t.keys[level], 1)
        t.first[level] = <int32_t*>calloc(t.keys[level], sizeof(int32_t))
        least = <int32_t*>calloc(t.keys[level], sizeof(int32_t))
        if not (t.of[level] and t.turn[level] and t.alike[level] and t.first[level] and least):
            raise MemoryError
        classify(t, level, least)
        find_alike(t, level)
        free(least)
    for node in range(NODES):
        t.start[node + 1] = t.start[node] + t.classes[seated(node).level]
    return 0


cdef void close_tables(Tables* t) noexcept nogil:
    cdef int level
    for level in range(LEVELS):
        free(t.of[level])
        free(t.turn[level])
        free(t.alike[level])
        free(t.first[level])
