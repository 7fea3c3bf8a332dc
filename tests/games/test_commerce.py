"""Corner cases of Commerce, each named after the rule that it tests."""

import pytest

import cardgods
from cardgods._core.games.commerce_audit import audit
from cardgods._core.walk import Cancel
from cardgods.cards import cards_of, parse_cards
from cardgods.walk import perft
from conftest import random_states, reference

module = reference("commerce")
BUY, TRADE, KNOCK = 52, 53, 54

# Player 0 deals in most tests, so player 1 speaks first.
POINT21 = "Ah Kh 4d"
POINT20 = "Kd Qd 4s"
RUN8 = "6s 7s 8s"
RUN5 = "3c 4c 5c"
NOTHING = "2c 3d 9h"
NOTHING2 = "2d 3h 9s"
NOTHING3 = "2h 3s 9c"


def table(hands, dealer=0, **options):
    """A game whose first deal gives these hands (texts, by player)."""
    game = cardgods.load_game("commerce", players=len(hands), **options)
    return deal(game.new_initial_state().child(dealer), hands)


def deal(state, hands):
    """The state after the next deal, which gives these hands."""
    cards = [parse_cards(text) for text in hands]
    dealer, n = state.view()["dealer"], len(hands)
    for i in range(3 * n):
        state.apply_action(cards[(dealer + 1 + i) % n][i // n])
    return state


def play(state, moves):
    """Carry out moves told in words."""
    for move in moves.split():
        state.apply_action(state.string_to_action(move))
    return state


# Set-up


def test_the_lot_names_the_first_dealer_among_all():
    state = cardgods.load_game("commerce", players=5).new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(p, 0.2) for p in range(5)]
    assert state.child(3).view()["dealer"] == 3


def test_cards_come_one_by_one_from_the_dealers_left_the_dealer_last():
    state = cardgods.load_game("commerce", players=4).new_initial_state().child(2)
    for card in range(12):
        state.apply_action(card)
    assert state.view()["hands"] == [[1, 5, 9], [2, 6, 10], [3, 7, 11], [0, 4, 8]]
    assert state.current_player() == 3


def test_each_antes_one_and_the_books_balance():
    state = table([POINT21, RUN8, NOTHING])
    assert state.view()["pot"] == 3
    assert state.returns() == [-1.0, -1.0, -1.0]


# Buying


def test_a_buyer_pays_the_dealer_and_chooses_his_discard_before_the_draw():
    state = play(table([POINT21, "6s 7s Kd", NOTHING]), "buy")
    assert state.legal_actions() == parse_cards("Kd 6s 7s")
    play(state, "Kd")
    assert state.is_chance_node()
    assert state.returns() == [0.0, -2.0, -1.0]
    play(state, "8s")
    view = state.view()
    assert view["hands"][1] == parse_cards("6s 7s 8s")
    assert view["rejected"][1] == parse_cards("Kd")
    assert view["pot"] == 3
    assert state.current_player() == 2


def test_a_discard_never_returns():
    state = play(table([POINT21, "6s 7s Kd", NOTHING]), "buy Kd 8s buy 2c")
    assert parse_cards("Kd")[0] not in state.legal_actions()
    assert len(state.legal_actions()) == 52 - 9 - 1


def test_the_dealer_buys_free():
    state = play(table([POINT21, RUN8, NOTHING]), "buy 6s 5s buy 2c 5h")
    assert state.current_player() == 0
    before = state.returns()
    play(state, "buy 4d 4h")
    assert state.returns() == before == [1.0, -2.0, -2.0]


def test_buying_goes_on_with_a_negative_balance():
    state = table([POINT21, RUN8, NOTHING])
    assert state.returns()[1] < 0
    assert state.legal_actions() == [BUY, TRADE, KNOCK]


def test_taking_the_last_card_of_the_stock_ends_the_deal_at_once():
    state = table(["Jc Qd Kh", "Jd Qh Kc", "Jh Qc Kd"], suits=3, ranks=4, trade_cap=3, deals=1)
    play(state, "buy Jd Ac buy Jh Ad")
    assert state.view()["stock"] == 1
    play(state, "buy Jc Ah")
    view = state.view()
    assert state.is_terminal()
    assert view["last_reason"] == "stock"
    assert view["last_knocker"] is None
    # K and A of hearts against K and A of clubs and of diamonds: all 21, the dealer wins the tie
    assert view["last_winner"] == 0
    assert state.returns() == [4.0, -2.0, -2.0]


# Trading


def test_a_trade_swaps_unseen_and_does_not_use_up_the_neighbours_turn():
    state = play(table([POINT21, RUN8, NOTHING]), "trade 6s")
    assert state.current_player() == 2
    assert state.legal_actions() == [*parse_cards("2c 3d 9h"), KNOCK]
    play(state, "9h")
    view = state.view()
    assert view["hands"][1] == sorted(parse_cards("7s 8s 9h"))
    assert view["hands"][2] == sorted(parse_cards("2c 3d 6s"))
    assert state.current_player() == 2
    assert state.legal_actions() == [BUY, TRADE, KNOCK]


def test_the_dealer_trades_with_the_first_player():
    state = play(table([POINT21, RUN8, NOTHING]), "buy 6s 5s buy 2c 5h trade 4d")
    assert state.current_player() == 1


def test_the_same_card_may_come_straight_back():
    state = play(table([POINT21, RUN8, NOTHING]), "trade 6s 9h trade 6s Ah")
    assert state.view()["hands"][0] == sorted(parse_cards("Kh 4d 6s"))


def test_a_refusal_is_a_knock_by_the_neighbour_with_the_hands_as_before_the_offer():
    state = play(table([NOTHING2, RUN8, POINT21], deals=1), "trade 8s knock")
    view = state.view()
    assert state.is_terminal()
    assert view["hands"][1] == parse_cards(RUN8)
    assert (view["last_reason"], view["last_knocker"], view["last_winner"]) == ("refusal", 2, 1)
    assert state.returns() == [-2.0, 3.0, -1.0]


def test_a_refused_offer_is_shown_to_nobody():
    first = play(table([NOTHING2, RUN8, POINT21], deals=1), "trade 8s knock")
    other = play(table([NOTHING2, RUN8, POINT21], deals=1), "trade 6s knock")
    for player in (0, 2):
        assert first.information_state(player) == other.information_state(player)
    assert first.information_state(1) != other.information_state(1)


def test_only_the_two_traders_know_the_swapped_cards():
    def after(offer, back):
        return play(table([NOTHING2, RUN8, POINT21]), f"trade {offer} {back}")

    def known(state, player):
        return state.information_state(player), state.observation(player)

    assert known(after("8s", "4d"), 0) == known(after("6s", "Ah"), 0)
    assert known(after("8s", "4d"), 1) != known(after("8s", "Ah"), 1)
    assert known(after("8s", "4d"), 2) != known(after("6s", "4d"), 2)


def test_the_neighbour_answers_without_seeing_the_offer():
    states = [play(table([NOTHING2, RUN8, POINT21]), f"trade {offer}") for offer in ("6s", "8s")]
    for player in (0, 2):
        assert states[0].information_state(player) == states[1].information_state(player)
        assert states[0].observation(player) == states[1].observation(player)
    assert states[0].view(1)["offer"] == parse_cards("6s")[0]
    assert states[0].view(2)["offer"] is None
    assert states[0].view(-1)["offer"] is None


def test_so_many_trades_in_a_row_end_the_deal():
    state = table([NOTHING2, RUN8, POINT21], trade_cap=2, deals=1)
    play(state, "trade 8s 4d")
    assert not state.is_terminal()
    play(state, "trade 8s 2d")
    assert state.is_terminal()
    assert state.view()["last_reason"] == "cap"


def test_a_buy_begins_the_count_of_trades_anew():
    state = table([NOTHING2, RUN8, POINT21], trade_cap=2, deals=1)
    play(state, "trade 8s 4d buy 8s 5h trade 2d 4d")
    assert not state.is_terminal()
    assert state.view()["trades"] == 1


def test_without_a_cap_trades_can_go_on_for_ever():
    game = cardgods.load_game("commerce", trade_cap=0)
    assert not game.bounded
    assert cardgods.load_game("commerce").bounded
    state = table([NOTHING2, RUN8, POINT21], trade_cap=0)
    for _ in range(200):
        play(state, "trade")
        state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[0])
    assert not state.is_terminal()
    assert state.view()["trade_cap"] is None


