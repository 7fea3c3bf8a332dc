"""Agents of Eleusis: legal, blind to what they may not know, and of the promised strength."""

import collections

import pytest
from watched import Watched

import cardgods
from cardgods import ParameterError, Random
from cardgods._core.rule.bank import Bank
from cardgods.agents import agent_names, make_agent
from cardgods.play import play
from cardgods.rule import analyse, library, parse_rule, true_hints
from cardgods.rule.generate import LEVELS, bank, grade, invent

AGENTS = ("greedy", "deduce:size=150", "ai:level=1,size=50", "random")


def test_the_agents_there_are():
    assert set(agent_names("eleusis")) >= {"random", "greedy", "deduce", "ai"}
    game = cardgods.load_game("eleusis")
    with pytest.raises(ParameterError, match="level: 5 is not within"):
        make_agent("ai:level=5", game)


@pytest.mark.parametrize(
    "options",
    [
        {"rules": ("alternate-colours",), "sudden_death": 12, "prophet_sudden_death": 6},
        {"rules": ("human",), "sudden_death": 8},
        {"rules": ("start: king; odd",), "keep_prophet_card": True, "prophet_after_out": True},
        {"rules": ("bad-only-aces",), "refill": "end", "players": 7},
    ],
)
@pytest.mark.parametrize("first", range(4))
def test_agents_play_whole_rounds(options, first):
    game = cardgods.load_game("eleusis", rounds=1, hand=6, **options)
    names = [AGENTS[(first + k) % 4] for k in range(game.num_players())]
    state = play(
        game.new_initial_state(turn_based=True),
        [make_agent(name, game) for name in names],
        Random(str(options)),
    )
    assert state.is_terminal()


def test_choices_depend_on_what_a_seat_knows_alone():
    phases = collections.Counter()
    for k in range(6):
        game = cardgods.load_game("eleusis", rounds=1, hand=6, rules=("alternate-colours",), sudden_death=20)
        agents = [Watched(make_agent(AGENTS[(k + seat) % 4], game)) for seat in range(5)]
        play(game.new_initial_state(turn_based=True), agents, Random(k))
        for agent in agents:
            phases += agent.phases
    assert {"turn", "sequence", "judge", "prophecy"} <= set(phases)


def test_deducing_beats_greed_beats_chance():
    scores = collections.defaultdict(list)
    for k in range(20):
        rule = invent(1 + k % 3, Random(f"strength {k}")).rule
        game = cardgods.load_game("eleusis", rounds=1, rules=(rule.text,))
        names = ["deduce", "greedy", "random", "greedy"]
        names = names[k % 4 :] + names[: k % 4] + ["random"]
        agents = [make_agent(name, game) for name in names]
        state = play(game.new_initial_state(turn_based=True), agents, Random(k))
        for name, points in zip(names[:4], state.view()["round_scores"], strict=False):
            scores[name].append(points)
    mean = {name: sum(points) / len(points) for name, points in scores.items()}
    assert mean["deduce"] > mean["greedy"] + 8
    assert mean["greedy"] > mean["random"] + 8


# Invented rules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_invented_rules_are_fit_for_play(level):
    texts = set()
    for k in range(12):
        made = invent(level, Random(f"{level}/{k}"))
        report = analyse(made.rule)
        assert made.level == level == grade(made.rule)
        assert report.playable
        assert report.band == "inside"
        assert report.trap is None
        assert report.fewest >= 4
        assert made.hint is None or made.hint in true_hints(made.rule)
        assert invent(level, Random(f"{level}/{k}")).rule == made.rule
        texts.add(made.rule.text)
    assert len(texts) >= 8


def test_there_is_no_fifth_level():
    with pytest.raises(ParameterError, match="levels are 1"):
        invent(5, Random(1))


def test_grades_go_with_the_levels_of_the_library():
    good = [entry for entry in library() if entry.level]
    off = [abs(grade(entry.rule) - entry.level) for entry in good]
    assert max(off) <= 2
    assert sum(distance == 0 for distance in off) > len(good) // 2
    assert sum(distance == 2 for distance in off) <= 2


# The bank --------------------------------------------------------------------------------------------------


def test_a_bank_has_each_behaviour_once():
    rules = bank(300)
    assert len({rule.machine.digest() for rule in rules}) == len(rules) > 150
    sizes = [rule.size for rule in rules]
    assert sizes == sorted(sizes)


def agrees(rule, board):
    line = []
    for kind, cards in board:
        right = rule.right(line)
        if kind == "none":
            if any(right >> card & 1 for card in cards):
                return None
            continue
        extended = list(line)
        good = True
        for card in cards:
            good = good and bool(rule.right(extended) >> card & 1)
            if good:
                extended.append(card)
        if good != (kind == "right"):
            return None
        line = extended if good else line
    return rule.right(line)


def test_a_bank_strikes_out_what_the_board_refutes():
    rules = bank(200)
    weights = [1.0 + k % 3 for k in range(len(rules))]
    rng = Random("boards")
    for _ in range(8):
        truth = rng.choice(rules)
        held = Bank([rule.machine for rule in rules], weights)
        board, line = [], []
        for _ in range(9):
            cards = [rng.below(52) for _ in range(1 + rng.below(3))]
            right = truth.machine.run([*line, *cards]) >= 0
            mask = truth.right(line)
            if rng.below(4) == 0:
                cards = [card for card in range(52) if not mask >> card & 1 and rng.below(5) == 0]
                board.append(("none", cards))
                held.tell_none_right(sum(1 << card for card in cards))
            elif right:
                board.append(("right", cards))
                line += cards
                held.tell_right(cards)
            else:
                board.append(("wrong", cards))
                held.tell_wrong(cards)
        masks = [agrees(rule, board) for rule in rules]
        assert held.alive() == [k for k, mask in enumerate(masks) if mask is not None]
        assert rules.index(truth) in held.alive()
        total, votes = held.votes()
        assert total == sum(w for w, mask in zip(weights, masks, strict=True) if mask is not None)
        for card in range(52):
            calls = sum(w for w, m in zip(weights, masks, strict=True) if m is not None and m >> card & 1)
            assert votes[card] == calls == held.support([card])
            assert held.support_none(1 << card) == total - calls
    held.reset()
    assert len(held.alive()) == len(rules)
    assert held.belief(0) == weights[0]


def test_a_bank_refuses_nonsense():
    rule = parse_rule("red")
    with pytest.raises(ValueError, match="as many weights"):
        Bank([rule.machine], [])
    with pytest.raises(IndexError, match=r"rules are 0\.\.0"):
        Bank([rule.machine], [1.0]).belief(1)
