"""Recorded games as pages, pictures and texts."""
