"""Agents that play L'Encan d'Hermès only."""
