"""Members of the Encan family solved whole, plan included, on one core; rates are matrix games."""

import pytest

import cardgods
from cardgods.solve.encan import solve

GOOFSPIEL = {"variant": "goofspiel", "cards": tuple(range(1, 8))}

SOLVED = {
    "express": ({"variant": "express"}, 0.461681000467, 26_882, 15_623),
    "2-9": ({"cards": tuple(range(2, 10)), "obole": False}, 0.474223891835, 1_356_150, 656_812),
    "2-9 obole": ({"cards": tuple(range(2, 10))}, 0.400311435688, 14_404_641, 10_931_306),
    "goofspiel 7": (GOOFSPIEL, 0.5, 158_183, 41_389),
    "goofspiel 7 points": ({**GOOFSPIEL, "payoff": "points"}, 0.0, 34_944, 16_647),
    "goofspiel 7 carry": (
        {**GOOFSPIEL, "tie": "carry", "tie_break": "second"},
        (1 - 0.162923265216) / 2,
        145_536,
        80_059,
    ),
}


@pytest.mark.parametrize("name", SOLVED)
def test_solve(rate, name):
    options, value, games, states = SOLVED[name]
    game = cardgods.load_game("encan", **options)
    solution = rate(lambda: solve(game), games, rounds=3)
    assert solution.value == pytest.approx(value, abs=1e-11)
    assert (solution.matrix_games, solution.states) == (games, states)
    assert solution.certificate.largest_gap <= 1e-12
