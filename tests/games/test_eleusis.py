"""Eleusis: scores, penalties, sudden death, the Prophet; what other programs got wrong, as tests."""

import collections

import pytest

import cardgods
from cardgods import Random
from cardgods._core.games.eleusis_audit import audit
from cardgods.cards import parse_card
from cardgods.errors import ParameterError
from cardgods.games.eleusis import STANDARD_RULES
from cardgods.rule import find_rule, library
from conftest import reference

DONE, CLAIM, DECLARE, DECLINE, RIGHT, WRONG = range(52, 58)
RED, BLACK = list(range(13, 39)), [*range(13), *range(39, 52)]


def game(rule="red", **options):
    return cardgods.load_game("eleusis", rules=(rule,), **{"rounds": 1, "god": 0, **options})


def cards(text):
    return [parse_card(word) for word in text.split()]


def entry(kind, seat, text):
    laid = cards(text) if isinstance(text, str) else text
    return {"kind": kind, "seat": seat, "cards": laid}


START = entry("starter", None, "2h")
HANDS = ["", "3h 4h 5h 2c 3c", "6h 7h 4c 5c", "8h 9h 6c 7c", "10h Jh 8c 9c"]


def position(rule="red", hands=HANDS, table=(), turn=1, **values):
    options = {"packs": 4, **values.pop("options", {})}
    return game(rule, **options).new_position(
        hands=[cards(hand) if isinstance(hand, str) else hand for hand in hands],
        table=[START, *table],
        turn=turn,
        **values,
    )


def play(state, *actions):
    """Actions, cards by name; draws are the lowest cards."""
    for action in actions:
        settle(state)
        state.apply_action(parse_card(action) if isinstance(action, str) else action)
    settle(state)
    return state


def settle(state):
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])


SPARE = BLACK[8:]  # no hand of the tests has them


def filler(count, colour=SPARE):
    """Entries of single cards, wrong under `red` if black."""
    kind = "wrong" if colour[0] in BLACK else "right"
    return [entry(kind, 2, [colour[k % len(colour)]]) for k in range(count)]


# Scores ----------------------------------------------------------------------------------------------------


def test_scores_with_a_prophet_first_published_example():
    # hands 13, 11 (Prophet), 2 and 0; his mark on card 21, then 11 accepted and 4 refused
    hands = [[], BLACK[:13], BLACK[13:24], BLACK[24:26], cards("3h")]
    table = [*filler(21), *filler(10, colour=RED[2:]), *filler(4)]
    state = position(
        hands=hands,
        table=table,
        turn=4,
        prophet=2,
        mark=21,
        since_mark=(10, 4),
        was_prophet=[2],
    )
    play(state, "3h", DONE, RIGHT)
    assert state.is_terminal()
    assert state.view()["hand_sizes"] == [0, 13, 11, 2, 0]
    assert state.view()["round_scores"] == [21, 0, 2 + 11 + 2 * 4, 11, 13 + 4]


def test_scores_with_a_prophet_second_published_example():
    # hands 17, 14, 0 and 9 (Prophet); 19 cards before the mark, then 12 accepted and 11 refused
    hands = [[], BLACK[:17], BLACK[:14], cards("3h"), BLACK[17:26]]
    table = [*filler(19), *filler(11, colour=RED[2:]), *filler(11, SPARE[::-1])]
    state = position(
        hands=hands,
        table=table,
        turn=3,
        prophet=4,
        mark=19,
        since_mark=(11, 11),
        was_prophet=[4],
    )
    play(state, "3h", DONE, RIGHT)
    assert state.view()["round_scores"] == [38, 0, 3, 17 + 4, 8 + 12 + 2 * 11]


def test_scores_without_a_prophet():
    state = position(hands=["", BLACK[:8], BLACK[8:11], "3h", BLACK[11:19]], turn=3)
    play(state, "3h", DONE)
    assert state.is_terminal()
    assert state.view()["round_scores"] == [12, 0, 5, 12, 0]


def test_compensation_goes_to_those_who_were_not_god():
    state = position(hands=["", "3c", "4c", "3h", "5c"], turn=3, options={"rounds": 1})
    play(state, "3h", DONE)
    assert state.view()["round_scores"] == [5, 0, 0, 5, 0]
    assert state.returns() == [5, 10, 10, 15, 10]
    full = cardgods.load_game("eleusis", rules=("red",), hand=1, turn_cap=1, god=0)
    state = play_out(full, Random(3))
    assert state.returns() == state.view()["scores"]
    assert full.num_rounds == 5


