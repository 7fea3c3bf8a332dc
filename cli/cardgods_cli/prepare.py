"""What a game needs to have settled before it begins: a hook in its view, ``PREPARE``, if it has one."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods_cli.look import Look
    from cardgods_cli.reader import Reader
    from cardgods_cli.seats import Seat


def prepared(
    game: Game, seats: Sequence[Seat], seed: int | str | None, look: Look, reader: Reader
) -> tuple[Game, Sequence[str]]:
    """Settle what a game leaves open: by drawing, or by asking the people at the keyboard.

    Args:
        game: the game as the command line has it.
        seats: who plays.
        seed: of a reproducible game; None for a fresh one.
        look: what the output can show.
        reader: where the words of people come from.

    Returns:
        The game with nothing left open, and lines that everybody is told at the start.
    """
    module = f"cardgods_cli.views.{game.name}"
    hook = None
    if importlib.util.find_spec(module) is not None:
        hook = getattr(importlib.import_module(module), "PREPARE", None)
    if hook is None:
        return game, ()
    ready: tuple[Game, Sequence[str]] = hook(game, seats, seed, look, reader)
    return ready
