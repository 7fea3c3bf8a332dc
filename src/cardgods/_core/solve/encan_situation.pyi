"""C interface only: one score situation of the Encan family."""
