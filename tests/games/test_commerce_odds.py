"""Strengths of hands and the odds of knocking, against counts by hand and plain enumeration."""

import csv
import io
import json
from array import array
from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

import cardgods
from cardgods._core import commerce_hands
from cardgods.games.commerce import pack_cards
from cardgods.solve.commerce import (
    buy_odds,
    describe,
    knock_odds,
    strength,
)
from cardgods.solve.commerce_tables import hand_classes, knock_table, write_csv, write_json
from conftest import reference

model = reference("commerce")

C, D, H, S = (range(13 * suit, 13 * suit + 13) for suit in range(4))
TWO, THREE, FOUR, FIVE, TEN, JACK, QUEEN, KING, ACE = 0, 1, 2, 3, 8, 9, 10, 11, 12
BIG_POINT = (H[ACE], H[KING], S[FOUR])
RAINBOW = (C[TWO], D[THREE], H[9])


# Strengths


def test_the_four_categories_split_all_hands():
    counts = Counter(describe(strength(hand))[0] for hand in combinations(range(52), 3))
    assert counts == {"tricon": 52, "sequence": 48, "point": 13_264, "nothing": 8_736}
    assert sum(counts.values()) == commerce_hands_total() == 22_100


def commerce_hands_total():
    return sum(size for _, size in hand_classes(range(52)))


def test_the_order_of_all_hands_is_that_of_the_model():
    hands = list(combinations(range(52), 3))
    places = {key: place for place, key in enumerate(sorted({model.strength(h) for h in hands}))}
    assert len(places) == 65
    assert all(strength(hand) == places[model.strength(hand)] for hand in hands)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ((S[4], S[5], S[6]), BIG_POINT),
        ((H[QUEEN], H[KING], H[ACE]), (H[JACK], H[QUEEN], H[KING])),
        ((C[TWO], C[THREE], C[FOUR]), (H[ACE], H[TWO], H[THREE])),
        ((H[ACE], H[TWO], H[THREE]), (D[ACE], D[KING], D[JACK])),
        ((C[TWO], D[TWO], H[TWO]), (H[QUEEN], H[KING], H[ACE])),
        ((C[ACE], D[ACE], S[ACE]), (C[KING], D[KING], S[KING])),
        ((C[TEN], C[4], C[FIVE]), (H[ACE], H[TEN], S[ACE])),
        ((H[TWO], H[THREE], S[ACE]), RAINBOW),
    ],
    ids=[
        "run over 21",
        "ace high run",
        "A23 is the lowest run",
        "A23 over point",
        "lowest tricon",
        "tricon by rank",
        "three cards over two at 21",
        "least point over nothing",
    ],
)
def test_what_beats_what(better, worse):
    assert strength(better) > strength(worse)


def test_king_ace_two_is_a_point_and_suits_do_not_matter():
    assert describe(strength((C[KING], C[ACE], C[TWO]))) == ("point", 23, 3)
    assert strength((C[KING], C[ACE], D[TWO])) == strength((S[KING], S[ACE], H[9]))


def test_the_bulk_loop_agrees_with_single_hands():
    hands = list(combinations(range(52), 3))
    out = bytearray(len(hands))
    commerce_hands.evaluate(array("Q", (sum(1 << c for c in h) for h in hands)), out)
    assert list(out) == [strength(hand) for hand in hands]
    with pytest.raises(ValueError, match="2 hands need 2 places, not 1"):
        commerce_hands.evaluate(array("Q", [7, 7]), bytearray(1))


@pytest.mark.parametrize("hand", [(1, 1, 2), (0, 1, 52), (0, 1), (-1, 0, 1)])
def test_what_is_no_hand_is_refused(hand):
    with pytest.raises(cardgods.ParameterError, match="three different cards"):
        strength(hand)


def test_hands_fall_into_1755_classes():
    assert len(hand_classes(pack_cards(4, 13))) == 1755
    classes = hand_classes(pack_cards(3, 4))
    assert sum(size for _, size in classes) == 220
    assert len(classes) == (220 + 3 * 20 + 2 * 4) // 6  # Burnside over the six renamings


# Odds