def play_out(game, rng, watch=None):
    state = game.new_initial_state()
    while not state.is_terminal():
        if watch:
            watch(state)
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )
    return state


def test_everybody_is_god_once():
    gods = set()
    play_out(
        cardgods.load_game("eleusis", hand=1, turn_cap=2, god=3),
        Random(1),
        lambda s: gods.add(s.view()["god"]),
    )
    assert gods == {0, 1, 2, 3, 4}


def test_god_never_beats_the_best_player():
    rng = Random("gods")
    for k in range(40):
        state = play_out(game(library()[k].name, hand=4), rng)
        scores = state.view()["round_scores"]
        assert scores[0] <= max(scores[1:])
        assert min(scores) >= 0


# Plays -----------------------------------------------------------------------------------------------------


def test_a_right_card_costs_nothing_and_a_wrong_one_two():
    state = play(position(), "3h", DONE)
    assert state.view()["line"] == cards("2h 3h")
    assert state.view()["hand_sizes"][1] == 4
    state = play(position(), "2c", DONE)
    assert state.view()["line"] == cards("2h")
    assert state.view()["table"][-1] == entry("wrong", 1, "2c")
    assert state.view()["hand_sizes"][1] == 4 + 2


def test_a_sequence_is_right_only_as_a_whole():
    state = play(position(), "3h", "4h", "2c", DONE)
    view = state.view()
    assert view["line"] == cards("2h")
    assert view["table"][-1] == entry("wrong", 1, "3h 4h 2c")
    assert view["hand_sizes"][1] == 2 + 6
    assert view["played"] == 3
    state = play(position(), "3h", "4h", "5h", DONE)
    assert state.view()["line"] == cards("2h 3h 4h 5h")
    assert state.view()["table"][-1] == entry("right", 1, "3h 4h 5h")


def test_a_sequence_is_judged_card_by_card_along_the_line():
    state = position("not same(colour)", hands=["", "3c 4h 5c 6h 7c", "", "", ""])
    play(state, "3c", "4h", "5c", "6h")  # the fourth card completes it
    assert state.view()["line"] == cards("2h 3c 4h 5c 6h")


def test_a_sequence_may_use_both_copies_of_a_card():
    state = position(hands=["", "3h 3h 4c", "", "", ""])
    play(state, "3h", "3h", DONE)
    assert state.view()["line"] == cards("2h 3h 3h")


def test_the_turn_goes_clockwise_past_god():
    state = position(turn=4)
    play(state, "10h", DONE, DECLINE)
    assert state.current_player() == 1


# I cannot play ---------------------------------------------------------------------------------------------


def test_a_true_claim_brings_a_hand_of_four_fewer():
    state = position(hands=["", "2c 3c 4c 5c 6c 7c", "3h", "4h", "5h"])
    play(state, CLAIM)
    view = state.view()
    assert view["hand_sizes"][1] == 2
    assert view["table"][-1] == entry("hand", 1, "2c 3c 4c 5c 6c 7c")
    assert view["played"] == 0
    assert view["line"] == cards("2h")


@pytest.mark.parametrize("hand", ["2c", "2c 3c 4c 5c"])
def test_a_true_claim_with_four_cards_or_fewer_goes_out(hand):
    state = play(position(hands=["", hand, "3h", "4h 5h", "5h"]), CLAIM)
    assert state.is_terminal()
    assert state.view()["round_scores"] == [6, 2 + 4, 1, 0, 1]


def test_a_false_claim_loses_a_right_card_to_the_line_and_costs_five():
    state = position(hands=["", "2c 3h 3h 9d", "4h", "5h", "6h"])
    state.apply_action(CLAIM)
    assert state.chance_outcomes() == [(parse_card("9d"), 1 / 3), (parse_card("3h"), 2 / 3)]
    state.apply_action(parse_card("3h"))
    settle(state)
    view = state.view()
    assert view["table"][-1] == entry("forced", 1, "3h")
    assert view["line"] == cards("2h 3h")
    assert view["played"] == 1
    assert view["hand_sizes"][1] == 3 + 5
    lowest = play(
        position(hands=["", "2c 3h 9d", "4h", "5h", "6h"], options={"forced_card": "lowest"}), CLAIM
    )
    assert lowest.view()["line"] == cards("2h 9d")


