"""The War of the Three Thrones: a deal with all cards open, many for statistics, or small hidden games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.options import game_command, json_option, plain_option, threads_option
from cardgods_cli.told import told
from cardgods_cli.words import N_, _

if TYPE_CHECKING:
    from cardgods import Game, State
    from cardgods.games.trones import TronesGame
    from cardgods.solve.trones import OpenPosition, OpenSolution, OpenStatistics
    from cardgods.solve.trones_hidden import HiddenSolution
    from cardgods_cli.look import Look

NAMES = (N_("player 0"), N_("player 1"))
EXIT_LIMIT = 8
HIDDEN_ITERATIONS = 100_000
HIDDEN_MEMORY = 4.0


def solve_game(
    game: Game,
    deal: str | None,
    seed: str | None,
    from_log: str | None,
    spoil: bool,
    deals: int | None,
    hidden: bool,
    gap: float,
    iterations: int | None,
    memory: float | None,
    checkpoint: str | None,
    blueprint: bool,
    abstraction: str,
    out: str | None,
    store: bool,
    resume: bool,
    threads: int,
    as_json: bool,
    plain: bool,
) -> None:
    """Solve what the options name and print it."""
    from cardgods.games.trones import TronesGame
    from cardgods_cli.look import json_text, look_for

    assert isinstance(game, TronesGame)
    _check(deal, seed, from_log, deals, hidden, blueprint)
    look = look_for(plain=plain)
    if blueprint:
        from cardgods_cli.blueprint import sampled

        record, words = sampled(
            game,
            iterations,
            memory,
            threads,
            plain,
            seed=seed,
            abstraction=abstraction,
            out=out,
            store=store,
            resume=resume,
        )
        look.show(json_text(record) if as_json else words)
        return
    if hidden:
        limits = iterations or HIDDEN_ITERATIONS, memory or HIDDEN_MEMORY
        bounded = _hidden(game, gap, *limits, checkpoint, threads, plain)
        look.show(json_text(_hidden_record(bounded)) if as_json else _hidden_words(bounded))
        if not bounded.reached:
            click.get_current_context().exit(EXIT_LIMIT)
        return
    if deals is not None:
        found = _many(game, deals, seed, threads, plain)
        look.show(json_text(_statistics(game, found)) if as_json else _words(game, found))
        return
    from cardgods.solve.trones import solve_deal

    state, position = _position(game, deal, seed, from_log, look.lang, spoil=spoil)
    solution = solve_deal(position)
    if as_json:
        look.show(json_text(_record(state, position, solution)))
    else:
        _tell(state, position, solution, look)


def _check(
    deal: str | None,
    seed: str | None,
    from_log: str | None,
    deals: int | None,
    hidden: bool,
    blueprint: bool,
) -> None:
    """Exactly one source of the deal, or none with hidden hands."""
    seeded = seed is not None and not blueprint
    sources = [deal is not None, from_log is not None, deals is not None or seeded, hidden, blueprint]
    if sum(sources) != 1:
        raise click.UsageError(
            _(
                "name one deal: --seed TEXT, --deal FILE or --from LOG@EVENT; or many: --deals N with --seed "
                "TEXT; or --hidden; or --blueprint"
            )
        )


def _hidden(
    game: TronesGame,
    gap: float,
    iterations: int,
    memory: float,
    checkpoint: str | None,
    threads: int,
    plain: bool,
) -> HiddenSolution:
    from cardgods.solve.general import share_done
    from cardgods.solve.trones_hidden import solve_hidden
    from cardgods_cli.progress import Progress

    gaps: list[float] = []
    with Progress(_("solving {game}").format(game=game), plain=plain) as progress:

        def report(done: int, now: float) -> None:
            gaps.append(now)
            progress(int(1000 * share_done(gaps[0], now, gap)), 1000)

        return solve_hidden(
            game,
            gap,
            iterations,
            memory=int(memory * 1e9),
            threads=threads,
            checkpoint=checkpoint,
            progress=report,
        )


def _hidden_words(solution: HiddenSolution) -> str:
    from math import ceil, floor

    # rounded outwards, so that the sentence stays true
    low, high = floor(solution.bounds[0] * 1e8) / 1e8, ceil(solution.bounds[1] * 1e8) / 1e8
    text = _(
        "{game}, hidden hands: P(player 0 wins) in equilibrium is between {low:.8f} and {high:.8f} (exact "
        "best answers to the strategies found); {size}; {iterations} iterations, {seconds:.1f} cpu-seconds"
    )
    line = text.format(
        game=solution.solver.game,
        low=low,
        high=high,
        size=told(str(solution.solver.size)),
        iterations=solution.solver.iterations,
        seconds=solution.cpu_seconds,
    )
    if solution.reached:
        return line
    missed = _("{line}; the wanted gap of {target:g} was not reached")
    return missed.format(line=line, target=solution.target)


def _hidden_record(solution: HiddenSolution) -> dict[str, Any]:
    from dataclasses import asdict

    game = solution.solver.game
    return {
        "game": game.name,
        "variant": game.variant,
        "options": game.parameters(),
        **asdict(solution.solver.size),
        "bounds": list(solution.bounds),
        "gap": solution.gap,
        "reached": solution.reached,
        "iterations": solution.solver.iterations,
        "seconds": round(solution.seconds, 6),
        "cpu_seconds": round(solution.cpu_seconds, 6),
    }


def _many(game: TronesGame, deals: int, seed: str | None, threads: int, plain: bool) -> OpenStatistics:
    from cardgods.agents import seed_from
    from cardgods.solve.trones import solve_deals
    from cardgods_cli.progress import Progress

    with Progress(
        _("solving {deals} deals of {game}").format(deals=deals, game=game), plain=plain
    ) as progress:
        return solve_deals(game, deals, seed_from(seed or "0"), threads, progress)


def _position(
    game: TronesGame, deal: str | None, seed: str | None, from_log: str | None, lang: str, *, spoil: bool
) -> tuple[State, OpenPosition]:
    from cardgods.agents import seed_from
    from cardgods.cards import card_name
    from cardgods.solve.trones import deck_from_seed
    from cardgods.solve.trones_deal import read_deal

    if from_log is not None:
        return _logged(game, from_log, spoil=spoil)
    if deal is not None:
        return read_deal(game, _text(deal), lang)
    assert seed is not None
    deck = deck_from_seed(game, seed_from(seed))
    return read_deal(game, " ".join(card_name(card) for card in deck))


def _text(path: str) -> str:
    from cardgods.errors import CardTextError, ParameterError
    from cardgods_cli.streams import clean

    try:
        with click.open_file(path, encoding="utf-8") as file:
            text: str = file.read(1 << 20)
    except OSError as error:
        problem = _("{file} cannot be read: {reason}")
        raise ParameterError(problem.format(file=clean(path), reason=told(error.strerror or ""))) from None
    except UnicodeDecodeError:
        raise CardTextError(_("{file} is no text in UTF-8").format(file=clean(path))) from None
    return text


def _logged(game: TronesGame, place: str, *, spoil: bool) -> tuple[State, OpenPosition]:
    """The position LOG@EVENT."""
    from cardgods.errors import ParameterError
    from cardgods.log import TornTailError, read_log
    from cardgods.options import int_from
    from cardgods.solve.trones_deal import position_in_log
    from cardgods_cli.logfile import may_be_shown
    from cardgods_cli.streams import clean

    path, at, number = place.rpartition("@")
    try:
        event = int_from(number) if at else None
    except ValueError:
        text = _("--from {place}: an event is a whole number, as in game.cglog@12")
        raise ParameterError(text.format(place=clean(place))) from None
    try:
        log = read_log(path if at else place)
    except TornTailError as error:
        if error.log is None:
            raise
        log = error.log
    may_be_shown(log, _("all hands and the pile"), spoil=spoil)
    state, position = position_in_log(log, event)
    if game not in (state.game, type(game)(next(iter(game.presets.values())))):
        text = _("the log records {recorded}, the options name {game}: leave them out")
        raise ParameterError(text.format(recorded=state.game, game=game))
    return state, position


# Output ---------------------------------------------------------------------------------------------------


def _words(game: TronesGame, found: OpenStatistics) -> str:
    low, high = found.interval
    text = _(
        "{game}: with all cards open player 0 wins {wins:,} of {deals:,} deals: P = {share:.4f}, between "
        "{low:.4f} and {high:.4f} (95 %); {nodes:,} positions, {seconds:.3f} s"
    )
    return text.format(
        game=game,
        wins=found.first_wins,
        deals=found.deals,
        share=found.share,
        low=low,
        high=high,
        nodes=found.nodes,
        seconds=found.seconds,
    )


def _statistics(game: TronesGame, found: OpenStatistics) -> dict[str, Any]:
    return {
        "game": game.name,
        "variant": game.variant,
        "options": game.parameters(),
        "deals": found.deals,
        "first_wins": found.first_wins,
        "share": found.share,
        "interval_95": list(found.interval),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
    }


def _record(state: State, position: OpenPosition, solution: OpenSolution) -> dict[str, Any]:
    from cardgods.cards import card_name

    def names(cards: tuple[int, ...]) -> list[str]:
        return [card_name(card) for card in cards]

    game = state.game
    return {
        "game": game.name,
        "variant": game.variant,
        "options": game.parameters(),
        "hands": [names(hand) for hand in position.hands],
        "pile": names(position.pile),
        "laid": [[names(front) for front in side] for side in position.laid],
        **solution.as_dict(),
    }


def _tell(state: State, position: OpenPosition, solution: OpenSolution, look: Look) -> None:
    from cardgods.cards import card_name
    from cardgods.solve.trones import move_text
    from cardgods_cli.render import view_for

    names = [_(name) for name in NAMES]
    view = view_for(state.game, names, look)
    pile = " ".join(card_name(card, look.lang) for card in position.pile)
    the_pile = _("The pile: {cards}.").format(cards=pile or _("empty"))
    look.show(f"{state.game}", *view.board(state.view(), None), the_pile)
    winner = names[solution.winner].capitalize()
    if solution.mover is None:
        look.show(_("{name} has won.").format(name=winner))
        return
    look.show(_("{name} wins with all cards open and best play of both.").format(name=winner))
    winning = ", ".join(move_text(move, look.lang) for move in solution.winning_moves) or _("none")
    text = _("Winning moves of {name} ({number} of {all}): {moves}.")
    number, total = len(solution.winning_moves), len(solution.moves)
    look.show(text.format(name=names[solution.mover], number=number, all=total, moves=winning))
    line = ", ".join(f"{p}: {move_text((card, f), look.lang)}" for p, card, f in solution.line)
    searched = _("{number} positions searched.").format(number=solution.nodes)
    look.show(_("Best play: {line}.").format(line=line), searched)


command = game_command(
    "trones",
    body=solve_game,
    help=(
        "Solve deals exactly with all cards open: the winner, all winning moves and a line of best play. "
        "With --hidden, solve a small game with hidden hands: what player 0 wins in equilibrium, between "
        "bounds that the strategies found guarantee. With --blueprint, sample strategies for any hidden "
        "game, for the agent blueprint."
    ),
    example="cardgods solve {game} --variant express --deals 10000 --seed 1",
    extra=[
        click.Option(["--seed"], metavar="TEXT", help="The deal of `cardgods play trones --seed TEXT`."),
        click.Option(
            ["--deal"],
            metavar="FILE",
            help="A text: cards in the order they are dealt and drawn; after a line 'moves' one move a line.",
        ),
        click.Option(
            ["--from", "from_log"],
            metavar="LOG@EVENT",
            help="A position of a recorded game, after that event as `replay --json` numbers them.",
        ),
        click.Option(["--spoil"], is_flag=True, help="Allow a position of a game that is not over."),
        click.Option(
            ["--deals"],
            type=click.IntRange(1, 10**12),
            metavar="N",
            help="Solve N random deals, of --seed, and say how often player 0 wins.",
        ),
        click.Option(
            ["--hidden"], is_flag=True, help="Hidden hands, no single deal: for small decks and --capacity 1."
        ),
        click.Option(
            ["--gap"],
            type=click.FloatRange(0.0),
            default=1e-4,
            show_default=True,
            metavar="G",
            help="With --hidden: stop when the bounds are so close.",
        ),
        click.Option(
            ["--iterations"],
            type=click.IntRange(1),
            metavar="N",
            help="With --hidden: stop after so many, with exit code 8 if the bounds are not close enough "
            "(100000). With --blueprint: deals to sample (1000000).",
        ),
        click.Option(
            ["--memory"],
            type=click.FloatRange(0.0, min_open=True),
            metavar="GB",
            help="With --hidden or --blueprint: gigabytes that may be taken (4 or 2).",
        ),
        click.Option(
            ["--checkpoint"],
            type=click.Path(dir_okay=False),
            metavar="FILE",
            help="With --hidden: save to this file now and then and on Ctrl-C, and go on from it.",
        ),
        click.Option(
            ["--blueprint"],
            is_flag=True,
            help="Hidden hands of any size: a strategy by sampling; --seed is that of the samples.",
        ),
        click.Option(
            ["--abstraction"],
            type=click.Choice(["moves", "exact"]),
            default="moves",
            show_default=True,
            help="With --blueprint: information sets told apart by their best moves, or exactly (small "
            "games).",
        ),
        click.Option(
            ["--out"],
            type=click.Path(),
            metavar="FILE",
            help="With --blueprint: keep it here, now and then and on Ctrl-C, for blueprint:file=FILE.",
        ),
        click.Option(
            ["--store"],
            is_flag=True,
            help="With --blueprint: keep it where `--seat blueprint` looks: $CARDGODS_SOLUTIONS or your data "
            "folder.",
        ),
        click.Option(["--resume"], is_flag=True, help="With --blueprint: go on from the file."),
        threads_option(N_("Threads.")),
        json_option(),
        plain_option(),
    ],
)