# Knocking and settling


def test_a_knock_is_allowed_at_the_very_first_turn():
    state = play(table([NOTHING2, RUN8, POINT21], deals=1), "knock")
    assert state.is_terminal()
    assert state.view()["last_knocker"] == 1
    assert state.view()["last_reason"] == "knock"


@pytest.mark.parametrize(
    ("hands", "returns"),
    [
        ([NOTHING, POINT21, RUN8], [-2.0, -1.0, 3.0]),
        ([RUN5, POINT21, RUN8], [-3.0, 0.0, 3.0]),
        ([POINT20, POINT21, NOTHING], [-3.0, 3.0, 0.0]),
        ([NOTHING, POINT21, POINT20], [-2.0, 3.0, -1.0]),
        ([POINT21, POINT20, NOTHING], [2.0, -1.0, -1.0]),
        ([NOTHING, NOTHING2, NOTHING3], [2.0, -1.0, -1.0]),
        (["Ah Kh 4c", "Ad Kd 5c", "2c 3d 9h"], [2.0, -1.0, -1.0]),
        ([NOTHING, "Ah Kh 4c", "Ad Kd 5c"], [-2.0, 3.0, -1.0]),
        (["Ac Kc 2d", "3h 8h 10h", "Ad Kd 5c"], [-3.0, 3.0, 0.0]),
    ],
    ids=[
        "a dealer with nothing pays the winner",
        "a dealer in the winner's category pays each other player",
        "the winner's share included",
        "nothing is a category of its own",
        "a dealer who wins pays nobody",
        "all have nothing: the dealer wins",
        "the dealer wins ties",
        "then the nearest on his left",
        "three cards beat two at the same total",
    ],
)
def test_payments(hands, returns):
    state = play(table(hands, deals=1), "knock")
    assert state.returns() == returns
    assert sum(returns) == state.view()["pot"] == 0


