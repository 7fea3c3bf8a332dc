"""Regrets and average strategies by key; trones_regrets.pxd tells how they are kept."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset

cdef enum:
    FIRST_ROOM = 128


# The table -------------------------------------------------------------------------------------------------

cdef int64_t entry_bytes(int width) noexcept nogil:
    # Key, numbers, two slots.
    return sizeof(uint64_t) + 2 * width * sizeof(float) + 2 * sizeof(int32_t)


cdef int64_t table_bytes(const Table* t) noexcept nogil:
    cdef int64_t rooms = 0
    cdef int p
    for p in range(PARTS):
        rooms += t.part[p].room
    return rooms * entry_bytes(t.width)


cdef int64_t table_entries(const Table* t) noexcept nogil:
    cdef int64_t used = 0
    cdef int p
    for p in range(PARTS):
        used += t.part[p].used
    return used


cdef int part_grow(Part* x, int width, int64_t room) noexcept nogil:
    cdef void* grown
    cdef int32_t* slots
    cdef int64_t at
    cdef int32_t i
    grown = realloc(x.keys, room * sizeof(uint64_t))
    if grown == NULL:
        return -1
    x.keys = <uint64_t*>grown
    grown = realloc(x.numbers, 2 * width * room * sizeof(float))
    if grown == NULL:
        return -1
    x.numbers = <float*>grown
    slots = <int32_t*>malloc(2 * room * sizeof(int32_t))
    if slots == NULL:
        return -1
    free(x.slots)
    x.slots = slots
    x.room = room
    x.mask = 2 * room - 1
    memset(slots, 0xFF, 2 * room * sizeof(int32_t))
    for i in range(x.used):
        at = <int64_t>(x.keys[i] & <uint64_t>x.mask)
        while slots[at] >= 0:
            at = (at + 1) & x.mask
        slots[at] = i
    return 0


cdef int table_open(Table* t, int width) noexcept nogil:
    cdef int p
    memset(t, 0, sizeof(Table))
    t.width = width
    for p in range(PARTS):
        if part_grow(&t.part[p], width, FIRST_ROOM):
            return -1
    return 0


cdef void table_close(Table* t) noexcept nogil:
    cdef int p
    for p in range(PARTS):
        free(t.part[p].keys)
        free(t.part[p].numbers)
        free(t.part[p].slots)


cdef float* table_find(const Table* t, uint64_t key) noexcept nogil:
    # The numbers of an entry, NULL if there is none.
    cdef const Part* x = &t.part[part_of(key)]
    cdef int64_t at = <int64_t>(key & <uint64_t>x.mask)
    while x.slots[at] >= 0:
        if x.keys[x.slots[at]] == key:
            return x.numbers + <int64_t>x.slots[at] * 2 * t.width
        at = (at + 1) & x.mask
    return NULL


cdef int part_reserve(Table* t, int p, int64_t more) noexcept nogil:
    # Room for so many more entries.
    cdef int64_t room = t.part[p].room
    while t.part[p].used + more > room:
        room *= 2
    return part_grow(&t.part[p], t.width, room) if room > t.part[p].room else 0


cdef float* part_enter(Table* t, int p, uint64_t key) noexcept nogil:
    # The same as table_find with a new entry of zeros where there is none; there must be room.
    cdef Part* x = &t.part[p]
    cdef int64_t at = <int64_t>(key & <uint64_t>x.mask)
    cdef float* numbers
    while x.slots[at] >= 0:
        if x.keys[x.slots[at]] == key:
            return x.numbers + <int64_t>x.slots[at] * 2 * t.width
        at = (at + 1) & x.mask
    x.slots[at] = x.used
    x.keys[x.used] = key
    numbers = x.numbers + <int64_t>x.used * 2 * t.width
    memset(numbers, 0, 2 * t.width * sizeof(float))
    x.used += 1
    return numbers


cdef void matched(const float* weights, int count, double* shares) noexcept nogil:
    # In proportion to the positive ones, uniform without any.
    cdef double total = 0.0
    cdef int i
    for i in range(count):
        shares[i] = weights[i] if weights[i] > 0.0 else 0.0
        total += shares[i]
    for i in range(count):
        shares[i] = shares[i] / total if total > 0.0 else 1.0 / count


# Logs ------------------------------------------------------------------------------------------------------

cdef void log_note(Log* log, uint64_t key, int what, int count, const double* values,
                   double weight) noexcept nogil:
    cdef int words = 2 + (count + 1) // 2
    cdef void* grown
    cdef float* numbers
    cdef int i
    if log.failed:
        return
    if log.used + words > log.room:
        log.room = 2 * log.room + 4096
        grown = realloc(log.words, log.room * sizeof(uint64_t))
        if grown == NULL:
            log.failed = True
            return
        log.words = <uint64_t*>grown
    log.words[log.used] = key
    log.words[log.used + 1] = <uint64_t>(2 * count + what)
    numbers = <float*>(log.words + log.used + 2)
    for i in range(count):
        numbers[i] = <float>(weight * values[i])
    log.used += words


cdef int64_t part_missing(const Table* t, int p, const Log* log) noexcept nogil:
    # Notes of keys that have no entry yet.
    cdef int64_t at = 0, missing = 0
    while at < log.used:
        missing += table_find(t, log.words[at]) == NULL
        at += 2 + (<int64_t>(log.words[at + 1] >> 1) + 1) // 2
    return missing


cdef void part_take(Table* t, int p, const Log* log, double weight) noexcept nogil:
    cdef int64_t at = 0
    cdef int i, count
    cdef const float* values
    cdef float* numbers
    cdef int32_t known
    while at < log.used:
        count = <int>(log.words[at + 1] >> 1)
        known = t.part[p].used
        numbers = part_enter(t, p, log.words[at])
        if t.part[p].used > known:
            numbers[0] = <float>(weight * t.trust)
        if log.words[at + 1] & 1:
            numbers += t.width
        values = <const float*>(log.words + at + 2)
        for i in range(count):
            numbers[i] += values[i]
        at += 2 + (count + 1) // 2
