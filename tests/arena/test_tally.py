"""The statistics of a match against other ways to compute them."""

import itertools
import json
import math
import random
import statistics
from collections import Counter

import pytest

from cardgods import load_game
from cardgods.arena import run_match
from cardgods.arena.plan import Plan, entrants_of, everybody_meets, rotations
from cardgods.arena.referee import Outcome
from cardgods.arena.tally import Tally, finishing_order, shares
from cardgods.interval import Mean, wilson
from cardgods.rating import fit

Z = statistics.NormalDist().inv_cdf(0.975)


def tally_of(game, lineups, entrants, all_returns):
    plan = Plan(game, entrants_of(["random"] * entrants), lineups, len(all_returns), 1)
    tally = Tally(plan)
    for returns in all_returns:
        tally.add(Outcome(returns, "finished"))
    return tally


def random_returns(players, games, seed, values=(-1, 0, 2)):
    rng = random.Random(seed)
    return [tuple(float(rng.choice(values)) for _ in range(players)) for _ in range(games)]


def by_hand(lineups, entrant, all_returns):
    """(score, return) of each game of an entrant, and by deal."""
    games, deals = [], {}
    for number, returns in enumerate(all_returns):
        deal, turn = divmod(number, len(lineups))
        if entrant in lineups[turn]:
            seat = lineups[turn].index(entrant)
            best = [value == max(returns) for value in returns]
            games.append((best[seat] / sum(best), returns[seat]))
            deals.setdefault(deal, []).append(games[-1])
    whole = [deal for deal in deals.values() if len(deal) == sum(entrant in line for line in lineups)]
    return games, whole


@pytest.mark.parametrize("games", [1, 2, 3, 4, 31, 60])
def test_standings_by_hand(games):
    game = load_game("commerce", "mini")
    players = game.num_players()
    lineups = rotations(players)
    returns = random_returns(players, games, games)
    tally = tally_of(game, lineups, players, returns)
    for entrant, standing in enumerate(tally.standings()):
        played, deals = by_hand(lineups, entrant, returns)
        assert standing.games == len(played)
        assert standing.score == pytest.approx(statistics.fmean(score for score, _ in played))
        assert standing.points == pytest.approx(statistics.fmean(points for _, points in played))
        assert standing.wins == sum(score == 1 for score, _ in played)
        assert standing.shared == sum(0 < score < 1 for score, _ in played)
        for part, interval in ((0, standing.score_interval), (1, standing.points_interval)):
            means = [statistics.fmean(one[part] for one in deal) for deal in deals]
            if len(means) < 2:
                assert interval is None
                continue
            spread = Z * statistics.stdev(means) / math.sqrt(len(means))
            middle = statistics.fmean(means)
            low, high = middle - spread, middle + spread
            assert interval == pytest.approx((max(0, low), min(1, high)) if part == 0 else (low, high))
    for seat, at in enumerate(tally.seats()):
        everybody = [shares(value)[seat] for value in returns]
        assert at.score == pytest.approx(statistics.fmean(everybody))
        assert at.points == pytest.approx(statistics.fmean(value[seat] for value in returns))


def test_duels_count_games_and_pairs():
    game = load_game("encan", "express")
    pairs = [((1, -1), (-1, 1)), ((1, -1), (1, -1)), ((-1, 1), (1, -1)), ((0, 0), (1, -1)), ((0, 0), (-1, 1))]
    returns = [tuple(map(float, one)) for pair in pairs for one in pair]
    (duel,) = tally_of(game, rotations(2), 2, returns).duels()
    # The second game of a pair is played on changed seats.
    assert duel.pairs == (1, 1, 1, 1, 1)
    assert (duel.wins, duel.draws, duel.losses) == (4, 2, 4)
    assert duel.score == 0.5