def test_a_false_claim_expels_nobody_unless_that_is_asked_for():
    state = play(position(table=filler(40)), CLAIM)
    assert state.view()["expelled"] == []
    state = play(position(table=filler(40), options={"expel_on_wrong_noplay": True}), CLAIM)
    assert state.view()["expelled"] == [1]
    assert state.view()["hand_sizes"][1] == 4 + 5


# Sudden death ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("played", "dead"), [(38, False), (39, False), (40, True), (41, True)])
def test_the_count_is_tested_before_the_play(played, dead):
    state = play(position(table=filler(played)), "2c", DONE)
    assert state.view()["expelled"] == ([1] if dead else [])
    assert state.view()["hand_sizes"][1] == 4 + 2  # the penalty is drawn in any case


def test_a_sequence_across_the_mark_is_safe():
    state = play(position(table=filler(37)), "2c", "3c", "3h", "4h")
    assert state.view()["played"] == 41
    assert state.view()["expelled"] == []


def test_the_expelled_play_no_more_but_their_hand_counts():
    hands = ["", "3h 4h 5h 2c 3c", "6h 7h", "8h 9h 4c", "10h Jh 5c"]
    state = play(position(hands=hands, table=filler(40)), "2c", DONE)
    assert state.current_player() == 2  # seat 1 is not asked whether he will be Prophet
    play(state, "6h", DONE, DECLINE, "8h", DONE, DECLINE, "10h", DONE, DECLINE)
    assert state.current_player() == 2
    play(state, "7h", DONE)
    assert state.is_terminal()
    assert state.view()["round_scores"] == [6 + 4, 0, 6 + 4, 6 - 2, 6 - 2]  # the top is the expelled hand


def test_the_round_ends_when_all_are_expelled():
    hands = ["", "2c 3c", "4c 5c", "6c 7c", "8c 9c"]
    state = position(hands=hands, table=filler(40))
    play(state, "2c", DONE, "4c", DONE, "6c", DONE, "8c", DONE)
    assert state.is_terminal()
    assert state.view()["round_scores"] == [0, 0, 0, 0, 0]


def test_black_marks_rule_while_there_is_a_prophet():
    prophet = {"prophet": 4, "mark": 15, "was_prophet": [4]}
    state = position(table=filler(44), since_mark=(0, 29), **prophet)
    play(state, "2c", DONE, WRONG)
    assert state.view()["expelled"] == []
    state = position(table=filler(45), since_mark=(0, 30), **prophet)
    play(state, "2c", DONE, WRONG)
    assert state.view()["expelled"] == [1]
    # once the Prophet has fallen the white count rules again, and it has run on
    state = position(table=filler(44), since_mark=(0, 29), **prophet)
    assert not state.view()["sudden_death"]
    play(state, "3h", DONE, WRONG)
    assert state.view()["prophet"] is None
    assert state.view()["sudden_death"]


def test_the_round_ends_when_all_but_the_prophet_are_expelled():
    hands = ["", "2c 3c", "4c 5c", "6c 7c", "8c 9c"]
    state = position(hands=hands, table=filler(45), prophet=4, mark=15, since_mark=(0, 30), was_prophet=[4])
    play(state, "2c", DONE, WRONG, "4c", DONE, WRONG, "6c", DONE, WRONG)
    assert state.is_terminal()
    top = 1 + 2
    assert state.view()["round_scores"] == [30, 0, 0, 0, top - 2 + 2 * 33]


# The Prophet -----------------------------------------------------------------------------------------------


def with_prophet(seat=3, **values):
    return position(prophet=seat, was_prophet=[seat], **values)


def test_to_declare_keeps_the_round_going():
    state = play(position(), "3h", DONE, DECLARE)
    view = state.view()
    assert not state.is_terminal()
    assert view["prophet"] == 1
    assert view["mark"] == 1
    assert view["hand_sizes"][1] == 4
    assert view["scores"] == [0] * 5
    assert state.current_player() == 2


def test_one_may_declare_whatever_the_play_was_worth():
    for actions in (["3h", DONE], ["2c", DONE], [CLAIM]):
        assert play(position(), *actions).legal_actions() == [DECLARE, DECLINE]
    assert play(position(hands=["", "2c 3c 4c 5c 6c", "3h", "4h", "5h"]), CLAIM).legal_actions() == [54, 55]
    # after a claim the period begins now
    state = play(position(table=filler(7)), CLAIM, DECLARE)
    assert state.view()["mark"] == 8