def test_position_counts_from_the_dealer_not_from_player_0():
    hands = ["Ah Kh 4c", "Ad Kd 5c", "2c 3d 9h"]
    assert play(table(hands, dealer=2, deals=1), "knock").view()["last_winner"] == 0
    assert play(table(hands, dealer=0, deals=1), "knock").view()["last_winner"] == 0
    assert play(table(hands, dealer=1, deals=1), "knock").view()["last_winner"] == 1


def test_example_of_a_run_that_beats_twenty_one():
    """Six and seven of spades buy the eight; the dealer's run of the same category pays everyone."""
    state = play(table(["3c 4c 5c", "6s 7s Kd", "Ah Kh 4s"], deals=1), "buy Kd 8s knock")
    assert state.returns() == [-1 + 1 - 2, -2 + 3 + 1, -1 + 1]


# The game


def test_the_deal_passes_to_the_left_and_all_deal_once():
    state = play(table([NOTHING, POINT21, RUN8], dealer=1), "knock")
    assert not state.is_terminal()
    assert state.view()["dealer"] == 2
    deal(state, [NOTHING, POINT21, RUN8])
    assert state.current_player() == 0
    play(state, "knock")
    assert state.view()["dealer"] == 0
    play(deal(state, [NOTHING, POINT21, RUN8]), "knock")
    assert state.is_terminal()
    assert [a for _, a in state.full_history()][-1] == KNOCK


def test_balances_carry_over_from_deal_to_deal():
    state = play(table([NOTHING, POINT21, RUN8]), "knock")
    assert state.returns() == [-2.0, -1.0, 3.0]
    deal(state, [NOTHING, POINT21, RUN8])
    assert state.returns() == [-3.0, -2.0, 2.0]
    assert state.view()["pot"] == 3


def test_between_deals_all_hands_lie_open_and_then_the_next_deal_hides_them():
    state = play(table([NOTHING, POINT21, RUN8]), "knock")
    for player in (0, 1, 2, -1):
        assert state.view(player)["hands"] == [sorted(parse_cards(h)) for h in (NOTHING, POINT21, RUN8)]
        assert state.view(player)["open"]
    deal(state, [NOTHING, POINT21, RUN8])
    assert state.view(0)["hands"] == [parse_cards(NOTHING), [], []]
    assert not state.view(0)["open"]


def test_all_top_balances_share_the_win():
    state = play(table(["Ah Kh 4c", POINT20, NOTHING], deals=3), "knock")
    play(deal(state, [NOTHING, "Ah Kh 4c", POINT20]), "knock")
    play(deal(state, [POINT20, NOTHING, "Ah Kh 4c"]), "knock")
    assert state.returns() == [0.0, 0.0, 0.0]
    assert state.view()["winners"] == [0, 1, 2]


def test_twelve_players_play_twelve_deals(rng):
    *_, state = random_states(cardgods.load_game("commerce", players=12), rng)
    assert state.view()["deal"] == 12
    assert sum(state.returns()) == 0
    assert state.game.max_game_length() == 1 + 12 * (36 + 16 * 36 * 3)


@pytest.mark.parametrize("patience", [1, 40])
@pytest.mark.parametrize("players", range(3, 13))
def test_every_random_game_ends_and_the_books_balance_at_every_step(players, patience):
    state = cardgods.load_game("commerce", players=players, trade_cap=4).new_initial_state()
    _, _, reasons = audit(state, 400, cardgods.Random(players), Cancel(), patience)
    assert sum(reasons) == 400 * players
    assert patience == 1 or all(reasons)


