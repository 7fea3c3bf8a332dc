"""Ratings against likelihoods written out and maxima found by hand."""

import itertools
import math
import random

import pytest

from cardgods.errors import ParameterError
from cardgods.rating import ELO, fit

WON, LOST, DRAWN = ((0,), (1,)), ((1,), (0,)), ((0, 1),)
NEARLY_NOTHING = 1e-9


def chances(alive, strengths, ties):
    """Probability of each set of players that could come next: the model as its authors write it."""
    weights = {}
    for k in range(1, len(alive) + 1):
        for group in itertools.combinations(sorted(alive), k):
            product = math.prod(strengths[player] for player in group)
            weights[group] = ties.get(k, 0.0 if k > 1 else 1.0) * product ** (1 / k)
    total = sum(weights.values())
    return {group: weight / total for group, weight in weights.items()}


def log_likelihood(order, strengths, ties):
    alive = {player for group in order for player in group}
    value = 0.0
    for group in order:
        value += math.log(chances(alive, strengths, ties)[tuple(sorted(group))])
        alive -= set(group)
    return value


class Plain:
    """The objective without any cleverness; a point is the log strengths, then the log d_k that were met."""

    def __init__(self, units, players, imagined=0.5):
        self.units, self.players, self.imagined = units, players, imagined
        self.sizes = sorted({len(group) for unit in units for order in unit for group in order} - {1})

    def unit(self, unit, point):
        strengths = [math.exp(x) for x in point[: self.players]]
        ties = dict(zip(self.sizes, map(math.exp, point[self.players :]), strict=True))
        return sum(log_likelihood(order, strengths, ties) for order in unit)

    def __call__(self, point):
        games = sum(x - 2 * math.log(1 + math.exp(x)) for x in point)
        orders = sum(often * self.unit(unit, point) for unit, often in self.units.items())
        return orders + self.imagined * games


def gradient(function, point, step=1e-5):
    slopes = []
    for k in range(len(point)):
        there, back = list(point), list(point)
        there[k] += step
        back[k] -= step
        slopes.append((function(there) - function(back)) / (2 * step))
    return slopes


def point_of(found, plain):
    """The point of a fit; ratings are shifted, so the shift is looked for."""
    raw = [rating / ELO for rating in found.ratings]
    ties = [math.log(found.ties[k]) for k in plain.sizes]
    at = [[x + shift for x in raw] + ties for shift in (-0.5, 0.5)]
    slopes = [sum(gradient(plain, point)[: len(raw)]) for point in at]
    for _ in range(60):
        middle = [(a + b) / 2 for a, b in zip(*at, strict=True)]
        slope = sum(gradient(plain, middle)[: len(raw)])
        at[slope * slopes[0] < 0] = middle
    return at[0]


def some_units(players, count, seed, games=1):
    rng = random.Random(seed)
    units = {}
    for _ in range(count):
        unit = []
        for _ in range(games):
            order = rng.sample(range(players), players)
            groups = []
            while order:
                size = min(len(order), rng.choice([1, 1, 2, 3]))
                groups.append(tuple(sorted(order[:size])))
                order = order[size:]
            unit.append(tuple(groups))
        units[tuple(unit)] = units.get(tuple(unit), 0) + 1
    return units


def test_duels_without_draws_are_bradley_and_terry_s():
    found = fit({(WON,): 30, (LOST,): 10}, 2, NEARLY_NOTHING)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * math.log10(3), abs=1e-4)
    assert found.log_likelihood == pytest.approx(30 * math.log(0.75) + 10 * math.log(0.25))
    # The standard error of a log odds ratio.
    spread = ELO * math.sqrt(1 / 30 + 1 / 10) * math.sqrt(40 / 39)
    low, high = found.intervals[0]
    assert (high - low) / 2 == pytest.approx(1.959964 * spread / 2, rel=1e-4)


