"""Corner cases of La Guerre des Trois Trônes, each named after the rule that it tests."""

import itertools
import json

import pytest

import cardgods
from cardgods.cards import parse_card
from conftest import TESTS, random_states


def small(**options):
    return cardgods.load_game("trones", **options)


def deal(game, deck):
    """The start of a game with the first cards of the deck in this order."""
    state = game.new_initial_state()
    for card in deck.split():
        state.apply_action(parse_card(card))
    return state


def play(game, *words):
    """Play a game told as cards dealt and drawn and as moves, in order; the state afterwards."""
    state = game.new_initial_state()
    for text in words:
        state.apply_action(state.string_to_action(text))
    return state


def laid(rows, capacity=3, ranks=tuple(range(7, 15))):
    """A game with hand 1 in which these (card, front) are laid in turn."""
    game = small(capacity=capacity, hand=1, ranks=ranks)
    state = game.new_initial_state()
    cards = [parse_card(card) for card, _ in rows]
    state.apply_action(cards[0])
    state.apply_action(cards[1])
    for i, (card, front) in enumerate(rows):
        state.apply_action(state.string_to_action(f"{card} {front}"))
        if state.is_chance_node():
            state.apply_action(cards[i + 2] if i + 2 < len(cards) else state.legal_actions()[0])
    return state


# Set-up and turns


def test_cards_are_dealt_in_turn_and_player_0_opens():
    state = deal(small(capacity=2, hand=3), "7c 8c 9c 10c jc qc")
    view = state.view()
    assert view["hands"] == [[5, 7, 9], [6, 8, 10]]
    assert (view["phase"], view["turn"], view["pile"]) == ("lay", 0, 26)
    assert state.current_player() == 0


@pytest.mark.parametrize(
    ("variant", "hand", "capacity", "turns"), [("standard", 4, 3, 9), ("express", 3, 2, 6)]
)
def test_presets(variant, hand, capacity, turns, rng):
    *_, state = random_states(cardgods.load_game("trones", variant), rng)
    view = state.view()
    assert sorted(view["held"]) == [hand - 1, hand]
    assert view["capacity"] == capacity
    assert all(len(cards) == capacity for front in view["fronts"] for cards in front["cards"])
    assert view["pile"] == 32 - 2 * hand - (2 * turns - 1)
    assert state.is_terminal()


def test_a_card_is_drawn_after_each_turn_by_who_laid_it():
    state = play(small(capacity=2, hand=1), "7c", "8c", "7c sky")
    assert state.is_chance_node()
    assert (state.view()["phase"], state.view()["turn"]) == ("draw", 0)
    state.apply_action(state.string_to_action("Ah"))
    assert state.view()["hands"] == [[38], [6]]
    assert state.current_player() == 1


def test_a_full_front_takes_no_more():
    state = play(small(capacity=1, hand=2), "7c", "8c", "9c", "10c", "7c sea", "Jc", "8c sky", "Qc")
    assert [state.action_to_string(a) for a in state.legal_actions()] == [
        "9♣ sky", "9♣ underworld", "J♣ sky", "J♣ underworld",
    ]  # fmt: skip
    with pytest.raises(cardgods.IllegalActionError):
        state.apply_action(3 * parse_card("9c") + 1)


def test_a_player_draws_after_his_last_card_but_nobody_after_the_last_of_the_game():
    words = ["7c", "8c", "7c sky", "9c", "8c sky", "10c", "9c sea", "Jc", "10c sea", "Qc", "Jc u"]
    state = play(small(capacity=1, hand=1), *words)
    assert state.is_chance_node()
    state.apply_action(state.string_to_action("Kc"))
    assert state.view()["turns_left"] == [0, 1]
    state.apply_action(state.string_to_action("Qc u"))
    assert state.is_terminal()
    assert state.view()["held"] == [1, 0]


def test_the_game_ends_with_the_last_card_when_the_pile_is_exhausted():
    state = play(small(ranks=(7,), capacity=3, hand=2), "7c", "7d", "7h", "7s", "7c sky", "7d sky", "7h sky")
    assert state.view()["pile"] == 0
    assert state.current_player() == 1
    state.apply_action(state.string_to_action("7s sky"))
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.view()["fronts"][1]["room"] == [3, 3]


def test_hands_shrink_when_the_pile_runs_out(rng):
    held = [
        tuple(s.view()["held"])
        for s in random_states(small(ranks=(7, 8), hand=3), rng)
        if not s.is_chance_node()
    ]
    assert held == [(3, 3), (3, 3), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1), (0, 0)]


