"""One file per game with odds: ``command`` is ``cardgods odds <game>``."""
