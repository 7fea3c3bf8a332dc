"""Matrix games and the specialised exact solvers."""
