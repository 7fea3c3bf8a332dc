"""One command of ``cardgods config`` per file."""
