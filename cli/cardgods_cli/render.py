"""How positions are shown. A game's own way is ``views/<game>.py`` with a class ``VIEW`` derived from View.

Everything a view prints for a player is made from what ``State.view(player)`` says, before and after an
event, and from nothing else: so it can not tell him what he may not know.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardgods_cli.look import Look
from cardgods_cli.streams import clean
from cardgods_cli.words import _, n_

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods_cli.look import Renderable

Shown = Mapping[str, Any]
"""A position in plain values, as ``State.view`` gives it."""

SPECTATOR = -1
"""The viewer who is no player."""

NAME_WIDTH = 16
"""Columns of a name in a sentence on a terminal."""


class View:
    """Shows the positions of one game; the methods here do for any game.

    Args:
        game: the game played.
        names: names of the players, as they were typed.
        look: what the output can show. In a plain look every renderable has to be a str.
        boards: a board follows whenever there was news, so that news need not say what a board shows.
    """

    def __init__(self, game: Game, names: Sequence[str], look: Look, *, boards: bool = True) -> None:
        self.game = game
        self.boards = boards
        self.look = look
        self.names = [look.fit(clean(name), NAME_WIDTH) for name in names]

    def opening(self, now: Shown, viewer: int | None) -> list[str]:
        """What there is to say of the start of the game, before any event; see :meth:`news`."""
        return []

    def board(self, now: Shown, viewer: int | None) -> list[Renderable]:
        """The position.

        Args:
            now: what the viewer may see.
            viewer: a player; SPECTATOR; None where everything is open.
        """
        lines: list[Renderable] = []
        for key, value in now.items():
            title = key.replace("_", " ")
            if isinstance(value, list) and len(value) == len(self.names) and self.names:
                lines += [
                    f"{title}, {name}: {_words(part)}" for name, part in zip(self.names, value, strict=True)
                ]
            else:
                lines.append(f"{title}: {_words(value)}")
        return lines

    def news(self, before: Shown, now: Shown, viewer: int | None) -> list[str]:
        """What an event brought, in one sentence each; empty if the viewer learns nothing.

        Args:
            before: what the viewer saw before the event.
            now: what he sees after it.
            viewer: as in :meth:`board`.
        """
        if before == now:
            return []
        changed = [key for key in now if before.get(key) != now[key]]
        return ["; ".join(f"{key.replace('_', ' ')}: {_words(now[key])}" for key in changed) + "."]

    def undone(self, player: int, events: int) -> list[str]:
        """What is said when a player took something back.

        Args:
            player: who did so.
            events: how many decisions and chance outcomes are gone.
        """
        text = n_("{name} takes back the last event.", "{name} takes back the last {events} events.", events)
        return [text.format(name=self.names[player], events=events)]

    def question(self, now: Shown, player: int) -> str:
        """What a player is asked, a few words without a question mark."""
        return _("Your move")

    def advice(self, now: Shown, player: int) -> list[str]:
        """Lines for who types ``?``: what the moves do. The legal moves are listed by the caller."""
        return []

    def result(self, now: Shown, returns: Sequence[float]) -> str:
        """One sentence about a game that is over."""
        best = max(returns)
        winners = [name for name, value in zip(self.names, returns, strict=True) if value == best]
        points = ", ".join(f"{name} {value:g}" for name, value in zip(self.names, returns, strict=True))
        text = n_("{names} wins ({points}).", "{names} win ({points}).", len(winners))
        return text.format(names=together(winners), points=points)


def view_for(game: Game, names: Sequence[str], look: Look, *, boards: bool = True) -> View:
    """The view of a game: its own if it has one."""
    module = f"cardgods_cli.views.{game.name}"
    if importlib.util.find_spec(module) is None:
        return View(game, names, look, boards=boards)
    own: type[View] = importlib.import_module(module).VIEW
    return own(game, names, look, boards=boards)


def together(names: Sequence[str]) -> str:
    """Names in a sentence: ``Ana and Bea``."""
    return _(" and ").join(names)


def _words(value: object) -> str:
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return " ".join(_words(item) for item in value) or _("none")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(item)}" for key, item in value.items()) or _("none")
    return clean(str(value))
