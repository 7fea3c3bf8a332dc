"""Eleusis on the command line: rules, the board, secrets, a person as God."""

import json
import re

import pytest
from running import cardgods, refused

from cardgods import Random, load_game
from cardgods.cards import parse_card
from cardgods.log import Secret, read_log
from cardgods.log.deal import commitment
from cardgods_cli.look import Look, columns
from cardgods_cli.views.eleusis import EleusisView

PLAIN = Look(plain=True, colour=False, terminal=False, dumb=True)
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eve"]
RANDOM = [word for _ in range(5) for word in ("--seat", "random")]


def boxed(width):
    return Look(plain=False, colour=False, terminal=True, dumb=False, fixed_width=width)


# Rules -----------------------------------------------------------------------------------------------------


def test_a_rule_is_examined():
    out = cardgods("rule", "check", "same( suit ) or same(rank)").out
    assert "rule: same(suit) or same(rank)" in out
    assert "English: The card has the same suit as the last card or" in out
    assert "French: La carte a l'enseigne de la dernière carte ou" in out
    assert "accepts 30.8 % of 40 random plays, within the good 25-40 %" in out
    assert "53 states" in out


def test_problems_of_a_rule_are_named():
    out = cardgods("rule", "check", "up").out
    assert "error: dead end: after K♣ no card is right" in out
    assert "God may not use this rule." in out
    out = cardgods("rule", "check", "bad-only-aces", "--lang", "fr").out
    assert "remarque\u00a0: 48 sortes de cartes ne sont jamais justes" in out
    out = cardgods("rule", "check", "si dernier.rang = R alors as sinon monte", "--lang", "fr").out
    assert "règle\u00a0: if last.rank = K then ace else up" in out


def test_a_rule_as_json():
    values = json.loads(cardgods("rule", "check", "not same(colour)", "--json").out)
    assert values["states"] == 3
    assert values["rate"] == pytest.approx(0.5)
    assert values["playable"] is True
    assert "colour_only" in values["hints"]
    assert values["problems"][0]["code"] == "above_band"


def test_rules_are_compared():
    out = cardgods("rule", "compare", "red", "same(colour)").out
    assert "subset: all that the first accepts" in out
    assert "only the second accepts 2♣" in out
    assert "equal" in cardgods("rule", "compare", "red", "same(colour)", "--board", "5h 9d").out
    values = json.loads(cardgods("rule", "compare", "red", "odd", "--json").out)
    assert values["verdict"] == "incomparable"
    assert values["only_first"] == [parse_card("2d")]


def test_the_library_is_listed():
    out = cardgods("rule", "list", "--level", "1").out
    assert "alternate-colours" in out
    assert "zigzag" not in out
    rules = json.loads(cardgods("rule", "list", "--json").out)["rules"]
    assert len(rules) == 62


def test_texts_that_are_no_rules_are_refused_with_their_place():
    assert "column 5: 'harts' is no word" in refused(2, "rule", "check", "not harts")
    assert "did you mean rank" in refused(2, "rule", "check", "rnk = 3")
    assert "card 1 of the board" in refused(2, "rule", "compare", "red", "odd", "--board", "2c")
    assert "2 is no card" in refused(2, "rule", "compare", "red", "odd", "--board", "2").replace("'", "")
    assert "nor one of the library" in refused(2, "rule", "check", "suit-or-rnk")


# Board -----------------------------------------------------------------------------------------------------


def entry(kind, seat, text):
    return {"kind": kind, "seat": seat, "cards": [parse_card(word) for word in text.split()]}


def position():
    game = load_game("eleusis", rules=("red",), rounds=1, god=0)
    table = [
        entry("starter", None, "2h"),
        entry("wrong", 1, "3c"),
        entry("wrong", 2, "3h 4c 5d"),
        entry("right", 3, "4h 5h"),
        entry("hand", 4, "2s 3s 4s 5s 6s"),
        entry("forced", 1, "6h"),
        entry("wrong", 2, "7c"),
        entry("right", 3, "7h 8h"),
    ]
    return game.new_position(
        hands=[[], [0, 1], [13, 14], [39], [40, 41]],
        table=table,
        turn=1,
        prophet=4,
        mark=6,
        since_mark=(1, 3),
        was_prophet=[4],
        expelled=[3],
    )


