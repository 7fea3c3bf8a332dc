"""An analysis in words and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cardgods.analysis.engine import events_of
from cardgods.analysis.records import ROUNDING, Decision
from cardgods.analysis.sidecar import read_notes
from cardgods_cli.streams import clean
from cardgods_cli.words import N_, _, n_

if TYPE_CHECKING:
    from cardgods import State
    from cardgods.analysis import Account, Analysis
    from cardgods.analysis.sidecar import Note
    from cardgods_cli.logfile import Found
    from cardgods_cli.look import Look

NOTHING = "-"
GAVE_AWAY = "!"
UNITS = {
    "wins": N_("% of games won"),
    "points": N_("points"),
    "right": N_("% chance to be right"),
}


def tell(analysis: Analysis, found: Found, look: Look, *, every: bool) -> None:
    """Print an analysis.

    Args:
        analysis: of the game in `found`.
        found: the log.
        look: what the output can show.
        every: list all decisions, not only those with a mark.
    """
    judged, forced = len(analysis.decisions), sum(seat.forced for seat in analysis.seats)
    look.show(
        _("{game}: {judged}, {forced}. Losses and luck in {unit}.").format(
            game=found.game,
            judged=n_("{count} decision judged", "{count} decisions judged", judged).format(count=judged),
            forced=n_("{count} forced", "{count} forced", forced).format(count=forced),
            unit=_(UNITS[analysis.unit]),
        )
    )
    if analysis.value is not None:
        value = number(analysis.value, analysis.unit, signed=analysis.unit == "points")
        look.show(_("The game is worth {value} to {name}.").format(value=value, name=_name(found, 0)))
    _tell_decisions(analysis, found, look, every=every)
    _tell_accounts(analysis, look)
    look.show(*_footnotes(analysis))


def _tell_decisions(analysis: Analysis, found: Found, look: Look, *, every: bool) -> None:
    shown = [one for one in analysis.decisions if every or one.mark or one.gave_away]
    if not shown:
        look.show(_("No decision gave up much."))
        return
    states = dict(decisive_states(found))
    rows = []
    for one in shown:
        state = states[one.step]
        same = one.best.action == one.action
        best = "" if same else state.action_to_string(one.best.action, look.lang)
        move = state.action_to_string(one.action, look.lang)
        signs = f"{one.mark}{GAVE_AWAY if one.gave_away else ''}"
        rows.append((one.step, _name(found, one.player), move, signs, best, *_loss(one)))
    title = _("Decisions:") if every else _("Decisions that gave something up:")
    headers = (">" + _("step"), _("player"), _("move"), "", _("better"), ">" + _("loss"), _("how sure"))
    look.table(headers, rows, title)


def decisive_states(found: Found) -> Iterator[tuple[int, State]]:
    """The state of each event that stands, by its number; a state is good until the next one is asked for."""
    state = found.game.new_initial_state(turn_based=True)
    for event in events_of(found.log):
        yield event.step, state.clone()
        state.apply_action(event.action)


def _loss(one: Decision) -> tuple[str, str]:
    if one.best is one.chosen:
        sure = ""
    elif one.exact:
        sure = _("exact")
    elif one.error is None:
        sure = _("estimated")
    else:
        sure = f"± {number(one.error, one.unit)}"
    return number(one.loss, one.unit), sure


def number(value: float, unit: str, *, signed: bool = False) -> str:
    """A worth, a loss or luck: percent with a digit, or points with two."""
    value = 0.0 if abs(value) < ROUNDING else value
    sign = "+" if signed else ""
    return f"{value:{sign}.2f}" if unit == "points" else f"{100 * value:{sign}.1f}"


def _tell_accounts(analysis: Analysis, look: Look) -> None:
    unit = analysis.unit
    headers = [_("player"), ">" + _("decisions"), ">" + _("lost in all"), ">?!", ">?", ">??"]
    open_cards = any(seat.gave_away is not None for seat in analysis.seats)
    headers += [">" + GAVE_AWAY] if open_cards else []
    headers += [">" + _("luck"), *([">" + _("result"), ">" + _("without luck")] if _over(analysis) else [])]
    rows = []
    for seat in analysis.seats:
        row = [clean(seat.name), seat.decisions, _uncertain(seat.loss, seat.loss_error, unit)]
        row += [seat.marks[mark] for mark in ("?!", "?", "??")]
        row += [NOTHING if seat.gave_away is None else seat.gave_away] if open_cards else []
        row += [_luck(seat, unit)]
        row += [_result(seat.result, unit), _result(seat.adjusted, unit)] if _over(analysis) else []
        rows.append(row)
    look.table(headers, rows)


def _over(analysis: Analysis) -> bool:
    return any(seat.result is not None for seat in analysis.seats)


def _uncertain(value: float, error: float | None, unit: str) -> str:
    return f"{number(value, unit)} ± {number(error, unit)}" if error else number(value, unit)


def _luck(seat: Account, unit: str) -> str:
    if seat.luck is None:
        return NOTHING
    text = number(seat.luck, unit, signed=True)
    return f"{text} ± {number(seat.luck_error, unit)}" if seat.luck_error else text


def _result(value: float | None, unit: str) -> str:
    return NOTHING if value is None else number(value, unit, signed=unit == "points")


def _footnotes(analysis: Analysis) -> Iterator[str]:
    yield _("?! doubtful, ? mistake, ?? blunder, by what the player knew; forced moves are left out.")
    if any(seat.gave_away is not None for seat in analysis.seats):
        yield _("! with all cards open a won game was given away, which nobody could know.")
    unjudged = sum(seat.unjudged for seat in analysis.seats)
    if unjudged:
        yield n_(
            "{count} decision could not be judged.", "{count} decisions could not be judged.", unjudged
        ).format(count=unjudged)


def _name(found: Found, player: int) -> str:
    return clean(found.log.header.seats[player].name)


def noter_from(file: str, found: Found, look: Look) -> Callable[[int, State], str]:
    """What a kept analysis says of each event of a game.

    Raises:
        ParameterError: if the file is of another log, or no analysis.
        SolveError: if it cannot be read.
    """
    notes = read_notes(Path(file), found.log)

    def say(step: int, state: State) -> str:
        note = notes.get(step)
        # The file may have been written by anybody: what it says has to fit the game.
        if note is None or note.player != state.current_player():
            return ""
        moves = state.legal_actions()
        return note_line(note, state, found, look) if {note.action, note.best} <= set(moves) else ""

    return say


def note_line(note: Note, state: State, found: Found, look: Look) -> str:
    """What a kept analysis says of a decision, in a line; nothing if there was nothing better.

    Args:
        note: the note.
        state: the state in which the decision was taken.
        found: the log.
        look: what the output can show.
    """
    signs = f"{note.mark}{GAVE_AWAY if note.gave_away else ''}"
    if note.action == note.best or not signs:
        return ""
    text = _("Analysis: {name}, {move} {signs}: {best} was better by {loss} ({unit}).")
    return text.format(
        name=_name(found, note.player),
        move=state.action_to_string(note.action, look.lang),
        signs=signs,
        best=state.action_to_string(note.best, look.lang),
        loss=number(note.loss, note.unit),
        unit=_(UNITS[note.unit]),
    )