@pytest.mark.parametrize("capacity", [1, 2, 3])
@pytest.mark.parametrize(
    ("ranks", "hand"),
    [
        (ranks, hand)
        for ranks in [(7,), (8, 9), (7, 10, 14), tuple(range(7, 15))]
        for hand in range(1, min(4, 2 * len(ranks)) + 1)
    ],
)
def test_players_lay_in_strict_turn_in_every_member(ranks, capacity, hand, rng):
    *_, state = random_states(small(ranks=ranks, capacity=capacity, hand=hand), rng)
    actors = [actor for actor, _ in state.full_history() if actor >= 0]
    turns = min(3 * capacity, 2 * len(ranks))
    assert actors == [0, 1] * turns


# Who takes a front


def winners(state):
    return [front["settled"] for front in state.view()["fronts"]]


def test_forces_and_trumps():
    state = laid([("9d", "sky"), ("As", "sky"), ("Kh", "sea"), ("8c", "sky")])
    assert state.view()["fronts"][0]["forces"] == [19, 22]
    assert state.view()["fronts"][1]["forces"] == [13, 0]
    assert [state.view()["fronts"][f]["trump"] for f in range(3)] == [1, 3, 0]


def test_a_seven_of_trumps_beats_any_other_ace():
    state = laid(
        [("7c", "u"), ("Ah", "u"), ("7d", "sky"), ("As", "sky"), ("8h", "sea"), ("9h", "sea")], capacity=1
    )
    assert winners(state) == [0, 1, 0]
    assert state.returns() == [1.0, -1.0]


def test_hearts_are_trump_nowhere():
    state = laid(
        [("Ah", "sky"), ("7d", "sky"), ("Kh", "sea"), ("7s", "sea"), ("Qh", "u"), ("7c", "u")], capacity=1
    )
    assert winners(state) == [1, 1, 1]
    assert state.returns() == [-1.0, 1.0]


def test_first_tie_break_is_the_higher_trump():
    # 7d + 9h = 17 + 9 = 26 and 8d + 8h = 18 + 8 = 26
    rows = [("7d", "sky"), ("8d", "sky"), ("9h", "sky"), ("8h", "sky")]
    state = laid([*rows, ("7h", "sea"), ("10h", "sea"), ("9c", "sea"), ("10c", "sea"),
                  ("7c", "u"), ("Kh", "u"), ("8c", "u"), ("Jh", "u")], capacity=2)  # fmt: skip
    assert state.view()["fronts"][0]["forces"] == [26, 26]
    assert winners(state) == [1, 1, 0]
    assert state.returns() == [-1.0, 1.0]


def test_a_trump_comes_before_any_card_that_is_none():
    # one trump and a place left free against two cards: 7d = 17 and 10c + 7h = 17
    state = laid([("7d", "sky"), ("10c", "sky"), ("8s", "sea"), ("7h", "sky")], capacity=3)
    assert state.view()["fronts"][0]["forces"] == [17, 17]
    assert state.view()["fronts"][0]["leader"] == 0
    state = laid([("10c", "sky"), ("7d", "sky"), ("7h", "sky"), ("8s", "sea")], capacity=3)
    assert state.view()["fronts"][0]["leader"] == 1


def test_second_tie_break_is_the_highest_card_when_there_is_no_trump():
    # 10h + 8c = 18 and 9h + 9c = 18
    state = laid([("10h", "sky"), ("9h", "sky"), ("8c", "sky"), ("9c", "sky")], capacity=3)
    assert state.view()["fronts"][0]["forces"] == [18, 18]
    assert state.view()["fronts"][0]["leader"] == 0
    state = laid([("9h", "sky"), ("10h", "sky"), ("9c", "sky"), ("8c", "sky")], capacity=3)
    assert state.view()["fronts"][0]["leader"] == 1


def test_third_tie_break_is_player_0():
    state = laid([("10h", "sky"), ("10c", "sky"), ("8c", "sky"), ("8s", "sky")], capacity=3)
    assert state.view()["fronts"][0]["forces"] == [18, 18]
    assert state.view()["fronts"][0]["leader"] == 0


def test_a_front_without_cards_goes_to_player_0_and_has_no_leader_before():
    state = play(small(ranks=(7,), capacity=3, hand=2), "7c", "7d", "7h", "7s", "7c sky", "7d sky")
    assert [front["leader"] for front in state.view()["fronts"]] == [1, None, None]
    state.apply_action(state.string_to_action("7h sky"))
    state.apply_action(state.string_to_action("7s sky"))
    assert winners(state) == [1, 0, 0]
    assert state.returns() == [1.0, -1.0]


