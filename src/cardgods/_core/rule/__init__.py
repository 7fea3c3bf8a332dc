"""The Eleusis rule language, compiled."""
