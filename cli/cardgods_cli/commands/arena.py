"""Let agents play a match on duplicate deals and tell who is better, and how surely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardgods_cli.options import GameGroup, json_option, plain_option, threads_option
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--seat", "seats"],
            multiple=True,
            required=True,
            metavar="AGENT[:PARAMETER=VALUE,...]",
            help=N_("Who competes, once for each player."),
        ),
        click.Option(
            ["--games"],
            type=click.IntRange(min=1),
            default=100,
            show_default=True,
            help=N_("How many games. Each deal is played by every rotation of the seats."),
        ),
        click.Option(
            ["--seed"],
            metavar="TEXT",
            help=N_("Fixes every deal and every random number. Default: a drawn one, which is told."),
        ),
        threads_option(N_("Games played at once; the result does not depend on it.")),
        json_option(),
        plain_option(),
    ]


def hold(
    game: Game,
    seats: tuple[str, ...],
    games: int,
    seed: str | None,
    threads: int,
    as_json: bool,
    plain: bool,
) -> None:
    """Play a match and print what it comes to."""
    import secrets

    from cardgods.agents import seed_from
    from cardgods.arena import run_match
    from cardgods_cli.match import tell
    from cardgods_cli.progress import Progress

    key = secrets.randbelow(1 << 53) if seed is None else seed_from(seed)
    done = 0

    def progress(played: int, total: int) -> None:
        nonlocal done
        done = played
        bar(played, total)

    try:
        with Progress(_("{games} games of {game}").format(games=games, game=game), plain=plain) as bar:
            result = run_match(game, seats, games, seed=key, threads=threads, progress=progress)
    except KeyboardInterrupt as error:
        error.add_note(
            _("{done} of {games} games were played and not recorded (seed {seed})").format(
                done=done, games=games, seed=key
            )
        )
        raise
    tell(result, as_json=as_json, plain=plain)


command = GameGroup(
    name="arena",
    body=hold,
    example="cardgods arena {game} --seat greedy --seat random --games 1000 --seed 7",
    extra=_options,
    help=N_("Let agents play a match on duplicate deals and tell who is better, and how surely."),
)
