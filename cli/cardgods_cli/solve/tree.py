"""Any small variant of any game by its whole tree: counts, a profile, what each player could still gain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.options import GameGroup, json_option, plain_option, threads_option
from cardgods_cli.told import told
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods.solve.general import TreeSolution
    from cardgods.solve.tree import TreeSize
    from cardgods_cli.look import Look

EXIT_LIMIT = 8
METHODS = ("pcfr+", "cfr+", "dcfr", "cfr", "mccfr", "lp")


def solve_game(
    game: Game,
    method: str,
    gain: float,
    iterations: int,
    histories: int,
    memory: float,
    seed: str,
    count: bool,
    checkpoint: str | None,
    profile: str | None,
    threads: int,
    as_json: bool,
    plain: bool,
) -> None:
    """Count the tree of a game; build it, solve it and print what it comes to."""
    from cardgods.agents import seed_from
    from cardgods.solve.general import share_done, solve
    from cardgods.solve.tree import count_tree
    from cardgods_cli.look import look_for
    from cardgods_cli.progress import Progress

    look = look_for(plain=plain)
    if count:
        _tell_size(game, count_tree(game.new_initial_state(), histories), look, as_json)
        return
    gains: list[float] = []
    with Progress(_("solving {game}").format(game=game), plain=plain) as progress:

        def report(done: int, now: float) -> None:
            gains.append(now)
            progress(int(1000 * share_done(gains[0], now, gain)), 1000)

        solution = solve(
            game,
            method,
            gain,
            iterations,
            histories=histories,
            memory=int(memory * 1e9),
            seed=seed_from(seed),
            threads=threads,
            checkpoint=checkpoint,
            progress=report,
        )
    if profile is not None:
        _write(solution, profile)
    _tell(solution, look, as_json)
    if not solution.reached:
        click.get_current_context().exit(EXIT_LIMIT)


def _write(solution: TreeSolution, path: str) -> None:
    from cardgods_cli.look import json_text

    with click.open_file(path, "w", encoding="utf-8") as file:
        file.writelines(f"{json_text(row)}\n" for row in solution.rows())


def _counts(size: TreeSize) -> dict[str, Any]:
    from dataclasses import asdict

    from cardgods.solve.general import forecast

    return {**asdict(size), "memory": forecast(size)}


def _tell_size(game: Game, size: TreeSize, look: Look, as_json: bool) -> None:
    from cardgods.solve.general import forecast
    from cardgods_cli.look import json_text

    if as_json:
        look.show(json_text({**_head(game), **_counts(size)}))
        return
    look.show(_("{game}: {size}.").format(game=game, size=told(str(size))))
    rows = [
        [seat, f"{size.information_sets[seat]:,}", f"{size.choices[seat]:,}", f"{size.sequences[seat]:,}"]
        for seat in range(len(size.choices))
    ]
    heads = [_("seat"), *(f">{word}" for word in (_("information sets"), _("with a choice"), _("sequences")))]
    look.table(heads, rows)
    text = _("Solving it takes {memory:,.1f} MB at most; paths are {depth} actions long.")
    look.show(text.format(memory=forecast(size) / 1e6, depth=size.depth))


def _head(game: Game) -> dict[str, Any]:
    return {"game": game.name, "variant": game.variant, "options": game.parameters()}


def _tell(solution: TreeSolution, look: Look, as_json: bool) -> None:
    from math import ceil, floor

    from cardgods_cli.look import json_text

    best = solution.best
    if as_json:
        record = {
            **_head(solution.game),
            **_counts(solution.size),
            "method": solution.method,
            "iterations": solution.iterations,
            "values": list(best.values),
            "best_responses": list(best.best),
            "gains": list(best.gains),
            "exploitability": best.exploitability,
            "bounds": solution.bounds,
            "reached": solution.reached,
            "seconds": round(solution.seconds, 6),
            "cpu_seconds": round(solution.cpu_seconds, 6),
        }
        look.show(json_text(record))
        return
    look.show(_("{game}: {size}.").format(game=solution.game, size=told(str(solution.size))))
    rows = [
        [seat, f"{best.values[seat]:+.6f}", f"{best.best[seat]:+.6f}", f"{gain:.2e}"]
        for seat, gain in enumerate(best.gains)
    ]
    title = (
        _("After {number:,} iterations of {method}: returns, and with an exact best response to the others")
        if solution.iterations
        else _("After an exact program: returns, and with an exact best response to the others")
    )
    heads = [_("seat"), f">{_('value')}", f">{_('best response')}", f">{_('gain')}"]
    look.table(heads, rows, title.format(number=solution.iterations, method=solution.method))
    if solution.bounds is not None:
        # rounded outwards, so that the sentence stays true
        low, high = floor(solution.bounds[0] * 1e9) / 1e9, ceil(solution.bounds[1] * 1e9) / 1e9
        text = _("The value of the game to player 0 is between {low:.9f} and {high:.9f}.")
        look.show(text.format(low=low, high=high))
    else:
        look.show(_("For such a game no theorem says that a profile with small gains is unique or safe."))
    if not solution.reached:
        text = _("The wanted gain of {target:g} at most was not reached.")
        look.show(text.format(target=solution.target))
    look.show(_("{seconds:.2f} cpu-seconds.").format(seconds=solution.cpu_seconds))


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--method"],
            type=click.Choice(METHODS),
            default="pcfr+",
            show_default=True,
            help="Regret minimisation of four kinds, by samples (mccfr), or a linear program (lp).",
        ),
        click.Option(
            ["--gain"],
            type=click.FloatRange(0.0),
            default=1e-4,
            show_default=True,
            metavar="G",
            help="Stop when no player could gain more by a deviation.",
        ),
        click.Option(
            ["--iterations"],
            type=click.IntRange(1),
            default=1_000_000,
            show_default=True,
            help="Stop after so many, with exit code 8 if the gain is still larger.",
        ),
        click.Option(["--count"], is_flag=True, help="Count the tree and forecast the memory, no more."),
        click.Option(
            ["--histories"],
            type=click.IntRange(1),
            default=200_000_000,
            show_default=True,
            help="Stop counting at so many.",
        ),
        click.Option(
            ["--memory"],
            type=click.FloatRange(0.0, min_open=True),
            default=4.0,
            show_default=True,
            help="Gigabytes that tree and solver may take.",
        ),
        click.Option(["--seed"], default="0", show_default=True, metavar="TEXT", help="Seed of mccfr."),
        click.Option(
            ["--checkpoint"],
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="Save to this file now and then and on Ctrl-C, and go on from it if it is there.",
        ),
        click.Option(
            ["--profile"],
            type=click.Path(dir_okay=False, allow_dash=True),
            metavar="FILE",
            help="Write the profile: a JSON line for each information set with a choice.",
        ),
        threads_option(),
        json_option(),
        plain_option(),
    ]


command = GameGroup(
    name="tree",
    body=solve_game,
    example="cardgods solve tree {game} --cards 1-4 --target none --no-obole",
    extra=_options,
    help=(
        "Solve a small variant of any game by its whole tree, sealed decisions in turns: count it, refuse "
        "what does not fit, and measure by exact best responses what each player could gain by leaving the "
        "profile that was found."
    ),
)
