"""Count the action sequences of a game, move by move: a check of its rules and of its speed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from cardgods_cli.options import GameGroup, json_option, plain_option, threads_option
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--depth"],
            type=click.IntRange(min=1),
            default=4,
            show_default=True,
            help="Length of the sequences; chance outcomes count, sealed decisions one by one.",
        ),
        threads_option(N_("Threads.")),
        json_option(),
        plain_option(),
    ]


def count(game: Game, depth: int, threads: int, as_json: bool, plain: bool) -> None:
    """Print the number of sequences behind each first action, their sum and the time."""
    from cardgods.walk import divide
    from cardgods_cli.look import json_text, look_for
    from cardgods_cli.progress import Progress

    state = game.new_initial_state(turn_based=True)
    start = time.perf_counter()
    with Progress(_("perft({depth}) of {game}").format(depth=depth, game=game), plain=plain):
        counts = divide(state, depth, threads)
    seconds = time.perf_counter() - start
    total = sum(counts.values())
    look = look_for(plain=plain)
    if as_json:
        first = {state.action_to_string(action): number for action, number in counts.items()}
        look.show(
            json_text(
                {
                    "game": str(game),
                    "depth": depth,
                    "count": total,
                    "first": first,
                    "seconds": round(seconds, 6),
                }
            )
        )
        return
    rows = [(state.action_to_string(action, look.lang), number) for action, number in counts.items()]
    look.table((_("first"), f">{_('sequences')}"), rows)
    text = _("perft({depth}) of {game}: {total} sequences in {seconds:.3f} s")
    look.show(text.format(depth=depth, game=game, total=total, seconds=seconds))


command = GameGroup(
    name="perft",
    body=count,
    example="cardgods perft {game} --depth 5",
    extra=_options,
    help="Count the action sequences of a game from its start.",
)
