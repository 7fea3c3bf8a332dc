"""No Python names: see eleusis_table.pxd."""
