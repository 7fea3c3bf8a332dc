"""The typed front of the open-hand solver."""

import json
from dataclasses import replace

import pytest

import cardgods
from cardgods import Random
from cardgods.agents import make_agent
from cardgods.cards import cards_of, parse_card, parse_cards
from cardgods.interval import wilson
from cardgods.play import play
from cardgods.solve.trones import (
    OpenPosition,
    at_state,
    cards_needed,
    deck_from_seed,
    move_text,
    solve_deal,
    solve_deals,
    start,
)
from conftest import TESTS

ROWS = json.loads((TESTS / "data" / "trones.json").read_text())["open_hand"]
EXPRESS = cardgods.load_game("trones", "express")
STANDARD = cardgods.load_game("trones")


@pytest.mark.parametrize("row", ROWS[::4], ids=lambda row: row["id"])
def test_published_deals(row):
    game = cardgods.load_game("trones", ranks=tuple(row["ranks"]), capacity=row["capacity"], hand=row["hand"])
    deck = [parse_card(card) for card in row["deck_order"]]
    solution = solve_deal(start(game, deck))
    assert solution.winner == row["winner"]
    assert solution.mover == 0
    wanted = {(parse_card(move[:2]), int(move[3])) for move in row["winning_first_moves"]}
    assert set(solution.winning_moves) == wanted
    assert set(solution.winning_moves) <= set(solution.moves)


def played(game, deck, moves):
    """The end of a game in which these (player, card, front) are laid."""
    state = game.new_initial_state(True)
    cards, moves = iter(deck), iter(moves)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(next(cards))
        else:
            player, card, front = next(moves)
            assert player == state.current_player()
            state.apply_action(3 * card + front)
    assert next(moves, None) is None
    return state


@pytest.mark.parametrize("game", [EXPRESS, STANDARD], ids=str)
def test_the_line_is_a_game_that_the_winner_wins(game):
    for i in range(15):
        deck = deck_from_seed(game, i)
        solution = solve_deal(start(game, deck))
        assert played(game, deck, solution.line).view()["winner"] == solution.winner
        assert solve_deal(start(game, deck), line=False) == replace(solution, line=())


@pytest.mark.parametrize("game", [EXPRESS, STANDARD, cardgods.load_game("trones", ranks=(7, 8, 9))], ids=str)
def test_states_along_a_game_solve_as_its_deal(game):
    for i in range(6):
        deck = deck_from_seed(game, i)
        rng = Random(f"walk{i}")
        state = game.new_initial_state(True)
        drawn = 0
        winner, winning, move = solve_deal(start(game, deck)).winner, None, None
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(deck[drawn])
                drawn += 1
                if state.view()["phase"] == "deal":
                    continue
            else:
                solution = solve_deal(at_state(state, deck[drawn:]), line=False)
                player = state.current_player()
                assert solution.mover == player
                assert [3 * card + front for card, front in solution.moves] == state.legal_actions()
                if winning is not None:
                    assert solution.winner == winner
                move = rng.choice(solution.moves)
                winning = solution.winning_moves
                winner = player if move in winning else 1 - player
                state.apply_action(3 * move[0] + move[1])
            # a state that waits for a draw is solved too
            assert solve_deal(at_state(state, deck[drawn:]), line=False).winner == winner
            # only the cards that can still be laid are needed
            needed = max(0, cards_needed(game) - drawn)
            assert at_state(state, deck[drawn : drawn + needed]).mover in (0, 1)
        assert solve_deal(at_state(state, [])).winner == state.view()["winner"] == winner
        assert solve_deal(at_state(state, [])).mover is None


@pytest.mark.parametrize(("game", "needed"), [(STANDARD, 24), (EXPRESS, 16)], ids=str)
def test_a_deal_may_leave_out_what_is_never_laid(game, needed):
    assert cards_needed(game) == needed
    for i in range(30):
        deck = deck_from_seed(game, i)
        whole, short = solve_deal(start(game, deck)), solve_deal(start(game, deck[:needed]))
        assert (whole.winner, whole.winning_moves) == (short.winner, short.winning_moves)
    with pytest.raises(cardgods.SolveError, match=f"needs {needed} cards, {needed - 1} are given"):
        start(game, deck[: needed - 1])


