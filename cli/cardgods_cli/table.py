"""The table at which a game is played on this screen: what is shown to whom, and when."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardgods_cli.keeping import Kept, path_typed
from cardgods_cli.look import Look
from cardgods_cli.moves import read_move
from cardgods_cli.reader import QuitGame, Reader, ScriptError
from cardgods_cli.render import SPECTATOR, Shown, View
from cardgods_cli.streams import clean
from cardgods_cli.told import told
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods import Random, State
    from cardgods_cli.lessons import Tutor


class Table:
    """Shows a game to the people at one keyboard.

    One person (or none: then a spectator) sees events as they happen. Two or more share the keyboard: the
    screen is wiped whenever it passes from one to another, and each is then told what has happened since his
    last turn.

    Args:
        state: the game's state before it begins.
        view: how the game is shown.
        look: what the output can show.
        people: players that sit at the keyboard.
    """

    def __init__(self, state: State, view: View, look: Look, people: Sequence[int]) -> None:
        self.view = view
        self.look = look
        self.people = list(people)
        self.shared = len(self.people) > 1
        viewers = self.people or [SPECTATOR]
        self._seen: dict[int, Shown] = {viewer: state.view(viewer) for viewer in viewers}
        self._untold = {viewer: view.opening(seen, viewer) for viewer, seen in self._seen.items()}
        self._holder: int | None = None
        self._public: list[str] = []
        self._greeted: set[int] = set()

    def open(self, *public: str) -> None:
        """Begin: show the opening.

        Args:
            public: lines that stand on the screen already. People who share a keyboard are shown them again
                when it first comes to them, for the screen is wiped before that, and what a deal is
                committed to has to be seen by all.
        """
        self._public = list(public)
        if not self.shared:
            self.tell(next(iter(self._seen)))

    def observe(self, state: State, actor: int, action: int) -> None:
        """Tell of an event, now or later; an observer for :func:`cardgods.play.play`."""
        for viewer, before in self._seen.items():
            now = state.view(viewer)
            self._untold[viewer] += self.view.news(before, now, viewer)
            self._seen[viewer] = now
        if not self.shared:
            self.tell(next(iter(self._seen)))

    def take_back(self, state: State, player: int, events: int) -> None:
        """Tell of an undo that led back to a state; `on_undo` of :func:`cardgods.play.play`."""
        for viewer in self._seen:
            self._untold[viewer] += self.view.undone(player, events)
            self._seen[viewer] = state.view(viewer)
        if not self.shared:
            self.tell(next(iter(self._seen)))

    def tell(self, viewer: int) -> None:
        """Show what a viewer has not been told yet."""
        lines, self._untold[viewer] = self._untold[viewer], []
        self.look.show(*lines)

    def sit(self, state: State, player: int, reader: Reader) -> None:
        """Let a player take the keyboard and see his position."""
        if self.shared and self._holder != player:
            if reader.interactive:
                self.look.wipe()
                prompt = _("Pass the keyboard to {name}, who presses Enter:")
                reader.pause(prompt.format(name=self.view.names[player]) + " ")
                self.look.wipe()
                if player not in self._greeted:
                    self.look.show(*self._public)
                    self._greeted.add(player)
            else:
                self.look.show("", f"-- {self.view.names[player]} --")
            self._holder = player
        self.tell(player)
        self.look.show(*self.view.board(state.view(player), player))

    def leave(self, reader: Reader) -> None:
        """After a decision: hide what was typed before another person looks."""
        if self.shared and reader.interactive:
            self.look.wipe()

    def close(self, state: State) -> None:
        """The end: everything is open now."""
        if self.shared:
            longest = max(self._untold, key=lambda viewer: len(self._untold[viewer]))
            self.tell(longest)
        self.look.show(*self.view.board(state.view(), None), self.view.result(state.view(), state.returns()))


ORDERS = {
    word: order
    for order, words in {
        "help": "? help aide",
        "hint": "hint indice",
        "undo": "undo annuler",
        "save": "save sauver enregistrer",
        "save!": "save! sauver! enregistrer!",
        "quit": "quit exit quitter",
    }.items()
    for word in words.split()
}
"""Words at the prompt that are no moves, of all languages, and what they order."""
OF_A_FILE = ("save", "save!")
"""Orders behind which a file may stand."""


def order_in(text: str) -> tuple[str | None, str]:
    """The order that a line at the prompt gives, None if it is none, and the file behind it."""
    word, _, rest = text.partition(" ")
    order = ORDERS.get(word.casefold())
    return (order, rest.strip()) if not rest or order in OF_A_FILE else (None, "")


class HumanAgent:
    """A person at the keyboard, or a script in his place.

    Args:
        table: where he sits.
        reader: where his words come from.
        kept: where the game is kept.
        tutor: explains the game to him; None for who knows it.
    """

    def __init__(self, table: Table, reader: Reader, kept: Kept, tutor: Tutor | None = None) -> None:
        self._table = table
        self._reader = reader
        self._kept = kept
        self._tutor = tutor

    def choose(self, state: State, player: int, rng: Random) -> int:
        """Ask until the answer is a legal move.

        Raises:
            InputEnded: at the end of the input.
            ScriptError: for an illegal move of a script.
            QuitGame: if he asks for it.
            TakeBack: if he wants to decide anew what he decided last.
        """
        from cardgods import ActionTextError

        table = self._table
        table.sit(state, player, self._reader)
        if self._tutor is not None:
            self._tutor.explain(state, player)
        lang = table.look.lang
        words = [state.action_to_string(action, lang) for action in state.legal_actions(player)]
        question = _("{question} ({moves}; ? for help):").format(
            question=table.view.question(state.view(player), player), moves=" ".join(words)
        )
        while True:
            text = self._reader.ask(table.look.wrapped(question) + " ")
            order, file = order_in(text)
            if order in OF_A_FILE:
                self._save(file, overwrite=order == "save!")
            elif order is not None:
                self._obey(order, state, player, words)
            elif text:
                try:
                    action = read_move(state, text, lang)
                except ActionTextError as error:
                    self._refuse(error)
                else:
                    table.leave(self._reader)
                    return action

    def _obey(self, order: str, state: State, player: int, words: Sequence[str]) -> None:
        """Do what a word at the prompt asks for that is no move."""
        if order == "help":
            self._help(state, player, words)
        elif order == "hint":
            self._hint(state, player)
        elif order == "undo":
            self._undo(state, player)
        else:
            raise QuitGame(_("stopped by the player"))

    def _refuse(self, error: Exception) -> None:
        """Say what is wrong with a move; a script ends by it."""
        if self._reader.interactive:
            self._table.look.show(clean(_("Sorry, {problem}.").format(problem=told(str(error)))))
            return
        text = _("line {line} of the input: {problem}")
        raise ScriptError(text.format(line=self._reader.line, problem=told(str(error)))) from None

    def _help(self, state: State, player: int, words: Sequence[str]) -> None:
        table = self._table
        table.look.show(
            *table.view.advice(state.view(player), player),
            _(
                "You may type: {moves}. hint ranks your moves, undo takes your last one back, save FILE "
                "keeps the game in a file, quit stops it."
            ).format(moves=", ".join(words)),
            *table.view.board(state.view(player), player),
        )
        if self._tutor is not None:
            self._tutor.repeat()

    def _undo(self, state: State, player: int) -> None:
        """Go back to the player's last decision, if nobody else at the keyboard would lose one by it."""
        from cardgods.play import TakeBack, since_last_decision

        look, events = self._table.look, since_last_decision(state, player)
        if self._table.shared:
            look.show(_("Nothing can be taken back where several people play."))
        elif not events:
            look.show(_("You have decided nothing yet that could be taken back."))
        else:
            raise TakeBack(events)

    def _save(self, file: str, *, overwrite: bool) -> None:
        """Keep the game in a file from now on, unless it is in one."""
        from cardgods.log import LogWriteError

        look, kept = self._table.look, self._kept
        if kept.path is not None:
            text = _("The game is in {file} already, up to the last move.")
            look.show(text.format(file=clean(kept.path)))
        elif not file:
            look.show(_("Say in which file: {example}").format(example=_("save game.cglog")))
        else:
            path = path_typed(file)
            try:
                kept.save(path, overwrite=overwrite)
            except LogWriteError as error:
                look.show(clean(_("Sorry, {problem}.").format(problem=told(str(error)))))
                if not overwrite and os.path.lexists(path):
                    look.show(_("save! FILE replaces a log."))
            else:
                text = _("The game is in {file} from now on; to go on with it later: {command}")
                look.show(text.format(file=clean(path), command=clean(kept.how_to_go_on())))

    def _hint(self, state: State, player: int) -> None:
        from cardgods.agents._hints import hints

        look = self._table.look
        look.show(_("From what you know, best first:"))
        line = _("  {move}: {worth} ({detail})")
        for hint in hints(state, player):
            move = state.action_to_string(hint.action, look.lang)
            look.show(line.format(move=move, worth=told(hint.worth), detail=told(hint.detail)))
