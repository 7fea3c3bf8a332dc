"""Agents that play Commerce only.

They play for points, not for the win: at the last deal a player behind might do better by taking risks.
"""

THRESHOLD = (-0.5, 0.2)
"""Expected points from which it pays to knock, with three players and for each further one: found by playing
quick players of all thresholds against each other (``QuickPlay.match``) until none did better."""


def threshold_for(players: int) -> float:
    """Expected points of a deal, net of the ante, from which an agent knocks."""
    return THRESHOLD[0] + THRESHOLD[1] * (players - 3)
