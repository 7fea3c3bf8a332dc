"""No Python names: see eleusis_moves.pxd."""
