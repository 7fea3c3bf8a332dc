"""Commands on rules of Eleusis, found by name."""
