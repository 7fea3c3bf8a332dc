"""Corner cases of L'Encan d'Hermès, each named after the rule that it tests."""

import pytest

import cardgods

PASS, CALL = "pass", "obole"


def play(game, moves):
    """Play a game told as card values and words, sealed bids in turn; the state afterwards."""
    state = game.new_initial_state(turn_based=True)
    for move in moves.split():
        state.apply_action(state.string_to_action(move))
    return state


def small(**options):
    defaults = {"cards": (2, 3, 4, 5), "target": None, "obole": False}
    return cardgods.load_game("encan", **{**defaults, **options})


# Turns and scores


def test_the_higher_bid_takes_the_lot_and_both_cards_burn():
    view = play(small(), "4 3 2").view()
    assert view["scores"] == [4, 0]
    assert view["burnt"] == [[3], [2]]
    assert view["hands"] == [[2, 4, 5], [3, 4, 5]]
    assert view["last_winner"] == 0


def test_tied_lots_pile_up_for_the_next_winner():
    state = play(small(), "2 2 2 5 3 3")
    assert state.view()["carry"] == 7
    state = play(small(), "2 2 2 5 3 3 3 5 4")
    assert state.view()["carry"] == 0
    assert state.view()["scores"] == [10, 0]


def test_reaching_the_target_ends_the_game_at_once():
    state = play(small(target=5), "5 3 2")
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]
    assert state.view()["treasures_left"] == [2, 3, 4]


def test_a_carried_lot_can_reach_the_target():
    state = play(small(target=7), "2 2 2 5 3 4")
    assert state.view()["scores"] == [0, 7]
    assert state.is_terminal()
    assert state.returns() == [-1.0, 1.0]


def test_one_point_short_of_the_target_plays_on():
    assert not play(small(target=8), "2 2 2 5 3 4").is_terminal()


def test_a_tie_on_the_last_treasure_loses_the_carry_for_both():
    state = play(small(cards=(2, 3)), "2 3 2 3 2 3")
    assert state.is_terminal()
    assert state.view()["scores"] == [2, 3]
    state = play(small(cards=(2, 3)), "2 2 2 3 3 3")
    assert state.view()["scores"] == [0, 0]
    assert state.view()["carry"] == 5


# Who wins at equal scores


def test_first_tie_break_is_the_winner_of_the_last_treasure():
    state = play(small(cards=(2, 3, 5)), "5 5 2 2 2 3 3 3 5")
    assert state.view()["scores"] == [5, 5]
    assert state.returns() == [-1.0, 1.0]
    state = play(small(cards=(2, 3, 5)), "5 2 5 2 3 2 3 5 3")
    assert state.view()["scores"] == [5, 5]
    assert state.returns() == [1.0, -1.0]


@pytest.mark.parametrize(("moves", "winner"), [("3 3 2 2 2 3", 0), ("3 2 3 2 3 2", 1)])
def test_higher_score_comes_before_the_last_treasure(moves, winner):
    state = play(small(cards=(2, 3)), moves)
    assert state.view()["winner"] == winner


def test_second_tie_break_is_the_gold_left_in_hand():
    game = small(obole=True, cards=(2, 3))
    # both bid 2, then player 0 takes his 2 back and both bid 3: he keeps 2, the other nothing
    state = play(game, f"2 2 2 3 {CALL} {PASS} 3 3")
    assert state.is_terminal()
    assert state.view()["scores"] == [0, 0]
    assert state.view()["hands"] == [[2], []]
    assert state.returns() == [1.0, -1.0]
    state = play(game, f"2 2 2 3 {PASS} {CALL} {PASS} 3 3")
    assert state.view()["hands"] == [[], [2]]
    assert state.returns() == [-1.0, 1.0]


def test_third_tie_break_is_that_player_0_loses():
    state = play(small(cards=(2, 3)), "2 2 2 3 3 3")
    assert state.view()["last_winner"] is None
    assert state.returns() == [-1.0, 1.0]


def test_a_draw_only_where_the_option_says_so():
    assert play(small(cards=(2, 3), tie_break="draw"), "2 2 2 3 3 3").returns() == [0.0, 0.0]
    assert play(small(cards=(2, 3), tie_break="second"), "2 2 2 3 3 3").returns() == [-1.0, 1.0]