def enumerated(hand, players, seat, seen=(), held=None, pack=range(52)):
    """(win, outright, points) over all deals, in plain Python."""
    held = held or {}
    known = {*hand, *seen, *(c for cards in held.values() for c in cards)}
    others = [place for place in range(players) if place != seat]
    free = [card for card in pack if card not in known]
    total = win = outright = gained = 0
    for deal in model.all_deals(free, [3 - len(held.get(place, ())) for place in others]):
        hands = [None] * players
        hands[seat] = hand
        for place, cards in zip(others, deal, strict=True):
            hands[place] = (*cards, *held.get(place, ()))
        winner, gains = model.settle(hands)
        total += 1
        win += winner == seat
        outright += all(model.strength(hand) > model.strength(hands[place]) for place in others)
        gained += gains[seat] - 1
    return tuple(float(Fraction(part, total)) for part in (win, outright, gained))


SMALL_PACK = pack_cards(3, 5)
CASES = [
    ((12, 11, 24), 2, 0, {}),
    ((12, 11, 24), 2, 1, {"seen": (25,)}),
    ((8, 22, 36), 3, 0, {}),
    ((8, 22, 36), 3, 1, {}),
    ((8, 22, 36), 3, 2, {}),
    ((8, 9, 36), 3, 1, {}),
    ((8, 9, 36), 3, 0, {"seen": (10, 21)}),
    ((8, 9, 36), 3, 2, {"held": {0: (12, 25), 1: (38,)}}),
    ((8, 9, 10), 3, 2, {"held": {1: (11, 12, 24)}}),
    ((9, 22, 35), 3, 1, {}),
    ((8, 9, 36), 4, 1, {"seen": (10, 11), "held": {0: (12, 25), 3: (38,)}}),
    ((8, 22, 36), 4, 2, {"seen": (21, 34)}),
    ((8, 9, 36), 4, 3, {"seen": (25, 38), "held": {1: (37,)}}),
    ((8, 11, 24), 4, 0, {"seen": (25, 38)}),
]


@pytest.mark.parametrize(("hand", "players", "seat", "known"), CASES)
def test_counts_agree_with_plain_enumeration(hand, players, seat, known):
    odds = knock_odds(hand, players, seat, pack=SMALL_PACK, **known)
    expected = enumerated(hand, players, seat, pack=SMALL_PACK, **known)
    assert (odds.win, odds.outright, odds.points) == pytest.approx(expected, abs=1e-12)
    assert odds.samples is None
    assert odds.win_interval == (odds.win, odds.win)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_published_chances_against_fresh_hands(players):
    odds = knock_odds(BIG_POINT, players, players - 1)
    assert round(odds.outright, 4) == {2: 0.9409, 3: 0.8852, 4: 0.8325}[players]
    assert odds.win == odds.outright  # on the dealer's right every tie is lost


def test_published_worth_of_knocking_first():
    assert round(knock_odds(BIG_POINT, 3, 1).points, 4) == 2.6485
    assert round(knock_odds(RAINBOW, 3, 1).points, 4) == -0.8310


def test_points_of_all_seats_add_up_to_nothing():
    """Over all hands and seats of a table the payments cancel."""
    for players in (3, 4):
        rows = knock_table(players, pack=pack_cards(3, 5))
        total = sum(row.hands * odds.points for row in rows for odds in row.odds)
        assert total == pytest.approx(0, abs=1e-9)
        assert sum(row.hands * odds.win for row in rows for odds in row.odds) == pytest.approx(
            sum(row.hands for row in rows)
        )


@pytest.mark.parametrize(("hand", "players", "seat", "known"), CASES[::3])
def test_sampling_agrees_with_counting(hand, players, seat, known):
    exact = knock_odds(hand, players, seat, pack=SMALL_PACK, **known)
    sampled = knock_odds(hand, players, seat, pack=SMALL_PACK, exact=False, samples=100_000, **known)
    assert sampled.samples == 100_000
    for name in ("win", "points"):
        low, high = getattr(sampled, f"{name}_interval")
        width = high - low
        assert low - width < getattr(exact, name) < high + width
        assert low <= getattr(sampled, name) <= high


def test_sampling_does_not_depend_on_threads():
    one = knock_odds(BIG_POINT, 8, 3, samples=200_000)
    assert one == knock_odds(BIG_POINT, 8, 3, samples=200_000, threads=2)
    assert one != knock_odds(BIG_POINT, 8, 3, samples=200_000, seed=1)


def test_intervals_stay_open_where_all_samples_end_alike():
    odds = knock_odds((C[ACE], D[ACE], H[ACE]), 5, 1, samples=1000)
    assert odds.win == 1.0
    assert odds.win_interval[0] < 1.0
    assert odds.points_interval[0] < odds.points == 5.0


