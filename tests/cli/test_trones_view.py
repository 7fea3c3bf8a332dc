"""Trois Trônes on the command line: the board, the story of a game, what each may see."""

import re

import pytest
from running import cardgods

from cardgods import IllegalActionError, Random, load_game, log
from cardgods.agents._hints import hints
from cardgods_cli.look import Look, columns
from cardgods_cli.render import SPECTATOR
from cardgods_cli.views.trones import TronesView
from conftest import GAMES

AGENTS = ["--seat", "random", "--seat", "random"]
PLAIN = Look(plain=True, colour=False, terminal=False, dumb=True)
NAMES = ["Ana", "Ben"]
DEAL = "7c 8c Ad 9d"
MOVES = "7c underworld, Ah, 9d sky, 7h, Ad sky, Kh"


def boxed(width):
    return Look(plain=False, colour=False, terminal=True, dumb=False, fixed_width=width)


def told(viewer, moves=MOVES, boards=True):
    """The lines of the start of a game of capacity 1 and hand 2."""
    game = load_game("trones", capacity=1, hand=2)
    state = game.new_initial_state(True)
    view = TronesView(game, NAMES, PLAIN, boards=boards)
    lines = []
    for text in [*DEAL.split(), *(move.strip() for move in moves.split(","))]:
        before = state.view(viewer)
        state.apply_action(state.string_to_action(text))
        lines += view.news(before, state.view(viewer), viewer)
    return lines, view.board(state.view(viewer), viewer)


def test_each_sees_his_own_cards_and_all_that_is_laid():
    assert told(0)[0] == [
        "Ana holds 7♣ A♦.",
        "Ana lays 7♣ on the underworld (17, a trump): 17 against 0.",
        "Ana draws A♥.",
        "Ben lays 9♦ on the sky (19, a trump): 19 against 0.",
        "Ana lays A♦ on the sky (24, a trump): 24 against 19.",
        "Ana holds the sky for certain.",
        "Ana draws K♥.",
    ]
    assert told(1)[0] == [
        "Ben holds 8♣ 9♦.",
        "Ana lays 7♣ on the underworld (17, a trump): 17 against 0.",
        "Ben lays 9♦ on the sky (19, a trump): 19 against 0.",
        "Ben draws 7♥.",
        "Ana lays A♦ on the sky (24, a trump): 24 against 19.",
        "Ana holds the sky for certain.",
    ]
    assert not [line for line in told(SPECTATOR)[0] if "draws" in line or "holds 7" in line]
    assert [line for line in told(None)[0] if "draws" in line] == [
        "Ana draws A♥.", "Ben draws 7♥.", "Ana draws K♥."
    ]  # fmt: skip


def test_a_sentence_for_each_front_in_plain_text():
    assert told(1)[1] == [
        "Ben has 2 cards to lay; 25 cards in the pile.",
        "1 sky (trump ♦): Ana A♦ = 24 (full); Ben 9♦ = 19 (full); Ana holds it.",
        "2 sea (trump ♠): Ana nothing = 0 (1 free, 7-24); Ben nothing = 0 (1 free, 7-24); open.",
        "3 underworld (trump ♣): Ana 7♣ = 17 (full); Ben nothing = 0 (1 free, 7-24); Ana by 17.",
        "Ben holds 8♣ 7♥.",
    ]


@pytest.mark.parametrize("variant", ["standard", "express"])
def test_the_fronts_stand_side_by_side_in_80_columns(variant, capsys):
    game = load_game("trones", variant)
    look = boxed(80)
    view = TronesView(game, ["Anastasia the great", "Ben"], look)
    rng = Random(variant)
    state = game.new_initial_state(True)
    while not state.is_terminal():
        look.show(*view.board(state.view(0), 0))
        out = capsys.readouterr().out
        assert all(columns(line) <= 80 for line in out.splitlines())
        assert "1 sky ♦" in out.splitlines()[2]
        assert "3 underworld ♣" in out.splitlines()[2]
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )


def test_a_narrow_window_gets_sentences(capsys):
    game = load_game("trones")
    look = boxed(60)
    look.show(*TronesView(game, NAMES, look).board(game.new_initial_state().view(0), 0))
    out = capsys.readouterr().out
    assert "╭" not in out
    assert max(map(len, out.splitlines())) <= 60


