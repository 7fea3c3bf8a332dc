"""Eleusis: every rule that agrees with the table of a log, and what the next card would tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.options import game_option, json_option, plain_option
from cardgods_cli.words import _

if TYPE_CHECKING:
    from cardgods.rule.belief import Belief
    from cardgods.rule.inference import Inference
    from cardgods_cli.logfile import Found
    from cardgods_cli.look import Look

TOP = 10


@click.command(
    params=[
        click.Option(
            ["--at", "ply"],
            type=click.IntRange(min=0),
            metavar="PLY",
            help="The table after so many plays of the round. Default: all.",
        ),
        click.Option(
            ["--round", "number"],
            type=click.IntRange(min=1),
            metavar="N",
            help="Which round, counted from 1. Default: the last.",
        ),
        click.Option(
            ["--seat"],
            metavar="SEAT",
            help="Choose the next card from this player's hand at the end of the log.",
        ),
        click.Option(["--spoil"], is_flag=True, help="Allow a player's hand in a game that is not over."),
        click.Option(
            ["--hint", "hints"], multiple=True, metavar="NAME", help="A hint that God gave; may be repeated."
        ),
        click.Option(
            ["--top"], type=click.IntRange(1, 400), default=TOP, show_default=True, help="Rules to show."
        ),
        game_option(),
        json_option(),
        plain_option(),
    ],
    epilog="Example: cardgods solve eleusis game.cglog --at 12",
)
@click.argument("file", metavar="LOG", type=click.Path())
def command(
    file: str,
    ply: int | None,
    number: int | None,
    seat: str | None,
    spoil: bool,
    hints: tuple[str, ...],
    top: int,
    game: int | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Find every rule that agrees with the table of a recorded round, and the best next card."""
    from cardgods.errors import ParameterError
    from cardgods.rule.belief import Belief
    from cardgods.rule.inference import Inference
    from cardgods_cli.logfile import load, may_be_shown
    from cardgods_cli.look import json_text, look_for

    found = load(file, game)
    if found.game.name != "eleusis":
        text = _("{name} is a game of {game}, not of eleusis")
        raise ParameterError(text.format(name=found.name, game=found.game.name))
    if seat is not None and not found.log.header.view:
        may_be_shown(found.log, _("a player's hand"), spoil=spoil)
    tables, hands = _tables(found, spoil=spoil)
    if number is not None and number not in tables:
        text = _("round {number} is not in {name}: it has {rounds}")
        raise ParameterError(text.format(number=number, name=found.name, rounds=_rounds(tables)))
    if not tables:
        raise ParameterError(_("no card lies on the table yet in {name}").format(name=found.name))
    number = max(tables) if number is None else number
    table = tables[number]
    if ply is not None and ply >= len(table):
        text = _("--at {ply}: round {number} has {plays} plays")
        raise ParameterError(text.format(ply=ply, number=number, plays=len(table) - 1))
    table = table if ply is None else table[: ply + 1]
    if seat is not None and not found.log.header.view and not found.log.complete:
        text = _("the game is not over: {name} shows no hand; a view of the seat does")
        raise ParameterError(text.format(name=found.name))
    hand = None if seat is None else hands[found.seat(seat)]
    if hand is not None and not hand:
        raise ParameterError(_("the hand of seat {seat} is empty or hidden there").format(seat=seat))
    look = look_for(plain=plain)
    inference, belief = Inference(table, hints=hints), Belief(hints=hints)
    belief.tell(table)
    record = _record(inference, belief, hand, top, "en" if as_json else look.lang)
    record |= {"log": found.name, "round": number, "plays": len(table) - 1}
    record["rule"] = _truth(found, number, inference)
    if as_json:
        look.show(json_text(record))
    else:
        _tell(record, look)


def _rounds(tables: dict[int, Any]) -> str:
    if not tables:
        return _("no round")
    return _("round {first} to {last}").format(first=min(tables), last=max(tables))


def _tables(found: Found, *, spoil: bool) -> tuple[dict[int, list[Any]], list[list[int]]]:
    """What lay on the table at the end of each round, by its number from 1, and the hands at the end.

    Of a game that is not over only what everybody sees, unless spoilt.
    """
    from cardgods.log.replay import replay
    from cardgods.log.views import SPECTATOR, positions

    if found.log.header.view:
        shown = (position for _, position in positions(found.log))
    else:
        viewer = None if found.log.complete or spoil else SPECTATOR
        shown = (state.view(viewer) for _, state in replay(found.log))
    tables: dict[int, list[Any]] = {}
    hands: list[list[int]] = []
    for view in shown:
        # What is taken back never lay there.
        for number in [number for number in tables if number > view["round"]]:
            del tables[number]
        if view["table"]:
            tables[view["round"] + 1] = list(view["table"])
        hands = [hand if isinstance(hand, list) else [] for hand in view["hands"]]
    return tables, hands


