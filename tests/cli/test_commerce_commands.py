"""cardgods odds commerce and cardgods solve commerce."""

import csv
import io
import json

import pytest
from running import cardgods, refused

import cardgods as library
from cardgods.games.commerce import pack_cards
from cardgods.solve.commerce import buy_odds, knock_odds
from cardgods.solve.commerce_mini import solve_mini

TINY = ("--variant", "mini", "--suits", 2, "--ranks", 5, "--trade-cap", 1)


def test_odds_of_a_hand():
    result = cardgods("odds", "commerce", "Ah", "Kh", "4s")
    assert result.code == 0
    assert "A♥ K♥ 4♠: point of 21 (2 cards); 3 players, 1 to the left of the dealer." in result.out
    assert "beats all others outright with 0.8852, and brings +2.6485 points" in result.out
    assert "all deals counted" in result.out
    assert cardgods("odds", "commerce", "Ah Kh, 4s") == result


def test_odds_as_json_are_those_of_the_library():
    words = ["Ah", "Kh", "4s", "--players", "4", "--seat", "2", "--seen", "Kc", "--held", "0:Ad,2d", "--json"]
    found = json.loads(cardgods("odds", "commerce", *words, "--samples", 1000).out)
    hand = (38, 37, 41)
    known = {"seen": [11], "held": {0: [25, 13]}}
    knock = knock_odds(hand, 4, 2, **known)
    assert found["hand"] == ["Ah", "Kh", "4s"]
    assert (found["category"], found["value"], found["size"]) == ("point", 21, 2)
    assert found["knock"]["points"] == knock.points
    assert found["knock"]["samples"] is None
    buys = buy_odds(hand, 4, 2, **known, samples=1000)
    assert [b["points"] for b in found["buy"]] == [b.odds.points for b in buys]
    assert found["buy"][0]["samples"] == 1000


def test_sampled_odds_state_their_interval():
    result = cardgods("odds", "commerce", "Ah Kh 4s", "--players", 9, "--samples", 5000, "--seed", "x")
    assert "5000 deals sampled, 95 % intervals" in result.out
    assert result == cardgods(
        "odds", "commerce", "Ah Kh 4s", "--players", 9, "--samples", 5000, "--seed", "x"
    )


def test_no_look_ahead_where_no_card_is_left_to_draw():
    out = cardgods("odds", "commerce", "Qc Kc Ac", "--suits", 3, "--ranks", 3).out
    assert "Knocking now" in out
    assert "discard" not in out


def test_a_table_as_csv_and_json():
    words = ("odds", "commerce", "--suits", 3, "--ranks", 4, "--table")
    rows = list(csv.DictReader(io.StringIO(cardgods(*words, "csv").out)))
    records = json.loads(cardgods(*words, "json").out)
    assert len(rows) == len(records) == 48 * 3
    odds = knock_odds((9, 10, 11), 3, 1, pack=pack_cards(3, 4))
    assert float(rows[1]["points"]) == records[1]["points"] == odds.points


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("Ah Kh", "a hand has three cards, not 2"),
        ("Ah Kh Ah", "A♥ stands there twice"),
        ("Ah Kh 1s", "'1s' is no card"),
        ("", "a hand is needed"),
        ("Ah Kh 4s --seat 3", "seat 3 does not exist: with 3 players, seats are 0..2"),
        ("Ah Kh 4s --held 2", "it takes a seat and cards, as in 0:Ah,Kd"),
        ("Ah Kh 4s --held 1:Kd", "seat 1 of 3 cannot know what seats [1] hold"),
        ("Ah Kh 4s --seen Kh", "K♥ is named twice"),
        ("Ah Kh 4s --players 5 --exact", "exact odds are for up to 4 players, not 5"),
        ("Ah Kh 4s --ranks 8", "4♠ is not in the pack"),
        ("Ah Kh 4s --table csv", "--table is for all hands"),
    ],
)
def test_impossible_questions_are_refused(words, problem):
    assert problem in refused(2, "odds", "commerce", *words.split())


def test_solving_a_small_variant():
    result = cardgods("solve", "commerce", *TINY, "--rounds", 5)
    assert result.code == 0
    assert "16,800 deals" in result.out
    assert "No seat gains more than" in result.out
    found = json.loads(cardgods("solve", "commerce", *TINY, "--rounds", 5, "--json").out)
    game = library.load_game("commerce", "mini", suits=2, ranks=5, trade_cap=1)
    solution = solve_mini(game, rounds=5)
    assert [s["gain"] for s in found["seats"]] == [d.gain for d in solution.deviations]
    assert found["largest_gain"] == solution.largest_gain
    assert found["options"] == game.parameters()
    assert sum(row["hands"] for row in found["first_turn"]) == 120
    for row in found["first_turn"]:
        assert row["knock"] + row["buy"] + row["trade"] == pytest.approx(1)


def test_a_checkpoint_carries_a_run_on(tmp_path):
    path = tmp_path / "run"
    first = cardgods("solve", "commerce", *TINY, "--rounds", 3, "--checkpoint", path, "--json")
    assert first.code == 0
    again = cardgods("solve", "commerce", *TINY, "--rounds", 6, "--checkpoint", path, "--json")
    assert again.out == cardgods("solve", "commerce", *TINY, "--rounds", 6, "--threads", 2, "--json").out
    assert "another variant or seed" in refused(
        2, "solve", "commerce", *TINY, "--seed", 1, "--checkpoint", path
    )


def test_the_whole_game_is_too_large():
    assert "is too large to solve" in refused(2, "solve", "commerce")


def test_a_checkpoint_that_cannot_be_written_is_one_line(tmp_path):
    line = refused(2, "solve", "commerce", *TINY, "--rounds", 2, "--checkpoint", tmp_path / "none" / "x")
    assert "cannot write" in line
    assert "No such file or directory" in line
