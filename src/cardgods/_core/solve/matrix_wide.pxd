# Slow and safe ways to settle a matrix game that double precision leaves with a gap.
from cardgods._core.solve.matrix cimport MatrixGame

cdef bint solve_basis(MatrixGame* g) noexcept nogil
cdef bint solve_quad(MatrixGame* g) noexcept nogil
cdef void round_payoffs(MatrixGame* g) noexcept nogil