def test_patient_games_reach_every_reason_in_the_smallest_pack():
    state = cardgods.load_game("commerce", suits=2, ranks=5, trade_cap=2).new_initial_state()
    _, _, reasons = audit(state, 2000, cardgods.Random(1), Cancel(), 10)
    assert all(count > 100 for count in reasons)


# Trees


def leaves(stock, trades, cap):
    """Ends of a deal from a turn on, drawn cards not told apart."""
    if stock == 0 or trades == cap:
        return 1
    return 1 + 3 * leaves(stock - 1, 0, cap) + 3 * (1 + 3 * leaves(stock, trades + 1, cap))


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_the_whole_tree_of_a_deal_has_the_leaves_that_arithmetic_says(cap):
    game = cardgods.load_game("commerce", suits=2, ranks=5, deals=1, trade_cap=cap)
    state = deal(game.new_initial_state().child(0), ["10c Jc Qc", "Kc Ac 10d", "Jd Qd Kd"])
    total = ends = 0
    for depth in range(1, 40):
        count = perft(state, depth)
        ends += count - sum_nonterminal(state, depth)
        total += count
        if count == 0:
            break
    assert ends == leaves(1, 0, cap)


def sum_nonterminal(state, depth):
    """Positions after `depth` plies at which the game goes on."""
    if depth == 0:
        return 0 if state.is_terminal() else 1
    return sum(sum_nonterminal(state.child(a), depth - 1) for a in state.legal_actions())


# Options and words


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"players": 2}, "option players: 2 is not a number from 3 to 12"),
        ({"players": 13}, "option players: 13 is not"),
        ({"deals": 0}, "option deals: 0 is not a number from 1 to 100"),
        ({"trade_cap": -1}, "option trade_cap: -1 is not a number from 0 to 120"),
        ({"suits": 5}, "option suits: 5 is not a number from 1 to 4"),
        ({"ranks": 2}, "option ranks: 2 is not a number from 3 to 13"),
        ({"suits": 3, "ranks": 3}, "3 players need more than 9 cards, the pack of 3 suits and 3 ranks has 9"),
        ({"players": True}, "option players: True is not"),
    ],
)
def test_impossible_options_are_refused(options, problem):
    with pytest.raises(cardgods.ParameterError, match=problem):
        cardgods.load_game("commerce", **options)


def test_automatic_numbers_follow_the_players_and_are_written_out():
    game = cardgods.load_game("commerce", players=5)
    assert game.parameters() == {"players": 5, "deals": 5, "trade_cap": 15, "suits": 4, "ranks": 13}
    assert game == cardgods.load_game("commerce", players=5, deals=5, trade_cap=15)
    assert game.ruleset_digest() == cardgods.load_game("commerce", **game.parameters()).ruleset_digest()


def test_the_mini_preset():
    game = cardgods.load_game("commerce", "mini")
    assert game.parameters() == {"players": 3, "deals": 1, "trade_cap": 3, "suits": 3, "ranks": 4}
    assert game.pack == tuple(cards_of(0b1111 << 9 | 0b1111 << 22 | 0b1111 << 35))


def test_utility_bounds_can_be_reached():
    game = cardgods.load_game("commerce", "mini")
    assert (game.min_utility(), game.max_utility()) == (-4.0, 5.0)
    # the dealer wins the pot and sells the whole stock
    state = table(["Jc Qc Kd", "Kc Jd Qh", "Jh Qd Kh"], suits=3, ranks=4, trade_cap=3, deals=1)
    play(state, "buy Jd Ac buy Jh Ad trade Kd Kc buy Kd Ah")
    assert state.is_terminal()
    assert state.returns() == [5.0, -3.0, -2.0]


def test_cards_are_read_in_every_notation_of_the_language():
    state = play(table([NOTHING2, RUN8, POINT21]), "trade")
    eight = parse_cards("8s")[0]
    for text in ("8s", "8♠", "S8", "8 of spades", "eight of spades"):
        assert state.string_to_action(text) == eight
    assert state.string_to_action("8P", "fr") == eight
    state = table([NOTHING2, RUN8, POINT21])
    assert [state.string_to_action(w) for w in "btk"] == [BUY, TRADE, KNOCK]
    assert [state.string_to_action(w, "fr") for w in ("acheter", "troc", "f")] == [BUY, TRADE, KNOCK]
    assert state.action_to_string(KNOCK, "fr") == "frapper"


def test_a_card_that_is_not_in_hand_is_refused_with_the_hand():
    state = play(table([NOTHING2, RUN8, POINT21]), "trade")
    with pytest.raises(cardgods.ActionTextError, match="'Ah' is not possible here: 6♠, 7♠, 8♠"):
        state.string_to_action("Ah")
