"""First games, explained as they go: one module per game with the texts and what they wait for.

A lesson fixes the rules, the seats and the seed of a game; which moves are made is up to the player. It
speaks from what the player may see and from nothing else, as every view does.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardgods.errors import ParameterError
from cardgods_cli.look import columns
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game, State
    from cardgods_cli.look import Look
    from cardgods_cli.render import Shown, View

FIELD = "_lesson"
"""Free field of the header of a game that is explained."""
MOST = 2
"""Points told before one decision; the next ones wait for the next."""
HOW = N_(
    "At each prompt any legal move will do: this is a game, not a script. ? tells more, hint ranks your "
    "moves, undo takes your last one back, quit ends the lesson."
)


@dataclass(frozen=True)
class Scene:
    """Where a player has to decide.

    Attributes:
        now: what he may see.
        player: who he is.
        view: how the game is shown to him.
    """

    now: Shown
    player: int
    view: View

    @property
    def phase(self) -> str:
        """What has to be decided."""
        return str(self.now["phase"])


@dataclass(frozen=True)
class Point:
    """Something of the rules, told once, when it first matters.

    Attributes:
        text: marked for translation.
        when: whether it matters now.
    """

    text: str
    when: Callable[[Scene], bool] = lambda _scene: True


@dataclass(frozen=True)
class Lesson:
    """A game and what is said in it.

    Attributes:
        seats: who plays, as ``--seat`` has it.
        seed: of the deals and the agents.
        welcome: told before the game; marked for translation.
        points: told in this order, each when it matters.
        situation: what is on the table, what can be done and why, before each decision.
        further: what to try next; marked for translation.
        variant: preset of the rules.
        options: rule options that differ from it.
    """

    seats: Sequence[str]
    seed: int
    welcome: Sequence[str]
    points: Sequence[Point]
    situation: Callable[[Scene], list[str]]
    further: Sequence[str]
    variant: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def game(self, name: str) -> Game:
        """The game of the lesson."""
        from cardgods import load_game

        return load_game(name, self.variant, **self.options)


def lesson_for(game: str) -> Lesson:
    """The lesson of a game: ``LESSON`` of the module of its name.

    Raises:
        ParameterError: if it has none.
    """
    module = f"{__name__}.{game}"
    if importlib.util.find_spec(module) is None:
        raise ParameterError(_("there is no lesson for {game}").format(game=game))
    lesson: Lesson = importlib.import_module(module).LESSON
    return lesson


class Tutor:
    """Tells a lesson while its game is played.

    Args:
        lesson: the lesson.
        view: how the game is shown.
        look: what the output can show.
    """

    def __init__(self, lesson: Lesson, view: View, look: Look) -> None:
        self._lesson = lesson
        self._view = view
        self._look = look
        self._due = list(lesson.points)
        self._said: list[str] = []

    def welcome(self) -> None:
        """Before the game."""
        self._say([*map(_, self._lesson.welcome), _(HOW)])

    def explain(self, state: State, player: int) -> None:
        """Before a decision of a player."""
        scene = Scene(state.view(player), player, self._view)
        due = [point for point in self._due if point.when(scene)][:MOST]
        self._due = [point for point in self._due if point not in due]
        self._said = [*(_(point.text) for point in due), *self._lesson.situation(scene)]
        self._say(self._said)

    def repeat(self) -> None:
        """What was said of this decision, once more."""
        self._say(self._said)

    def farewell(self) -> None:
        """After the game."""
        self._say([_("That was your first game. What to try next:"), *map(_, self._lesson.further)])

    def _say(self, texts: Sequence[str]) -> None:
        for text in texts:
            for line in self._folded(text):
                self._look.show(line)

    def _folded(self, text: str) -> list[str]:
        """A text in lines with a mark before each; in one where nothing limits its width."""
        if self._look.plain:
            return [f"* {text}"]
        import textwrap

        width = max(20, self._look.width) - 2
        short = columns(text) <= width
        lines = (
            [text] if short else textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
        )
        return [f"▌ {line}" for line in lines]
