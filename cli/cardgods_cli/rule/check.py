"""Examine a rule: how much it accepts, dead ends, traps, difficulty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardgods_cli.completing import rules
from cardgods_cli.options import json_option, plain_option
from cardgods_cli.words import N_, _, language

if TYPE_CHECKING:
    from cardgods.rule import Analysis, Rule

BANDS = {
    "inside": N_("accepts {rate:.1f} % of 40 random plays{error}, within the good 25-40 %"),
    "below": N_("accepts {rate:.1f} % of 40 random plays{error}, below the good 25-40 %"),
    "above": N_("accepts {rate:.1f} % of 40 random plays{error}, above the good 25-40 %"),
}


@click.command(
    params=[json_option(), plain_option()],
    epilog='Example: cardgods rule check "if last.red then even else odd"',
)
@click.argument("rule", shell_complete=rules)
@click.pass_context
def command(ctx: click.Context, rule: str, as_json: bool, plain: bool) -> None:
    """Examine RULE, a text or a name of `cardgods rule list`.

    What letters of ranks and cards mean depends on the language in force (--lang). The exit code is 0 also
    for a rule that God should not use; the problems say so.
    """
    from cardgods.rule import analyse, find_rule
    from cardgods_cli.look import json_text, look_for

    look = look_for(plain=plain)
    found = find_rule(rule, language())
    report = analyse(found)
    if as_json:
        look.show(json_text(_plain(found, report)))
    else:
        look.show(*_lines(found, report, language()))


def _plain(rule: Rule, report: Analysis) -> dict[str, Any]:
    from dataclasses import asdict

    from cardgods.rule import true_hints
    from cardgods.rule.generate import grade

    values = {key: value for key, value in asdict(report).items() if key != "problems"}
    values |= {f"words_{lang}": rule.words(lang) for lang in ("en", "fr")}
    values["playable"] = report.playable
    values["level"] = grade(rule)
    values["hints"] = [hint.name for hint in true_hints(rule)]
    values["problems"] = [
        {"severity": p.severity, "code": p.code, "en": p.sentence("en"), "fr": p.sentence("fr")}
        for p in report.problems
    ]
    return values


def _lines(rule: Rule, report: Analysis, lang: str) -> list[str]:
    from cardgods.cards import card_name, cards_of
    from cardgods.rule import true_hints
    from cardgods.rule.generate import grade

    error = "" if report.proved else " " + _("(sampled, ± {error:.1f})").format(error=200 * report.rate_error)
    far = _("unknown") if report.long_run is None else f"{100 * report.long_run:.1f} %"
    states = _("{number} states") if report.states else _("too many states to count")
    measure = _("{states}, size {size}, looks {back} back; level {level} of 4 (estimated)").format(
        states=states.format(number=report.states),
        size=report.size,
        back=report.look_back,
        level=grade(rule),
    )
    right = _("{fewest} to {most} of the 52 cards are right at a time")
    lines = [
        _("rule: {text}").format(text=report.text),
        _("English: {text}").format(text=rule.words("en")),
        _("French: {text}").format(text=rule.words("fr")),
        _(BANDS[report.band]).format(rate=100 * report.rate, error=error),
        _("accepts {share} in the long run").format(share=far),
        right.format(fewest=report.fewest, most=report.most),
        measure,
    ]
    if report.never:
        never = cards_of(report.never)
        shown = " ".join(card_name(card, lang) for card in never)
        lines.append(_("never right: {cards}").format(cards=shown))
    hints = [hint.texts[lang] for hint in true_hints(rule)]
    lines += [_("true hint: {hint}").format(hint=hint) for hint in hints]
    line = _("{severity}: {problem}")
    lines += [
        line.format(severity=_(problem.severity), problem=problem.sentence(lang))
        for problem in report.problems
    ]
    if not report.playable:
        lines.append(_("God may not use this rule."))
    return lines