# The Obole


def test_no_window_before_anything_is_burnt():
    state = play(small(obole=True), "4")
    assert state.view()["phase"] == "bid"


def test_the_smallest_burnt_card_comes_back_even_if_it_is_the_only_one():
    state = play(small(obole=True), f"4 5 3 2 {CALL}")
    view = state.view()
    assert view["hands"][0] == [2, 3, 4, 5]
    assert view["burnt"][0] == []
    assert view["obole"] == [False, True]


def test_the_smallest_of_several_burnt_cards_comes_back():
    state = play(small(obole=True), f"4 5 3 2 {PASS} {PASS} 3 5 3 {CALL}")
    assert state.view()["hands"][0] == [2, 3, 4]
    assert state.view()["burnt"][0] == [5]


def test_player_0_speaks_first_and_a_passed_player_may_answer_a_call():
    state = play(small(obole=True), "4 5 3 2")
    assert state.current_player() == 0
    state.apply_action(state.string_to_action(PASS))
    assert state.current_player() == 1
    state.apply_action(state.string_to_action(CALL))
    assert state.current_player() == 0
    assert state.view()["phase"] == "window"
    state.apply_action(state.string_to_action(CALL))
    assert state.view()["phase"] == "bid"
    assert state.view()["obole"] == [False, False]


def test_the_window_closes_when_all_who_may_call_have_passed():
    state = play(small(obole=True), f"4 5 3 2 {PASS} {PASS}")
    assert state.view()["phase"] == "bid"
    state = play(small(obole=True), f"4 5 3 2 {PASS} {CALL} {PASS}")
    assert state.view()["phase"] == "bid"


def test_a_player_who_may_not_call_is_not_asked():
    state = play(small(obole=True), f"4 5 3 2 {CALL} {PASS} 5 4 3")
    assert state.view()["phase"] == "window"
    assert state.current_player() == 1


def test_once_both_oboles_are_used_no_window_opens():
    state = play(small(obole=True), f"4 5 3 2 {CALL} {CALL} 5 4 3")
    assert state.view()["phase"] == "bid"


def test_a_card_taken_back_can_burn_again_and_is_counted_once():
    state = play(small(obole=True), f"4 2 3 2 {CALL} {PASS} 2 4 3")
    assert state.view()["burnt"][0] == [2]
    assert state.view()["hands"][0] == [3, 4, 5]


def test_the_game_ends_after_the_last_treasure_with_a_card_left_in_hand():
    state = play(small(obole=True, cards=(2, 3)), f"2 2 3 3 {CALL} {PASS} 3 2")
    assert state.is_terminal()
    assert state.view()["hands"] == [[2], []]


# Sealed bids


def test_nothing_that_others_see_changes_between_the_two_bids():
    before = play(small(), "4")
    seen = [before.observation(1), before.observation(-1), before.information_state(1), before.view(-1)]
    for bid in before.legal_actions():
        after = before.child(bid)
        assert after.current_player() == 1
        assert [
            after.observation(1),
            after.observation(-1),
            after.information_state(1),
            after.view(-1),
        ] == seen
        assert after.view(1) == before.view(1)
        assert after.view(0)["sealed_bid"] is not None


def test_a_sealed_bid_is_resampled_over_the_whole_hand():
    state = play(small(), "4 5")
    rng = cardgods.Random(1)
    assert {state.resample(1, rng).history()[-1] for _ in range(100)} == {0, 1, 2, 3}
    assert {state.resample(0, rng).history()[-1] for _ in range(20)} == {3}


def test_simultaneous_bids_name_both_players():
    state = small().new_initial_state()
    state.apply_action(0)
    assert state.current_player() == cardgods.PlayerId.SIMULTANEOUS
    with pytest.raises(cardgods.IllegalActionError, match="2 players act at once here, 1 actions given"):
        state.apply_actions([0])
    with pytest.raises(cardgods.IllegalActionError, match="action 9 is not legal for player 1: legal"):
        state.apply_actions([0, 9])
    assert len(state) == 1
    state.apply_actions([0, 1])
    assert state.view()["scores"] == [0, 2]


