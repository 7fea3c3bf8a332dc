"""The Auction of Hermes and the Goofspiel family: value, value per first treasure, first-turn strategies."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.options import game_command, json_option, plain_option, threads_option
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods.games.encan import EncanGame
    from cardgods.solve.encan import EncanSolution, EncanStrategy
    from cardgods.solve.encan_proof import EncanGuarantees
    from cardgods_cli.look import Look

TOLD_GAMES = 10_000_000
"""From so many matrix games on, the work is announced."""
WIDE_TABLE = 7
"""Up to so many cards, probabilities have a decimal on 80 columns."""


def solve_game(
    game: Game,
    threads: int,
    executor: str,
    resume: str | None,
    out: str | None,
    store: bool,
    certify: bool,
    as_json: bool,
    plain: bool,
) -> None:
    """Solve a game and print what it comes to."""
    from cardgods.games.encan import EncanGame
    from cardgods.solve.encan import default_path
    from cardgods_cli.look import json_text, look_for
    from cardgods_cli.targets import check_target

    assert isinstance(game, EncanGame)
    targets = [Path(out)] if out is not None else []
    if store:
        targets.append(default_path(game))
    for path in targets:
        check_target(path, make=store)
    solution = _solved(game, threads, executor, resume, plain)
    for path in targets:
        solution.save(path)
    proof = _proved(game, threads, resume, plain) if certify else None
    first = _first_turn(solution)
    look = look_for(plain=plain)
    if as_json:
        record = _record(solution, first)
        look.show(json_text(record if proof is None else record | {"guarantees": asdict(proof)}))
        return
    _tell(solution, first, look)
    if proof is not None:
        text = _(
            "Against the best replies over the whole tree player 0's strategy brings {lower:z.15f}, player "
            "1's lets him have {upper:z.15f}: {gap:.1e} apart ({games} matrix games)"
        )
        look.show(text.format(lower=proof.lower, upper=proof.upper, gap=proof.gap, games=proof.matrix_games))


def _solved(game: EncanGame, threads: int, executor: str, resume: str | None, plain: bool) -> EncanSolution:
    from cardgods.solve.encan import plan, solve
    from cardgods_cli.progress import Progress

    with Progress(_("solving {game}").format(game=game), plain=plain) as progress:
        work = plan(game)
        if work.matrix_games >= TOLD_GAMES:
            needed = work.bytes_needed if resume is None else work.bytes_with_files
            text = _("{games:,} matrix games to solve, {memory:.1f} GB of memory at most")
            progress.say(text.format(games=work.matrix_games, memory=needed / 1e9))
        return solve(work, progress=progress, threads=threads, folder=resume, executor=executor)


def _proved(game: EncanGame, threads: int, resume: str | None, plain: bool) -> EncanGuarantees:
    from cardgods.solve.encan_proof import guarantees
    from cardgods_cli.progress import Progress

    folder = None if resume is None else Path(resume) / "guarantees"
    with Progress(_("best replies in {game}").format(game=game), plain=plain) as progress:
        return guarantees(game, progress=progress, threads=threads, folder=folder)


def _first_turn(solution: EncanSolution) -> dict[int, EncanStrategy]:
    """Optimal bids for each first treasure."""
    cards = solution.game.options.cards
    found = {}
    for value in solution.by_first_treasure:
        state = solution.game.new_initial_state()
        if state.is_chance_node():
            state.apply_action(cards.index(value))
        found[value] = solution.strategy(state)
    return found


def _record(solution: EncanSolution, first: dict[int, EncanStrategy]) -> dict[str, Any]:
    strategies = {
        str(treasure): [{str(card): p for card, p in side.items()} for side in strategy.bids or ()]
        for treasure, strategy in first.items()
    }
    return {
        "game": solution.game.name,
        "variant": solution.game.variant,
        "options": solution.game.parameters(),
        "value": solution.value,
        "by_first_treasure": {str(card): value for card, value in solution.by_first_treasure.items()},
        "first_turn": strategies,
        "matrix_games": solution.matrix_games,
        "saddle_points": solution.saddle_points,
        "states": solution.states,
        "error_bound": solution.certificate.error_bound,
        "seconds": round(solution.seconds, 6),
        "cpu_seconds": round(solution.cpu_seconds, 6),
    }


def _tell(solution: EncanSolution, first: dict[int, EncanStrategy], look: Look) -> None:
    game = solution.game
    win = game.options.payoff == "win"
    text = _("{game}: expected score of player 0 less that of player 1 = {value:z.12f}")
    if win and game.options.tie_break == "draw":
        text = _("{game}: P(player 0 wins, draws counting half) = {value:z.12f}")
    elif win:
        text = _("{game}: P(player 0 wins) = {value:z.12f}")
    look.show(text.format(game=game, value=solution.value))
    cards = game.options.cards
    digits = 1 if len(cards) <= WIDE_TABLE or not look.width else 0
    rows = []
    for treasure, strategy in first.items():
        for player, side in enumerate(strategy.bids or ()):
            lead = ["", ""]
            if player == 0:
                lead = [game.card_name(treasure, look.lang), f"{solution.by_first_treasure[treasure]:z.6f}"]
            rows.append([*lead, player, *(_percent(side[card], digits) for card in cards)])
    names = [f">{game.card_name(card, look.lang)}" for card in cards]
    heads = [f">{word}" for word in (_("lot"), _("value"), _("player"))]
    look.table([*heads, *names], rows, _("First turn: value and probability of each bid in %"))
    text = _(
        "{games} matrix games ({saddles} with a saddle point), {states} states, {seconds:.3f} s; the value "
        "is exact to {bound:.1e}"
    )
    look.show(
        text.format(
            games=solution.matrix_games,
            saddles=solution.saddle_points,
            states=solution.states,
            seconds=solution.seconds,
            bound=solution.certificate.error_bound,
        )
    )


def _percent(share: float, digits: int) -> str:
    return "·" if share < 1e-9 else f"{100 * share:.{digits}f}"


command = game_command(
    "encan",
    body=solve_game,
    help="Solve a member of the family exactly, with both players' strategies.",
    example="cardgods solve {game} --cards 2-6 --target 20",
    extra=[
        threads_option(N_("Threads, or processes.")),
        click.Option(
            ["--executor"],
            default="threads",
            show_default=True,
            metavar="NAME",
            help="Who works: threads, processes, or a Dask cluster as dask:tcp://HOST:PORT.",
        ),
        click.Option(
            ["--resume"],
            type=click.Path(file_okay=False),
            metavar="FOLDER",
            help="Keep finished levels in this folder, and go on from those that are there.",
        ),
        click.Option(
            ["--out"],
            type=click.Path(),
            metavar="FILE",
            help="Store the solution, for exact:file=FILE and from Python.",
        ),
        click.Option(
            ["--store"],
            is_flag=True,
            help="Store it where `--seat exact` and `hint` look: $CARDGODS_SOLUTIONS or your data folder.",
        ),
        click.Option(
            ["--certify"],
            is_flag=True,
            help="Prove the value: what each player's strategy brings against the best replies over the "
            "whole tree, in two more passes.",
        ),
        json_option(),
        plain_option(),
    ],
)
