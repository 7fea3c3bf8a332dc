"""Compare two rules: equal, part of each other, or different, with the shortest proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardgods_cli.options import json_option, plain_option
from cardgods_cli.words import language

if TYPE_CHECKING:
    from cardgods.rule import Comparison

VERDICTS = {
    "equal": "equal: both accept the same sequences",
    "subset": "subset: all that the first accepts the second accepts too, and more",
    "superset": "superset: the first accepts all that the second accepts, and more",
    "incomparable": "incomparable: each accepts what the other refuses",
    "unknown": "unknown: too many states to decide; no difference was found on at least one side",
}


@click.command(
    params=[
        click.Option(
            ["--board"],
            metavar="CARDS",
            default="",
            help="Cards of the main line so far, starter first; what they say from then on is compared.",
        ),
        json_option(),
        plain_option(),
    ],
    epilog='Example: cardgods rule compare red "same(colour)" --board "5h 9d"',
)
@click.argument("first")
@click.argument("second")
def command(first: str, second: str, board: str, as_json: bool, plain: bool) -> None:
    """Compare the rules FIRST and SECOND, texts or names of `cardgods rule list`."""
    import re

    from cardgods.cards import parse_card
    from cardgods.rule import compare, find_rule
    from cardgods_cli.look import json_text, look_for

    look, lang = look_for(plain=plain), language()
    line = [parse_card(word, lang) for word in re.split(r"[\s,]+", board.strip()) if word]
    rules = find_rule(first, lang), find_rule(second, lang)
    found = compare(*rules, line)
    if as_json:
        values = {"first": rules[0].text, "second": rules[1].text, "board": line, "verdict": found.verdict}
        sides = {"only_first": found.only_first, "only_second": found.only_second}
        look.show(json_text({**values, **sides, "proved": found.proved}))
    else:
        look.show(f"first: {rules[0].text}", f"second: {rules[1].text}", *_lines(found, lang))


def _lines(found: Comparison, lang: str) -> list[str]:
    from cardgods.rule.analysis import show_line

    lines = [VERDICTS[found.verdict]]
    for side, cards in (("first", found.only_first), ("second", found.only_second)):
        if cards is not None:
            lines.append(f"only the {side} accepts {show_line(cards, lang)}")
    return lines
