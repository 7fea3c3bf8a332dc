"""Open-addressing map from 128-bit keys to dense numbers 0, 1, 2, ... in the order of their arrival."""

from libc.stdint cimport int32_t, int64_t, uint16_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memset


cdef int map_slots(KeyMap* map, int64_t slots) noexcept nogil:
    cdef int32_t* fresh = <int32_t*>malloc(slots * sizeof(int32_t))
    if fresh == NULL:
        return -1
    free(map.slots)
    map.slots = fresh
    map.mask = slots - 1
    memset(map.slots, 0xFF, slots * sizeof(int32_t))
    return 0


cdef int map_open(KeyMap* map, int64_t expected) noexcept nogil:
    # An empty map with room for `expected` entries, which grows beyond; -1 if there is no memory.
    cdef int64_t slots = 64
    while slots * 5 < expected * 8:
        slots *= 2
    map.keys = NULL
    map.slots = NULL
    map.used = 0
    map.room = expected if expected > 32 else 32
    map.keys = <Key*>malloc(map.room * sizeof(Key))
    if map.keys == NULL:
        return -1
    return map_slots(map, slots)


cdef void map_close(KeyMap* map) noexcept nogil:
    free(map.keys)
    free(map.slots)
    map.keys = NULL
    map.slots = NULL
    map.used = 0


cdef inline int64_t map_place(const KeyMap* map, const Key* key) noexcept nogil:
    # The slot that holds the key, or the free one where it belongs.
    cdef int64_t at = <int64_t>(key.a & <unsigned long long>map.mask)
    cdef const Key* other
    while map.slots[at] >= 0:
        other = &map.keys[map.slots[at]]
        if other.a == key.a and other.b == key.b:
            break
        at = (at + 1) & map.mask
    return at


cdef int32_t map_find(const KeyMap* map, const Key* key) noexcept nogil:
    # The number of a key, -1 if it is not there.
    return map.slots[map_place(map, key)]


cdef void map_fill(KeyMap* map) noexcept nogil:
    cdef int32_t i
    for i in range(map.used):
        map.slots[map_place(map, &map.keys[i])] = i


cdef int32_t map_add(KeyMap* map, const Key* key) noexcept nogil:
    # The number of a key, a new one (the former `used`) if it was not there; -1 if there is no memory.
    cdef int64_t at = map_place(map, key)
    cdef Key* grown
    if map.slots[at] >= 0:
        return map.slots[at]
    if map.used == 0x7FFFFFFF:
        return -1
    if map.used == map.room:
        grown = <Key*>realloc(map.keys, 2 * map.room * sizeof(Key))
        if grown == NULL:
            return -1
        map.keys = grown
        map.room *= 2
    map.keys[map.used] = key[0]
    map.slots[at] = map.used
    map.used += 1
    if 8 * <int64_t>map.used > 5 * (map.mask + 1):
        if map_slots(map, 2 * (map.mask + 1)):
            return -1
        map_fill(map)
    return map.used - 1


cdef int map_reorder(KeyMap* map, const int32_t* place) noexcept nogil:
    # Give entry i the number place[i], a permutation.
    cdef Key* keys = <Key*>malloc((map.used if map.used else 1) * sizeof(Key))
    cdef int32_t i
    if keys == NULL:
        return -1
    for i in range(map.used):
        keys[place[i]] = map.keys[i]
    free(map.keys)
    map.keys = keys
    map.room = map.used if map.used else 1
    memset(map.slots, 0xFF, (map.mask + 1) * sizeof(int32_t))
    map_fill(map)
    return 0


cdef void key_of_bytes(Key* key, int player, const unsigned char* data, int64_t size) noexcept nogil:
    # The key of `State.information_state(player)`: pairs of bytes, low byte first.
    cdef int64_t i
    key_start(key, player)
    for i in range(size // 2):
        key_add(key, <uint16_t>(data[2 * i] | (data[2 * i + 1] << 8)))


def information_key(int player, bytes information_state):
    """The 128-bit key of an information state as bytes, low half first, low byte first."""
    cdef Key key
    key_of_bytes(&key, player, information_state, len(information_state))
    return (<object>key.a | (<object>key.b << 64)).to_bytes(16, "little")
