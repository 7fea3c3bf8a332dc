"""Analysis of recorded games: what each decision gave up, what chance gave, what is left of the result."""

from cardgods.analysis.engine import analyze
from cardgods.analysis.records import Account, Analysis, Candidate, Decision, Luck

__all__ = ["Account", "Analysis", "Candidate", "Decision", "Luck", "analyze"]
