"""Solvers: typed fronts of the core, one module a game or method."""