def _truth(found: Found, number: int, inference: Inference) -> dict[str, Any] | None:
    """God's rule and where it stands, once the game is over."""
    from cardgods.games.eleusis import HUMAN, EleusisGame
    from cardgods.rule import parse_rule

    game = found.game
    if found.log.header.view or not found.log.complete or not isinstance(game, EleusisGame):
        return None
    text = game.rule_of(number - 1)
    if text == HUMAN:
        return None
    machine = parse_rule(text).machine
    place = None
    if machine is not None and machine.run(inference.line) >= 0:
        target = machine.future(machine.run(inference.line))
        for k, each in enumerate(inference.behaviours, 1):
            if each.machine is not None and each.machine.future(each.state) == target:
                place = k
                break
    share = 0.0 if place is None else inference.behaviours[place - 1].share
    return {"text": text, "place": place, "share": share}


def _record(
    inference: Inference, belief: Belief, hand: list[int] | None, top: int, lang: str
) -> dict[str, Any]:
    from cardgods.rule.inference import entropy

    survivors = inference.survivors
    chances = belief.chances()
    cards = sorted(set(range(52) if hand is None else hand))
    ranked = sorted(cards, key=lambda card: (-entropy(chances[card]), -chances[card], card))
    plays = [] if hand is None else belief.sequences(hand, 4)
    plays.sort(key=lambda each: -len(each[0]) * (3 * each[1] - 2))
    return {
        "line": inference.line,
        "agree": inference.count,
        "by_form": survivors.counts(),
        "listed": len(survivors),
        "complete": survivors.complete,
        "behaviours": len(inference.behaviours),
        "rules": [
            {
                "text": each.rule.text,
                "words": each.rule.words(lang),
                "share": each.share,
                "spellings": each.spellings,
            }
            for each in inference.behaviours[:top]
        ],
        "experiments": [
            {"card": card, "right": chances[card], "bits": entropy(chances[card])} for card in ranked[:top]
        ]
        if inference.behaviours
        else [],
        "likeliest": max(cards, key=lambda card: chances[card]) if inference.behaviours else None,
        "sequences": [
            {"cards": list(cards), "right": chance, "cards_fewer": len(cards) * (3 * chance - 2)}
            for cards, chance in plays[:top]
        ],
    }


def _tell(record: dict[str, Any], look: Look) -> None:
    from cardgods.cards import card_name
    from cardgods.rule.analysis import show_line

    text = _("Round {round} after {plays} plays: {line}")
    line = show_line(record["line"], look.lang)
    look.show(text.format(round=record["round"], plays=record["plays"], line=line))
    if not record["rules"]:
        if record["agree"]:
            text = _("None of the shortest of {agree:,} rules that agree with this table fits a hint.")
            look.show(text.format(agree=record["agree"]))
        else:
            look.show(_("No rule of the space agrees with this table."))
    else:
        text = (
            _(
                "{agree:,} rules of the space agree. Listed, if they differ: {listed:,}; different futures "
                "among the first of these: {behaviours}."
            )
            if record["complete"]
            else _(
                "{agree:,} rules of the space agree. Listed, if they differ and are short: {listed:,}; "
                "different futures among the first of these: {behaviours}."
            )
        )
        look.show(text.format(**record))
        rows = [[f"{100 * rule['share']:.1f}", rule["text"]] for rule in record["rules"]]
        look.table([f">{_('belief %')}", _("rule")], rows, _("Likeliest rules"))
        look.show(_("The likeliest in words: {words}").format(words=record["rules"][0]["words"]))
        best = record["experiments"][0]
        text = _(
            "Most to learn from {card}: right with {right:.0f} %, {bits:.2f} bits. Likeliest to be right: "
            "{likeliest}."
        )
        look.show(
            text.format(
                card=card_name(best["card"], look.lang),
                right=100 * best["right"],
                bits=best["bits"],
                likeliest=card_name(record["likeliest"], look.lang),
            )
        )
    for play in record["sequences"][:3]:
        text = _("Best play: {cards}, right with {right:.0f} %, {fewer:+.2f} cards fewer in expectation.")
        cards = show_line(play["cards"], look.lang)
        look.show(text.format(cards=cards, right=100 * play["right"], fewer=play["cards_fewer"]))
    if record["rule"]:
        rule = record["rule"]
        text = (
            _("God's rule was {text}: not among them.")
            if rule["place"] is None
            else _("God's rule was {text}: place {place}, {share:.1f} %.")
        )
        look.show(text.format(text=rule["text"], place=rule["place"], share=100 * rule["share"]))
