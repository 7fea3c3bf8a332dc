"""No Python names: see minimise.pxd."""
