"""Hints for Commerce: mean points of the deal over sampled worlds, net of the ante as odds are told."""

from cardgods._core.state import State
from cardgods.agents._hints import Hint, knowledge_rng
from cardgods.agents.commerce.search import make

WORLDS = 2000
ANTE = 1
"""Paid when the hands are dealt, so no longer part of what the search counts."""


def hints(state: State, player: int) -> list[Hint]:
    """All moves, by what they bring; see :func:`cardgods.agents._hints.hints`."""
    search = make(state.game, worlds=WORLDS)
    found = sorted(search.evaluate(state, knowledge_rng(state, player)), key=lambda move: -move[1])
    return [
        Hint(
            action,
            mean - ANTE,
            f"standard error {error:.2f}, the rest of the deal played on quickly",
            wins=False,
        )
        for action, mean, error in found
    ]