def test_the_board_in_sentences():
    state = position()
    view = EleusisView(state.game, NAMES, PLAIN)
    assert view.board(state.view(2), 2) == [
        "Round 1 of 1, God is Ana; Ben to play.",
        "Prophet is Eve: since card 6 1 right and 3 wrong.",
        "Cards: 4 since his mark, sudden death after 30; 81 in the stock.",
        "Line: 2♥ 4♥ 5♥◆ 6♥ 7♥ 8♥○.",
        "Refused after card 1, 2♥: 3♣; 3♥ 4♣ 5♦.",
        "Refused after card 4, 6♥: 7♣.",
        "Unplayable after card 3, 5♥: ♠ 2 3 4 5 6.",
        "Hands: Ben 2, Cleo 2, Dan 1 (out), Eve 2 (Prophet).",
        "Cleo holds ♦ 2 3.",
    ]
    assert "The rule: red (The card is red.)" in view.board(state.view(0), 0)
    assert "The rule: red (The card is red.)" in view.board(state.view(), None)


def test_the_board_as_a_table_has_refusals_in_columns():
    state = position()
    lines = EleusisView(state.game, NAMES, boxed(80)).board(state.view(2), 2)
    assert lines[3:10] == [
        "",
        "above 5♥◆: ♠ 2 3 4 5 6",
        " 2♥    4♥    5♥◆   6♥    7♥    8♥○",
        " 3♣                7♣",
        "┌3♥",
        "│4♣",
        "└5♦",
    ]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_line_of_the_table_is_wider_than_the_screen(width):
    rng = Random(3)
    game = load_game("eleusis", rounds=1)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(
            state.sample_chance(rng) if state.is_chance_node() else rng.choice(state.legal_actions())
        )
    picture = EleusisView(game, NAMES, boxed(width))._picture(state.view())
    assert max(columns(line) for line in picture if not line.startswith(("above", "("))) <= width
    assert len(picture) > 5


# Play ------------------------------------------------------------------------------------------------------


def test_agents_play_and_the_rule_is_shown_when_it_is_over():
    words = ["play", "eleusis", "--rounds", "1", *RANDOM, "--seed", "3"]
    result = cardgods(*words)
    assert result.code == 0
    before, _, after = result.out.partition("The rule was:")
    rule = re.search(r"^ (.*?) \([A-Z]", after).group(1)
    assert rule not in before
    assert f"The rule was: {rule} (" in cardgods(*words).out
    assert "is committed to" in cardgods(*words[:-2]).out  # a fresh deal binds the rules too


def test_an_invented_rule_comes_with_a_hint_of_the_wanted_level():
    hinted = 0
    for level in (1, 4):
        seats = [*RANDOM[:-1], f"ai:level={level},aim=0"]
        out = cardgods("play", "eleusis", "--rounds", "1", "--turn-cap", "3", *seats, "--seed", "5").out
        hinted += "Round 1, God's hint:" in out
        rule = re.search(r"The rule was: (.*?) \([A-Z]", out).group(1)
        assert f"level {level} of 4" in cardgods("rule", "check", rule).out
    assert hinted


def test_a_person_who_is_god_types_a_rule():
    seats = ["--seat", "human:Ana", *RANDOM[2:]]
    words = ["play", "eleusis", "--rules", "ask", "--rounds", "1", "--god", "0", "--turn-cap", "2"]
    words += [*seats, "--seed", "2"]
    result = cardgods(*words, stdin="red and low\nlook at the ranks\n")
    assert result.code == 0
    assert "Ana, you are God in round 1" in result.out
    assert "Round 1, God's hint: look at the ranks" in result.out
    assert "The rule was: red and low" in result.out
    assert "dead end" in cardgods(*words, stdin="up\n-\n").out
    assert cardgods(*words, stdin="up\n-\n").code == 6
    assert cardgods(*words, stdin="red and\n").code == 6
    assert cardgods(*words, stdin="").code == 4


