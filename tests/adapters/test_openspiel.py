"""OpenSpiel's own checks and algorithms on our games."""

import importlib
import sys

import pytest

import cardgods
from cardgods.errors import MissingExtraError, ParameterError
from cardgods.solve.cfr import CfrSolver
from cardgods.solve.tree import Profile, best_responses, build_tree
from conftest import extra, games_with, label

pyspiel = extra("pyspiel")
openspiel = importlib.import_module("cardgods.adapters.openspiel")

NAMES = [name for name in pyspiel.registered_names() if name.startswith("cardgods_")]
TINY = [
    {"cards": (1, 2), "target": 3},
    {"cards": (1, 2, 3), "target": 4, "obole": False},
    {"cards": (2, 5, 7), "target": None, "payoff": "points", "obole": False, "treasure_order": "descending"},
]


def test_every_game_is_registered():
    assert {f"cardgods_{name}" for name in cardgods.registered_names()} <= set(NAMES)
    assert "cardgods_encan_simultaneous" in NAMES
    assert "cardgods_trones_simultaneous" not in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_its_random_simulations_pass(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", NAMES)
def test_its_interface_tests_pass(name):
    simulation = importlib.import_module("open_spiel.python.tests.games_sim_test").GamesSimTest()
    simulation.sim_game(pyspiel.load_game(name))


@pytest.mark.parametrize(("name", "options"), games_with(), ids=label)
def test_any_variant_survives_its_text(name, options):
    game = cardgods.load_game(name, **options)
    theirs = openspiel.load_game(game)
    assert theirs.inner == game
    assert pyspiel.load_game(str(theirs)).inner == game
    assert theirs.num_players() == game.num_players()
    state = theirs.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    if state.is_terminal():
        # A deal in which no card may begin is over before anybody acts.
        assert state.returns() == state.inner.returns()
        return
    player = state.current_player()
    assert state.legal_actions() == state.inner.legal_actions()
    assert state.information_state_string() == state.information_state_string(player)
    assert len(state.observation_tensor(player)) == len(state.inner.observation(player))


@pytest.mark.parametrize("options", TINY, ids=label)
def test_its_exploitability_is_ours(options):
    game = cardgods.load_game("encan", **options)
    theirs = openspiel.load_game(game)
    tree = build_tree(game.new_initial_state())
    uniform = pyspiel.UniformRandomPolicy(theirs)
    ours = best_responses(Profile(tree))
    assert pyspiel.nash_conv(theirs, uniform) == pytest.approx(ours.nash_conv, abs=1e-9)
    solver = CfrSolver(tree, "cfr+")
    solver.run(7)
    profile = solver.average_profile()
    table = {f"{p}:{seen.hex()}": list(row.items()) for (p, seen), row in rows(profile)}
    policy = pyspiel.TabularPolicy({**forced(theirs), **table})
    assert pyspiel.nash_conv(theirs, policy) == pytest.approx(best_responses(profile).nash_conv, abs=1e-9)


def rows(profile):
    return cardgods.solve.tree.table_from_profile(profile).items()


def forced(game):
    """A policy for the information sets with one action, which our trees leave out."""
    table = {}

    def visit(state):
        if state.is_terminal():
            return
        if not state.is_chance_node() and len(state.legal_actions()) == 1:
            table[state.information_state_string()] = [(state.legal_actions()[0], 1.0)]
        for action in state.legal_actions():
            visit(state.child(action))

    visit(game.new_initial_state())
    return table


@pytest.mark.parametrize("options", TINY[:2], ids=label)
def test_its_regret_minimisation_is_ours(options):
    game = cardgods.load_game("encan", **options)
    theirs = openspiel.load_game(game)
    tree = build_tree(game.new_initial_state())
    solver, other = CfrSolver(tree, "cfr+"), pyspiel.CFRPlusSolver(theirs)
    for _ in range(4):
        solver.run(1)
        other.evaluate_and_update_policy()
    ours = best_responses(solver.average_profile()).nash_conv
    assert 0 < ours < 0.5
    assert pyspiel.nash_conv(theirs, other.average_policy()) == pytest.approx(ours, abs=1e-9)


def test_simultaneous_moves_are_worth_what_turns_are():
    game = cardgods.load_game("encan", **TINY[1])
    turns = pyspiel.convert_to_turn_based(openspiel.load_game(game, simultaneous=True))
    ours = openspiel.load_game(game)
    wanted = pyspiel.nash_conv(ours, pyspiel.UniformRandomPolicy(ours))
    assert pyspiel.nash_conv(turns, pyspiel.UniformRandomPolicy(turns)) == pytest.approx(wanted, abs=1e-9)


def test_observers_say_what_a_player_knows():
    game = openspiel.load_game(cardgods.load_game("encan", **TINY[1]))
    state = game.new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    whole = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    table = game.make_py_observer()
    assert whole.string_from(state, 1) == state.information_state_string(1)
    assert table.string_from(state, 1) == state.observation_string(1)
    assert '"sealed_bid": null' in state.observation_string(1)
    assert '"sealed_bid": 2' in state.observation_string(0)
    table.set_from(state, 0)
    assert bytes(table.tensor.astype("uint8")) == state.inner.observation(0)


def test_bad_options_are_named():
    with pytest.raises((ParameterError, pyspiel.SpielError), match="unknown"):
        pyspiel.load_game("cardgods_encan(options=nonsense)")


def test_without_openspiel_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "cardgods.adapters.openspiel")
    with pytest.raises(MissingExtraError, match=r"pip install 'cardgods\[openspiel\]'"):
        importlib.import_module("cardgods.adapters.openspiel")
