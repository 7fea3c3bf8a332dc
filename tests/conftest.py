"""Shared by all tests: the registry as parameters, reference models, random play."""

import importlib
import importlib.util
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import cardgods

TESTS = Path(__file__).parent
GAMES = cardgods.registered_names()

# A suite that is started in the background inherits an ignored SIGINT, and the tests of Ctrl-C would hang.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Texts are tested in English, in processes of their own too, unless a test asks for another language.
for variable in ("CARDGODS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
    os.environ.pop(variable, None)
os.environ["LANGUAGE"] = "en"

# The settings of who runs the tests are his own.
os.environ["CARDGODS_CONFIG"] = os.devnull
# Nor by a solution that is stored on this machine.
os.environ["CARDGODS_SOLUTIONS"] = os.path.join(os.devnull, "none")

settings.register_profile(
    "suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], max_examples=50
)
settings.load_profile("suite")


def extra(name):
    """A library behind one of the extras: without it a test is skipped, but not where changes are checked."""
    if os.environ.get("CARDGODS_CI"):
        return importlib.import_module(name)
    return pytest.importorskip(name)


def reference(name):
    """The plain-Python model of a game: tests/reference/<name>.py."""
    path = TESTS / "reference" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"reference_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def games_with(names=None):
    """Pairs (name, options) of every member that a game's reference model plays."""
    return [(name, options) for name in names or GAMES for options in reference(name).VARIANTS]


def small_games():
    """Pairs (name, options) of members small enough to walk through whole."""
    return [(name, options) for name in GAMES for options in reference(name).SMALL]


def label(value):
    """A test id for a set of options."""
    if isinstance(value, dict):
        return ",".join(f"{k}={v}" for k, v in value.items()).replace(" ", "") or "default"
    return None


def step(state, rng):
    """Carry out a random step; the actions carried out."""
    if state.is_chance_node():
        actions = [state.sample_chance(rng)]
        state.apply_action(actions[0])
    elif state.is_simultaneous_node():
        actors = [p for p in range(state.num_players()) if state.legal_actions(p)]
        actions = [rng.choice(state.legal_actions(p)) for p in actors]
        state.apply_actions(actions)
    else:
        actions = [rng.choice(state.legal_actions())]
        state.apply_action(actions[0])
    return actions


def random_states(game, rng, turn_based=True):
    """Every state along one random game, the end included; each is the same object, moved on."""
    state = game.new_initial_state(turn_based)
    yield state
    while not state.is_terminal():
        step(state, rng)
        yield state


@pytest.fixture(params=GAMES)
def name(request):
    return request.param


@pytest.fixture
def rng():
    return cardgods.Random("tests")
