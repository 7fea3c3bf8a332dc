"""Tree algorithms over any game table."""
