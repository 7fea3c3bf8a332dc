"""Play a game against agents or people at the same keyboard.

Without --seat you play first against an agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardgods_cli.completing import files, seats
from cardgods_cli.options import GameGroup, given, plain_option
from cardgods_cli.words import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgods import Game
    from cardgods_cli.reader import Reader
    from cardgods_cli.seats import Seat
    from cardgods_cli.session import Session


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--seat", "seats"],
            multiple=True,
            metavar="human[:NAME]|AGENT[:PARAMETER=VALUE,...]",
            shell_complete=seats,
            help="Who plays, once per player in order. Default: human, then an agent for each other player.",
        ),
        click.Option(
            ["--seed"],
            metavar="TEXT",
            help="Seed of the deals and agents, for a game that can be played again. Default: a fresh deal "
            "that the program commits to beforehand.",
        ),
        click.Option(["--cut"], is_flag=True, help="Let each person cut the fresh deal with a word."),
        click.Option(
            ["--log", "log_path"],
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Record the game in a new file, each decision before the next is asked for.",
        ),
        click.Option(
            ["--learn"],
            is_flag=True,
            help="A first game, explained as it goes; its rules, seats and cards are settled.",
        ),
        click.Option(["--overwrite"], is_flag=True, help="Replace the log that FILE may hold already."),
        plain_option(),
    ]


def play_game(
    game: Game,
    seats: tuple[str, ...],
    seed: str | None,
    cut: bool,
    log_path: str | None,
    learn: bool,
    overwrite: bool,
    plain: bool,
) -> None:
    """Play one game on this screen."""
    if learn:
        _learn(game.name, log_path, overwrite, plain)
        return
    from cardgods.agents import seed_from
    from cardgods_cli.look import look_for
    from cardgods_cli.prepare import prepared
    from cardgods_cli.reader import Reader
    from cardgods_cli.session import new_session

    key = None if seed is None else seed_from(seed)
    chosen = _seats(seats, game)
    reader = Reader()
    game, told = prepared(game, chosen, key, look_for(plain=plain), reader)
    session = new_session(game, chosen, seed=key, cut=cut, path=log_path, overwrite=overwrite, told=told)
    _run(session, plain, reader)


def _learn(name: str, log_path: str | None, overwrite: bool, plain: bool) -> None:
    """Play the first game of somebody who does not know the rules."""
    from cardgods_cli.lessons import FIELD, lesson_for
    from cardgods_cli.reader import Reader
    from cardgods_cli.seats import seats_for
    from cardgods_cli.session import new_session

    context = click.get_current_context()
    for option in context.command.params:
        if option.name not in ("learn", "log_path", "overwrite", "plain") and given(
            context, option.name or ""
        ):
            text = _("--learn settles the game, so that {option} has no place beside it")
            raise click.UsageError(text.format(option=option.opts[0]), context)
    lesson = lesson_for(name)
    game = lesson.game(name)
    seats = seats_for(lesson.seats, game)
    free = {FIELD: True}
    session = new_session(game, seats, seed=lesson.seed, path=log_path, overwrite=overwrite, free=free)
    _run(session, plain, Reader())


def _seats(texts: Sequence[str], game: Game) -> list[Seat]:
    """Who plays: who the command line names, else who the settings do."""
    from cardgods.errors import ParameterError
    from cardgods_cli import settings
    from cardgods_cli.seats import seats_for

    if texts:
        return seats_for(texts, game)
    try:
        return seats_for(settings.seats(game.name), game)
    except ParameterError as error:
        error.add_note(_("these are the seats in {file}").format(file=settings.file().path))
        raise


@click.pass_context
def go_on(ctx: click.Context, resume: str | None, plain: bool) -> None:
    """Go on with a recorded game on this screen; without one, leave it to the command of a game."""
    if ctx.invoked_subcommand is not None:
        if given(ctx, "resume") or given(ctx, "plain"):
            raise click.UsageError(_("options stand behind the game; --resume FILE takes none"), ctx)
        return
    if resume is None:
        raise click.UsageError(_("there has to be a GAME, or --resume FILE"), ctx)
    from cardgods_cli.reader import Reader
    from cardgods_cli.session import resumed_session
    from cardgods_cli.streams import clean

    session = resumed_session(resume)
    aside = getattr(session.kept.recorder, "aside", None)
    notes = [_("Going on with {file}.").format(file=clean(resume))]
    if aside:
        notes.append(_("A record whose writing was cut short is now in {file}.").format(file=clean(aside)))
    _run(session, plain, Reader(), *notes)


def _run(session: Session, plain: bool, reader: Reader, *notes: str) -> None:
    """Play a game to its end, or to where somebody stops it."""
    from cardgods.agents import make_agent
    from cardgods.play import play
    from cardgods_cli.lessons import FIELD, Tutor, lesson_for
    from cardgods_cli.look import look_for
    from cardgods_cli.reader import QuitGame
    from cardgods_cli.render import view_for
    from cardgods_cli.session import (
        ask_for_cuts,
        deal_lines,
        fast_forward,
        opening_line,
        reveal_lines,
        told_lines,
    )
    from cardgods_cli.table import HumanAgent, Table

    state, seats = session.state, session.seats
    if given(click.get_current_context(), "plain"):
        session.kept.again = [*session.kept.again, "--plain" if plain else "--no-plain"]
    look = look_for(plain=plain)
    people = [player for player, seat in enumerate(seats) if seat.spec is None]
    view = view_for(state.game, [seat.name for seat in seats], look, boards=bool(people))
    tutor = Tutor(lesson_for(state.game.name), view, look) if FIELD in session.header.free else None
    table = Table(state.game.new_initial_state(turn_based=True), view, look, people)
    with session.kept as kept:
        try:
            agents = [
                HumanAgent(table, reader, kept, tutor)
                if seat.spec is None
                else make_agent(seat.spec, state.game)
                for seat in seats
            ]
            public = [opening_line(session.header, state.game, view), *deal_lines(session.header)]
            public += told_lines(session.header)
            look.show(*notes, *public)
            if tutor is not None:
                tutor.welcome()
            ask_for_cuts(session, view.names, look, reader)
            table.open(*public)
            fast_forward(session, table)
            rngs = [seat.rng for seat in seats]
            play(state, agents, session.rng, kept, table.observe, rngs, table.take_back)
        except QuitGame:
            look.show(_("Stopped; {whereabouts}").format(whereabouts=kept.whereabouts()))
            return
        except BaseException as error:
            if kept.path is not None or isinstance(error, KeyboardInterrupt):
                error.add_note(kept.whereabouts())
            raise
    table.close(state)
    if table.shared and session.header.seed is not None:
        look.show(_("The seed was {seed}.").format(seed=session.header.seed))
    look.show(*reveal_lines(session))
    if tutor is not None:
        tutor.farewell()


command = GameGroup(
    name="play",
    body=play_game,
    example="cardgods play {game} --seat human:Ana --seat greedy --seed 7 --log game.cglog",
    extra=_options,
    help="Play a game against agents or people at the same keyboard, or go on with one (--resume FILE).\n\n"
    "At the prompt you type a move, ? for help, hint, undo, save FILE or quit.",
    callback=go_on,
    params=[
        click.Option(
            ["--resume"],
            metavar="FILE",
            shell_complete=files,
            help="Go on with the game in FILE, as it would have.",
        ),
        plain_option(),
    ],
    invoke_without_command=True,
    no_args_is_help=True,
)
