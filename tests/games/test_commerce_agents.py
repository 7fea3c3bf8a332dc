"""The agents of Commerce: what they know, what they do, how well."""

import re

import pytest
from test_commerce_knowledge import long_game

import cardgods
from cardgods._core.games.commerce_quick import QuickPlay
from cardgods._core.walk import Cancel
from cardgods.agents import agent_names, make_agent
from cardgods.agents._hints import hints
from cardgods.agents.commerce import threshold_for
from cardgods.play import play
from cardgods.solve.commerce import buy_odds, knock_odds
from cardgods.solve.commerce_story import odds_arguments, read_story
from conftest import random_states
from test_commerce import BUY, KNOCK, NOTHING, POINT20, POINT21, RUN8, TRADE, table
from test_commerce import play as told

SPECS = ["greedy:samples=200", "search:worlds=40"]


def test_the_agents_of_the_game():
    assert {"greedy", "random", "search"} <= set(agent_names("commerce"))


@pytest.mark.parametrize("spec", SPECS)
def test_agents_choose_alike_in_all_worlds_that_they_cannot_tell_apart(spec, rng):
    for options in ({}, {"players": 5, "deals": 2}):
        game = cardgods.load_game("commerce", **options)
        agent = make_agent(spec, game)
        for steps in (30, 60, 100):
            state = long_game(rng, options, steps)
            player = state.current_player()
            if player < 0:
                continue
            world = state.resample(player, rng)
            seed = rng.bits32()
            choice = agent.choose(state, player, cardgods.Random(seed))
            assert choice == agent.choose(world, player, cardgods.Random(seed))
            assert choice in state.legal_actions()


@pytest.mark.parametrize("spec", SPECS)
def test_agents_end_every_kind_of_game(spec):
    for options in ({"players": 12, "deals": 2}, {"suits": 2, "ranks": 5}, {"trade_cap": 1}):
        game = cardgods.load_game("commerce", **options)
        agents = [make_agent(spec, game) for _ in range(game.num_players())]
        assert play(game.new_initial_state(True), agents, cardgods.Random(1)).is_terminal()


@pytest.mark.parametrize("spec", ["greedy", "search"])
def test_a_run_knocks_and_the_dealer_with_nothing_buys(spec):
    game = cardgods.load_game("commerce")
    agent = make_agent(spec, game)
    assert agent.choose(table([NOTHING, RUN8, POINT20]), 1, cardgods.Random(1)) == KNOCK
    state = told(table(["2c 3d 9h", "Kd Qc 4s", "5h 8c Jd"]), "trade 4s 5h trade 4s 2c")
    assert state.current_player() == 0
    assert agent.choose(state, 0, cardgods.Random(1)) == BUY


def test_greedy_trades_a_weak_hand_and_gives_its_least_useful_card():
    game = cardgods.load_game("commerce")
    agent = make_agent("greedy", game)
    assert agent.choose(table(["Jc Jd Qh", "2h 5c 9s", POINT20]), 1, cardgods.Random(1)) == TRADE
    state = told(table(["Jc Jd Qh", "10h 9h 2s", POINT20]), "trade")
    assert state.string_to_action("2s") == agent.choose(state, 1, cardgods.Random(1))
    # the answer to an offer: a good hand refuses
    state = table([NOTHING, "2d 3s 9s", POINT21])
    assert agent.choose(told(state, "trade 9s"), 2, cardgods.Random(1)) == KNOCK


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("greedy:samples=0", "samples is 1 or more"),
        ("search:worlds=0", "worlds is 1 or more"),
        ("search:surprise=0", "surprise is above 0"),
        ("search:surprise=2", "surprise is above 0"),
    ],
)
def test_impossible_parameters_are_refused(spec, problem):
    with pytest.raises(cardgods.ParameterError, match=problem):
        make_agent(spec, cardgods.load_game("commerce"))


def mean_return(spec, other, games):
    """Mean points of one player among others, over the same deals at every seat."""
    game = cardgods.load_game("commerce")
    one, rest = make_agent(spec, game), make_agent(other, game)
    total = 0.0
    for seed in range(games):
        for seat in range(3):
            agents = [one if p == seat else rest for p in range(3)]
            total += play(game.new_initial_state(True), agents, cardgods.Random(seed)).returns()[seat]
    return total / (3 * games)


@pytest.mark.parametrize("spec", SPECS)
def test_agents_beat_random_players(spec):
    assert mean_return(spec, "random", 25) > 0.8


# Quick play


def test_quick_play_needs_nothing_but_the_hand(rng):
    game = cardgods.load_game("commerce")
    quick = QuickPlay(game.new_initial_state(), threshold_for(3))
    for state in random_states(game, rng):
        if state.current_player() >= 0:
            action = quick.action(state)
            assert action in state.legal_actions()
            assert action == quick.action(state.resample(state.current_player(), rng))


def test_no_threshold_does_much_better_than_the_one_in_use():
    for players in (3, 6):
        game = cardgods.load_game("commerce", players=players)
        start = game.new_initial_state()
        usual = QuickPlay(start, threshold_for(players))
        games = 20_000
        for change in (-0.6, -0.3, 0.0, 0.3, 0.6, 1.5):
            other = QuickPlay(start, threshold_for(players) + change)
            gain = other.match(start, usual, 0, games, cardgods.Random(7), Cancel()) / games
            assert gain < 0.05 * players


