"""One compiled module per game."""
