"""Agents that play La Guerre des Trois Trônes only."""
