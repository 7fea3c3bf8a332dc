"""God's rules before a game of Eleusis: invented, or typed in secret."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgods_cli.seats import HUMANS
from cardgods_cli.streams import clean
from cardgods_cli.told import told
from cardgods_cli.words import N_, _, language

if TYPE_CHECKING:
    from cardgods import Game, Random
    from cardgods.rule.generate import Invention
    from cardgods_cli.look import Look
    from cardgods_cli.reader import Reader
    from cardgods_cli.seats import Seat

STREAM = 1 << 60
"""Stream of random numbers from which rules are invented, plus the number of the round."""
NOTHING = "-"
SEVERITIES = (N_("error"), N_("warning"), N_("note"))
"""Of the problems of a rule, as its analysis has them."""


@dataclass(frozen=True)
class Chosen:
    """A rule for a round.

    Attributes:
        text: canonical text, or ``human``.
        hint: what God says of it beforehand, or nothing.
    """

    text: str
    hint: str = ""


def prepare(
    game: Game, seats: Sequence[Seat], seed: int | str | None, look: Look, reader: Reader
) -> tuple[Game, Sequence[str]]:
    """Settle the rules that are left open, ``ask`` and ``ai``; without ``--rules`` all are ``ai``.

    The hints of all rounds are told at the start.

    Raises:
        ParameterError: if a rule that was given leads to a dead end.
    """
    from cardgods import Random
    from cardgods.games.eleusis import ASK, INVENT, EleusisGame

    assert isinstance(game, EleusisGame)
    rules = game.options.rules
    if rules == game.presets["standard"].rules:
        rules = (INVENT,)
    rng = Random(secrets.token_bytes(16) if seed is None else seed)
    chosen = []
    for number in range(game.num_rounds):
        god = (game.first_god + number) % len(seats)
        rule = Chosen(rules[number % len(rules)])
        if rule.text == ASK and seats[god].spec is None:
            rule = _asked(seats, god, number, rng.spawn(STREAM + number), look, reader)
        elif rule.text in (ASK, INVENT):
            rule = _invented(game, seats[god], number, rng.spawn(STREAM + number), look)
        else:
            _refuse_dead_ends(rule.text)
        chosen.append(rule)
    game = EleusisGame(replace(game.options, rules=tuple(rule.text for rule in chosen)))
    text = _("Round {round}, God's hint: {hint}")
    return game, [text.format(round=k + 1, hint=rule.hint) for k, rule in enumerate(chosen) if rule.hint]


def _refuse_dead_ends(text: str) -> None:
    from cardgods.errors import ParameterError
    from cardgods.rule import analyse, find_rule

    if text == "human":
        return
    report = analyse(find_rule(text))
    if not report.playable:
        problem = report.problems[0].sentence(language())
        refusal = _("option rules: God may not use {rule}: {problem}")
        raise ParameterError(refusal.format(rule=text, problem=problem))


def _invented(game: Game, seat: Seat, number: int, rng: Random, look: Look) -> Chosen:
    from cardgods.agents import make_agent
    from cardgods.rule.generate import invent

    stream = rng if seat.rng is None else seat.rng.spawn(STREAM + number)
    own = None if seat.spec is None else getattr(make_agent(seat.spec, game), "invent", None)
    made: Invention = own(stream) if own else invent(2, stream)
    return Chosen(made.rule.text, made.hint.texts[look.lang] if made.hint else "")


def _asked(seats: Sequence[Seat], god: int, number: int, rng: Random, look: Look, reader: Reader) -> Chosen:
    """A person types a rule that nobody else sees."""
    name = clean(seats[god].name)
    others = any(seat.spec is None for k, seat in enumerate(seats) if k != god)
    if reader.interactive and others:
        look.wipe()
        prompt = _("Pass the keyboard to {name}, God of round {round}, who presses Enter:")
        reader.pause(prompt.format(name=name, round=number + 1) + " ")
    order = _("{name}, you are God in round {round}. Type your rule, such as: {example}")
    look.show(
        order.format(name=name, round=number + 1, example=_(EXAMPLE)),
        _("human: you judge each play yourself. ai: a rule is made for you. The names that"),
        _("`cardgods rule list` shows will do too."),
    )
    chosen = _read_rule(name, rng, look, reader)
    if reader.interactive and others:
        look.wipe()
    return chosen


EXAMPLE = N_("if last.red then even else odd")
AI = ("ai", "ia")


def _read_rule(name: str, rng: Random, look: Look, reader: Reader) -> Chosen:
    from cardgods.errors import RuleTextError
    from cardgods.rule import analyse, find_rule
    from cardgods.rule.generate import invent
    from cardgods_cli.reader import ScriptError

    while True:
        text = reader.ask(_("{name}, your rule:").format(name=name) + " ")
        if text.lower() in HUMANS:
            return Chosen("human")
        try:
            if text.lower() in AI:
                rule = invent(2, rng).rule
                shown = _("Your rule: {rule} ({words})")
                look.show(shown.format(rule=rule.text, words=rule.words(look.lang)))
            else:
                rule = find_rule(text, look.lang)
            report = analyse(rule)
        except RuleTextError as error:
            problem = told(str(error))
        else:
            for found in report.problems:
                text = _("{severity}: {problem}.")
                look.show(text.format(severity=_(found.severity), problem=found.sentence(look.lang)))
            if report.playable:
                hint = clean(reader.ask(_("A hint for the seekers, or - for none:") + " "))
                return Chosen(rule.text, "" if hint == NOTHING else hint)
            problem = _("God may not use this rule")
        if not reader.interactive:
            raise ScriptError(
                _("line {line} of the input: {problem}").format(line=reader.line, problem=problem)
            )
        look.show(clean(_("Sorry, {problem}.").format(problem=problem)))
