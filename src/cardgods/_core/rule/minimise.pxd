from libc.stdint cimport int32_t

from cardgods._core.rule.machine cimport Moore

cdef int minimise(const Moore* m, int32_t* block) noexcept nogil
