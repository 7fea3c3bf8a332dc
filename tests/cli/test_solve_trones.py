"""cardgods solve trones: one deal from a seed, a file or a log, or many."""

import json
import re

import pytest
from running import cardgods, refused

from cardgods import Random, load_game
from cardgods.agents import make_agent
from cardgods.cards import card_name
from cardgods.log import LogBuffer, Seat, make_header
from cardgods.play import play
from cardgods.solve.trones import at_state, deck_from_seed, move_text, solve_deal, solve_deals, start

GAME = load_game("trones", "express")
EXPRESS = ("--variant", "express")


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "game.cglog"
    seats = ("--seat", "random", "--seat", "random")
    assert cardgods("play", "trones", *EXPRESS, *seats, "--seed", 9, "--log", path).code == 0
    return path


def test_a_seed_solves_the_deal_that_play_deals():
    result = cardgods("solve", "trones", *EXPRESS, "--seed", 7)
    assert result.code == 0
    assert result.err == ""
    solution = solve_deal(start(GAME, deck_from_seed(GAME, 7)))
    assert f"Player {solution.winner} wins with all cards open" in result.out
    assert f"({len(solution.winning_moves)} of 9)" in result.out
    line = ", ".join(f"{p}: {move_text((card, f))}" for p, card, f in solution.line)
    assert f"Best play: {line}." in result.out
    played = cardgods("play", "trones", *EXPRESS, "--seat", "random", "--seat", "random", "--seed", 7).out
    hand = next(text for text in result.out.splitlines() if text.startswith("player 0 holds"))
    assert any(text.startswith("random 1 lays") for text in played.splitlines())
    assert {"10♣", "J♥", "Q♠"} == set(hand.removeprefix("player 0 holds ").rstrip(".").split())


def test_json_has_the_whole_deal_and_its_solution():
    found = json.loads(cardgods("solve", "trones", *EXPRESS, "--seed", "text", "--json").out)
    deck = deck_from_seed(GAME, "text")
    assert found["hands"] == [[card_name(c) for c in sorted(deck[p:6:2])] for p in range(2)]
    assert found["pile"] == [card_name(c) for c in deck[6:]]
    assert found["variant"] == "express"
    solution = solve_deal(start(GAME, deck)).as_dict()
    assert {key: found[key] for key in solution} == solution


def test_a_deal_from_a_file_with_moves(tmp_path):
    deck = deck_from_seed(GAME, 3)
    path = tmp_path / "deal.txt"
    text = "# a deal\n" + "\n".join(card_name(c, ascii=True) for c in deck[:16]) + "\n"
    path.write_text(text)
    found = json.loads(cardgods("solve", "trones", *EXPRESS, "--deal", path, "--json").out)
    assert found["winner"] == solve_deal(start(GAME, deck)).winner
    moves = [f"{card_name(deck[0], ascii=True)} sky", f"{card_name(deck[1])} sea  # in reply"]
    path.write_text(text + "moves:\n" + "\n".join(moves) + "\n")
    found = json.loads(cardgods("solve", "trones", *EXPRESS, "--deal", path, "--json").out)
    assert found["laid"] == [[[card_name(deck[0])], [], []], [[], [card_name(deck[1])], []]]
    assert found["mover"] == 0
    assert len(found["line"]) == 10
    state = GAME.new_initial_state()
    for action in [*deck[:6], 3 * deck[0], deck[6], 3 * deck[1] + 1, deck[7]]:
        state.apply_action(action)
    assert found["winner"] == solve_deal(at_state(state, deck[8:])).winner


def test_positions_of_a_log(log):
    agents = [make_agent("random", GAME)] * 2
    end = play(GAME.new_initial_state(True), agents, Random(9))
    history = end.history()
    drawn = [action for actor, action in end.full_history() if actor < 0]
    state = GAME.new_initial_state(True)
    for event in range(len(history) + 1):
        if event >= 6:
            found = json.loads(cardgods("solve", "trones", "--from", f"{log}@{event}", "--json").out)
            dealt = sum(actor < 0 for actor, _ in state.full_history())
            solution = solve_deal(at_state(state, drawn[dealt:]))
            assert {key: found[key] for key in solution.as_dict()} == solution.as_dict()
        if event < len(history):
            state.apply_action(history[event])
    assert found["mover"] is None
    assert found["winner"] == end.view()["winner"]
    assert "has won." in cardgods("solve", "trones", "--from", f"{log}@{len(history)}").out
    first = cardgods("solve", "trones", "--from", log, "--json").out
    assert first == cardgods("solve", "trones", "--from", f"{log}@6", "--json").out


