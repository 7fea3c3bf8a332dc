"""No Python names: see parts.pxd."""
