"""One file per game that can be solved: ``command`` is ``cardgods solve <game>``."""
