"""The rule language of Eleusis: text, tree, machine, analysis, comparison and a graded library."""

from cardgods.rule.analysis import Analysis, Problem, analyse
from cardgods.rule.comparison import Comparison, compare
from cardgods.rule.hints import HINTS, Hint, true_hints
from cardgods.rule.library import Entry, find_rule, library
from cardgods.rule.rule import STATE_CAP, Rule, parse_rule

__all__ = [
    "HINTS",
    "STATE_CAP",
    "Analysis",
    "Comparison",
    "Entry",
    "Hint",
    "Problem",
    "Rule",
    "analyse",
    "compare",
    "find_rule",
    "library",
    "parse_rule",
    "true_hints",
]
