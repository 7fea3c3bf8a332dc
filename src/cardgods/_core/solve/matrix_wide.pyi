"""C interface only: solve_basis and solve_quad, reached through matrix.solve_matrix."""