def test_duels_with_draws_are_davidson_s():
    found = fit({(WON,): 30, (LOST,): 10, (DRAWN,): 20}, 2, NEARLY_NOTHING)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * math.log10(3), abs=1e-4)
    assert found.ties == {2: pytest.approx(20 / math.sqrt(300), rel=1e-6)}


def test_three_in_a_round_robin_of_duels():
    # Each beats the next 3 : 1 and the third 9 : 1, as strengths 9, 3, 1 would have it.
    units = {}
    for a, b, odds in ((0, 1, 3), (1, 2, 3), (0, 2, 9)):
        units[((a,), (b,)),] = 10 * odds
        units[((b,), (a,)),] = 10
    found = fit(units, 3, NEARLY_NOTHING)
    assert found.ratings == pytest.approx([400 * math.log10(3), 0, -400 * math.log10(3)], abs=1e-3)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (3, 3), (4, 4)])
def test_the_maximum_is_that_of_the_likelihood_written_out(players, seed):
    units = some_units(players, 25, seed)
    plain = Plain(units, players)
    found = fit(units, players)
    best = point_of(found, plain)
    assert gradient(plain, best) == pytest.approx([0.0] * len(best), abs=1e-5)
    rng = random.Random(seed)
    for size in (0.01, 0.1, 1.0, 5.0):
        for _ in range(5):
            assert plain([x + rng.gauss(0, size) for x in best]) < plain(best)
    assert found.log_likelihood == pytest.approx(
        sum(often * plain.unit(unit, best) for unit, often in units.items())
    )


def test_intervals_are_the_sandwich_by_numerical_derivatives():
    units = some_units(3, 12, 5, games=3)
    plain = Plain(units, 3)
    found = fit(units, 3)
    best = point_of(found, plain)
    size, count = len(best), sum(units.values())
    curvature = [
        gradient(lambda point, k=k: gradient(plain, point, 1e-4)[k], best, 1e-4) for k in range(size)
    ]
    meat = [[0.0] * size for _ in range(size)]
    for unit, often in units.items():
        slope = gradient(lambda point, unit=unit: plain.unit(unit, point), best)
        for a, b in itertools.product(range(size), repeat=2):
            meat[a][b] += often * slope[a] * slope[b] * count / (count - 1)
    for k, x in enumerate(best):
        chance = 1 / (1 + math.exp(-x))
        meat[k][k] += 0.5 * ((1 - chance) ** 2 + chance**2)
    for player, (low, high) in enumerate(found.intervals):
        contrast = [float(k == player) - (k < 3) / 3 for k in range(size)]
        lever = solved([[-x for x in row] for row in curvature], contrast)
        variance = sum(lever[a] * meat[a][b] * lever[b] for a in range(size) for b in range(size))
        assert (high - low) / 2 == pytest.approx(1.959964 * ELO * math.sqrt(variance), rel=1e-3)
        assert (high + low) / 2 == pytest.approx(found.ratings[player])


def test_the_interval_of_a_single_unit_is_that_of_its_likelihood():
    unit = (((0,), (1, 2)), ((1,), (0,), (2,)))
    plain = Plain({unit: 1}, 3)
    found = fit({unit: 1}, 3)
    best = point_of(found, plain)
    size = len(best)
    curvature = [
        gradient(lambda point, k=k: gradient(plain, point, 1e-4)[k], best, 1e-4) for k in range(size)
    ]
    for player, (low, high) in enumerate(found.intervals):
        contrast = [float(k == player) - (k < 3) / 3 for k in range(size)]
        lever = solved([[-x for x in row] for row in curvature], contrast)
        variance = sum(a * b for a, b in zip(lever, contrast, strict=True))
        assert (high - low) / 2 == pytest.approx(1.959964 * ELO * math.sqrt(variance), rel=1e-3)


def solved(matrix, right):
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(len(rows)):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


