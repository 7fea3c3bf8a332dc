"""Ratings from finishing orders with ties, fitted by maximum likelihood.

The model is that of H. Turner, J. van Etten, D. Firth and I. Kosmidis, "Modelling rankings in R: the
PlackettLuce package" (Computational Statistics 35, 2020): the winner, or the tied winners, are drawn among
all players, the next ones among the others, and so on. A set S of k players comes next with a probability in
proportion to

    d_k * (product of the strengths in S) ** (1 / k)          d_1 = 1

among all sets of those who are left. Without ties it is the Plackett-Luce model; for two players it is the
model of R. R. Davidson (1970) for duels with draws, and without draws that of Bradley and Terry (1952), which
Elo ratings rest on. Who ties is treated alike, and the order in which games were played plays no part.

As in that package, each player also has half a win and half a loss against an imagined player of strength 1,
so that whoever has won or lost every game gets a finite rating; each d_k has half a tie and half a decision
in the same way. The imagined games count for little once there are some dozen real ones.

Ratings are on the scale of Elo: 400 * log10(strength), shifted so that their mean is 0. Whoever is 400 above
another wins ten times as often as he loses.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cardgods._core.rating import expectations
from cardgods.errors import ParameterError, shown
from cardgods.interval import Z95, Interval

Order: TypeAlias = tuple[tuple[int, ...], ...]
"""A finishing order: the players who came first, those who came next, and so on."""

MOST_PLAYERS = 32
MOST_IN_GAME = 12
ELO = 400 / math.log(10)
"""Elo points of a unit of log strength."""
IMAGINED = 0.5
"""Wins, and losses, against the imagined player."""
MOST_STEPS = 200
CLOSE = 1e-10
"""Newton's method ends when no strength would change by more, in units of log strength."""

_Matrix: TypeAlias = list[list[float]]


@dataclass(frozen=True)
class Ratings:
    """Ratings of players and how sure they are.

    Attributes:
        ratings: Elo points of each player, with mean 0.
        intervals: 95 % interval of each.
        ties: d_k of each size of tie that was met, from 2 on: how readily k equal players tie.
        log_likelihood: of the orders at the maximum, without the imagined games.
    """

    ratings: tuple[float, ...]
    intervals: tuple[Interval, ...]
    ties: dict[int, float]
    log_likelihood: float


def fit(units: Mapping[tuple[Order, ...], int], players: int, imagined: float = IMAGINED) -> Ratings:
    """The most likely ratings.

    Args:
        units: what was observed together, such as the games of one deal -> how often. The intervals take
            nothing but the units for independent: they are those of the cluster-robust "sandwich" estimate
            (K.-Y. Liang and S. L. Zeger 1986), to which the imagined games are added as units of their own. A
            single unit tells nothing of how units differ; then all choices are taken for independent.
        players: how many there are; in orders they are 0..players-1.
        imagined: weight of the imagined games, above 0.

    Raises:
        ParameterError: if there are no players or too many, or an order is malformed.
    """
    if not 1 <= players <= MOST_PLAYERS or not imagined > 0:
        raise ParameterError(f"{shown(players)} players: from 1 to {MOST_PLAYERS} can be rated")
    model = _Model(units, players, imagined)
    point = model.maximum()
    spreads = model.spreads(point)
    mean = sum(point[:players]) / players
    ratings = tuple(ELO * (value - mean) for value in point[:players])
    return Ratings(
        ratings,
        tuple((r - Z95 * ELO * s, r + Z95 * ELO * s) for r, s in zip(ratings, spreads, strict=True)),
        {size: math.exp(point[players + size]) for size in model.tie_sizes},
        model.log_likelihood(point),
    )


