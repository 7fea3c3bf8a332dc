# Regrets and average strategies by key, in parts that may be changed side by side.
#
# Samples read the table as it was at the beginning of a round and write what they learn to logs. Each part of
# the table then takes up its logs in a fixed order, so that neither threads nor their number change a bit.
from libc.stdint cimport int32_t, int64_t, uint64_t

cdef enum:
    PARTS = 8                 # of the table, by the first bits of a key
    MOST_WIDTH = 12

cdef enum What:
    REGRET
    AVERAGE

cdef struct Part:
    uint64_t* keys            # of the entries, by number
    float* numbers            # of each entry: regrets, then the summed strategy
    int32_t* slots            # number of the entry in each slot, -1 if none
    int64_t mask              # slots - 1
    int64_t room
    int32_t used

cdef struct Table:
    Part part[8]
    int width                 # numbers of each kind in an entry
    double trust              # regret of the first move of a new entry

# What was learnt: a key, what kind and how many numbers, the numbers; in words of 8 bytes.
cdef struct Log:
    uint64_t* words
    int64_t used
    int64_t room
    bint failed               # for want of memory

cdef inline int part_of(uint64_t key) noexcept nogil:
    return <int>(key >> 61)

cdef int table_open(Table* t, int width) noexcept nogil
cdef void table_close(Table* t) noexcept nogil
cdef int64_t table_entries(const Table* t) noexcept nogil
cdef int64_t entry_bytes(int width) noexcept nogil
cdef int64_t table_bytes(const Table* t) noexcept nogil
cdef float* table_find(const Table* t, uint64_t key) noexcept nogil
cdef int part_reserve(Table* t, int p, int64_t more) noexcept nogil
cdef float* part_enter(Table* t, int p, uint64_t key) noexcept nogil
cdef void log_note(Log* log, uint64_t key, int what, int count, const double* values,
                   double weight) noexcept nogil
cdef int64_t part_missing(const Table* t, int p, const Log* log) noexcept nogil
cdef void part_take(Table* t, int p, const Log* log, double weight) noexcept nogil
cdef void matched(const float* weights, int count, double* shares) noexcept nogil