@pytest.mark.parametrize(
    "values",
    [
        {"prophet": 3, "was_prophet": [3]},  # there is one
        {"was_prophet": [1]},  # he has been
        {"expelled": [3, 4]},  # only one other seeker
    ],
)
def test_who_may_not_declare(values):
    state = play(position(**values), "3h", DONE, *([RIGHT] if "prophet" in values else []))
    assert state.current_player() == 2


def test_an_overthrown_prophet_counts_as_a_seeker_again():
    state = play(position(expelled=[3], was_prophet=[4]), "3h", DONE)
    assert state.legal_actions() == [DECLARE, DECLINE]


def test_the_prophet_judges_and_god_agrees():
    state = play(with_prophet(), "3h", DONE)
    assert state.current_player() == 3
    assert state.legal_actions() == [RIGHT, WRONG]
    play(state, RIGHT)
    assert state.view()["since_mark"] == [1, 0]
    assert state.view()["prophet"] == 3
    state = play(with_prophet(), "2c", "3c", DONE, WRONG)
    assert state.view()["since_mark"] == [0, 2]
    assert state.view()["hand_sizes"][1] == 3 + 4
    play(state, "6h", DONE, RIGHT)
    assert state.current_player() == 4  # the Prophet is not in the order


def test_a_prophet_who_accepts_a_wrong_card_falls_and_the_seeker_pays_nothing():
    mark = {"mark": 0, "since_mark": (0, 30)}
    state = play(with_prophet(table=filler(30), **mark), "2c", DONE, RIGHT)
    view = state.view()
    assert view["prophet"] is None
    assert view["hand_sizes"][3] == 4 + 5
    assert view["hand_sizes"][1] == 4
    assert view["expelled"] == []
    assert view["table"][-1] == entry("wrong", 1, "2c")
    assert state.legal_actions() == [DECLARE, DECLINE]  # whoever brought him down may follow at once
    play(state, DECLINE)
    assert state.current_player() == 2
    play(state, "6h", DONE, DECLINE)
    assert state.current_player() == 3  # back in the order
    play(state, "8h", DONE)
    assert state.current_player() == 4  # and never Prophet again


def test_a_prophet_who_refuses_a_right_card_falls_and_the_card_stands():
    state = play(with_prophet(), "3h", "4h", DONE, WRONG)
    view = state.view()
    assert view["prophet"] is None
    assert view["line"] == cards("2h 3h 4h")
    assert view["hand_sizes"] == [0, 3, 4, 4 + 5, 4]


def test_the_last_card_goes_out_even_if_the_prophet_refuses_it():
    state = play(with_prophet(hands=["", "3h", "4h", "5h 6h", "7h"]), "3h", DONE, WRONG)
    assert state.is_terminal()
    assert state.view()["round_scores"] == [11, 11, 6, 0, 6]


TRUE_CLAIM = ["", "2c 3c 4c 5c 6c", "6h 7h", "8h 9h", "10h Jh"]


def test_true_claim_and_the_prophet_agrees():
    state = play(with_prophet(hands=TRUE_CLAIM), CLAIM, RIGHT)
    assert state.view()["prophet"] == 3
    assert state.view()["hand_sizes"][1] == 1
    assert state.view()["table"][-1]["kind"] == "hand"


def test_false_claim_and_the_prophet_agrees():
    state = play(with_prophet(), CLAIM, RIGHT)
    view = state.view()
    assert view["prophet"] is None
    assert view["hand_sizes"] == [0, 4, 4, 4 + 5, 4]  # a right card is played, no penalty for the seeker
    assert view["table"][-1]["kind"] == "forced"
    assert view["played"] == 1


def test_true_claim_and_the_prophet_denies_it():
    state = play(with_prophet(hands=TRUE_CLAIM), CLAIM, WRONG)
    view = state.view()
    assert view["prophet"] is None
    assert view["hand_sizes"] == [0, 1, 2, 2 + 5, 2]
    assert view["table"][-1]["kind"] == "hand"
    assert view["expelled"] == []


