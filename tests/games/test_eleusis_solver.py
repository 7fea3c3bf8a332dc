"""The seeker and Prophet that believes whole spaces of rules, and the hints that come from them."""

import collections

import pytest
from watched import Watched

import cardgods
from cardgods import ParameterError, Random
from cardgods.agents import make_agent
from cardgods.agents._hints import hints
from cardgods.cards import parse_cards
from cardgods.games.eleusis import CLAIM, DECLARE, DECLINE
from cardgods.play import play
from cardgods.rule import aim, analyse, find_rule, parse_rule
from cardgods.rule.aim import LIMIT, plays_to_find
from cardgods.rule.belief import Belief
from cardgods.rule.generate import Invention


def entry(kind, cards, seat=None):
    return {"kind": kind, "seat": seat, "cards": parse_cards(cards)}


ALTERNATE = [
    entry("starter", "5H"),
    entry("right", "9C", 0),
    entry("wrong", "2S", 1),
    entry("right", "3D", 2),
    entry("wrong", "KH", 3),
    entry("right", "4S", 0),
    entry("right", "JH", 1),
    entry("wrong", "7D", 2),
    entry("right", "QC", 3),
    entry("wrong", "8C", 0),
    entry("right", "10D", 1),
]


def position(hand, rule="not same(colour)", table=ALTERNATE, **options):
    game = cardgods.load_game("eleusis", rules=(rule,), rounds=1)
    hands = [parse_cards(hand), *([parse_cards("6C 6H 8H")] * 3), []]
    return game.new_position(hands=hands, table=table, turn=0, packs=3, turn_based=True, **options)


def test_belief_is_in_the_simple_rule_that_explains_the_table():
    belief = Belief()
    belief.tell(ALTERNATE)
    assert belief.best == parse_rule("not same(colour)")
    assert belief.certainty > 0.7
    assert belief.chance(parse_cards("2C 2D 2S")) > 0.8
    assert belief.chance(parse_cards("2C 2S")) < 0.2
    assert belief.none_right(parse_cards("2D 2H")) > 0.8
    assert belief.chances()[parse_cards("2C")[0]] == pytest.approx(belief.chance(parse_cards("2C")))
    assert 0 <= belief.gain(parse_cards("2C")) <= 1
    assert belief.ripe(parse_cards("2C 2D"), 10, 2)
    cards = belief.sequences(parse_cards("2C 2D 3C 3D"), 4)
    assert max(len(each) for each, _ in cards) == 4
    assert max(chance for each, chance in cards if len(each) == 4) > 0.8


def test_a_refused_guess_is_believed_no_more():
    belief = Belief()
    belief.tell(ALTERNATE)
    first, before = belief.best, belief.doubt
    belief.refuse(belief.behaviours[0])
    assert belief.best != first
    assert sum(each.share for each in belief.behaviours) == pytest.approx(1)
    belief.tell([*ALTERNATE, entry("right", "2C", 0)])
    assert belief.best != first
    assert before >= 0


def test_an_experiment_tells_the_likely_rules_apart():
    belief = Belief()
    belief.tell([entry("starter", "5H"), entry("right", "7H", 0), entry("wrong", "8C", 1)])
    card = belief.experiment(parse_cards("7H KC 6D"))
    assert belief.worth(card) == max(belief.worth(each) for each in parse_cards("7H KC 6D"))


def test_he_lays_what_is_right_for_sure_in_a_row():
    agent = make_agent("solver", cardgods.load_game("eleusis"))
    state = position("2C 2D 3C 3D 4C")
    rng = Random("row")
    while state.phase in ("turn", "sequence") and state.current_player() == 0:
        state.apply_action(agent.choose(state, 0, rng))
    assert len(state.view()["table"][-1]["cards"]) == 4
    assert state.view()["table"][-1]["kind"] == "right"


def test_he_says_that_he_cannot_play_if_nothing_can_be_right():
    agent = make_agent("solver", cardgods.load_game("eleusis"))
    assert agent.choose(position("2D 3H 4D"), 0, Random(1)) == CLAIM


def test_he_becomes_prophet_when_the_expected_score_says_so():
    state = position("2C 3D 4D 4H 5D 6D")
    state.apply_action(parse_cards("2C")[0])
    state.apply_action(state.string_to_action("done"))
    assert state.phase == "prophecy"
    sure, shy = (make_agent(f"solver:daring={x}", state.game) for x in (1, 0.1))
    assert sure.choose(state, 0, Random(1)) == DECLARE
    assert shy.choose(state, 0, Random(1)) == DECLINE


@pytest.mark.parametrize("rule", ["suit-or-rank", "product-of-three"])
def test_whole_rounds_blind_to_what_is_hidden(rule):
    game = cardgods.load_game("eleusis", rules=(rule,), rounds=1, hand=7)
    seats = [Watched(make_agent("solver", game)) for _ in range(5)]
    state = play(game.new_initial_state(turn_based=True), seats, Random(rule))
    assert state.is_terminal()
    assert sum((seat.phases for seat in seats), collections.Counter())["turn"] > 5


def test_hints_are_of_the_player_s_own_knowledge():
    state = position("2C 3D")
    found = hints(state, 0)
    assert state.action_to_string(found[0].action) == "2♣"
    assert {hint.action for hint in found} == set(state.legal_actions(0))
    world = state.resample(0, Random("world"))
    assert [(h.action, h.estimate, h.detail) for h in hints(world, 0)] == [
        (h.action, h.estimate, h.detail) for h in found
    ]


def test_parameters():
    with pytest.raises(ParameterError, match="daring"):
        make_agent("solver:daring=0", cardgods.load_game("eleusis"))


def test_a_strong_seeker_finds_a_plain_rule_sooner_than_a_weak_one():
    rule = parse_rule("not same(colour)")
    strong = [plays_to_find(rule, Random(k), strong=True) for k in range(2)]
    weak = [plays_to_find(rule, Random(k), strong=False) for k in range(2)]
    assert all(strong)
    assert sum(strong) < sum(play or LIMIT for play in weak)
    assert plays_to_find(find_rule("product-of-three"), Random(1), strong=True, limit=3) is None


def test_god_takes_the_rule_that_lies_between_them(monkeypatch):
    needed = {"red": (5, 10), "even": (30, 31), "prime": (12, 20), "spades": (None, None)}
    monkeypatch.setattr(
        aim, "plays_to_find", lambda rule, rng, *, strong: needed[rule.text][0 if strong else 1]
    )
    rng = Random("aim")
    draws = {text: Invention(parse_rule(text), 1, None, analyse(parse_rule(text))) for text in needed}

    def chosen(*texts):
        left = [draws[text] for text in texts]
        return aim.aimed(lambda: left.pop(0), rng, len(texts)).rule.text

    assert chosen("spades", "even", "prime", "red") == "prime"
    assert chosen("even", "red") == "red"
    needed["even"] = (30, None)
    assert chosen("spades", "even", "prime") == "even"


def test_god_ai_aims(monkeypatch):
    monkeypatch.setattr(aim, "plays_to_find", lambda rule, rng, *, strong: 9 if strong else None)
    game = cardgods.load_game("eleusis")
    made = make_agent("ai:level=1,aim=2", game).invent(Random(3))
    assert made.level == 1
    assert made.report.playable
    with pytest.raises(ParameterError, match="aim"):
        make_agent("ai:aim=21", game)