class _Model:
    """The likelihood of orders; a point is the log strength of each player, then log d_k for k = 0, 1, ...

    Only the strengths and the d_k of ties that were met are free; the other places stay 0.
    """

    def __init__(self, units: Mapping[tuple[Order, ...], int], players: int, imagined: float) -> None:
        self._units = units
        self._players = players
        self._imagined = imagined
        orders: Counter[Order] = Counter()
        for unit, often in units.items():
            for order in unit:
                orders[order] += often
        self._choices = {order: _choices(order, players) for order in orders}
        alive: Counter[int] = Counter()
        for order, often in orders.items():
            for mask, _ in self._choices[order]:
                alive[mask] += often
        self._alive: list[tuple[int, float]] = list(alive.items())
        sizes = {len(group) for order in orders for group in order} - {1}
        self.tie_sizes = sorted(sizes)
        most = max(sizes, default=1)
        self._size = players + most + 1
        self._free = [*range(players), *(players + size for size in self.tie_sizes)]
        # A size of tie that never was has weight 0.
        self._barred = [players + k for k in range(2, most + 1) if k not in sizes]
        self._observed = self._sum_of_statistics(orders)

    def _sum_of_statistics(self, orders: Mapping[Order, int]) -> list[float]:
        total = [0.0] * self._size
        for order, often in orders.items():
            for _, group in self._choices[order]:
                for place, value in self._statistics(group):
                    total[place] += often * value
        return total

    def _statistics(self, group: Sequence[int]) -> list[tuple[int, float]]:
        return [(player, 1 / len(group)) for player in group] + [(self._players + len(group), 1.0)]

    def _expectations(self, point: Sequence[float]) -> tuple[list[float], list[list[float]], list[float]]:
        ties = list(point[self._players :])
        for place in self._barred:
            ties[place - self._players] = -math.inf
        return expectations(self._alive, list(point[: self._players]), ties)

    def log_likelihood(self, point: Sequence[float]) -> float:
        """Of the orders alone."""
        norms, _, _ = self._expectations(point)
        return self._likelihood(point, norms)

    def _likelihood(self, point: Sequence[float], norms: Sequence[float]) -> float:
        seen = math.fsum(value * point[place] for place, value in enumerate(self._observed))
        return seen - math.fsum(often * norm for (_, often), norm in zip(self._alive, norms, strict=True))

    def _objective(self, point: Sequence[float], norms: Sequence[float]) -> float:
        games = math.fsum(point[k] - 2 * _log1p_exp(point[k]) for k in self._free)
        return self._likelihood(point, norms) + self._imagined * games

    def maximum(self) -> list[float]:
        """The most likely point, by Newton's method; the objective is strictly concave."""
        point = [0.0] * self._size
        for _ in range(MOST_STEPS):
            norms, means, covariance = self._expectations(point)
            step = self._newton_step(point, means, covariance)
            point = self._along(point, step, self._objective(point, norms))
            if max(map(abs, step)) < CLOSE:
                break
        return point

    def _along(self, point: list[float], step: list[float], before: float) -> list[float]:
        """The point a step away, or so far along as the objective does not fall."""
        share = 1.0
        while True:
            there = [*point]
            for k, change in zip(self._free, step, strict=True):
                there[k] += share * change
            # Close to the maximum the objective is flat up to rounding.
            if self._objective(there, self._expectations(there)[0]) >= before - 1e-9 * abs(before):
                return there
            share /= 2

    def _newton_step(
        self, point: Sequence[float], means: Sequence[Sequence[float]], covariance: Sequence[float]
    ) -> list[float]:
        gradient = [
            self._observed[k]
            - math.fsum(often * mean[k] for (_, often), mean in zip(self._alive, means, strict=True))
            + self._imagined * (1 - 2 * _logistic(point[k]))
            for k in self._free
        ]
        return _solve(_cholesky(self._information(point, covariance)), gradient)

    def _information(self, point: Sequence[float], covariance: Sequence[float]) -> _Matrix:
        """The negative second derivatives of the objective."""
        return [
            [
                covariance[max(a, b) * self._size + min(a, b)]
                + (2 * self._imagined * _logistic(point[a]) * _logistic(-point[a]) if a == b else 0.0)
                for b in self._free
            ]
            for a in self._free
        ]

    def spreads(self, point: Sequence[float]) -> list[float]:
        """Standard error of each player's log strength less the mean of all."""
        _, means, covariance = self._expectations(point)
        information = self._information(point, covariance)
        root = _cholesky(information)
        meat = information
        if sum(self._units.values()) > 1:
            expected = {mask: mean for (mask, _), mean in zip(self._alive, means, strict=True)}
            meat = self._meat(point, expected)
        spreads = []
        for player in range(self._players):
            contrast = [(k == player) - (k < self._players) / self._players for k in self._free]
            lever = _solve(root, contrast)
            inner = [_dot(lever, row) for row in meat]
            spreads.append(math.sqrt(_dot(lever, inner)))
        return spreads

    def _meat(self, point: Sequence[float], means: Mapping[int, Sequence[float]]) -> _Matrix:
        """Sum over the units of the outer products of their gradients."""
        gradients = {order: self._gradient(order, means) for order in self._choices}
        count = sum(self._units.values())
        meat = [[0.0] * len(self._free) for _ in self._free]
        for unit, often in self._units.items():
            gradient = [sum(parts) for parts in zip(*(gradients[order] for order in unit), strict=True)]
            weight = often * count / (count - 1)
            for row, one in zip(meat, gradient, strict=True):
                for k, other in enumerate(gradient):
                    row[k] += weight * one * other
        for k, place in enumerate(self._free):
            won, lost = _logistic(-point[place]), _logistic(point[place])
            meat[k][k] += self._imagined * (won * won + lost * lost)
        return meat

    def _gradient(self, order: Order, means: Mapping[int, Sequence[float]]) -> list[float]:
        gradient = [0.0] * self._size
        for mask, group in self._choices[order]:
            for place, value in self._statistics(group):
                gradient[place] += value
            for place, value in enumerate(means[mask]):
                gradient[place] -= value
        return [gradient[place] for place in self._free]


def _choices(order: Order, players: int) -> list[tuple[int, tuple[int, ...]]]:
    """For each group of an order: the mask of who could have come next, and who did; less the last alone.

    Raises:
        ParameterError: if a player is there twice or unknown, or a group is empty.
    """
    everybody = [player for group in order for player in group]
    sound = len(set(everybody)) == len(everybody) <= MOST_IN_GAME and all(order)
    if not sound or not all(type(player) is int and 0 <= player < players for player in everybody):
        raise ParameterError(f"{shown(order)} is no order of some of {players} players")
    left = sum(1 << player for player in everybody)
    choices = []
    for group in order:
        if left & (left - 1):
            choices.append((left, group))
        left &= ~sum(1 << player for player in group)
    return choices


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def _log1p_exp(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _cholesky(matrix: _Matrix) -> _Matrix:
    """The lower triangular root of a positive definite matrix."""
    root: _Matrix = []
    for i, row in enumerate(matrix):
        new: list[float] = []
        for j in range(i + 1):
            rest = row[j] - sum(a * b for a, b in zip(new, root[j] if j < i else new, strict=False))
            new.append(math.sqrt(rest) if i == j else rest / root[j][j])
        root.append(new)
    return root


def _solve(root: _Matrix, right: Sequence[float]) -> list[float]:
    """The solution of the equations whose matrix has this root."""
    size = len(root)
    solution = [*right]
    for i in range(size):
        solution[i] = (solution[i] - sum(root[i][j] * solution[j] for j in range(i))) / root[i][i]
    for i in reversed(range(size)):
        solution[i] -= sum(root[j][i] * solution[j] for j in range(i + 1, size))
        solution[i] /= root[i][i]
    return solution