def test_many_deals():
    result = cardgods("solve", "trones", *EXPRESS, "--deals", 5000, "--seed", 1, "--threads", 2)
    expected = solve_deals(GAME, 5000, seed=1)
    assert result.code == 0
    assert f"player 0 wins {expected.first_wins:,} of 5,000 deals: P = {expected.share:.4f}" in result.out
    found = json.loads(cardgods("solve", "trones", *EXPRESS, "--deals", 5000, "--seed", 1, "--json").out)
    assert found["first_wins"] == expected.first_wins
    assert found["interval_95"] == list(expected.interval)
    assert found["nodes"] == expected.nodes


def test_small_members_are_solved_too():
    result = cardgods("solve", "trones", "--ranks", "J,A", "--capacity", 1, "--hand", 1, "--seed", 5)
    assert result.code == 0
    assert "Best play" in result.out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "name one deal"),
        (["--seed", 1, "--deal", "x"], 2, "name one deal"),
        (["--from", "x", "--deals", 5], 2, "name one deal"),
        (["--deals", 0], 2, "0"),
        (["--deal", "no such file"], 2, "no such file cannot be read: No such file"),
        (["--from", "no such file"], 2, "no such file"),
        (["--from", "x@y"], 2, "an event is a whole number"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(words, code, message):
    assert message in refused(code, "solve", "trones", *words)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("7c 8c", 2, "a deal of trones(express) needs 16 cards, 2 are given"),
        ("7c 7c", 2, "the deal: 7♣ stands there twice"),
        ("2c", 2, "has no 2♣"),
        ("xx", 2, "the deal: 'xx' is no card"),
        ("{deck}\nmoves\n{other} sky", 6, "is not possible here"),
        ("{deck}\nmoves\n{first}", 6, "is no move"),
    ],
)
def test_deals_with_faults_are_refused(tmp_path, text, code, message):
    deck = [card_name(c, ascii=True) for c in deck_from_seed(GAME, 3)]
    path = tmp_path / "deal.txt"
    path.write_text(text.format(deck=" ".join(deck), first=deck[0], other=deck[1]))
    assert message in refused(code, "solve", "trones", *EXPRESS, "--deal", path)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "deal.txt"
    path.write_bytes(b"\xff\xfe7c")
    assert "is no text in UTF-8" in refused(2, "solve", "trones", "--deal", path)


def test_positions_that_a_log_has_not_are_refused(log, tmp_path):
    assert "positions 6 to 29 after the deal, not 5" in refused(2, "solve", "trones", "--from", f"{log}@5")
    assert "not 30" in refused(2, "solve", "trones", "--from", f"{log}@30")
    assert "the options name trones(standard, capacity=2, hand=2): leave them out" in refused(
        2, "solve", "trones", *EXPRESS, "--hand", 2, "--from", log
    )
    other = tmp_path / "other"
    cardgods("play", "encan", "--seat", "random", "--seat", "random", "--log", other)
    assert "not Trois Tr" in refused(2, "solve", "trones", "--from", other)


def test_an_unfinished_log_does_not_know_the_pile(tmp_path):
    path = tmp_path / "log"
    result = cardgods(
        "play", "trones", *EXPRESS, "--seat", "human", "--seat", "greedy", "--seed", 3, "--log", path,
        stdin="1\n",
    )  # fmt: skip
    assert result.code == 6
    message = refused(2, "solve", "trones", "--from", path, "--spoil")
    assert "10 more cards of the pile are needed, 0 are known" in message
    # Whatever can be solved of it, hands and pile are nobody's to see before the game is over.
    for words in (("--from", path), ("--from", f"{path}@6", "--json")):
        assert "all hands and the pile: --spoil allows it" in refused(2, "solve", "trones", *words)