def test_play_goes_on_when_two_fronts_are_settled():
    words = ["Ad", "7h", "As", "8h", "Ad sky", "9h", "7h sky", "10h", "As sea", "Jh", "8h sea"]
    state = play(small(capacity=1, hand=2), *words)
    assert winners(state)[:2] == [0, 0]
    assert not state.is_terminal()
    assert state.returns() == [0.0, 0.0]


# Published games

DATA = json.loads((TESTS / "data" / "trones.json").read_text())["playouts"]


@pytest.mark.parametrize("row", DATA, ids=lambda row: row["id"])
def test_published_games(row):
    game = small(ranks=tuple(row["ranks"]), capacity=row["capacity"], hand=row["hand"])
    state = game.new_initial_state()
    deck = iter(row["deck_order"])
    for move in row["played"]:
        while state.is_chance_node():
            state.apply_action(parse_card(next(deck)))
        player, card, front = int(move[0]), move[2:4], int(move[5])
        assert state.current_player() == player
        state.apply_action(3 * parse_card(card) + front)
    assert state.is_terminal()
    fronts = state.view()["fronts"]
    assert [front["forces"] for front in fronts] == row["sums"]
    assert [front["settled"] for front in fronts] == row["front_winners"]
    assert state.view()["winner"] == row["winner"]
    assert state.returns() == [1.0 - 2 * row["winner"], 2.0 * row["winner"] - 1]


# What can still be reached


def reachable(state, player, viewer):
    """Least and greatest sum of each front over all ways the game can go on, as far as the viewer knows."""
    ranges = [(10**6, -1)] * 3
    seen = set()

    def walk(state):
        view = state.view()
        key = str((view["hands"], [f["cards"] for f in view["fronts"]], view["phase"], view["turn"]))
        if key in seen:
            return
        seen.add(key)
        if state.is_terminal():
            for f, front in enumerate(view["fronts"]):
                low, high = ranges[f]
                ranges[f] = (min(low, front["forces"][player]), max(high, front["forces"][player]))
        for action in state.legal_actions():
            walk(state.child(action))

    worlds = [state] if viewer is None else [state.resample(viewer, cardgods.Random(i)) for i in range(60)]
    for world in {str(w.view()): w for w in worlds}.values():
        walk(world)
    return ranges


@pytest.mark.parametrize(
    "options",
    [
        {"ranks": (7, 9), "capacity": 1, "hand": 1},
        {"ranks": (14,), "capacity": 2, "hand": 2},
        {"ranks": (7, 12), "capacity": 1, "hand": 3},
        {"ranks": (8,), "capacity": 3, "hand": 1},
    ],
)
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_best_and_worst_are_what_play_can_reach(options, viewer, rng):
    game = small(**options)
    states = [s.clone() for s in random_states(game, rng)]
    for state in states[max(2 * options["hand"], len(states) - 7) :]:
        for player in range(2):
            fronts = state.view(viewer)["fronts"]
            found = [(front["worst"][player], front["best"][player]) for front in fronts]
            assert found == reachable(state, player, viewer)


def test_settled_fronts_stay_settled(rng):
    counts = 0
    for _ in range(60):
        settled = [None] * 3
        for state in random_states(small(capacity=2, hand=3), rng):
            for viewer in (None, -1, 0, 1):
                now = [front["settled"] for front in state.view(viewer)["fronts"]]
                if viewer is None:
                    assert all(a in (None, b) for a, b in zip(settled, now, strict=True))
                    counts += sum(a != b for a, b in zip(settled, now, strict=True))
                    settled = now
                else:
                    # who knows less is never surer, and never of something else
                    assert all(a in (None, b) for a, b in zip(now, settled, strict=True))
        final = [front["leader"] if any(front["cards"]) else 0 for front in state.view()["fronts"]]
        assert settled == final
    assert counts == 180


# What is hidden


@pytest.mark.parametrize("variant", ["standard", "express"])
def test_hidden_cards_change_nothing_that_a_player_sees(variant, rng):
    game = cardgods.load_game("trones", variant)
    differ = 0
    for state in random_states(game, rng):
        for player in range(2):
            for _ in range(3):
                world = state.resample(player, rng)
                assert world.view(player) == state.view(player)
                assert world.view(-1) == state.view(-1)
                assert world.observation(player) == state.observation(player)
                assert world.information_state(player) == state.information_state(player)
                differ += world.view() != state.view()
    assert differ > 100


