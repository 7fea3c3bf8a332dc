"""The sequential test against a likelihood maximised by brute force, and its errors by simulation."""

import math
import random

import pytest

from cardgods import load_game
from cardgods.arena import Match, plan_match, resume_match, run_match
from cardgods.arena.sprt import SCORES, SprtPlan, _most_likely, expected_score, log_ratio, sprt
from cardgods.errors import ParameterError


def likelihood(counts, distribution):
    return sum(n * math.log(p) for n, p in zip(counts, distribution, strict=True))


@pytest.mark.parametrize("counts", [(5, 10, 40, 20, 15), (1, 1, 1, 1, 1), (0, 0, 6, 0, 4), (90, 3, 1, 4, 2)])
@pytest.mark.parametrize("mean", [0.3, 0.5, 0.55])
def test_the_most_likely_distribution_beats_all_near_it_with_its_mean(counts, mean):
    total = sum(n or 1e-3 for n in counts)
    shares = [(n or 1e-3) / total for n in counts]
    best = _most_likely(shares, mean)
    assert sum(best) == pytest.approx(1, abs=1e-9)
    assert sum(p * score for p, score in zip(best, SCORES, strict=True)) == pytest.approx(mean, abs=1e-9)
    rng = random.Random(1)
    for _ in range(300):
        # A change that keeps the sum and the mean: three scores a quarter or more apart.
        a, b, c = sorted(rng.sample(range(5), 3))
        step = rng.uniform(-1, 1) * min(best) * 0.3
        other = list(best)
        other[a] += step * (c - b)
        other[b] -= step * (c - a)
        other[c] += step * (b - a)
        if min(other) > 0:
            assert likelihood(shares, other) <= likelihood(shares, best) + 1e-12


def test_with_two_results_it_is_the_plain_likelihood_ratio():
    # All deals are won or lost whole, so the mean alone gives the distribution.
    counts = (400, 0, 0, 0, 600)
    low, high = expected_score(0), expected_score(50)
    plain = 600 * math.log(high / low) + 400 * math.log((1 - high) / (1 - low))
    assert log_ratio(counts, 0, 50) == pytest.approx(plain, abs=0.02)


def test_exchanging_everything_changes_the_sign():
    assert log_ratio((3, 5, 20, 9, 8), 0, 20) == pytest.approx(-log_ratio((3, 5, 20, 9, 8), 20, 0))
    assert log_ratio((3, 5, 20, 9, 8), 0, 20) == pytest.approx(-log_ratio((8, 9, 20, 5, 3), -20, 0))
    assert log_ratio((0, 0, 0, 0, 0), 0, 5) == 0


@pytest.mark.parametrize("counts", [(1, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (10**9, 0, 0, 0, 0)])
def test_it_is_always_finite(counts):
    assert math.isfinite(log_ratio(counts, -1000, 1000))


@pytest.mark.parametrize("truth", ["low", "high"])
def test_errors_are_as_rare_as_promised(truth):
    plan = SprtPlan(0, 60, 0.1)
    rng = random.Random(3)
    weights = _most_likely([0.1, 0.2, 0.4, 0.2, 0.1], expected_score(getattr(plan, truth)))
    wrong = 0
    for _ in range(150):
        pairs, found = [0] * 5, None
        while found is None:
            for result in rng.choices(range(5), weights, k=4):
                pairs[result] += 1
            found = sprt(plan, pairs).accepted
        wrong += found != truth
    assert wrong <= 25  # 15 expected at most, with a standard deviation of 3.7


def test_bounds_are_wald_s():
    assert SprtPlan(0, 5).bound == pytest.approx(math.log(19))


def express():
    return load_game("encan", "express")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_match_ends_when_the_test_is_decided(threads, tmp_path):
    path = tmp_path / "match"
    plan = plan_match(express(), ["greedy", "random"], 5000, seed=1, sprt=(0, 50))
    with Match(plan, log=path) as match:
        result = match.run(threads)
    assert result.sprt.accepted == "high"
    assert result.sprt.ratio >= result.sprt.bound
    assert result.games < 1000
    assert result.games == 2 * result.deals
    whole = path.read_bytes()
    assert resume_match(path) == result
    assert path.read_bytes() == whole
    path.write_bytes(whole[: len(whole) // 2])
    assert resume_match(path, threads=threads) == result
    assert path.read_bytes() == whole
    other = run_match(express(), ["random", "greedy"], 5000, seed=1, sprt=(-50, 0))
    assert other.sprt.accepted == "low"
    assert result.to_dict()["sprt"]["accepted"] == "high"


def test_a_test_may_stay_open():
    result = run_match(express(), ["greedy", "greedy"], 10, seed=1, sprt=(0, 1))
    assert result.games == 10
    assert result.sprt.accepted is None
    assert run_match(express(), ["greedy", "greedy"], 10, seed=1).sprt is None


@pytest.mark.parametrize("bounds", [(5, 0), (0, 0), (0, 2000), (math.nan, 5)])
def test_wrong_bounds_are_refused(bounds):
    with pytest.raises(ParameterError, match="Elo"):
        run_match(express(), ["greedy", "random"], 10, sprt=bounds)


def test_wrong_errors_are_refused():
    with pytest.raises(ParameterError, match="error of a test"):
        SprtPlan(0, 5, 0.5)


def test_a_test_is_for_two():
    with pytest.raises(ParameterError, match="two agents"):
        run_match(load_game("commerce"), ["random"] * 3, 10, sprt=(0, 5))
    with pytest.raises(ParameterError, match="two agents"):
        run_match(express(), ["random"] * 3, 10, sprt=(0, 5), round_robin=True)
