# Two small hash sets for solvers: 64-bit keys to numbers, and interned rows of 32-bit integers.
#
# Both number what they hold 0, 1, 2, ... in the order of arrival, so the numbers do not depend on the
# table's size. A function that allocates returns -1 when memory runs out; the caller raises.
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    # Finaliser of MurmurHash3 (Appleby).
    x ^= x >> 33
    x *= <uint64_t>0xff51afd7ed558ccd
    x ^= x >> 33
    x *= <uint64_t>0xc4ceb9fe1a85ec53
    return x ^ (x >> 33)


cdef struct KeySet:
    uint64_t* keys          # in order of arrival
    int32_t count, room
    int32_t* slots          # number of a key + 1, 0 for an empty slot
    uint64_t mask           # slots - 1, a power of two minus one

cdef inline void keyset_free(KeySet* s) noexcept nogil:
    free(s.keys)
    free(s.slots)
    memset(s, 0, sizeof(KeySet))


cdef inline int keyset_init(KeySet* s, int32_t room) noexcept nogil:
    cdef uint64_t slots = 16
    while slots < 2 * <uint64_t>room:
        slots *= 2
    memset(s, 0, sizeof(KeySet))
    s.keys = <uint64_t*>malloc(room * sizeof(uint64_t))
    s.slots = <int32_t*>calloc(slots, sizeof(int32_t))
    s.room = room
    s.mask = slots - 1
    if s.keys == NULL or s.slots == NULL:
        keyset_free(s)
        return -1
    return 0


cdef inline int32_t keyset_find(const KeySet* s, uint64_t key) noexcept nogil:
    # Number of a key, -1 if absent.
    cdef uint64_t at = mix(key) & s.mask
    while s.slots[at]:
        if s.keys[s.slots[at] - 1] == key:
            return s.slots[at] - 1
        at = (at + 1) & s.mask
    return -1


cdef inline int keyset_grow(KeySet* s) noexcept nogil:
    cdef KeySet bigger
    cdef uint64_t at
    cdef int32_t i
    if keyset_init(&bigger, 2 * s.room) < 0:
        return -1
    for i in range(s.count):
        at = mix(s.keys[i]) & bigger.mask
        while bigger.slots[at]:
            at = (at + 1) & bigger.mask
        bigger.slots[at] = i + 1
    memcpy(bigger.keys, s.keys, s.count * sizeof(uint64_t))
    bigger.count = s.count
    keyset_free(s)
    s[0] = bigger
    return 0


cdef inline int32_t keyset_add(KeySet* s, uint64_t key) noexcept nogil:
    # Number of a key, given now if it is new; -1 when memory runs out.
    cdef uint64_t at = mix(key) & s.mask
    while s.slots[at]:
        if s.keys[s.slots[at] - 1] == key:
            return s.slots[at] - 1
        at = (at + 1) & s.mask
    if s.count == s.room:
        if keyset_grow(s) < 0:
            return -1
        at = mix(key) & s.mask
        while s.slots[at]:
            at = (at + 1) & s.mask
    s.keys[s.count] = key
    s.count += 1
    s.slots[at] = s.count
    return s.count - 1


cdef struct RowSet:
    int32_t* data           # rows of `width` integers, in order of arrival
    int width
    int32_t count, room
    int32_t* slots
    uint64_t mask

cdef inline void rowset_free(RowSet* s) noexcept nogil:
    free(s.data)
    free(s.slots)
    memset(s, 0, sizeof(RowSet))


cdef inline int rowset_init(RowSet* s, int width, int32_t room) noexcept nogil:
    cdef uint64_t slots = 16
    while slots < 2 * <uint64_t>room:
        slots *= 2
    memset(s, 0, sizeof(RowSet))
    s.data = <int32_t*>malloc(<size_t>room * width * sizeof(int32_t))
    s.slots = <int32_t*>calloc(slots, sizeof(int32_t))
    s.width = width
    s.room = room
    s.mask = slots - 1
    if s.data == NULL or s.slots == NULL:
        rowset_free(s)
        return -1
    return 0


cdef inline uint64_t row_hash(const int32_t* row, int width) noexcept nogil:
    cdef uint64_t h = 0x9e3779b97f4a7c15
    cdef int i
    for i in range(width):
        h = (h ^ <uint64_t><unsigned int>row[i]) * <uint64_t>0xff51afd7ed558ccd
        h ^= h >> 32
    return h


cdef inline uint64_t rowset_slot(const RowSet* s, const int32_t* row) noexcept nogil:
    # The slot that holds the row, or the empty one where it belongs.
    cdef uint64_t at = row_hash(row, s.width) & s.mask
    while s.slots[at]:
        if memcmp(&s.data[<int64_t>(s.slots[at] - 1) * s.width], row, s.width * sizeof(int32_t)) == 0:
            break
        at = (at + 1) & s.mask
    return at


cdef inline int rowset_grow(RowSet* s) noexcept nogil:
    cdef RowSet bigger
    cdef int32_t i
    if rowset_init(&bigger, s.width, 2 * s.room) < 0:
        return -1
    memcpy(bigger.data, s.data, <size_t>s.count * s.width * sizeof(int32_t))
    for i in range(s.count):
        bigger.slots[rowset_slot(&bigger, &s.data[<int64_t>i * s.width])] = i + 1
    bigger.count = s.count
    rowset_free(s)
    s[0] = bigger
    return 0


cdef inline int32_t rowset_add(RowSet* s, const int32_t* row) noexcept nogil:
    # Number of a row, given now if it is new; -1 when memory runs out.
    cdef uint64_t at = rowset_slot(s, row)
    if s.slots[at]:
        return s.slots[at] - 1
    if s.count == s.room:
        if rowset_grow(s) < 0:
            return -1
        at = rowset_slot(s, row)
    memcpy(&s.data[<int64_t>s.count * s.width], row, s.width * sizeof(int32_t))
    s.count += 1
    s.slots[at] = s.count
    return s.count - 1
