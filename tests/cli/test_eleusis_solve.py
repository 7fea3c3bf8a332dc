"""``cardgods solve eleusis``: what a log says of God's rule."""

import json

import pytest
from running import cardgods, refused


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    file = tmp_path_factory.mktemp("solve") / "game.cglog"
    seats = [word for _ in range(5) for word in ("--seat", "random")]
    rules = ("--rules", "same(suit) or same(rank)", "--rounds", 1)
    assert cardgods("play", "eleusis", *rules, *seats, "--seed", 3, "--log", file).code == 0
    return file


def test_the_table_of_a_log_is_solved(log):
    out = cardgods("solve", "eleusis", log).out
    assert "rules of the space agree" in out
    assert "Likeliest rules" in out
    assert "The likeliest in words: " in out
    assert "God's rule was same(suit) or same(rank): place " in out


def test_json_has_counts_rules_and_experiments(log):
    record = json.loads(cardgods("solve", "eleusis", log, "--at", 9, "--json", "--top", 5).out)
    assert record["plays"] == 9
    assert record["agree"] == sum(record["by_form"].values()) > 0
    assert len(record["rules"]) == len(record["experiments"]) == 5
    assert all(0 <= each["bits"] <= 1 and 0 <= each["right"] <= 1 for each in record["experiments"])
    shares = [rule["share"] for rule in record["rules"]]
    assert shares == sorted(shares, reverse=True)


def test_a_seat_s_hand_and_a_view(log, tmp_path):
    out = cardgods("solve", "eleusis", log, "--seat", 0).out
    assert "Best play:" in out
    view = tmp_path / "seat.cglog"
    assert cardgods("log", "view", log, "--as", 0, "--out", view).code == 0
    seen = cardgods("solve", "eleusis", view, "--at", 6).out
    assert "rules of the space agree" in seen
    assert "God's rule" not in seen


def test_an_unfinished_game_tells_no_hand_and_no_rule(tmp_path):
    file = tmp_path / "game.cglog"
    seats = ["--seat", "human:Ana", *(word for _ in range(4) for word in ("--seat", "random"))]
    words = ("--rules", "not same(colour)", "--rounds", 1, *seats, "--seed", 5, "--log", file)
    assert cardgods("play", "eleusis", *words, stdin="").code == 4
    assert "God's rule" not in cardgods("solve", "eleusis", file).out
    assert "the game is not over" in refused(2, "solve", "eleusis", file, "--seat", "Ana")


def test_hints_and_wrong_words(log):
    hinted = json.loads(cardgods("solve", "eleusis", log, "--at", 4, "--hint", "a_quarter", "--json").out)
    free = json.loads(cardgods("solve", "eleusis", log, "--at", 4, "--json").out)
    assert hinted["agree"] == free["agree"]
    assert {rule["text"] for rule in hinted["rules"]} != {rule["text"] for rule in free["rules"]}
    none = cardgods(
        "solve", "eleusis", log, "--hint", "colour_only", "--hint", "parity_only", "--hint", "a_quarter"
    )
    assert "rules that agree with this table fits a hint." in none.out
    assert "unknown hint" in refused(2, "solve", "eleusis", log, "--hint", "nonsense")
    assert "has" in refused(2, "solve", "eleusis", log, "--at", 9999)
    assert "round 7 is not in" in refused(2, "solve", "eleusis", log, "--round", 7)