def test_looking_one_buy_ahead_is_the_mean_over_all_draws():
    hand, seen = (8, 9, 36), (10,)
    for seat, price in ((1, 1), (0, 0)):
        buys = buy_odds(hand, 3, seat, seen=seen, pack=SMALL_PACK)
        assert sorted(buy.discard for buy in buys) == sorted(hand)
        assert [b.odds.points for b in buys] == sorted((b.odds.points for b in buys), reverse=True)
        for buy in buys:
            kept = [card for card in hand if card != buy.discard]
            draws = [card for card in SMALL_PACK if card not in (*hand, *seen)]
            parts = [
                knock_odds((*kept, card), 3, seat, seen=(*seen, buy.discard), pack=SMALL_PACK)
                for card in draws
            ]
            assert buy.odds.points == pytest.approx(sum(p.points for p in parts) / len(draws) - price)
            assert buy.odds.win == pytest.approx(sum(p.win for p in parts) / len(draws))


def test_sampled_look_ahead_agrees_with_the_counted_one():
    counted = {b.discard: b.odds for b in buy_odds((8, 9, 36), 3, 1, pack=SMALL_PACK)}
    for buy in buy_odds((8, 9, 36), 3, 1, pack=SMALL_PACK, exact=False, samples=100_000):
        low, high = buy.odds.points_interval
        assert low - (high - low) < counted[buy.discard].points < high + (high - low)


def test_a_table_has_every_class_and_seat():
    rows = knock_table(3, pack=pack_cards(3, 4))
    assert [(row.cards, row.hands) for row in rows] == hand_classes(pack_cards(3, 4))
    for row in rows[::7]:
        for seat, odds in enumerate(row.odds):
            assert odds == knock_odds(row.cards, 3, seat, pack=pack_cards(3, 4))


def test_a_sampled_table_agrees_with_the_counted_one():
    counted = knock_table(4, pack=pack_cards(3, 5))
    sampled = knock_table(4, pack=pack_cards(3, 5), exact=False, samples=20_000, threads=2)
    for row, other in zip(counted, sampled, strict=True):
        for odds, drawn in zip(row.odds, other.odds, strict=True):
            low, high = drawn.points_interval
            assert low - (high - low) < odds.points < high + (high - low)


def test_tables_go_out_as_csv_and_json():
    rows = knock_table(3, pack=pack_cards(3, 4))
    as_csv, as_json = io.StringIO(), io.StringIO()
    write_csv(rows, as_csv)
    write_json(rows, as_json)
    records = json.loads(as_json.getvalue())
    assert len(records) == 48 * 3
    lines = list(csv.DictReader(io.StringIO(as_csv.getvalue())))
    for line, record in zip(lines, records, strict=True):
        assert {k: str(v) if v is not None else "" for k, v in record.items()} == line
    first = records[0]
    assert (first["cards"], first["category"], first["hands"], first["seat"]) == (
        "Jc Qc Kc",
        "sequence",
        3,
        0,
    )
    assert first["points"] == knock_odds((9, 10, 11), 3, 0, pack=pack_cards(3, 4)).points
    assert first["samples"] is None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (((0, 1, 1), 3, 1), "3♣ is named twice"),
        (((0, 1), 3, 1), "a hand has three cards, not 2"),
        (((0, 1, 60), 3, 1), "card 60 is not in the pack"),
        (((0, 1, 2), 13, 1), "13 players: the odds are for 2 to 12"),
        (((0, 1, 2), 3, 3), "seat 3 does not exist: with 3 players, seats are 0..2"),
    ],
)
def test_impossible_questions_are_refused(arguments, problem):
    with pytest.raises(cardgods.ParameterError, match=problem):
        knock_odds(*arguments)


def test_further_refusals():
    with pytest.raises(cardgods.ParameterError, match="named twice"):
        knock_odds((0, 1, 2), 3, 1, seen=(2,))
    with pytest.raises(cardgods.ParameterError, match="cannot know"):
        knock_odds((0, 1, 2), 3, 1, held={1: (5,)})
    with pytest.raises(cardgods.ParameterError, match="more than three"):
        knock_odds((0, 1, 2), 3, 1, held={0: (5, 6, 7, 8)})
    with pytest.raises(cardgods.ParameterError, match="up to 4 players, not 5"):
        knock_odds((0, 1, 2), 5, 1, exact=True)
    with pytest.raises(cardgods.ParameterError, match="5 cards are left, the others need 6"):
        knock_odds((9, 10, 11), 3, 1, pack=pack_cards(2, 4))
    with pytest.raises(cardgods.ParameterError, match="at least one"):
        knock_odds((0, 1, 2), 5, 1, samples=0)