# Options


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"cards": ()}, "1 to 13 values"),
        ({"cards": tuple(range(1, 15))}, "1 to 13 values"),
        ({"cards": (3, 3)}, "distinct and ascend"),
        ({"cards": (4, 3)}, "distinct and ascend"),
        ({"cards": (0, 1)}, "from 1 to 999"),
        ({"cards": (1, 1000)}, "from 1 to 999"),
        ({"cards": ("2", "3")}, "not a list of whole numbers"),
        ({"cards": (True, 2)}, "not a list of whole numbers"),
        ({"target": 0}, "neither none nor a number"),
        ({"target": 2.5}, "neither none nor a number"),
        ({"target": True}, "neither none nor a number"),
        ({"obole": 1}, "not of type bool"),
        ({"tie": "share"}, "not one of carry, discard, split"),
        ({"payoff": "money"}, "not one of win, points"),
        ({"treasure_order": "sorted"}, "not one of random, descending, ascending"),
        ({"tie_break": "coin"}, "not one of cascade, draw, second"),
    ],
)
def test_impossible_options_are_refused_with_the_reason(options, reason):
    with pytest.raises(cardgods.ParameterError, match=reason):
        cardgods.load_game("encan", **options)


def test_presets_are_the_games_of_the_rules_page():
    standard = cardgods.load_game("encan").options
    assert (standard.cards, standard.target, standard.obole) == (tuple(range(2, 15)), 20, True)
    express = cardgods.load_game("encan", "express").options
    assert (express.cards, express.target, express.obole) == (tuple(range(8, 15)), 30, False)


def test_split_lots_are_halved_exactly():
    state = play(small(tie="split", payoff="points"), "3 2 2 4 5 3")
    assert state.view()["scores"] == [5.5, 1.5]
    assert state.returns() == [4.0, -4.0]


def test_fixed_orders_need_no_chance():
    state = small(treasure_order="descending").new_initial_state()
    assert state.view()["treasure"] == 5
    assert state.is_simultaneous_node()


# Positions set up by hand


def test_a_position_set_up_by_hand_plays_on_and_travels_as_bytes():
    game = cardgods.load_game("encan", "express")
    state = game.new_position(
        hands=[[8, 10, 11], [9, 12, 14]], treasures_left=[8, 13], treasure=10, scores=[5, 6], carry=9
    )
    assert state.view()["burnt"] == [[9, 12, 13, 14], [8, 10, 11, 13]]
    state.apply_actions([2, 1])
    assert state.view()["scores"] == [24, 6]
    again = cardgods.deserialize_state(state.serialize())
    assert again == state
    again.undo()
    assert again.view()["carry"] == 9


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hands": [[8, 8], [9, 10]]}, "hand holds"),
        ({"hands": [[7], [9]]}, "hand holds"),
        ({"hands": [[8, 9, 10]]}, "impossible position"),
        ({"treasures_left": [8, 9, 10]}, "fewer cards in a hand"),
        ({"treasure": 8}, "impossible position: treasure"),
        ({"treasure": 99}, "impossible position: treasure"),
        ({"scores": [-1, 0]}, "run from 0"),
        ({"burnt": [[8], []]}, "both in hand and burnt"),
    ],
)
def test_impossible_positions_are_refused(changes, reason):
    fields = {"hands": [[8, 9], [9, 10]], "treasures_left": [8, 13]}
    with pytest.raises(cardgods.ParameterError, match=reason):
        cardgods.load_game("encan", "express").new_position(**{**fields, **changes})


# Words


@pytest.mark.parametrize(("lang", "word"), [("en", "K"), ("fr", "R"), ("en", "13"), ("fr", "13")])
def test_courts_are_named_in_the_language_in_force(lang, word):
    state = cardgods.load_game("encan").new_initial_state()
    assert state.string_to_action(word, lang) == 11


def test_letters_of_another_language_are_refused_with_what_is_allowed():
    state = cardgods.load_game("encan", "express").new_initial_state()
    with pytest.raises(cardgods.ActionTextError, match="'R' is not possible here: 8, 9, 10, J, Q, K, A"):
        state.string_to_action("R", "en")
    with pytest.raises(cardgods.ActionTextError, match="8, 9, 10, V, D, R, A"):
        state.string_to_action("J", "fr")
