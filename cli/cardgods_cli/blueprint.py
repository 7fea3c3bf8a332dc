"""A blueprint of Trois Trônes: sampled, kept in a file, measured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.words import _, n_

if TYPE_CHECKING:
    from cardgods.games.trones import TronesGame
    from cardgods.solve.trones_blueprint import BlueprintSolver, Duel

ITERATIONS = 1_000_000
MEMORY = 2.0
DUEL_DEALS = 20_000
EXACT_SETS = 200_000
"""Up to so many information sets a blueprint's best answers take seconds."""


def sampled(
    game: TronesGame,
    iterations: int | None,
    memory: float | None,
    threads: int,
    plain: bool,
    *,
    seed: str | None,
    abstraction: str,
    out: str | None,
    store: bool,
    resume: bool,
) -> tuple[dict[str, Any], str]:
    """Compute a blueprint: a record of it, and the same in words."""
    from cardgods.solve.trones_blueprint import LEAST
    from cardgods.solve.trones_hidden import hidden_size

    path = _target(game, out, store=store, resume=resume)
    solver = _solved(
        game, iterations or ITERATIONS, memory or MEMORY, threads, plain, seed, abstraction, path
    )
    duel = solver.duel(DUEL_DEALS, LEAST)
    bounds = None
    if abstraction == "exact" and hidden_size(game).information_sets <= EXACT_SETS:
        bounds = solver.bounds(threads)
    return _record(solver, duel, bounds, path), _words(solver, duel, bounds, path)


def _target(game: TronesGame, out: str | None, *, store: bool, resume: bool) -> Path | None:
    """Where the table goes; what is wrong with it comes out before the work, not after."""
    from cardgods.solve.trones_blueprint import default_path
    from cardgods_cli.targets import check_target

    if out is not None and store:
        raise click.UsageError(_("--out names a file and --store another: give one"))
    if resume and out is None and not store:
        raise click.UsageError(_("--resume goes on from a file: name it with --out, or give --store"))
    if out is None and not store:
        return None
    path = default_path(game) if out is None else Path(out)
    check_target(path, make=store)
    if path.exists() and not resume:
        raise click.UsageError(
            _("{file} exists: --resume goes on from it, or name another file").format(file=path)
        )
    return path


def _solved(
    game: TronesGame,
    iterations: int,
    memory: float,
    threads: int,
    plain: bool,
    seed: str | None,
    abstraction: str,
    path: Path | None,
) -> BlueprintSolver:
    from cardgods.agents import seed_from
    from cardgods.solve.trones_blueprint import run_blueprint, take_up
    from cardgods_cli.progress import Progress

    with Progress(_("a blueprint of {game}").format(game=game), plain=plain) as progress:
        # Without --resume there is no such file.
        solver = take_up(
            game, path, abstraction=abstraction, seed=seed_from(seed or "0"), memory=int(memory * 1e9)
        )
        needed = min(solver.forecast.memory, int(memory * 1e9))
        progress.say(_("{memory:,.1f} MB of memory at most").format(memory=needed / 1e6))
        try:
            run_blueprint(solver, iterations, path, threads, progress)
        except KeyboardInterrupt as error:
            if path is not None:
                text = _("{count:,} deals are in {file}: --resume goes on from it")
                error.add_note(text.format(count=solver.iterations, file=path))
            raise
    return solver


def _words(solver: BlueprintSolver, duel: Duel, bounds: tuple[float, float] | None, path: Path | None) -> str:
    from math import ceil, floor

    count = len(solver)
    lines = [
        n_(
            "{game}: {iterations:,} deals sampled, {sets:,} information set met.",
            "{game}: {iterations:,} deals sampled, {sets:,} information sets met.",
            count,
        ).format(game=solver.game, iterations=solver.iterations, sets=count),
        _(
            "Measured: against greedy it wins {share:.2%} of {deals:,} deals played twice, {low:.2%} to "
            "{high:.2%} (95 %)."
        ).format(share=duel.share, deals=duel.deals, low=duel.interval[0], high=duel.interval[1]),
    ]
    if bounds is None:
        lines.append(_("Nothing is proved about it."))
    else:
        # rounded outwards, so that the sentence stays true
        low, high = floor(bounds[0] * 1e6) / 1e6, ceil(bounds[1] * 1e6) / 1e6
        text = _(
            "Proved, by exact best answers: it guarantees {low:.6f} as player 0 and {other:.6f} as player 1; "
            "P(player 0 wins) in equilibrium is between {low:.6f} and {high:.6f}."
        )
        lines.append(text.format(low=low, other=1 - high, high=high))
    if path is not None:
        lines.append(_("Stored in {file}.").format(file=path))
    return "\n".join(lines)


def _record(
    solver: BlueprintSolver, duel: Duel, bounds: tuple[float, float] | None, path: Path | None
) -> dict[str, Any]:
    game = solver.game
    return {
        "game": game.name,
        "variant": game.variant,
        "options": game.parameters(),
        "abstraction": solver.abstraction,
        "iterations": solver.iterations,
        "information_sets": len(solver),
        "nodes": solver.nodes,
        "memory": solver.memory,
        "against_greedy": {"share": duel.share, "deals": duel.deals, "interval_95": list(duel.interval)},
        "bounds": None if bounds is None else list(bounds),
        "file": None if path is None else str(path),
    }
