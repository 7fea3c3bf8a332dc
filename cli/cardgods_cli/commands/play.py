"""Play a game against agents or people at the same keyboard.

Without --seat you play first against an agent.
"""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cardgods_cli.options import GameGroup, plain_option

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods.play import Writer
    from cardgods_cli.seats import Seat


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--seat", "seats"],
            multiple=True,
            metavar="human[:NAME]|AGENT[:PARAMETER=VALUE,...]",
            help="Who plays, once per player in order. Default: human, then an agent for each other player.",
        ),
        click.Option(
            ["--seed"], metavar="TEXT", help="Seed of the deals and agents; a fresh one by default."
        ),
        click.Option(
            ["--log", "log_path"],
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Record the game in a new file, each decision before the next is asked for.",
        ),
        click.Option(["--overwrite"], is_flag=True, help="Replace the log that FILE may hold already."),
        plain_option(),
    ]


def play_game(
    game: Game, seats: tuple[str, ...], seed: str | None, log_path: str | None, overwrite: bool, plain: bool
) -> None:
    """Play one game on this screen."""
    from cardgods import Random
    from cardgods.agents import make_agent, seed_from
    from cardgods.play import play
    from cardgods_cli.look import look_for
    from cardgods_cli.reader import QuitGame, Reader
    from cardgods_cli.render import view_for
    from cardgods_cli.seats import seats_for
    from cardgods_cli.table import HumanAgent, Table

    chosen = seats_for(seats, game)
    key = seed_from(seed) if seed is not None else secrets.randbelow(2**32)
    look = look_for(plain=plain)
    state = game.new_initial_state(turn_based=True)
    people = [player for player, seat in enumerate(chosen) if seat.spec is None]
    view = view_for(game, [seat.name for seat in chosen], look, boards=bool(people))
    table = Table(state, view, look, people)
    reader = Reader()
    agents = [HumanAgent(table, reader) if s.spec is None else make_agent(s.spec, game) for s in chosen]
    with _log(log_path, overwrite, game, chosen, key) as writer:
        table.open(f"{game}, seed {key}: {', '.join(view.names)}.")
        try:
            play(state, agents, Random(key), writer, table.observe, [seat.rng for seat in chosen])
        except QuitGame:
            look.show(f"Stopped; {_whereabouts(log_path)}.")
            return
        except BaseException as error:
            if log_path is not None or isinstance(error, KeyboardInterrupt):
                error.add_note(_whereabouts(log_path))
            raise
    table.close(state)
    if table.shared:
        look.show(f"The seed was {key}.")


def _log(
    path: str | None, overwrite: bool, game: Game, seats: Sequence[Seat], seed: int | str
) -> AbstractContextManager[Writer | None]:
    """The log of the game, already on disk with its header; nothing without a path."""
    if path is None:
        return nullcontext()
    from cardgods import log

    entries = [
        log.Seat(seat.name, "human")
        if seat.spec is None
        else log.Seat(seat.name, "agent", str(replace(seat.spec, seed=None)), seat.spec.seed)
        for seat in seats
    ]
    try:
        return log.LogWriter(path, log.make_header(game, entries, seed=seed), overwrite=overwrite)
    except log.LogWriteError as error:
        if os.path.exists(path) and not overwrite:
            error.add_note("--overwrite replaces a log")
        raise


def _whereabouts(path: str | None) -> str:
    if path is None:
        return "the game was not recorded (--log FILE records one)"
    return f"the game so far is in {path}: cardgods replay {shlex.quote(path)}"


command = GameGroup(
    name="play",
    body=play_game,
    example="cardgods play {game} --seat human:Ana --seat greedy --seed 7 --log game.cglog",
    extra=_options,
    help="Play a game against agents or people at the same keyboard.",
)