@pytest.mark.parametrize("rules", ["up", "red | cycle(1,2,3) and last.rank != 3"])
def test_rules_that_end_in_a_dead_end_are_refused(rules):
    words = ["play", "eleusis", "--rounds", "2", "--rules", rules, *RANDOM, "--seed", "9"]
    assert "God may not use" in refused(2, *words)
    assert "dead end" in refused(2, *words)
    # rounds that are not played need no rule
    shorter = ["--turn-cap", "1", "--rounds", "1", "--seed", "9"]
    assert cardgods("play", "eleusis", "--rules", "red | up", *RANDOM, *shorter).code == 0


def test_a_person_who_is_god_judges_himself():
    seats = ["--seat", "human:Ana", *RANDOM[2:]]
    words = ["play", "eleusis", "--rules", "ask", "--rounds", "1", "--god", "0", "--turn-cap", "1"]
    words += [*seats, "--seed", "2"]
    result = cardgods(*words, stdin="human\nright\n" + "wrong\n" * 3 + "2h\n" * 9)
    assert "Ana, God: may" in result.out
    assert "The rule was: none, God judges himself." in result.out
    assert result.code == 0


def test_a_seeker_at_the_keyboard_sees_no_rule_and_no_other_hand():
    words = ["play", "eleusis", "--rounds", "1", "--seat", "human:Ana", *RANDOM[2:], "--seed", "9"]
    result = cardgods(*words, stdin="?\n")
    assert result.code == 4
    assert "same(" not in result.out
    assert "The rule" not in result.out
    assert "Ana holds" in result.out
    assert not re.search(r"random.* holds", result.out)


def test_a_log_keeps_the_rule_and_a_replay_of_an_unfinished_game_does_not_show_it(tmp_path):
    path = tmp_path / "game.cglog"
    seats = ["--seat", "human:Ana", *RANDOM[2:]]
    words = ["play", "eleusis", "--rounds", "1", "--rules", "not same(colour)", *seats, "--seed", "9"]
    assert cardgods(*words, "--log", path, stdin="").code == 4
    told = cardgods("replay", path, "--json").out + cardgods("replay", path).out
    assert "same(colour)" not in told
    assert "same(colour)" in cardgods("replay", path, "--json", "--spoil").out
    assert cardgods("replay", path, "--verify").code == 4
    done = tmp_path / "done.cglog"
    plays = ["play", "eleusis", "--rounds", "1", "--turn-cap", "4", *RANDOM, "--log", done]
    out = cardgods(*plays).out
    committed = re.search(r"committed to: SHA-256 ([0-9a-f]{64})", out).group(1)
    assert cardgods("replay", done, "--verify").code == 0
    log = read_log(done)
    hidden = {"rules": log.header.options["rules"]}
    secret = next(record.value for record in log.records if isinstance(record, Secret))
    assert commitment(secret, hidden).hex() == committed
    assert "The rule was:" in cardgods("replay", done).out


def test_a_game_with_a_hint_goes_on_and_tells_it_again(tmp_path):
    path = tmp_path / "game.cglog"
    seats = ["--seat", "human:Ana", *RANDOM[4:], "--seat", "ai:level=1,aim=0"]
    words = ["play", "eleusis", "--rounds", "1", *seats, "--seed", "12", "--log", path]
    out = cardgods(*words, stdin="").out
    hint = re.search(r"Round 1, God's hint: .*", out).group(0)
    again = cardgods("play", "--resume", path, stdin="")
    assert again.code == 4
    assert hint in again.out


@pytest.mark.parametrize("seed", [4, 10])
def test_a_claim_may_be_the_last_thing_of_a_round(seed):
    """Without a penalty an empty hand ends the round at once, and then it is nobody's turn."""
    words = ["play", "eleusis", *["--seat", "random"] * 5, "--wrong-penalty", "0", "--seed", str(seed)]
    result = cardgods(*words)
    assert result.code == 0, result.err
    assert "cannot play, he says, and shows" in result.out