def test_false_claim_that_the_prophet_denies_with_a_right_card():
    state = play(with_prophet(), CLAIM, WRONG)
    assert state.current_player() == 3
    assert state.legal_actions() == sorted(cards("3h 4h 5h 2c 3c"))
    play(state, "4h")
    view = state.view()
    assert view["prophet"] == 3
    assert view["since_mark"] == [1, 0]
    assert view["line"] == cards("2h 4h")
    assert view["hand_sizes"] == [0, 4 + 5, 4, 4, 4]


def test_false_claim_that_the_prophet_denies_with_a_wrong_card():
    state = play(with_prophet(), CLAIM, WRONG, "2c")
    view = state.view()
    assert view["prophet"] is None
    assert view["hand_sizes"] == [0, 4, 4, 4 + 5, 4]  # the card is back in the hand, a right one is played
    assert [e["kind"] for e in view["table"]] == ["starter", "forced"]
    assert parse_card("2c") in view["hands"][1]
    kept = play(with_prophet(options={"keep_prophet_card": True}), CLAIM, WRONG, "2c").view()
    assert kept["hand_sizes"] == [0, 3, 4, 4 + 5, 4]
    assert kept["table"][1:] == [entry("wrong", 1, "2c"), entry("forced", 1, "3h")]
    assert kept["played"] == 2


def test_a_seeker_who_goes_out_may_become_prophet_if_that_is_allowed():
    hands = ["", "3h", "6h 2c", "8h", "10h 3c"]
    ended = play(position(hands=hands), "3h", DONE)
    assert ended.is_terminal()
    allowed = {"options": {"prophet_after_out": True}}
    state = play(position(hands=hands, **allowed), "3h", DONE)
    assert state.legal_actions() == [DECLARE, DECLINE]
    assert play(state.clone(), DECLINE).is_terminal()
    play(state, DECLARE)
    assert state.view()["prophet"] == 1
    fallen = play(state.clone(), "6h", DONE, WRONG)
    assert fallen.view()["hand_sizes"][1] == 8
    play(state, "6h", "2c", DONE, WRONG, "8h", DONE, RIGHT)
    assert state.is_terminal()
    # he has no card but gave the bonus for it away
    assert state.view()["round_scores"][1] == 4 + 1 + 2 * 2


# Stock and starters ----------------------------------------------------------------------------------------


OTHER_RED = [card for card in RED if card != parse_card("2h")]
FULL_HANDS = [[], BLACK[:5], [*BLACK[:20], *OTHER_RED[:20]], RED, BLACK[8:]]


def test_a_low_stock_gets_a_further_pack():
    state = position(hands=FULL_HANDS, table=filler(2, OTHER_RED[20:]), options={"packs": 2})
    assert state.view()["stock"] == 104 - 5 - 40 - 26 - 18 - 3
    state.apply_action(BLACK[0])
    play(state, BLACK[1], BLACK[2], BLACK[3])  # eight to draw; after the eighth four are left
    assert state.view()["packs"] == 3
    assert state.view()["stock"] == 12 - 8 + 52


def test_without_refill_the_round_ends_when_a_card_is_missing():
    options = {"refill": "end", "packs": 2, "wrong_penalty": 4}
    state = position(hands=FULL_HANDS, table=filler(2, OTHER_RED[20:]), options=options)
    play(state, BLACK[0], BLACK[1], BLACK[2], BLACK[3])  # sixteen to draw, twelve are there
    assert state.is_terminal()
    assert state.view()["hand_sizes"][1] == 1 + 12
    assert state.view()["packs"] == 2


def test_a_refused_starter_goes_under_the_stock_unseen():
    state = game("start: ace; red", hand=1).new_initial_state()
    settle_deal(state)
    assert state.view()["phase"] == "starter"
    before = [state.information_state(seat) for seat in range(5)]
    two, three = (state.child(parse_card(card)) for card in ("9c", "10d"))
    for seat in range(1, 5):
        assert two.information_state(seat) == three.information_state(seat) != before[seat]
        assert two.observation(seat) == three.observation(seat)
    assert two.information_state(0) != three.information_state(0)
    assert two.view()["stock"] == state.view()["stock"]
    assert parse_card("9c") in two.legal_actions()  # the other copy
    again = two.child(parse_card("9c"))
    assert parse_card("9c") not in again.legal_actions()
    ace = again.child(parse_card("Ad"))
    assert ace.view()["line"] == [parse_card("Ad")]


def settle_deal(state):
    while state.phase == "draw":
        state.apply_action(state.legal_actions()[0])


