"""Commerce: what knocking now is worth, and each discard of a buy; tables of it for all hands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.main import CONTEXT
from cardgods_cli.options import json_option, plain_option, threads_option
from cardgods_cli.words import _, language

if TYPE_CHECKING:
    from cardgods.solve.commerce import BuyOdds, Odds
    from cardgods_cli.look import Look

TABLE_SAMPLES = 100_000


def show_odds(
    hand: tuple[str, ...],
    table: str | None,
    players: int,
    seat: int,
    seen: str,
    held: tuple[str, ...],
    suits: int,
    ranks: int,
    exact: bool | None,
    samples: int | None,
    seed: str,
    threads: int,
    as_json: bool,
    plain: bool,
) -> None:
    """Print the odds of a hand, or a table for all hands."""
    from cardgods.agents import seed_from
    from cardgods.errors import ParameterError
    from cardgods.games.commerce import pack_cards

    common = {
        "pack": pack_cards(suits, ranks),
        "exact": exact,
        "seed": seed_from(seed),
        "threads": threads,
    }
    if table is not None:
        if hand or seen or held:
            raise ParameterError(_("--table is for all hands: it takes neither a hand nor --seen nor --held"))
        _write_table(table, players, {**common, "samples": samples or TABLE_SAMPLES}, plain)
        return
    if not hand:
        text = _("a hand is needed, as in: {example}")
        raise ParameterError(text.format(example="cardgods odds commerce Ah Kh 4s"))
    known = {"seen": _cards(seen), "held": dict(_held(text) for text in held)}
    arguments = {**common, **known, **({} if samples is None else {"samples": samples})}
    _show_hand(_cards(" ".join(hand)), players, seat, arguments, as_json, plain)


def _show_hand(
    hand: Sequence[int], players: int, seat: int, arguments: dict[str, Any], as_json: bool, plain: bool
) -> None:
    from cardgods.solve.commerce import buy_odds, knock_odds
    from cardgods_cli.look import json_text, look_for
    from cardgods_cli.progress import Progress

    with Progress(_("counting"), plain=plain):
        knock = knock_odds(hand, players, seat, **arguments)
        room = _room(players, arguments)
        buys = buy_odds(hand, players, seat, **arguments) if room else []
    look = look_for(plain=plain)
    if as_json:
        look.show(json_text(_record(hand, knock, buys)))
    else:
        _tell(hand, knock, buys, look)


def _room(players: int, arguments: dict[str, Any]) -> bool:
    """Whether a card is left to draw."""
    gone = 3 * players + len(arguments["seen"])
    return len(arguments["pack"]) > gone


def _cards(text: str) -> list[int]:
    from cardgods.cards import parse_cards

    return parse_cards(text, language())


def _held(text: str) -> tuple[int, list[int]]:
    from cardgods.errors import ParameterError

    place, colon, cards = text.partition(":")
    if not colon or not place.strip().isdigit():
        problem = _("--held {text}: it takes a seat and cards, as in 0:Ah,Kd")
        raise ParameterError(problem.format(text=text))
    return int(place), _cards(cards)


def _record(hand: Sequence[int], knock: Odds, buys: Sequence[BuyOdds]) -> dict[str, Any]:
    from cardgods.cards import card_name
    from cardgods.solve.commerce import describe, strength

    category, value, size = describe(strength(hand))
    return {
        "hand": [card_name(card, ascii=True) for card in hand],
        "category": category,
        "value": value,
        "size": size,
        "players": knock.players,
        "seat": knock.seat,
        "knock": _numbers(knock),
        "buy": [{"discard": card_name(b.discard, ascii=True), **_numbers(b.odds)} for b in buys],
    }


def _numbers(odds: Odds) -> dict[str, Any]:
    return {
        "win": odds.win,
        "win_interval": odds.win_interval,
        "outright": odds.outright,
        "points": odds.points,
        "points_interval": odds.points_interval,
        "samples": odds.samples,
    }


def _tell(hand: Sequence[int], knock: Odds, buys: Sequence[BuyOdds], look: Look) -> None:
    from cardgods.cards import card_name
    from cardgods.games.commerce import hand_words

    cards = " ".join(card_name(card, look.lang) for card in hand)
    place = (
        _("{cards}: {worth}; {players} players, the dealer.")
        if knock.seat == 0
        else _("{cards}: {worth}; {players} players, {seat} to the left of the dealer.")
    )
    text = _(
        "Knocking now wins the pot with probability {share}, beats all others outright with "
        "{outright:.4f}, and brings {points} points, the ante paid ({method})."
    )
    worth = hand_words(hand, look.lang)
    look.show(
        place.format(cards=cards, worth=worth, players=knock.players, seat=knock.seat),
        text.format(
            share=_share(knock), outright=knock.outright, points=_points(knock), method=_method(knock)
        ),
    )
    if buys:
        rows = [
            [card_name(b.discard, look.lang), _share(b.odds), f"{b.odds.outright:.4f}", _points(b.odds)]
            for b in buys
        ]
        title = (
            _("A buy, free for the dealer, if the hands are settled right after it ({method})")
            if knock.seat == 0
            else _("A buy, its price paid, if the hands are settled right after it ({method})")
        )
        heads = [_("discard"), f">{_('wins')}", f">{_('outright')}", f">{_('points')}"]
        look.table(heads, rows, title.format(method=_method(buys[0].odds)))


def _share(odds: Odds) -> str:
    if odds.samples is None:
        return f"{odds.win:.4f}"
    return f"{odds.win:.4f} [{odds.win_interval[0]:.4f}, {odds.win_interval[1]:.4f}]"


def _points(odds: Odds) -> str:
    if odds.samples is None:
        return f"{odds.points:+.4f}"
    return f"{odds.points:+.3f} [{odds.points_interval[0]:+.3f}, {odds.points_interval[1]:+.3f}]"


def _method(odds: Odds) -> str:
    if odds.samples is None:
        return _("all deals counted")
    return _("{number} deals sampled, 95 % intervals").format(number=odds.samples)


def _write_table(form: str, players: int, arguments: dict[str, Any], plain: bool) -> None:
    from cardgods.solve.commerce_tables import hand_classes, knock_table, write_csv, write_json
    from cardgods_cli.progress import Progress

    total = len(hand_classes(arguments["pack"]))
    with Progress(_("{number} classes of hands").format(number=total), plain=plain) as progress:
        rows = knock_table(players, **arguments, progress=lambda done: progress(done, total))
    {"csv": write_csv, "json": write_json}[form](rows, sys.stdout)


command = click.Command(
    "commerce",
    callback=show_odds,
    help=(
        "What a hand of Commerce wins if the deal is settled now, against hands that are random as far as "
        "is known, and one step ahead for each discard of a buy. Up to four players all deals are counted "
        "(three for a buy); beyond, deals are sampled and 95 % intervals given. Points are net of the "
        "ante.\n\n"
        "With --table: the odds of knocking for every class of hands and every seat."
    ),
    short_help="Commerce: knocking now, and each discard of a buy",
    epilog="Example: cardgods odds commerce Ah Kh 4s --players 3 --seat 1",
    context_settings=CONTEXT,
    params=[
        click.Argument(["hand"], nargs=-1, metavar="HAND"),
        click.Option(
            ["--table"], type=click.Choice(["csv", "json"]), help="Print a table for all hands instead."
        ),
        click.Option(
            ["--players"],
            type=click.IntRange(2, 12),
            default=3,
            show_default=True,
            help="Who hold a hand, this one included.",
        ),
        click.Option(
            ["--seat"],
            type=click.IntRange(0, 11),
            default=1,
            show_default=True,
            help="Places to the left of the dealer; 0 deals.",
        ),
        click.Option(["--seen"], default="", metavar="CARDS", help="Cards that nobody can hold any more."),
        click.Option(
            ["--held"],
            multiple=True,
            metavar="SEAT:CARDS",
            help="Cards that the player at a seat is known to hold.",
        ),
        click.Option(
            ["--suits"], type=click.IntRange(1, 4), default=4, show_default=True, help="Suits in the pack."
        ),
        click.Option(
            ["--ranks"],
            type=click.IntRange(3, 13),
            default=13,
            show_default=True,
            help="Ranks in the pack, the highest.",
        ),
        click.Option(["--exact/--sampled", "exact"], default=None, help="Count all deals, or sample them."),
        click.Option(
            ["--samples"],
            type=click.IntRange(1),
            default=None,
            help="Deals sampled. [1000000; 100000 a class for a table]",
        ),
        click.Option(
            ["--seed"], default="0", show_default=True, metavar="TEXT", help="Seed of the sampling."
        ),
        threads_option(),
        json_option(),
        plain_option(),
    ],
)
