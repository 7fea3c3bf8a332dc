"""PettingZoo's own checks on our environments, and what they promise beyond."""

import importlib
import sys

import pytest

import cardgods
from cardgods.errors import IllegalActionError, MissingExtraError
from conftest import extra

checks = extra("pettingzoo.test")
adapter = importlib.import_module("cardgods.adapters.pettingzoo")

# Its checks know by name which environments have observations with a mask, as all card games there do.
MASKS = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be", "ignore:Observation is not a NumPy array"
)


@MASKS
def test_its_interface_test_passes(name):
    checks.api_test(adapter.env(cardgods.load_game(name), "ansi"), num_cycles=100)


def test_its_seed_test_passes(name):
    checks.seed_test(lambda: adapter.env(cardgods.load_game(name)), num_cycles=50)


@MASKS
def test_its_parallel_interface_test_passes(name):
    checks.parallel_api_test(adapter.parallel_env(cardgods.load_game(name)), num_cycles=100)


def test_its_parallel_seed_test_passes(name):
    checks.parallel_seed_test(lambda: adapter.parallel_env(cardgods.load_game(name)))


def play_turns(environment, seed):
    environment.reset(seed=seed)
    totals = dict.fromkeys(environment.agents, 0.0)
    steps = 0
    for agent in environment.agent_iter():
        seen, reward, over, _, _ = environment.last()
        totals[agent] += reward
        environment.step(None if over else int(seen["action_mask"].nonzero()[0][-1]))
        steps += 1
    return totals, steps


def test_rewards_add_up_to_the_returns(name):
    environment = adapter.env(cardgods.load_game(name))
    totals, steps = play_turns(environment, 3)
    state = environment.unwrapped.table.state
    assert state.is_terminal()
    assert list(totals.values()) == pytest.approx(state.returns())
    assert steps > len(totals)
    assert play_turns(environment, 3) == (totals, steps)


def test_sealed_bids_are_made_at_once():
    game = cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3))
    environment = adapter.parallel_env(game, render_mode="ansi")
    seen, infos = environment.reset(seed=1)
    assert infos == {"player_0": {}, "player_1": {}}
    totals = dict.fromkeys(environment.agents, 0.0)
    turns = 0
    while environment.agents:
        assert "'phase': 'bid'" in environment.render()
        masks = [seen[agent]["action_mask"].nonzero()[0] for agent in environment.agents]
        actions = {"player_0": masks[0][-1], "player_1": masks[1][0]}
        seen, rewards, over, _, _ = environment.step(actions)
        totals = {agent: totals[agent] + rewards[agent] for agent in totals}
        turns += 1
    assert turns == 3
    assert over == {"player_0": True, "player_1": True}
    assert list(totals.values()) == environment.table.state.returns()
    assert environment.render().startswith("{'phase': 'over'")


def test_the_second_bidder_sees_nothing_of_the_first_bid():
    environment = adapter.TurnEnv(cardgods.load_game("encan", "express"))
    seen = []
    for bid in (0, 4):
        environment.reset(seed=5)
        before = environment.observe("player_1")["observation"]
        environment.step(bid)
        assert environment.agent_selection == "player_1"
        after = environment.observe("player_1")
        seen.append(after["observation"].tobytes() + after["action_mask"].tobytes())
        assert (before == after["observation"]).all()
    assert seen[0] == seen[1]


def test_illegal_actions_cost_the_least_the_game_can_bring():
    game = cardgods.load_game("encan", "express")
    environment = adapter.parallel_env(game)
    environment.reset(seed=1)
    _, rewards, over, _, _ = environment.step({"player_0": 8, "player_1": 1})
    assert rewards == {"player_0": -1.0, "player_1": 0.0}
    assert over == {"player_0": True, "player_1": True}
    assert environment.agents == []
    bare = adapter.TurnEnv(game)
    bare.reset(seed=1)
    with pytest.raises(IllegalActionError):
        bare.step(8)


def test_without_pettingzoo_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "cardgods.adapters.pettingzoo")
    with pytest.raises(MissingExtraError, match=r"pip install 'cardgods\[pettingzoo\]'"):
        importlib.import_module("cardgods.adapters.pettingzoo")
