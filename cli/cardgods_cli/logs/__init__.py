"""One command of ``cardgods log`` per file."""