def test_extra_starters_are_right_cards():
    state = game("not same(colour)", hand=1, extra_starters=2).new_initial_state()
    settle_deal(state)
    for card in cards("9h 8h 9s 8s 8d"):
        state.apply_action(card)
    assert state.view()["line"] == cards("9h 9s 8d")
    assert state.phase == "first"


def test_the_first_seeker_by_lot_or_by_rank():
    state = game(hand=1).new_initial_state()
    settle_deal(state)
    state.apply_action(parse_card("3h"))
    assert state.chance_outcomes() == [(seat, 0.25) for seat in (1, 2, 3, 4)]
    # players are numbered from 0 in words too
    assert state.action_to_string(2) == "player 2"
    assert state.string_to_action("joueur 2", "fr") == state.string_to_action("2") == 2
    for rank, seat in (("Ah", 3), ("2h", 4), ("3h", 0), ("4h", 1), ("5h", 3)):
        state = game(hand=1, first="rank", god=2).new_initial_state()
        settle_deal(state)
        state.apply_action(parse_card(rank))
        assert state.current_player() == seat


def test_the_starter_counts_if_that_is_asked_for():
    for counted in (False, True):
        state = game(hand=1, count_starter=counted).new_initial_state()
        settle_deal(state)
        state.apply_action(parse_card("3h"))
        assert state.view()["played"] == counted


# A human God -----------------------------------------------------------------------------------------------


def human(**values):
    return position("human", **values)


def test_a_human_god_answers_right_or_wrong():
    state = play(human(), "2c", DONE)
    assert state.current_player() == 0
    assert state.legal_actions() == [RIGHT, WRONG]
    assert play(state.clone(), RIGHT).view()["line"] == cards("2h 2c")
    assert play(state, WRONG).view()["hand_sizes"][1] == 4 + 2


def test_a_human_god_confirms_or_overthrows_the_prophet():
    state = play(human(prophet=3, was_prophet=[3]), "2c", DONE, WRONG)
    assert state.current_player() == 0
    assert play(state.clone(), WRONG).view()["prophet"] == 3
    assert play(state, RIGHT).view()["prophet"] is None


def test_a_human_god_judges_claims_and_picks_cards():
    state = play(human(), CLAIM)
    assert state.current_player() == 0
    assert play(state.clone(), RIGHT).view()["hand_sizes"][1] == 1
    play(state, WRONG)
    assert state.legal_actions() == sorted(cards("3h 4h 5h 2c 3c"))
    assert play(state, "3c").view()["line"] == cards("2h 3c")
    state = play(human(prophet=3, was_prophet=[3]), CLAIM, WRONG, WRONG, "2c")
    assert state.current_player() == 0
    assert state.legal_actions() == [RIGHT, WRONG]
    play(state, WRONG)
    assert state.legal_actions() == sorted(cards("3h 4h 5h 3c"))  # not what he has just called wrong


def test_a_human_god_may_refuse_the_starter():
    state = game("human", hand=1).new_initial_state()
    settle_deal(state)
    state.apply_action(parse_card("9c"))
    assert state.current_player() == 0
    other = state.view(1)
    assert other["turned"] is None
    assert state.view(0)["turned"] == parse_card("9c")
    state.apply_action(WRONG)
    assert state.phase == "starter"
    state.apply_action(parse_card("8c"))
    state.apply_action(RIGHT)
    assert state.view()["line"] == cards("8c")


# Cards are neither lost nor made ---------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 5, 6, 7, 8])
def test_the_deal(players):
    state = game(players=players, players_min=3).new_initial_state()
    rng = Random(players)
    while state.phase == "draw":
        state.apply_action(state.sample_chance(rng))
    sizes = state.view()["hand_sizes"]
    assert sizes == [0] + [14] * (players - 1)
    assert state.view()["stock"] == 104 - 14 * (players - 1)
    dealt = collections.Counter(card for hand in state.view()["hands"] for card in hand)
    assert max(dealt.values()) <= 2


def test_the_standard_rules_stand_there_in_their_canonical_form():
    assert {name: find_rule(name).text for name in STANDARD_RULES} == STANDARD_RULES
    assert all(find_rule(text).program.start for text in STANDARD_RULES.values())
    # The digest by which logs name these rules.
    assert cardgods.load_game("eleusis").ruleset_digest().startswith("99fdb56f36a66d53")
    assert cardgods.load_game("eleusis") == cardgods.load_game("eleusis", rules=tuple(STANDARD_RULES))


