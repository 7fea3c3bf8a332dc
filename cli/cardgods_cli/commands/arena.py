"""Let agents play a match on duplicate deals and tell who is better, and how surely."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.completing import agents, files
from cardgods_cli.options import GameGroup, given, json_option, plain_option, threads_option
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game
    from cardgods_cli.match import Output


def _output_options() -> list[click.Parameter]:
    return [
        threads_option(N_("Games played at once; the result does not depend on it.")),
        click.Option(
            ["--csv", "csv_path"],
            metavar="FILE",
            shell_complete=files,
            help=N_("Write a line for each seat of each game; - for standard output, and then no table."),
        ),
        json_option(),
        plain_option(),
    ]


def _options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--seat", "seats"],
            multiple=True,
            required=True,
            metavar="AGENT[:PARAMETER=VALUE,...]",
            shell_complete=agents,
            help=N_("Who competes, once for each player."),
        ),
        click.Option(
            ["--round-robin"],
            is_flag=True,
            help=N_("Any number of agents; everybody meets everybody, in a game for two."),
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
        click.Option(
            ["--sprt"],
            metavar="LOW,HIGH",
            help=N_(
                "End the match once it is decided whether the first of two agents is better by LOW or by "
                "HIGH Elo points, with an error of 5 % at most."
            ),
        ),
        click.Option(
            ["--log", "log_path"],
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help=N_("Record all games in a new archive; an interrupted match goes on from it."),
        ),
        click.Option(
            ["--overwrite"], is_flag=True, help=N_("Replace the archive that FILE may hold already.")
        ),
        *_output_options(),
    ]


def hold(
    game: Game,
    seats: tuple[str, ...],
    round_robin: bool,
    games: int,
    seed: str | None,
    sprt: str | None,
    log_path: str | None,
    overwrite: bool,
    **output: Any,  # noqa: ANN401
) -> None:
    """Play a match and print what it comes to."""
    from cardgods.agents import seed_from
    from cardgods.arena import Match, plan_match

    show = _output(output)
    plan = plan_match(
        game,
        seats,
        games,
        seed=None if seed is None else seed_from(seed),
        round_robin=round_robin,
        sprt=None if sprt is None else _bounds(sprt),
    )
    with (
        show.watcher() as watcher,
        Match(plan, log=log_path, overwrite=overwrite, watcher=watcher) as match,
    ):
        show.play(match, log_path, _again(plan.seed))


def _bounds(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise click.UsageError(
            _("--sprt takes two numbers, as in --sprt 0,5, and not {text}").format(text=text)
        ) from None
    return low, high


def _output(values: dict[str, Any]) -> Output:
    from cardgods_cli.match import STANDARD_OUTPUT, Output

    output = Output(**values)
    if output.as_json and output.csv_path == STANDARD_OUTPUT:
        raise click.UsageError(_("--json and --csv - cannot both have standard output"))
    return output


def _again(seed: int | str) -> str:
    """The command line that plays the match again in the same file."""
    context = click.get_current_context()
    words = context.command_path.split()
    for option in context.command.params:
        value = context.params[option.name or ""]
        if option.name in ("seed", "overwrite") or not given(context, option.name or ""):
            continue
        if isinstance(option, click.Option) and option.is_flag:
            words.append((option.opts if value else option.secondary_opts)[0])
        else:
            for one in value if option.multiple else (value,):
                words += [option.opts[0], str(one)]
    return shlex.join([*words, "--seed", str(seed), "--overwrite"])


def go_on(resume: str | None, **output: Any) -> None:  # noqa: ANN401
    """Go on with a match from its log; without one, leave it to the command of a game."""
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is not None:
        if any(given(ctx, name) for name in ("resume", *output)):
            raise click.UsageError(_("options stand behind the game"), ctx)
        return
    if resume is None:
        raise click.UsageError(_("there has to be a GAME, or --resume FILE"), ctx)
    from cardgods.arena import Match

    show = _output(output)
    with show.watcher() as watcher, Match.resume(resume, watcher=watcher) as match:
        show.play(match, resume)


command = GameGroup(
    name="arena",
    body=hold,
    example="cardgods arena {game} --seat greedy --seat random --games 1000 --seed 7",
    extra=_options,
    help=N_("Let agents play a match on duplicate deals and tell who is better, and how surely."),
    callback=go_on,
    params=[
        click.Option(
            ["--resume"],
            metavar="FILE",
            shell_complete=files,
            help=N_("Go on with the match that FILE records."),
        ),
        *_output_options(),
    ],
    invoke_without_command=True,
    no_args_is_help=True,
)