def test_views_show_no_hidden_card(rng):
    for state in random_states(small(), rng):
        for viewer in (-1, 0, 1):
            view = state.view(viewer)
            for p in range(2):
                hidden = view["hands"][p] is None
                assert hidden == (p != viewer and view["held"][p] > 0)
            known = set(itertools.chain(*(f["cards"][p] for f in view["fronts"] for p in range(2))))
            known |= set().union(*(hand or () for hand in view["hands"]))
            assert set(view["unseen"]) | known == {c for c in range(52) if c % 13 >= 5}
            assert not set(view["unseen"]) & known


def test_resampled_hands_are_uniform(rng):
    """Each deal that player 0 cannot tell from another is as likely."""
    game = small(ranks=(7, 8), capacity=1, hand=2)
    state = play(game, "7c", "8h", "8c", "7d", "7c sky", "7h", "8h sea", "7s")
    deals = {}
    rest = [parse_card(card) for card in ("7d", "8h", "7s", "8d", "8s")]
    start = state.history()
    for three in itertools.permutations(rest, 3):
        hist = list(start)
        hist[1], hist[3], hist[7] = three
        if parse_card("8h") in (three[0], three[1]):
            deals[tuple(hist)] = 0
    for _ in range(200 * len(deals)):
        deals[tuple(state.resample(0, rng).history())] += 1
    assert len(deals) == 24
    # 23 degrees of freedom: 49.7 is passed once in a thousand
    assert sum((n - 200) ** 2 / 200 for n in deals.values()) < 49.7


# Wording and options


@pytest.mark.parametrize(
    ("lang", "texts"),
    [
        ("en", ["Q♥ sea", "qh sea", "Qh SE", "queen of hearts sea", "hq 2"]),
        ("fr", ["D♥ mer", "dc mer", "dame de cœur m", "D♥ 2"]),
    ],
)
def test_moves_may_be_written_in_several_ways(lang, texts):
    state = deal(small(capacity=1, hand=1), "Qh 7c")
    for text in texts:
        assert state.string_to_action(text, lang) == 3 * parse_card("Qh") + 1


@pytest.mark.parametrize(
    ("lang", "text", "message"),
    [
        ("en", "Qh s", "'s' could be sky or sea"),
        ("en", "Qh mer", "'mer' is no front: fronts are sky, sea, underworld, or 1, 2, 3"),
        ("en", "Qh", "'Qh' is no move: a move is a card and a front"),
        ("en", "Kh sea", "'Kh sea' is not possible here: Q♥ sky, Q♥ sea, Q♥ underworld"),
        ("en", "Xh sea", "'Xh' is no card"),
        ("fr", "Qh mer", "'Qh' is no card"),
    ],
)
def test_a_text_that_is_no_move_is_refused_with_the_reason(lang, text, message):
    state = deal(small(capacity=1, hand=1), "Qh 7c")
    with pytest.raises(cardgods.ActionTextError, match=message):
        state.string_to_action(text, lang)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ranks": ()}, "option ranks: it takes 1 to 8 values"),
        ({"ranks": (6, 7)}, r"option ranks: ranks run from 7 to 14 \(A\)"),
        ({"ranks": (14, 15)}, "option ranks: ranks run from 7"),
        ({"ranks": (9, 8)}, "must be distinct and ascend"),
        ({"ranks": "78"}, "is not a list of whole numbers"),
        ({"capacity": 0}, "option capacity: 0 is not from 1 to 3"),
        ({"capacity": 4}, "option capacity: 4 is not from 1 to 3"),
        ({"hand": 5}, "option hand: 5 is not from 1 to 4"),
        ({"hand": True}, "option hand: True is not of type int"),
        ({"ranks": (7,), "hand": 3}, "two hands of 3 need more than the deck's 4 cards"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(cardgods.ParameterError, match=message):
        small(**options)


def test_ranks_are_read_from_texts():
    from cardgods.games.trones import read_ranks

    assert read_ranks("7-14") == tuple(range(7, 15))
    assert read_ranks("10, J-A") == (10, 11, 12, 13, 14)
    assert read_ranks("7,v,d,r,a") == (7, 11, 12, 13, 14)
    for text in ("", "7-", "9-8", "x", "7-900"):
        with pytest.raises(ValueError, match=r"not a"):
            read_ranks(text)
