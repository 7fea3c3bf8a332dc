"""Moves as people type them: in the language in force, or in another where that can mean nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgods.cards import readings
from cardgods.errors import ActionTextError
from cardgods_cli.words import LANGUAGES

if TYPE_CHECKING:
    from cardgods import State
    from cardgods.types import Language


def read_move(state: State, text: str, lang: Language) -> int:
    """The legal action that a text names.

    Args:
        state: where somebody acts.
        text: what he typed.
        lang: language in force. A text that means something in it, if only a card that he has not, is never
            taken for one of another language.

    Raises:
        ActionTextError: if it names none or more than one.
    """
    try:
        return state.string_to_action(text, lang)
    except ActionTextError:
        for other in LANGUAGES:
            if other != lang and not _is_another_card(text, lang, other):
                try:
                    return state.string_to_action(text, other)
                except ActionTextError:
                    pass
        raise


def _is_another_card(text: str, lang: Language, other: Language) -> bool:
    """Whether a text, or all of it but its last word, is a card in one language and not that in the other."""
    parts = (text, text.rpartition(" ")[0])
    return any(readings(part, lang) not in ([], readings(part, other)) for part in parts)
