# 128-bit keys of information states, and the map from keys to dense numbers.
#
# A key is computed event by event along a walk, so that the key of a child costs a few multiplications. Each
# step is a bijection of the key for a given event, so two information states can only share a key by an
# accident of the mixing; users of a map compare what the keys stand for where they hold it.
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t

cdef struct Key:
    uint64_t a
    uint64_t b

cdef struct KeyMap:
    Key* keys             # of the entries, by number
    int32_t* slots        # number of the entry in each slot, -1 if none
    int64_t mask          # slots - 1
    int64_t room          # entries that `keys` has room for
    int32_t used          # entries

cdef inline void key_start(Key* key, int player) noexcept nogil:
    key.a = <uint64_t>0x9E3779B97F4A7C15 * <uint64_t>(player + 1)
    key.b = <uint64_t>0xD1B54A32D192ED03 ^ <uint64_t>player

cdef inline void key_add(Key* key, uint16_t event) noexcept nogil:
    cdef uint64_t a = (key.a ^ (<uint64_t>event + 1)) * <uint64_t>0xFF51AFD7ED558CCD
    cdef uint64_t b
    a ^= a >> 32
    b = (key.b + a) * <uint64_t>0xC4CEB9FE1A85EC53
    b ^= b >> 29
    key.a = a + ((b << 23) | (b >> 41))
    key.b = b

cdef int map_open(KeyMap* map, int64_t expected) noexcept nogil
cdef void map_close(KeyMap* map) noexcept nogil
cdef int32_t map_find(const KeyMap* map, const Key* key) noexcept nogil
cdef int32_t map_add(KeyMap* map, const Key* key) noexcept nogil
cdef int map_reorder(KeyMap* map, const int32_t* place) noexcept nogil
cdef void key_of_bytes(Key* key, int player, const unsigned char* data, int64_t size) noexcept nogil
