# From a draft to the final order of sequences, information sets and rows.
from libc.stdint cimport int32_t

from cardgods._core.search.draft cimport Draft
from cardgods._core.search.tree cimport Seat

cdef int order_seat(const Draft* d, int player, int32_t offset, Seat* seat, int32_t* place,
                    int32_t* renamed) noexcept nogil
cdef void rename_ends(Draft* d, int player, const int32_t* renamed) noexcept nogil
cdef int gather_rows(const Draft* d, int player, const Seat* seats) noexcept nogil
cdef void seat_close(Seat* seat) noexcept nogil
