"""C interface only: one hand pattern of the Encan family."""
