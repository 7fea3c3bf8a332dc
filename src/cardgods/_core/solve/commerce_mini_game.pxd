from libc.stdint cimport int16_t, uint8_t

from cardgods._core.solve.commerce_mini_tables cimport Tables

cdef class MiniGame:
    cdef Tables t
    cdef readonly tuple pack
    cdef readonly int suits
    cdef readonly int cap
    cdef readonly int sets
    cdef readonly long deals           # up to renamed suits
    cdef int16_t* deal                 # [deals][3] places of the hands
    cdef uint8_t* weight               # [deals] how many each stands for

    cdef long list_deals(self, bint keep) noexcept

cdef int renamed_place(const Tables* t, int renaming, int hand) noexcept nogil