def test_hidden_cards_change_no_byte_of_what_is_shown(capsys):
    game = load_game("trones", "express")
    rng = Random(4)
    state = game.new_initial_state(True)
    before = state
    while not state.is_terminal():
        for viewer in (0, 1):
            shown = []
            for world in (state, state.resample(viewer, rng), state.resample(viewer, rng)):
                for look in (PLAIN, boxed(80)):
                    view = TronesView(game, NAMES, look)
                    look.show(*view.board(world.view(viewer), viewer))
                    look.show(*view.news(before.view(viewer), world.view(viewer), viewer))
                if state.current_player() == viewer:
                    look.show(view.question(world.view(viewer), viewer))
                    look.show(*view.advice(world.view(viewer), viewer))
                shown.append(capsys.readouterr().out)
            assert shown[0] == shown[1] == shown[2]
        before = state.clone()
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )


def logged(path, game, state):
    """A log of the events that led to a state, without the seed that dealt them."""
    seats = [log.Seat(name, "human") for name in NAMES]
    with log.LogWriter(path, log.make_header(game, seats)) as writer:
        for actor, action in state.full_history():
            writer.append(actor, action)


def test_hidden_cards_change_no_byte_of_a_log_that_is_shown(tmp_path, rng):
    """A game that is not over is replayed without hands and draws, as text and as JSON."""
    game = load_game("trones", "express")
    state = game.new_initial_state(True)
    differ = 0
    while not state.is_terminal():
        if len(state) in (6, 7, 12, 21, 28):
            for player in (0, 1):
                told, records = [], []
                for i, world in enumerate((state, state.resample(player, rng))):
                    path = tmp_path / f"{len(state)}-{player}" / str(i)
                    path.parent.mkdir(exist_ok=True)
                    logged(path, game, world)
                    told.append([cardgods("replay", path, *form).out for form in ([], ["--json"])])
                    records.append(path.read_bytes())
                assert told[0] == told[1]
                assert told[0][1].count("\n") == len(state) + 1
                differ += records[0] != records[1]
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )
    assert differ > 5


def test_a_whole_game_can_be_played_and_replayed(tmp_path):
    path = tmp_path / "log"
    played = cardgods("play", "trones", *AGENTS, "--seed", 5, "--log", path)
    assert played.code == 0
    assert played.out.count(" lays ") == 18
    assert "wins" in played.out
    assert cardgods("replay", path, "--verify").code == 0
    assert cardgods("replay", path).code == 0


def test_a_person_is_told_what_his_cards_count():
    result = cardgods("play", "trones", "--variant", "express", "--seed", 3, stdin="?\n")
    assert result.code == 4
    assert "human, lay a card on a front" in result.out
    assert "counts: sky" in result.out
    assert result.out.count("the higher trump") == 1


def test_a_hint_ranks_all_moves():
    result = cardgods("play", "trones", "--variant", "express", "--seed", 3, stdin="hint\n")
    assert result.code == 4
    lines = [line for line in result.out.splitlines() if line.startswith("  ")]
    assert len(lines) == 9
    shares = [float(line.split(": ")[1].split(" %")[0]) for line in lines]
    assert shares == sorted(shares, reverse=True)
    assert 0 < shares[0] < 100


def test_a_hint_tells_points_where_points_are_played_for():
    result = cardgods("play", "commerce", "--seed", 3, stdin="hint\n")
    lines = [line for line in result.out.splitlines() if line.startswith("  ")]
    assert len(lines) == 3
    assert all(re.search(r": [+-]\d+\.\d\d points \(", line) for line in lines)


@pytest.mark.parametrize("name", GAMES)
def test_hints_are_the_same_whatever_is_hidden(name, rng):
    """A hint is made of the player's information alone, byte for byte."""
    game = load_game(name)
    state = game.new_initial_state(True)
    asked = 0
    while not state.is_terminal() and asked < 8:
        player = state.current_player()
        if player >= 0 and len(state.legal_actions()) > 1:
            asked += 1
            told = [repr(hints(state.resample(player, rng), player)) for _ in range(2)]
            assert told[0] == told[1] == repr(hints(state, player))
            assert {hint.action for hint in hints(state, player)} <= set(state.legal_actions())
        actions = state.legal_actions()
        state.apply_action(state.sample_chance(rng) if player < 0 else rng.choice(actions))
    assert asked > 3


@pytest.mark.parametrize("name", GAMES)
def test_hints_are_for_the_player_on_turn(name, rng):
    state = load_game(name).new_initial_state(True)
    for player in range(-1, state.num_players()):
        if player != state.current_player() or player < 0:
            with pytest.raises(IllegalActionError, match="is not on turn here"):
                hints(state, player)
