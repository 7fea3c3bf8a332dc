"""One command of ``cardgods`` per file; the file's first line is its line in ``cardgods --help``."""