def test_worths_of_a_forced_end_are_exact():
    """At the last answer before the cap, whatever is returned ends the deal: no rollout, no error."""
    state = table([NOTHING, POINT21, POINT20], trade_cap=1, deals=1)
    state = told(state, "trade 4d")
    quick = QuickPlay(state, 0.0)
    worths = {a: (mean, error) for a, mean, error in quick.worths(state, 4000, cardgods.Random(1), Cancel())}
    assert set(worths) == set(state.legal_actions())
    # a refusal settles the hands as they are; by sampling, what the exact odds say
    odds = knock_odds(parse(POINT20), 3, 2)
    mean, error = worths[KNOCK]
    assert mean - 1 == pytest.approx(odds.points, abs=5 * error)


def parse(text):
    return cardgods.cards.parse_cards(text)


# What a player knows


def test_a_story_tells_what_the_player_knows():
    state = table([NOTHING, RUN8, POINT21])
    story = read_story(state.information_state(1), 1, 3)
    assert (story.phase, story.turn, story.dealer) == ("turn", 1, 0)
    assert sorted(story.hand) == parse(RUN8)
    state = told(state, "trade 8s 4d")
    story = read_story(state.information_state(1), 1, 3)
    assert story.known == {0: set(), 2: set(parse("8s"))}
    assert odds_arguments(story, 1) == {
        "hand": sorted(parse("6s 7s 4d")),
        "players": 3,
        "seat": 1,
        "seen": [],
        "held": {2: set(parse("8s"))},
    }
    # player 2 gives a card to player 0: player 1 no longer knows where the eight is
    state = told(state, "trade Ah 9h")
    assert read_story(state.information_state(1), 1, 3).known == {0: set(), 2: set()}
    assert read_story(state.information_state(2), 2, 3).known == {0: set(parse("Ah")), 1: set(parse("4d"))}


def test_stories_agree_with_the_open_table_over_long_games(rng):
    for options in ({"players": 3}, {"players": 4, "suits": 4, "ranks": 5}):
        for steps in (25, 50, 75, 100, 200):
            state = long_game(rng, options, steps)
            view = state.view()
            if view["phase"] in ("over", "lot") or view["open"]:
                continue
            for player in range(state.num_players()):
                story = read_story(state.information_state(player), player, state.num_players())
                assert story.phase == view["phase"]
                assert sorted(story.hand) == view["hands"][player]
                assert sorted(story.discards) == view["rejected"][player]
                assert story.dealer == view["dealer"]
                assert story.turn == view["turn"]
                assert story.trades == view["trades"]
                # a buy is done when the card is drawn
                assert story.buys == sum(view["bought"]) - (view["phase"] == "draw")
                for other, cards in story.known.items():
                    assert cards <= set(view["hands"][other])


# Hints


def details(state):
    """The hints of who is on turn: (move, detail) by text."""
    found = hints(state, state.current_player())
    assert {hint.action for hint in found} == set(state.legal_actions())
    return {state.action_to_string(hint.action): hint.detail for hint in found}


def share_and_points(detail):
    share, points = re.search(r", ([\d.]+)% for the pot and ([+-][\d.]+) points$", detail).groups()
    return float(share), float(points)


def test_a_hint_tells_the_odds_of_a_knock_and_of_a_buy():
    state = table(["2c 3d 9h", "Ah Kh 4s", "5h 8c Jd"])
    told_now = details(state)
    assert share_and_points(told_now["knock"]) == (90.8, 2.65)
    best = buy_odds(parse("Ah Kh 4s"), 3, 1)[0]
    assert share_and_points(told_now["buy"]) == (round(100 * best.odds.win, 1), round(best.odds.points, 2))
    assert "settled" not in told_now["trade"]


def test_a_hint_on_a_discard_does_not_count_the_price_twice():
    state = told(table(["2c 3d 9h", "Ah Kh 4s", "5h 8c Jd"]), "buy")
    after = {buy.discard: buy.odds for buy in buy_odds(parse("Ah Kh 4s"), 3, 1)}
    for text, detail in details(state).items():
        odds = after[state.string_to_action(text)]
        assert share_and_points(detail) == (round(100 * odds.win, 1), round(odds.points + 1, 2))
    # the dealer pays nothing, and knows where the card is that he returned
    state = told(table([NOTHING, "2d 3s 9s", "4h 8h Js"]), "trade 9s Js trade 9s 9h buy")
    after = {buy.discard: buy.odds for buy in buy_odds(parse("2c 3d 9s"), 3, 0, held={2: parse("9h")})}
    for text, detail in details(state).items():
        odds = after[state.string_to_action(text)]
        assert share_and_points(detail) == (round(100 * odds.win, 1), round(odds.points, 2))


def test_sampled_odds_of_a_hint_come_with_their_interval():
    state = table(["2c 3d 9h", "Ah Kh 4s", "5h 8c Jd", "2h 5c 9s", "2s 6c 9d"])
    detail = details(state)["knock"]
    low, high = map(float, re.search(r"([\d.]+)% to ([\d.]+)% for the pot", detail).groups())
    share = 100 * knock_odds(parse("Ah Kh 4s"), 5, 1, samples=400_000).win
    assert low - 0.4 < share < high + 0.4
    assert 0 < high - low < 1
    assert detail.endswith(", sampled)")