def test_random_rounds_over_the_library_end_and_keep_their_cards():
    decisions = 0
    for k, one in enumerate(library()):
        start = game(one.name, players=5 + k % 4).new_initial_state()
        done, _, faults = audit(start, 80, Random(one.name))
        assert faults == 0, one.name
        decisions += done
    assert decisions > 300_000


def test_random_rounds_with_all_options_keep_their_cards():
    options = [
        {"keep_prophet_card": True, "prophet_after_out": True, "expel_on_wrong_noplay": True},
        {"refill": "end", "hand": 20, "count_starter": True, "forced_card": "lowest"},
        {"refill_at": 40, "extra_starters": 3, "first": "rank", "packs": 1},
        {"rules": ("human",), "packs_max": 3},
        {"rules": ("start: king and spades; red", "human", "even"), "rounds": 3, "hand": 3},
        {"rules": ("same(card, c2) or same(suit, c3) or rank > c3.rank xor last.rank > 5",), "hand": 6},
    ]
    for changes in options:
        start = cardgods.load_game("eleusis", **{"rounds": 1, **changes}).new_initial_state()
        assert audit(start, 300, Random(str(changes)))[2] == 0, changes


def test_the_standard_game_plays_as_the_reference_model():
    model = reference("eleusis").Model({})
    state = cardgods.load_game("eleusis").new_initial_state()
    rng = Random("standard")
    while not state.is_terminal():
        assert state.current_player() == model.actor()
        assert state.legal_actions() == model.legal()
        view = state.view()
        assert all(view[key] == value for key, value in model.view().items())
        chance = state.is_chance_node()
        action = state.sample_chance(rng) if chance else rng.choice(state.legal_actions())
        state.apply_action(action)
        model.apply(action)
    assert state.returns() == model.returns()
    assert len(state) > 600


# Options ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"players": 9}, "9 is not within 3..8"),
        ({"players": 4}, "players_min allows 3 and 4"),
        ({"god": 5}, "seats are 0..4"),
        ({"rules": ()}, "1 to 16"),
        ({"rules": "red"}, "a list of rules"),
        ({"rules": ("rde",)}, "did you mean red"),
        ({"rules": ("red and black",)}, "no card can ever lie first"),
        ({"hand": 26, "refill": "end"}, "105 cards are needed for the deal, 104 are there"),
        ({"packs_max": 1}, "1 is fewer than the 2 dealt from"),
        ({"turn_cap": 0}, "not within 1..250"),
        ({"first": "age"}, "not one of lot, rank"),
    ],
)
def test_options_that_cannot_be(options, says):
    with pytest.raises(ParameterError, match=says):
        cardgods.load_game("eleusis", **options)


def test_a_game_whose_rules_are_still_open_cannot_be_played():
    open_game = cardgods.load_game("eleusis", rules=("red", "ask"))
    assert open_game.num_players() == 5
    with pytest.raises(ParameterError, match="settled by the command line"):
        open_game.new_initial_state()
    assert cardgods.load_game("eleusis", rules=("red", "ask"), rounds=1).new_initial_state()


def test_rules_have_one_form_in_the_parameters():
    one = cardgods.load_game("eleusis", rules=("not  same( colour )", "human"))
    assert one.parameters()["rules"] == ["not same(colour)", "human"]
    assert one == cardgods.load_game("eleusis", rules=("alternate-colours", "human"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"turn": 0}, "no seeker's"),
        ({"turn": 1, "expelled": [1]}, "expelled"),
        ({"prophet": 1}, "on turn"),
        ({"table": [entry("right", 1, "3c")]}, "card number 2 of the line is wrong under red"),
        ({"table": [entry("wrong", 1, "3c 3c 3c 3c")]}, "more than 4 times"),
        ({"hands": ["", "", "", "", ""]}, "a hand is impossible"),
        ({"mark": 4}, "the mark"),
        ({"table": [{"kind": "odd", "seat": 1, "cards": [1]}]}, "entries of the table"),
    ],
)
def test_positions_that_cannot_be(changes, says):
    with pytest.raises(ParameterError, match=says):
        position(**changes)


def test_positions_go_through_bytes():
    state = play(with_prophet(table=filler(3)), "3h")
    again = cardgods.deserialize_state(state.serialize())
    assert again == state
    assert again.view() == state.view()