def test_a_position_counts_what_was_not_taken_back(tmp_path):
    plain, undone = tmp_path / "plain", tmp_path / "undone"
    end = play(GAME.new_initial_state(True), [make_agent("random", GAME)] * 2, Random(9))
    events = end.full_history()
    for path in (plain, undone):
        log = LogBuffer(make_header(GAME, [Seat("a", "human"), Seat("b", "human")], seed=9))
        for number, event in enumerate(events):
            log.append(*event)
            if path == undone and number == 8:
                log.undo(0, 2)
                log.append(*events[7])
                log.append(*events[8])
        log.finish(end)
        path.write_bytes(log.getvalue())
    outputs = [cardgods("solve", "trones", "--from", f"{path}@9").out for path in (plain, undone)]
    assert outputs[0] == outputs[1] != ""


# Hidden hands -----------------------------------------------------------------------------------------------

HIDDEN = ("solve", "trones", "--hidden", "--ranks", "K,A", "--capacity", 1, "--hand", 1)


def test_hidden_hands_come_with_bounds():
    out = cardgods(*HIDDEN).out
    low, high = map(float, re.search(r"is between (\S+) and (\S+) ", out).groups())
    assert low <= 5063 / 10080 <= high <= low + 1e-4 + 2e-8
    found = json.loads(cardgods(*HIDDEN, "--json", "--gap", 1e-5).out)
    assert found["bounds"][0] <= 5063 / 10080 <= found["bounds"][1]
    assert found["gap"] <= 1e-5
    assert found["reached"] is True
    assert found["information_sets"] == 5630


def test_hidden_hands_stop_go_on_and_are_refused(tmp_path):
    short = (*HIDDEN, "--json", "--gap", 0, "--iterations")
    result = cardgods(*short, 15, "--checkpoint", tmp_path / "state")
    assert result.code == 8
    again = json.loads(cardgods(*short, 30, "--checkpoint", tmp_path / "state").out)
    whole = json.loads(cardgods(*short, 30).out)
    assert again["bounds"] == whole["bounds"]
    assert "was not reached" in cardgods(*HIDDEN, "--gap", 0, "--iterations", 10).out
    assert "too large" in refused(2, "solve", "trones", "--hidden", *EXPRESS)
    assert "or --hidden" in refused(2, *HIDDEN, "--seed", 1)


# Blueprints


def test_a_blueprint_is_stored_resumed_and_played_from(tmp_path):
    path = tmp_path / "express.cgb"
    words = ("solve", "trones", *EXPRESS, "--blueprint", "--out", path, "--seed", "x")
    result = cardgods(*words, "--iterations", 1500)
    assert result.code == 0
    assert "2,048 deals sampled" in result.out
    assert "Measured: against greedy it wins" in result.out
    assert "Nothing is proved about it." in result.out
    assert f"Stored in {path}." in result.out
    assert "MB of memory at most" in result.err
    assert "--resume goes on from it" in refused(2, *words)
    found = json.loads(cardgods(*words, "--iterations", 3000, "--resume", "--json").out)
    assert found["iterations"] == 3072
    assert found["bounds"] is None
    low, high = found["against_greedy"]["interval_95"]
    assert low < found["against_greedy"]["share"] < high
    seats = ("--seat", f"blueprint:file={path}", "--seat", "greedy")
    assert cardgods("play", "trones", *EXPRESS, *seats, "--seed", 1).code == 0
    assert "its seed is another" in refused(2, *words[:-1], "y", "--resume")


def test_what_is_proved_of_a_small_blueprint_is_said():
    small = ("--ranks", "K,A", "--capacity", 1, "--hand", 1, "--abstraction", "exact")
    words = ("solve", "trones", "--blueprint", *small, "--iterations", 5000)
    assert "Proved, by exact best answers: it guarantees 0.4" in cardgods(*words).out
    assert "Prouvé, par des réponses optimales exactes" in cardgods(*words, "--lang", "fr").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--blueprint", "--resume"], "--resume goes on from a file"),
        (["--blueprint", "--out", "x", "--store"], "give one"),
        (["--blueprint", "--hidden"], "or --blueprint"),
        (["--blueprint", "--abstraction", "exact"], "too large"),
        (["--blueprint", "--out", "no/such/folder"], "cannot write"),
    ],
)
def test_blueprints_that_cannot_be(words, message):
    assert message in refused(2, "solve", "trones", *EXPRESS, *words)
