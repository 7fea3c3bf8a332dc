from cardgods._core.solve.trones_search cimport Search

cdef class OpenSolver:
    cdef Search search

    cdef void _pass(self) noexcept
    cdef int _place(self, card) except -1
