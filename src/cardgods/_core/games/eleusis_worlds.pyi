"""No Python names: see eleusis_worlds.pxd."""