def test_a_round_robin_counts_every_two():
    game = load_game("encan", "express")
    lineups = everybody_meets(4)
    assert sorted(lineups) == sorted(itertools.permutations(range(4), 2))
    returns = [(1.0, -1.0) if line[0] < line[1] else (-1.0, 1.0) for line in lineups] * 3
    tally = tally_of(game, lineups, 4, returns)
    assert tally.deals == 3
    assert [(d.first, d.second) for d in tally.duels()] == list(itertools.combinations(range(4), 2))
    assert all((d.wins, d.draws, d.losses) == (6, 0, 0) and d.pairs == (0, 0, 0, 0, 3) for d in tally.duels())
    assert [s.score for s in tally.standings()] == pytest.approx([1, 2 / 3, 1 / 3, 0])


def test_a_match_without_variance_is_finite():
    game = load_game("encan", "express")
    for games in (1, 2, 10):
        tally = tally_of(game, rotations(2), 2, [((1.0, -1.0), (-1.0, 1.0))[n % 2] for n in range(games)])
        winner, loser = tally.standings()
        assert (winner.score, loser.score) == (1.0, 0.0)
        assert winner.score_interval == (None if games < 4 else (1.0, 1.0))
        assert 0 < winner.wilson[0] < winner.wilson[1] <= 1
        assert loser.wilson[0] == 0 < loser.wilson[1] < 1
        json.dumps([winner.wilson, winner.points, winner.points_interval], allow_nan=False)


@pytest.mark.parametrize("games", [1, 2, 7])
def test_results_are_strict_json(games):
    for name, variant in (("encan", "express"), ("commerce", "mini")):
        game = load_game(name, variant)
        names = ["NaN", '"}\x1b[2J\u202e', "x" * 4000][: game.num_players()]
        result = run_match(game, ["random"] * game.num_players(), games, seed=1, names=names)
        text = json.dumps(result.to_dict(), allow_nan=False)
        back = json.loads(text, parse_constant=pytest.fail)
        assert [one["name"] for one in back["standings"]] == names
        assert back["games"] == games
        assert sum(back["ends"].values()) == games


def test_ratings_take_deals_for_units():
    game = load_game("commerce", "mini")
    lineups = rotations(3)
    returns = random_returns(3, 31, 8)
    orders = [finishing_order(lineups[n % 3], value) for n, value in enumerate(returns)]
    units = Counter(tuple(orders[at : at + 3]) for at in range(0, 30, 3))
    units[(orders[30],)] += 1
    found = fit(units, 3)
    standings = tally_of(game, lineups, 3, returns).standings()
    assert [one.rating for one in standings] == pytest.approx(found.ratings)
    assert [one.rating_interval for one in standings] == [pytest.approx(pair) for pair in found.intervals]


def test_shares_of_a_win():
    assert shares([1.0, -1.0]) == [1, 0]
    assert shares([0.0, 0.0]) == [0.5, 0.5]
    assert shares([2.0, 3.0, 3.0, 3.0]) == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])


def test_finishing_orders():
    assert finishing_order((0, 1), (1.0, -1.0)) == ((0,), (1,))
    assert finishing_order((1, 0), (1.0, -1.0)) == ((1,), (0,))
    assert finishing_order((2, 0, 1), (5.0, 7.0, 5.0)) == ((0,), (1, 2))


def test_the_mean_is_the_mean():
    rng = random.Random(1)
    values = [1e9 + rng.random() for _ in range(100)]
    mean = Mean()
    assert mean.interval() is mean.variance is None
    for value in values:
        mean.add(value)
    assert mean.value == pytest.approx(statistics.fmean(values), rel=1e-15)
    assert mean.variance == pytest.approx(statistics.variance(values), rel=1e-6)


def test_wilson_solves_its_quadratic():
    for hits, samples in ((0, 1), (1, 1), (2.5, 7), (50, 100)):
        for bound in wilson(hits, samples):
            share = hits / samples
            assert (bound - share) ** 2 == pytest.approx(Z * Z * bound * (1 - bound) / samples, abs=1e-12)
