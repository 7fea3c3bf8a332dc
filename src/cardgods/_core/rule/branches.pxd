from cardgods._core.rule.hypotheses cimport Search

cdef void branching_forms(Search* s) noexcept nogil
