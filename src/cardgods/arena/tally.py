"""What the games of a match come to. docs/arena.md tells the statistics.

The games of one deal are no independent samples, so intervals that respect the deals are taken over the means
of whole deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from cardgods.arena.plan import Plan
from cardgods.arena.record import Outcome
from cardgods.arena.sprt import SprtResult, sprt
from cardgods.interval import Interval, Mean, wilson
from cardgods.rating import Order, fit


@dataclass(frozen=True)
class Standing:
    """What one entrant has come to.

    A score is the share of a win: 1 for who alone had the highest return, a part for each of those who shared
    it (a half in a drawn duel), 0 for the others.

    Attributes:
        name: the entrant.
        agent: its spec; None if a factory made it.
        games: how many it played.
        wins: games in which it alone had the highest return.
        shared: games in which others had it too.
        score: mean score of a game.
        score_interval: 95 % interval of that from the means of whole deals; None of fewer than two.
        wilson: 95 % interval as if all games were independent.
        points: mean return of a game.
        points_interval: 95 % interval of that from the means of whole deals; None of fewer than two.
        rating: Elo points above the mean of all entrants (:mod:`cardgods.rating`).
        rating_interval: 95 % interval of that, for which whole deals are independent.
        by_seat: for each seat: games, mean score and mean return there; None where it never sat.
    """

    name: str
    agent: str | None
    games: int
    wins: int
    shared: int
    score: float
    score_interval: Interval | None
    wilson: Interval
    points: float
    points_interval: Interval | None
    rating: float
    rating_interval: Interval
    by_seat: tuple[SeatStanding | None, ...]


@dataclass(frozen=True)
class SeatStanding:
    """What a seat has come to, of all entrants or of one.

    Attributes:
        games: played there.
        score: mean score.
        wilson: 95 % interval of the score as if all games were independent.
        points: mean return.
    """

    games: int
    score: float
    wilson: Interval
    points: float


@dataclass(frozen=True)
class Duel:
    """What two entrants have come to against each other.

    Attributes:
        first: index of one.
        second: index of the other.
        wins: games that the first won.
        draws: games that nobody won.
        losses: games that the second won.
        pairs: deals played on both seats by what the first scored in them, five counts for 0, 1/2, 1,
            3/2 and 2.
    """

    first: int
    second: int
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]

    @property
    def score(self) -> float:
        """Mean score of the first."""
        return (self.wins + self.draws / 2) / max(1, self.wins + self.draws + self.losses)


class _Sums:
    """Games, score and points of an entrant on a seat."""

    __slots__ = ("games", "points", "score")

    def __init__(self) -> None:
        self.games = 0
        self.score = 0.0
        self.points = Mean()

    def standing(self) -> SeatStanding | None:
        if not self.games:
            return None
        return SeatStanding(
            self.games, self.score / self.games, wilson(self.score, self.games), self.points.value
        )


class Tally:
    """Takes in the outcomes of a match in order.

    Attributes:
        games: how many so far.
        ends: why games ended -> how many did so.
        decided: True once the sequential test has ended.
    """

    def __init__(self, plan: Plan) -> None:
        entrants, seats = len(plan.entrants), plan.game.num_players()
        self._plan = plan
        self.games = 0
        self.decided = False
        self.ends: Counter[str] = Counter()
        self._orders: Counter[tuple[Order, ...]] = Counter()
        self._wins = [0] * entrants
        self._shared = [0] * entrants
        self._at = [[_Sums() for _ in range(seats)] for _ in range(entrants)]
        self._deal_score = [Mean() for _ in range(entrants)]
        self._deal_points = [Mean() for _ in range(entrants)]
        self._open: list[tuple[tuple[int, ...], list[float], tuple[float, ...]]] = []
        self._duels = {pair: [0, 0, 0] for pair in combinations(range(entrants), 2)} if seats == 2 else {}
        self._pairs = {pair: [0] * 5 for pair in self._duels}
        self._appearances = [sum(e in lineup for lineup in plan.lineups) for e in range(entrants)]

    @property
    def deals(self) -> int:
        """Deals all of whose games have been played."""
        return self.games // len(self._plan.lineups)

    def add(self, outcome: Outcome) -> None:
        """Take in the next game."""
        lineup = self._plan.lineup(self.games)
        returns = outcome.returns
        scores = shares(returns)
        for seat, entrant in enumerate(lineup):
            at = self._at[entrant][seat]
            at.games += 1
            at.score += scores[seat]
            at.points.add(returns[seat])
            self._wins[entrant] += scores[seat] == 1
            self._shared[entrant] += 0 < scores[seat] < 1
        if self._duels:
            first = 0 if lineup[0] < lineup[1] else 1
            pair = (lineup[first], lineup[1 - first])
            self._duels[pair][2 - round(2 * scores[first])] += 1
        self.ends[outcome.end] += 1
        self._open.append((lineup, scores, returns))
        self.games += 1
        if len(self._open) == len(self._plan.lineups):
            self._close_deal()

    def _close_deal(self) -> None:
        entrants = range(len(self._appearances))
        score, points = [0.0 for _ in entrants], [0.0 for _ in entrants]
        pairs = dict.fromkeys(self._pairs, 0.0)
        for lineup, scores, returns in self._open:
            for seat, entrant in enumerate(lineup):
                score[entrant] += scores[seat]
                points[entrant] += returns[seat]
            if pairs:
                first = 0 if lineup[0] < lineup[1] else 1
                pairs[lineup[first], lineup[1 - first]] += scores[first]
        self._orders[tuple(finishing_order(lineup, returns) for lineup, _, returns in self._open)] += 1
        self._open.clear()
        for entrant, games in enumerate(self._appearances):
            self._deal_score[entrant].add(score[entrant] / games)
            self._deal_points[entrant].add(points[entrant] / games)
        for pair, scored in pairs.items():
            self._pairs[pair][round(2 * scored)] += 1
        test = self.sprt()
        self.decided = test is not None and test.accepted is not None

    def sprt(self) -> SprtResult | None:
        """Where the sequential test stands, if there is one."""
        return None if self._plan.sprt is None else sprt(self._plan.sprt, self._pairs[0, 1])

    def standings(self) -> tuple[Standing, ...]:
        """What each entrant has come to, in the order of the match."""
        found = fit(self._orders + Counter(self._left_over()), len(self._wins))
        rated = zip(found.ratings, found.intervals, strict=True)
        return tuple(self._standing(entrant, *rating) for entrant, rating in enumerate(rated))

    def _left_over(self) -> Iterator[tuple[Order, ...]]:
        """The finishing orders of a deal that was not played by all line-ups, each for itself."""
        for lineup, _, returns in self._open:
            yield (finishing_order(lineup, returns),)

    def _standing(self, entrant: int, rating: float, rating_interval: Interval) -> Standing:
        at = self._at[entrant]
        games = sum(sums.games for sums in at)
        score = sum(sums.score for sums in at)
        points = sum(sums.points.value * sums.points.count for sums in at)
        who = self._plan.entrants[entrant]
        interval = self._deal_score[entrant].interval()
        return Standing(
            who.name,
            who.spec,
            games,
            self._wins[entrant],
            self._shared[entrant],
            score / games if games else 0.0,
            None if interval is None else (max(0.0, interval[0]), min(1.0, interval[1])),
            wilson(score, games) if games else (0.0, 1.0),
            points / games if games else 0.0,
            self._deal_points[entrant].interval(),
            rating,
            rating_interval,
            tuple(sums.standing() for sums in at),
        )

    def seats(self) -> tuple[SeatStanding | None, ...]:
        """What each seat has come to, whoever sat there; None where no game was played."""
        together = []
        for seat in range(self._plan.game.num_players()):
            sums = _Sums()
            for at in self._at:
                sums.games += at[seat].games
                sums.score += at[seat].score
            whole = sum(at[seat].points.value * at[seat].games for at in self._at)
            sums.points.value = whole / max(1, sums.games)
            together.append(sums.standing())
        return tuple(together)

    def duels(self) -> tuple[Duel, ...]:
        """What every two entrants have come to against each other; empty where more than two play."""
        return tuple(
            Duel(first, second, wins, draws, losses, tuple(self._pairs[first, second]))
            for (first, second), (wins, draws, losses) in self._duels.items()
        )


def shares(returns: Sequence[float]) -> list[float]:
    """The score of each seat: who has the highest return share one win."""
    best = max(returns)
    share = 1.0 / returns.count(best)
    return [share if value == best else 0.0 for value in returns]


def finishing_order(lineup: Sequence[int], returns: Sequence[float]) -> Order:
    """Who came first, next and last, by what they won; equal returns are a tie."""
    groups: dict[float, list[int]] = {}
    for entrant, value in sorted(zip(lineup, returns, strict=True)):
        groups.setdefault(value, []).append(entrant)
    return tuple(tuple(groups[value]) for value in sorted(groups, reverse=True))


def plain(thing: Any) -> Any:  # noqa: ANN401
    """Dataclasses and tuples as maps and lists."""
    if hasattr(thing, "__dataclass_fields__"):
        return {name: plain(getattr(thing, name)) for name in thing.__dataclass_fields__}
    return [plain(item) for item in thing] if isinstance(thing, tuple) else thing
