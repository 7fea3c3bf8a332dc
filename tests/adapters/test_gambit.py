"""The files for Gambit: read back and solved here, and loaded and solved by Gambit itself."""

import re
from fractions import Fraction

import pytest

import cardgods
from cardgods.adapters.gambit import efg_text
from cardgods.errors import SolveError
from cardgods.solve.explicit import Chance, Decision, End, ExplicitGame
from cardgods.solve.lp import solve_lp
from cardgods.solve.tree import Profile, best_responses, build_tree, expected_returns
from conftest import extra, label

TINY = [
    ("encan", {"cards": (1, 2), "target": 3}),
    ("encan", {"cards": (1, 2, 3), "target": 4, "obole": False}),
    ("encan", {"cards": (1, 2, 4), "target": None, "obole": False, "payoff": "points", "tie": "split"}),
    ("trones", {"ranks": (14,), "capacity": 1, "hand": 1}),
]
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"{},]+)|([{}])')


def read_back(text):
    """An explicit game from an .efg text: nodes depth first, as the format says."""
    head, *lines = text.strip().split("\n")
    assert head.startswith("EFG 2 R ")
    players = len(re.findall(r'"player \d+"', head))
    nodes = iter(lines)
    labels = {}

    def node():
        line = next(nodes)
        words = [quoted or bare or brace for quoted, bare, brace in TOKEN.findall(line)]
        inside = words[words.index("{") + 1 : words.index("}")]
        if line[0] == "t":
            return End([float(Fraction(word)) for word in inside])
        if line[0] == "c":
            weights = [Fraction(word) for word in inside[1::2]]
            scale = 1
            for weight in weights:
                scale *= weight.denominator
            return Chance([(int(weight * scale), node()) for weight in weights])
        player, number = int(words[2]) - 1, words[3]
        assert labels.setdefault((player, number), inside) == inside
        return Decision(player, number, [node() for _ in inside])

    game = ExplicitGame(players, node())
    assert next(nodes, None) is None
    return game, len(labels)


@pytest.mark.parametrize(("name", "options"), TINY, ids=label)
def test_what_is_written_is_the_game(name, options):
    tree = build_tree(cardgods.load_game(name, **options).new_initial_state())
    game, sets = read_back(efg_text(tree))
    assert sets == len(tree)
    again = build_tree(game.new_initial_state())
    assert [again.sequences(p) for p in (0, 1)] == [tree.sequences(p) for p in (0, 1)]
    assert expected_returns(Profile(again)) == pytest.approx(expected_returns(Profile(tree)), abs=1e-12)
    assert best_responses(Profile(again)).best == pytest.approx(best_responses(Profile(tree)).best, abs=1e-12)
    assert solve_lp(again).value == pytest.approx(solve_lp(tree).value, abs=1e-9)


def test_the_shape_of_a_small_file():
    first = Decision(0, "a", [End([1, -1]), Decision(1, "b", [End([0.5, 0]), End([-1, 2])])])
    game = ExplicitGame(2, Chance([(1, first), (2, Decision(1, "c", [End([0, 0])]))]))
    assert efg_text(build_tree(game.new_initial_state())).split("\n") == [
        'EFG 2 R "explicit game of 8 nodes" { "player 0" "player 1" }',
        'c "" 1 "" { "0" 1/3 "1" 2/3 } 0',
        'p "" 1 1 "0100" { "0" "1" } 0',
        't "" 1 "" { 1, -1 }',
        'p "" 2 1 "0200" { "0" "1" } 0',
        't "" 2 "" { 1/2, 0 }',
        't "" 3 "" { -1, 2 }',
        't "" 4 "" { 0, 0 }',
        "",
    ]


def test_what_is_too_large_is_refused():
    tree = build_tree(cardgods.load_game("encan", cards=(1, 2, 3), target=4).new_initial_state())
    with pytest.raises(SolveError, match="the limit is"):
        efg_text(tree, memory=1000)


# Gambit itself; its solvers need ten seconds for the three-card auction, which bench/peers has.

MIXED = ExplicitGame(
    2,
    Decision(0, "start", [Decision(1, "blind", [End([x, -x]), End([y, -y])]) for x, y in ((3, -1), (-1, 1))]),
)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (MIXED, 1 / 3),
        (
            cardgods.load_game("encan", cards=(1, 3), target=None, obole=False, payoff="points", tie="split"),
            0,
        ),
        (cardgods.load_game("encan", cards=(1, 2), target=None, obole=False, tie_break="second"), -1),
    ],
    ids=["mixed", "points", "carry"],
)
def test_gambit_loads_and_solves_it_to_our_value(game, value, tmp_path):
    pygambit = extra("pygambit")
    tree = build_tree(game.new_initial_state())
    path = tmp_path / "game.efg"
    path.write_text(efg_text(tree))
    theirs = pygambit.read_efg(str(path))
    assert [len(theirs.get_infosets(player)) for player in theirs.players] == [
        len(tree.sets_of(player)) for player in (0, 1)
    ]
    found = pygambit.nash.lcp_solve(theirs, rational=False).equilibrium.payoffs
    assert [found[player] for player in theirs.players] == pytest.approx([value, -value], abs=1e-9)
    assert solve_lp(tree).value == pytest.approx(value, abs=1e-9)
