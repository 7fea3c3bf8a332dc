"""Commerce: strengths in bulk and the odds of knocking."""

from array import array
from itertools import combinations

import pytest

import cardgods
from cardgods._core import commerce_hands
from cardgods._core.games.commerce_audit import audit
from cardgods._core.walk import Cancel
from cardgods.solve.commerce import buy_odds, knock_odds
from cardgods.solve.commerce_mini import solve_mini
from cardgods.solve.commerce_tables import knock_table
from cardgods.walk import playouts

BIG_POINT = (38, 37, 41)
ROUNDS = 5000
GAMES = 100_000


@pytest.mark.parametrize(("players", "actions"), [(3, 4_482_127), (12, 50_027_557)])
def test_random_games(rate, players, actions):
    state = cardgods.load_game("commerce", players=players).new_initial_state()
    result = rate(lambda: playouts(state, GAMES, seed=1), GAMES)
    assert result.actions == actions


@pytest.mark.parametrize(("players", "decisions"), [(3, 144_714), (12, 575_724)])
def test_decisions_with_the_books_checked(rate, players, decisions):
    state = cardgods.load_game("commerce", players=players).new_initial_state()
    result = rate(lambda: audit(state, GAMES // 10, cardgods.Random(1), Cancel()), decisions)
    assert result[1] == decisions


def test_strengths(rate):
    hands = [sum(1 << card for card in hand) for hand in combinations(range(52), 3)]
    cardgods.Random(1).shuffle(hands)
    masks, out = array("Q", hands), bytearray(len(hands))
    rate(lambda: commerce_hands.evaluate(masks, out, ROUNDS), ROUNDS * len(hands))
    assert sum(out) == 225_232


@pytest.mark.parametrize(("players", "outright"), [(2, 0.9409), (3, 0.8852), (4, 0.8325)])
def test_knock_odds(rate, players, outright):
    odds = rate(lambda: knock_odds(BIG_POINT, players, players - 1), 1)
    assert round(odds.outright, 4) == outright


def test_sampled_knock_odds(rate):
    odds = rate(lambda: knock_odds(BIG_POINT, 12, 1, samples=200_000), 200_000)
    assert 0.65 < odds.win < 0.66


def test_look_ahead(rate):
    buys = rate(lambda: buy_odds((0, 5, 30), 3, 1), 1)
    assert round(buys[0].odds.points, 4) == -0.6838


def test_table_of_three_players(rate):
    rows = rate(lambda: knock_table(3), 1, rounds=2)
    assert sum(row.hands for row in rows) == 22_100


def test_a_million_games_with_the_books_checked(rate):
    """A tenth of them hardly ever knock, so that every end of a deal occurs."""

    def whole():
        ends = [0, 0, 0, 0]
        for players in range(3, 13):
            state = cardgods.load_game("commerce", players=players).new_initial_state()
            for games, patience in ((90_000, 1), (10_000, 30)):
                _, _, found = audit(state, games, cardgods.Random(players), Cancel(), patience)
                assert sum(found) == players * games
                ends = [a + b for a, b in zip(ends, found, strict=True)]
        return ends

    ends = rate(whole, 1_000_000, rounds=1, warmup=0)
    assert min(ends) > 0
    assert sum(ends) == 7_500_000


def test_mini_learnt_and_measured(rate):
    game = cardgods.load_game("commerce", "mini")
    solution = rate(lambda: solve_mini(game, threads=2), 1, rounds=1, warmup=0)
    assert round(solution.largest_gain, 5) == 0.00108
