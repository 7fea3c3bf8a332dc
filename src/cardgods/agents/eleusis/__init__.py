"""Agents for Eleusis alone."""
