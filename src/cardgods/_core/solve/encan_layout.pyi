"""C interface only: planning a level of the Encan sweep."""
