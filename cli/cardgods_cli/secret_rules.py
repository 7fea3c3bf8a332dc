"""God's rules before a game of Eleusis: invented, or typed in secret."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardgods_cli.streams import clean

if TYPE_CHECKING:
    from cardgods import Game, Random
    from cardgods.games.eleusis import EleusisGame
    from cardgods.rule.generate import Invention
    from cardgods_cli.look import Look
    from cardgods_cli.reader import Reader
    from cardgods_cli.seats import Seat

STREAM = 1 << 60
"""Stream of random numbers from which rules are invented, plus the number of the round."""
NOTHING = "-"


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
    """Rules for a game whose rules were not given: each God makes his own.

    Rules given on the command line stay as they are. Otherwise a person who will be God types his rule in
    secret, and an agent invents one. The hints of all rounds are told at the start.
    """
    from cardgods import Random
    from cardgods.games.eleusis import EleusisGame

    assert isinstance(game, EleusisGame)
    if game.options.rules != game.presets["standard"].rules:
        return game, ()
    rng = Random(secrets.token_bytes(16) if seed is None else seed)
    chosen = [_rule_for(game, seats, k, rng.spawn(STREAM + k), look, reader) for k in range(game.num_rounds)]
    game = EleusisGame(replace(game.options, rules=tuple(c.text for c in chosen)))
    return game, [f"Round {k + 1}, God's hint: {c.hint}" for k, c in enumerate(chosen) if c.hint]


def _rule_for(
    game: EleusisGame, seats: Sequence[Seat], number: int, rng: Random, look: Look, reader: Reader
) -> Chosen:
    god = (game.first_god + number) % len(seats)
    if seats[god].spec is None:
        return _asked(seats, god, number, rng, look, reader)
    return _invented(game, seats[god], number, rng, look)


def _invented(game: Game, seat: Seat, number: int, rng: Random, look: Look) -> Chosen:
    from cardgods.agents import make_agent
    from cardgods.rule.generate import invent

    assert seat.spec is not None
    stream = rng if seat.rng is None else seat.rng.spawn(STREAM + number)
    own = getattr(make_agent(seat.spec, game), "invent", None)
    made: Invention = own(stream) if own else invent(2, stream)
    return Chosen(made.rule.text, made.hint.texts[look.lang] if made.hint else "")


def _asked(seats: Sequence[Seat], god: int, number: int, rng: Random, look: Look, reader: Reader) -> Chosen:
    """A person types a rule that nobody else sees."""
    name = clean(seats[god].name)
    others = any(seat.spec is None for k, seat in enumerate(seats) if k != god)
    if reader.interactive and others:
        look.wipe()
        reader.pause(f"Pass the keyboard to {name}, God of round {number + 1}, who presses Enter: ")
    look.show(
        f"{name}, you are God in round {number + 1}. Type your rule, such as: {EXAMPLE}",
        "human: you judge each play yourself. ai: a rule is made for you. The names that",
        "`cardgods rule list` shows will do too.",
    )
    chosen = _read_rule(name, rng, look, reader)
    if reader.interactive and others:
        look.wipe()
    return chosen


EXAMPLE = "if last.red then even else odd"


def _read_rule(name: str, rng: Random, look: Look, reader: Reader) -> Chosen:
    from cardgods.errors import RuleTextError
    from cardgods.rule import analyse, find_rule
    from cardgods.rule.generate import invent
    from cardgods_cli.reader import ScriptError

    while True:
        text = reader.ask(f"{name}, your rule: ")
        if text.lower() == "human":
            return Chosen("human")
        try:
            if text.lower() == "ai":
                rule = invent(2, rng).rule
                look.show(f"Your rule: {rule.text} ({rule.words(look.lang)})")
            else:
                rule = find_rule(text, look.lang)
            report = analyse(rule)
        except RuleTextError as error:
            problem = str(error)
        else:
            for found in report.problems:
                look.show(f"{found.severity}: {found.sentence(look.lang)}.")
            if report.playable:
                hint = clean(reader.ask("A hint for the seekers, or - for none: "))
                return Chosen(rule.text, "" if hint == NOTHING else hint)
            problem = "God may not use this rule"
        if not reader.interactive:
            raise ScriptError(f"line {reader.line} of the input: {problem}")
        look.show(clean(f"Sorry, {problem}."))
