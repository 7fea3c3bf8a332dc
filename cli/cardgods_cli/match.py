"""What a match came to, in tables or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgods_cli.look import json_text, look_for
from cardgods_cli.streams import clean
from cardgods_cli.words import _, n_

if TYPE_CHECKING:
    from cardgods.arena import Duel, MatchResult
    from cardgods.interval import Interval
    from cardgods_cli.look import Look

NOTHING = "-"
PAIRS = ("0", "1/2", "1", "3/2", "2")
"""What can be scored on a deal that two play twice."""


def tell(result: MatchResult, *, as_json: bool, plain: bool) -> None:
    """Print the result of a match.

    Args:
        result: the match.
        as_json: as one line of JSON, and nothing else.
        plain: lines of text only.
    """
    look = look_for(plain=plain)
    if as_json:
        look.show(json_text(result.to_dict()))
        return
    look.show(_heading(result))
    _tell_standings(result, look)
    for duel in result.duels:
        look.show(_duel_line(result, duel))
    _tell_seats(result, look)
    ends = ", ".join(f"{clean(end)} {count}" for end, count in result.ends.items())
    look.show(_("How the games ended: {ends}.").format(ends=ends))


def _heading(result: MatchResult) -> str:
    games = n_("{number} game", "{number} games", result.games).format(number=result.games)
    deals = n_("{number} whole deal", "{number} whole deals", result.deals).format(number=result.deals)
    return _("{game}, seed {seed}: {games}, {deals}.").format(
        game=result.game, seed=clean(str(result.seed)), games=games, deals=deals
    )


def in_points(result: MatchResult) -> bool:
    """True if a return is more than won or lost."""
    return (result.game.min_utility(), result.game.max_utility()) != (-1.0, 1.0)


def _tell_standings(result: MatchResult, look: Look) -> None:
    headers = (_("agent"), ">" + _("won"), ">" + _("shared"), ">" + _("score %"))
    intervals = (">" + _("95 % by deals"), ">" + _("95 % Wilson"))
    rows = [
        (
            one.name,
            one.wins,
            one.shared,
            _percent(one.score),
            _percents(one.score_interval),
            _percents(one.wilson),
        )
        for one in result.standings
    ]
    look.table((*headers, *intervals), rows)
    if in_points(result):
        points = [(one.name, f"{one.points:.3f}", _numbers(one.points_interval)) for one in result.standings]
        look.table((_("agent"), ">" + _("points"), ">" + _("95 % by deals")), points)


def _tell_seats(result: MatchResult, look: Look) -> None:
    points = in_points(result)
    headers = [">" + _("seat"), ">" + _("games"), ">" + _("score %"), ">" + _("95 % Wilson")]
    headers += [">" + _("points")] if points else []
    rows = []
    for number, seat in enumerate(result.seats):
        if seat is not None:
            row: list[object] = [number, seat.games, _percent(seat.score), _percents(seat.wilson)]
            rows.append([*row, f"{seat.points:.3f}"] if points else row)
    look.table(headers, rows)


def _duel_line(result: MatchResult, duel: Duel) -> str:
    names = [clean(result.standings[entrant].name) for entrant in (duel.first, duel.second)]
    counts = ", ".join(f"{score}: {n}" for score, n in zip(PAIRS, duel.pairs, strict=True))
    return _("{first} against {second}: wins, draws, losses {results}; deals by score {pairs}.").format(
        first=names[0],
        second=names[1],
        results=f"{duel.wins}, {duel.draws}, {duel.losses}",
        pairs=counts,
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def _percents(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{_percent(interval[0])} .. {_percent(interval[1])}"


def _numbers(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{interval[0]:.3f} .. {interval[1]:.3f}"
