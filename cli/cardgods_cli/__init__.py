"""The command line of cardgods; it holds no rules."""
