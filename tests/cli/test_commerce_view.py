"""Commerce on the command line: the table, the story of a game, what each may see."""

import pytest
from running import cardgods, refused

from cardgods import Random, load_game
from cardgods_cli.look import Look
from cardgods_cli.views.commerce import CommerceView

AGENTS = [word for _ in range(3) for word in ("--seat", "random")]
PLAIN = Look(plain=True, colour=False, terminal=False, dumb=True)
WIDE = Look(plain=False, colour=False, terminal=True, dumb=False, fixed_width=100)


def told(moves, viewer, hands="Jc Qc Ah Jd Qd Ac Jh Kh Kd"):
    """The lines of a mini game with player 0 dealing: cards one by one, then moves."""
    game = load_game("commerce", "mini")
    state = game.new_initial_state(True)
    view = CommerceView(game, ["Ana", "Ben", "Cleo"], PLAIN)
    lines = []
    for text in ["dealer 0", *hands.split(), *moves.split(",")]:
        before = state.view(viewer)
        state.apply_action(state.string_to_action(text.strip()))
        lines += view.news(before, state.view(viewer), viewer)
    return lines


def test_a_whole_game_can_be_played_and_replayed(tmp_path):
    log = tmp_path / "log"
    played = cardgods("play", "commerce", *AGENTS, "--seed", 5, "--log", log)
    assert played.code == 0
    assert played.out.count("shows") == 9
    assert "won by" in cardgods("replay", log, "--verify").out
    assert cardgods("replay", log).code == 0


def test_five_players_with_a_person_first():
    result = cardgods("play", "commerce", "--players", 5, "--seed", 3, stdin="trade\n")
    assert result.code == 4
    assert "human, buy, trade or knock (buy trade knock; ? for help)" in result.out
    assert "pot 5, stock 37" in result.out
    assert result.out.count("hand ? ? ?") == 8


def test_help_says_what_the_moves_do():
    out = cardgods("play", "commerce", "--seed", 3, "--players", 5, stdin="?\n").out
    assert "who returns one unseen or refuses by knocking" in out
    assert "buy: give up a card" in out
    assert "Odds if the hands were settled now: you win the pot with" in out
    assert "The same after a buy for one of yours, drawn at random: " in out


def shown(view, before, state, viewer):
    """All that the screen has for a viewer: board, news, and what is asked and advised when he is on turn."""
    now = state.view(viewer)
    words = [view.board(now, viewer), view.news(before.view(viewer), now, viewer)]
    if state.current_player() == viewer:
        words += [view.question(now, viewer), view.advice(now, viewer)]
    return words


def test_the_screen_depends_on_nothing_that_the_viewer_may_not_know():
    """What is hidden is drawn anew: board, news, question and advice stay the same words."""
    game = load_game("commerce", "mini", deals=2)
    view = CommerceView(game, ["Ana", "Ben", "Cleo"], PLAIN)
    rng = Random("hints")
    changed = 0
    for _ in range(6):
        state = game.new_initial_state(True)
        while not state.is_terminal():
            before = state.clone()
            act = state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
            state.apply_action(act)
            for viewer in range(3):
                world = state.resample(viewer, rng)
                changed += world.history() != state.history()
                earlier = game.new_initial_state(True)
                for action in world.history()[:-1]:
                    earlier.apply_action(action)
                assert shown(view, earlier, world, viewer) == shown(view, before, state, viewer)
    assert changed > 100


def test_agents_alone_do_not_play_without_a_cap():
    assert "one of its seats has to be human" in refused(2, "play", "commerce", "--trade-cap", 0, *AGENTS)
    people = [word for _ in range(3) for word in ("--seat", "human")]
    assert cardgods("play", "commerce", "--trade-cap", 0, *people, stdin="knock\n").code == 4


STORY = "trade, Jc, Qc, buy, Qd, Kc, knock"
END = [
    "Ana knocks.",
    "Ana shows A♣ K♦ A♥: nothing.",
    "Ben shows Q♣ J♦ J♥: nothing.",
    "Cleo shows J♣ K♣ K♥: point of 20 (2 cards).",
    "Cleo wins the pot of 3; Ana, the dealer, pays 1 to Cleo.",
]


def test_the_traders_see_both_cards():
    assert told(STORY, 1) == [
        "Ana is the first dealer.",
        "Deal 1 of 1: Ana deals, 3 in the pot.",
        "Ben holds J♣ J♦ J♥ (tricon of J).",
        "Ben offers J♣ to Cleo.",
        "Cleo returns Q♣ for J♣.",
        "Cleo gives up a card and pays 1 to Ana.",
        *END,
    ]
    assert told(STORY, 2)[2:7] == [
        "Cleo holds Q♣ Q♦ K♥ (nothing).",
        "Ben offers a card to Cleo.",
        "Cleo returns Q♣ for J♣.",
        "Cleo gives up Q♦ and pays 1 to Ana.",
        "Cleo draws K♣.",
    ]


def test_others_see_that_a_trade_and_a_buy_took_place():
    expected = [
        "Ben offers a card to Cleo.",
        "Cleo returns a card: they trade.",
        "Cleo gives up a card and pays 1 to Ana.",
        *END,
    ]
    assert told(STORY, 0)[3:] == expected
    assert told(STORY, -1)[2:] == expected


def test_a_refusal_and_a_dealer_beaten_in_his_category_are_told():
    lines = told("trade, Jc, knock", 0, hands="Jc Qc Kh Jd Ac Jh Qd Kd Ad")
    assert lines[4] == "Cleo refuses by knocking."
    assert lines[-1].endswith("Ana, the dealer, beaten in the same category, pays 1 to each other player.")


@pytest.mark.parametrize("look", [PLAIN, WIDE], ids=["plain", "wide"])
def test_every_position_can_be_shown(look, capsys):
    rng = Random("views")
    for options in ({}, {"players": 12, "deals": 1}):
        game = load_game("commerce", **options)
        names = [f"N{p}" for p in range(game.num_players())]
        view = CommerceView(game, names, look)
        state = game.new_initial_state(True)
        while not state.is_terminal():
            for viewer in () if state.view()["phase"] == "deal" and len(state) % 20 else (0, -1, None):
                look.show(*view.board(state.view(viewer), viewer))
            if not state.is_chance_node():
                view.question(state.view(), state.current_player())
            act = state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
            state.apply_action(act)
        view.result(state.view(), state.returns())
        assert f"N{game.num_players() - 1}" in capsys.readouterr().out
