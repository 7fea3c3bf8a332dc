"""No Python names: see eleusis_round.pxd."""
