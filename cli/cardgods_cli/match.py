"""A match on this screen: its progress, what to do when it is interrupted, and what it came to."""

from __future__ import annotations

import csv
import io
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from cardgods.arena.tally import shares
from cardgods.errors import AgentError
from cardgods_cli.look import json_text, look_for
from cardgods_cli.progress import Progress
from cardgods_cli.streams import clean
from cardgods_cli.words import _, n_

if TYPE_CHECKING:
    from cardgods.arena import Duel, Match, MatchResult, PlayedGame, SprtResult, Watcher
    from cardgods.interval import Interval
    from cardgods_cli.look import Look

NOTHING = "-"
PAIRS = ("0", "1/2", "1", "3/2", "2")
"""What can be scored on a deal that two play twice."""
COLUMNS = ("game", "deal", "seat", "agent", "score", "points", "end")
STANDARD_OUTPUT = "-"


@dataclass(frozen=True)
class Output:
    """How a match is shown; the values of the command's options.

    Attributes:
        threads: games played at once.
        csv_path: file for a line for each seat of each game; STANDARD_OUTPUT in place of a table.
        as_json: print JSON in place of a table.
        plain: lines of text only.
    """

    threads: int
    csv_path: str | None
    as_json: bool
    plain: bool

    @contextmanager
    def watcher(self) -> Iterator[Watcher | None]:
        """What sees the games of the match, and writes them as CSV if that was asked for.

        Raises:
            SolveError: if the file cannot be written.
        """
        if self.csv_path is None:
            yield None
        elif self.csv_path == STANDARD_OUTPUT:
            yield _csv_watcher(sys.stdout)
        else:
            from cardgods.solve.whole_file import whole_file

            with whole_file(Path(self.csv_path)) as file:
                text = io.TextIOWrapper(file, encoding="utf-8", newline="")
                yield _csv_watcher(text)
                text.detach()

    def play(self, match: Match, path: str | None, again: str = "") -> None:
        """Play a match to its end and print what it comes to.

        Args:
            match: the match.
            path: its log, if it has one.
            again: the command line that plays it again.
        """
        games, done = match.plan.games, match.games
        if match.aside is not None:
            self._say(_("A game whose writing was cut short is now in {file}.").format(file=match.aside))
        if 0 < done < games:
            self._say(_("Going on behind game {done} of {games}.").format(done=done, games=games))
        title = _("{games} games of {game}").format(games=games, game=match.plan.game)
        try:
            with Progress(title, plain=self.plain) as progress:
                result = match.run(self.threads, progress)
        except KeyboardInterrupt as error:
            error.add_note(_how_to_go_on(match, path, again))
            raise
        except AgentError as error:
            if path is not None:
                error.add_note(_("the games up to it are in {file}").format(file=path))
            raise
        if self.csv_path != STANDARD_OUTPUT:
            tell(result, as_json=self.as_json, plain=self.plain)

    def _say(self, text: str) -> None:
        sys.stderr.write(clean(text) + "\n")


def _csv_watcher(file: IO[str]) -> Watcher:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)

    def watch(game: PlayedGame) -> None:
        rows = zip(game.names, shares(game.returns), game.returns, strict=True)
        for seat, (name, score, points) in enumerate(rows):
            writer.writerow((game.number, game.deal, seat, clean(name), score, points, game.end))

    return watch


def _how_to_go_on(match: Match, path: str | None, again: str) -> str:
    games, done = match.plan.games, match.games
    if path is None:
        return _("{done} of {games} games were played and not recorded (seed {seed})").format(
            done=done, games=games, seed=match.plan.seed
        )
    if not done:
        return _("no game was over yet; to begin again: {command}").format(command=again)
    command = f"cardgods arena --resume {shlex.quote(path)}"
    return _("{done} of {games} games are in {file}; to go on: {command}").format(
        done=done, games=games, file=path, command=command
    )


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
    if len(result.duels) == 1:
        look.show(_duel_line(result, result.duels[0]))
    elif result.duels:
        _tell_cross_table(result, look)
    if result.sprt is not None:
        look.show(_sprt_line(result.sprt))
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
    by_deals = ">" + _("95 % by deals")
    headers = [_("agent"), ">" + _("won"), ">" + _("shared"), ">" + _("score %"), by_deals]
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
    look.table([*headers, ">" + _("95 % Wilson")], rows)
    points = in_points(result)
    headers = [_("agent"), ">" + _("rating"), by_deals, *([">" + _("points"), by_deals] if points else [])]
    ratings = []
    for one in result.standings:
        low, high = one.rating_interval
        row = [one.name, f"{one.rating:.0f}", f"{low:.0f} .. {high:.0f}"]
        ratings.append([*row, f"{one.points:.3f}", _numbers(one.points_interval)] if points else row)
    look.table(headers, ratings)


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


def _tell_cross_table(result: MatchResult, look: Look) -> None:
    """Scores of everybody against everybody, in percent."""
    scores = {}
    for duel in result.duels:
        scores[duel.first, duel.second] = duel.score
        scores[duel.second, duel.first] = 1 - duel.score
    everybody = range(len(result.standings))
    rows = []
    for row in everybody:
        cells = [_percent(scores[row, k]) if k != row else "" for k in everybody]
        rows.append((row + 1, result.standings[row].name, *cells))
    title = _("Score % against each other:")
    look.table((">", _("agent"), *(f">{k + 1}" for k in everybody)), rows, title)


def _sprt_line(test: SprtResult) -> str:
    found = (
        _("undecided") if test.accepted is None else f"{test.high if test.accepted == 'high' else test.low:g}"
    )
    return _("Test of {low} against {high} Elo: {found} (log ratio {ratio}, bounds ±{bound}).").format(
        low=f"{test.low:g}",
        high=f"{test.high:g}",
        found=found,
        ratio=f"{test.ratio:.2f}",
        bound=f"{test.bound:.2f}",
    )


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def _percents(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{_percent(interval[0])} .. {_percent(interval[1])}"


def _numbers(interval: Interval | None) -> str:
    return NOTHING if interval is None else f"{interval[0]:.3f} .. {interval[1]:.3f}"