def test_who_ties_is_rated_alike():
    order = ((2,), (0, 1, 3))
    found = fit({(order,): 1}, 4)
    assert found.ratings[0] == found.ratings[1] == found.ratings[3] < found.ratings[2]
    shared = fit({(((0, 1, 2, 3),),): 1}, 4)
    assert shared.ratings == (0.0, 0.0, 0.0, 0.0)
    # A shared win changes both winners' ratings by the same amount, whatever was before.
    before = {(((0,), (2,), (1,)),): 3, (((1,), (2,), (0,)),): 3}
    after = fit({**before, (((0, 1), (2,)),): 1}, 3).ratings
    assert after[0] == pytest.approx(after[1], abs=1e-9)
    assert after[0] > fit(before, 3).ratings[0]


def test_neither_names_nor_the_order_of_games_play_a_part():
    units = some_units(3, 20, 9)
    found = fit(units, 3).ratings
    assert fit(dict(reversed(units.items())), 3).ratings == pytest.approx(found, abs=1e-8)
    renamed = {
        tuple(tuple(tuple(2 - p for p in group) for group in order) for order in unit): often
        for unit, often in units.items()
    }
    assert fit(renamed, 3).ratings == pytest.approx(found[::-1], abs=1e-8)


@pytest.mark.parametrize(
    ("units", "players"),
    [
        ({(WON,): 1}, 2),
        ({(WON,): 10**9}, 2),
        ({(WON, WON): 10**6}, 2),
        ({(DRAWN,): 10**9}, 2),
        ({(DRAWN,): 1, (WON,): 10**9}, 2),
        ({(((0,),),): 1}, 1),
        ({}, 3),
        ({(tuple((p,) for p in range(12)),): 10**6}, 12),
        ({((tuple(range(12)),),): 10**6}, 12),
        ({(((0,), tuple(range(1, 12))),): 10**6}, 12),
        ({(((p,), (p + 1,)),): 10**6 for p in range(31)}, 32),
    ],
)
def test_every_rating_is_finite(units, players):
    found = fit(units, players)
    for rating, (low, high) in zip(found.ratings, found.intervals, strict=True):
        assert math.isfinite(low)
        assert math.isfinite(high)
        assert low <= rating <= high
    assert sum(found.ratings) == pytest.approx(0, abs=1e-6 * max(1, *map(abs, found.ratings)))
    assert all(0 < value < math.inf for value in found.ties.values())


def test_strengths_are_found_again():
    strengths, ties = [4.0, 2.0, 1.0, 0.5], {2: 0.3, 3: 0.1}
    rng = random.Random(11)
    units = {}
    for _ in range(4000):
        alive, order = set(range(4)), []
        while alive:
            groups, weights = zip(*chances(alive, strengths, ties).items(), strict=True)
            order.append(rng.choices(groups, weights)[0])
            alive -= set(order[-1])
        units[(tuple(order),)] = units.get((tuple(order),), 0) + 1
    found = fit(units, 4)
    true = [400 * math.log10(s) for s in strengths]
    for value, (low, high) in zip(true, found.intervals, strict=True):
        assert low < value - sum(true) / 4 < high
        assert high - low < 30
    assert found.ties[2] == pytest.approx(0.3, rel=0.1)
    assert found.ties[3] == pytest.approx(0.1, rel=0.2)


@pytest.mark.parametrize(
    ("units", "players"),
    [
        ({}, 0),
        ({}, 33),
        ({(((0,), (0,)),): 1}, 2),
        ({(((0,), (2,)),): 1}, 2),
        ({(((0,), ()),): 1}, 2),
        ({(((0, -1),),): 1}, 2),
        ({(((0, True),),): 1}, 2),
        ({((tuple(range(13)),),): 1}, 13),
    ],
)
def test_malformed_orders_are_refused(units, players):
    with pytest.raises(ParameterError):
        fit(units, players)


def test_nothing_imagined_is_refused():
    with pytest.raises(ParameterError):
        fit({(WON,): 1}, 2, 0.0)
