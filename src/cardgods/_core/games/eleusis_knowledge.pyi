"""No Python names: see eleusis_knowledge.pxd."""
