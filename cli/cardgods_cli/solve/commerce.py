"""Small Commerce: tree size, a learnt profile, and what each seat could gain against it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.options import game_command, json_option, plain_option, threads_option
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods.solve.commerce_mini import MiniSolution
    from cardgods_cli.look import Look


def solve_game(
    game: Game,
    rounds: int | None,
    seed: str,
    checkpoint: str | None,
    threads: int,
    as_json: bool,
    plain: bool,
) -> None:
    """Learn a profile, measure it, and print what it comes to."""
    from cardgods.agents import seed_from
    from cardgods.games.commerce import CommerceGame
    from cardgods.solve.commerce_mini import ROUNDS, solve_mini
    from cardgods_cli.look import json_text, look_for
    from cardgods_cli.progress import Progress

    assert isinstance(game, CommerceGame)
    with Progress(_("solving {game}").format(game=game), plain=plain) as progress:
        solution = solve_mini(
            game,
            rounds=ROUNDS if rounds is None else rounds,
            seed=seed_from(seed),
            threads=threads,
            checkpoint=None if checkpoint is None else Path(checkpoint),
            progress=progress,
        )
        record = _record(solution)
    look = look_for(plain=plain)
    if as_json:
        look.show(json_text(record))
    else:
        _tell(solution, record, look)


def _record(solution: MiniSolution) -> dict[str, Any]:
    game, size = solution.game, solution.size
    return {
        "game": game.name,
        "variant": game.variant,
        "options": game.parameters(),
        "deals": size.deals,
        "ends": size.ends,
        "information_sets": list(size.information_sets),
        "rounds": solution.rounds,
        "seed": solution.seed,
        "seats": [
            {"seat": d.seat, "value": d.value, "best_response": d.best, "gain": d.gain}
            for d in solution.deviations
        ],
        "largest_gain": solution.largest_gain,
        "first_turn": [
            {"hand": cards, "hands": count, "knock": knock, "buy": buy, "trade": trade}
            for cards, count, knock, buy, trade in _first_turn(solution)
        ],
    }


def _first_turn(solution: MiniSolution) -> list[tuple[str, int, float, float, float]]:
    """Each class of hands at the very first turn: cards, how many, P(knock), P(buy), P(trade)."""
    from cardgods.cards import card_name
    from cardgods.solve.commerce import strength
    from cardgods.solve.commerce_tables import hand_classes

    rows = []
    classes = sorted(hand_classes(solution.game.pack), key=lambda found: (-strength(found[0]), found[0]))
    for hand, count in classes:
        knock, *cards = solution.policy_at(0, hand)
        name = " ".join(card_name(card, ascii=True) for card in hand)
        rows.append((name, count, knock, sum(cards[:3]), sum(cards[3:])))
    return rows


def _tell(solution: MiniSolution, record: dict[str, Any], look: Look) -> None:
    size = solution.size
    sets = ", ".join(f"{count:,}" for count in size.information_sets)
    text = _(
        "{game}: {deals:,} deals, {ends:,} ends of a deal; information sets of first, second and dealer: "
        "{sets}."
    )
    look.show(text.format(game=solution.game, deals=size.deals, ends=size.ends, sets=sets))
    rows = [[d.seat, f"{d.value:+.5f}", f"{d.best:+.5f}", f"{d.gain:.5f}"] for d in solution.deviations]
    title = _("Points under the profile after {rounds} rounds, and with an exact best response")
    heads = [_("seat"), f">{_('value')}", f">{_('best response')}", f">{_('gain')}"]
    look.table(heads, rows, title.format(rounds=solution.rounds))
    text = _("No seat gains more than {gain} points by deviating alone.")
    look.show(text.format(gain=_up(solution.largest_gain)))
    turns = [
        [name, count, *(f"{share:.1%}" if share else "·" for share in shares)]
        for name, count, *shares in _first_turn(solution)
    ]
    moves = [f">{word}" for word in (_("hands"), _("knock"), _("buy"), _("trade"))]
    look.table([_("hand"), *moves], turns, _("The first turn, suits up to renaming"))


def _up(gain: float) -> str:
    """A bound with four decimals, rounded upwards."""
    import math

    return f"{math.ceil(gain * 10_000) / 10_000:.4f}"


command = game_command(
    "commerce",
    body=solve_game,
    help=(
        "Learn a profile for a small variant by regret minimisation and measure, by exact best responses, "
        "what each seat could gain by leaving it alone. With three players that is no claim of optimal play."
    ),
    example="cardgods solve {game} --variant mini",
    extra=[
        click.Option(["--rounds"], type=click.IntRange(1), default=None, help="Passes over all deals. [300]"),
        click.Option(
            ["--seed"], default="0", show_default=True, metavar="TEXT", help="Seed of the learning."
        ),
        click.Option(
            ["--checkpoint"],
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Save to this file now and then and on Ctrl-C, and go on from it if it is there.",
        ),
        threads_option(),
        json_option(),
        plain_option(),
    ],
)