@pytest.mark.parametrize("seed", [7, "a text"])
def test_a_seed_gives_the_deal_that_is_played_from_it(seed):
    deck = deck_from_seed(STANDARD, seed)
    assert sorted(deck) == cards_of(STANDARD.deck_mask())
    agents = [make_agent("random", STANDARD)] * 2
    state = play(STANDARD.new_initial_state(True), agents, Random(seed))
    drawn = [action for actor, action in state.full_history() if actor < 0]
    assert drawn == deck[: len(drawn)]


def test_many_deals_do_not_depend_on_threads():
    one = solve_deals(EXPRESS, 9000, seed=3)
    seen = []
    two = solve_deals(EXPRESS, 9000, seed=3, threads=2, progress=lambda done, all_: seen.append((done, all_)))
    assert replace(one, seconds=0) == replace(two, seconds=0)
    assert seen[-1] == (9000, 9000)
    assert one.interval[0] < one.share < one.interval[1]
    assert one.share == one.first_wins / 9000
    assert solve_deals(EXPRESS, 9000, seed=4).first_wins != one.first_wins
    assert solve_deals(EXPRESS, 1, seed=3).deals == 1


def test_a_solution_is_json():
    solution = solve_deal(start(EXPRESS, deck_from_seed(EXPRESS, 7)))
    found = json.loads(json.dumps(solution.as_dict()))
    assert found["winner"] == solution.winner
    assert found["winning_moves"] == [move_text(move) for move in solution.winning_moves]
    assert len(found["line"]) == 12
    french = solution.as_dict("fr")
    assert all(move.split()[1] in ("ciel", "mer", "enfers") for move in french["moves"])


def position(**changes):
    hands = (tuple(parse_cards("7c 8c")), tuple(parse_cards("7d 8d")))
    fields = {"hands": hands, "pile": (), "laid": (((),) * 3,) * 2, "capacity": 1, "mover": 0}
    return OpenPosition(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hands": ((4,), ())}, "cards run from the sevens to the aces"),
        ({"pile": (52,)}, "cards run from"),
        ({"pile": (5,)}, "7♣ stands there twice"),
        ({"capacity": 4}, "1 to 3 places"),
        ({"laid": (((9, 10), (), ()), ((),) * 3)}, "no more cards than places"),
        ({"hands": ((5, 6, 7, 8, 9), ())}, "4 cards at most"),
        ({"mover": 2}, "player 2 cannot be on turn"),
    ],
)
def test_impossible_positions_are_refused(changes, message):
    assert solve_deal(position()).winner in (0, 1)
    with pytest.raises(cardgods.SolveError, match=message):
        position(**changes)


def test_decks_and_piles_that_do_not_fit_are_refused():
    deck = deck_from_seed(EXPRESS, 1)
    with pytest.raises(cardgods.SolveError, match="has no 2♣"):
        start(EXPRESS, [0, *deck[1:]])
    with pytest.raises(cardgods.SolveError, match="stands there twice"):
        start(EXPRESS, [deck[1], *deck[1:]])
    state = EXPRESS.new_initial_state()
    with pytest.raises(cardgods.SolveError, match="not dealt yet"):
        at_state(state, deck)
    for card in deck[:6]:
        state.apply_action(card)
    with pytest.raises(cardgods.SolveError, match="is not in the pile"):
        at_state(state, deck[5:])
    with pytest.raises(cardgods.SolveError, match="10 more cards of the pile are needed, 9 are known"):
        at_state(state, deck[6:15])
    with pytest.raises(cardgods.SolveError, match="is not Trois"):
        at_state(cardgods.load_game("encan").new_initial_state(), [])
    with pytest.raises(cardgods.ParameterError, match="0 deals"):
        solve_deals(EXPRESS, 0)


def test_wilson_intervals():
    # Wilson's example values, as in the tables of R. Newcombe, Statistics in Medicine 17 (1998), method 3
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)
    assert wilson(29, 29)[1] == pytest.approx(1.0)
