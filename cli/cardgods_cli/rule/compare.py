"""Compare two rules: equal, part of each other, or different, with the shortest proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardgods_cli.completing import rules
from cardgods_cli.options import json_option, plain_option
from cardgods_cli.words import N_, _, language

if TYPE_CHECKING:
    from cardgods.rule import Comparison

VERDICTS = {
    "equal": N_("equal: both accept the same sequences"),
    "subset": N_("subset: all that the first accepts the second accepts too, and more"),
    "superset": N_("superset: the first accepts all that the second accepts, and more"),
    "incomparable": N_("incomparable: each accepts what the other refuses"),
    "unknown": N_("unknown: too many states to decide; no difference was found on at least one side"),
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
@click.argument("first", shell_complete=rules)
@click.argument("second", shell_complete=rules)
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
        first_line = _("first: {rule}").format(rule=rules[0].text)
        second_line = _("second: {rule}").format(rule=rules[1].text)
        look.show(first_line, second_line, *_lines(found, lang))


def _lines(found: Comparison, lang: str) -> list[str]:
    from cardgods.rule.analysis import show_line

    lines = [_(VERDICTS[found.verdict])]
    first, second = _("only the first accepts {cards}"), _("only the second accepts {cards}")
    for text, cards in ((first, found.only_first), (second, found.only_second)):
        if cards is not None:
            lines.append(text.format(cards=show_line(cards, lang)))
    return lines
