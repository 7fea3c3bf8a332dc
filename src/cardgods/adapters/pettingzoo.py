"""The games as PettingZoo environments.

:func:`env` is the turn-based (AEC) environment of any game, sealed decisions in turns, the first hidden;
:func:`parallel_env` lets all who act at a node act at once, which is what sealed bids are. It needs
PettingZoo: ``pip install 'cardgods[pettingzoo]'``.

An observation is a dictionary: ``observation``, the bytes of ``State.observation``, and ``action_mask``, 1
for the legal actions and all 0 for who does not act. An illegal action ends the game: who chose it gets the
least that the game can bring, the others nothing.
"""

from collections.abc import Mapping
from typing import Any

from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.errors import MissingExtraError
from cardgods.game import Game

try:
    import numpy
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise MissingExtraError("this adapter needs PettingZoo: pip install 'cardgods[pettingzoo]'") from None

Observation = dict[str, Any]


def env(game: Game, render_mode: str | None = None) -> Any:  # noqa: ANN401
    """The turn-based environment of a game in PettingZoo's usual wrappers.

    Args:
        game: any variant of any game.
        render_mode: None, or ``ansi`` for texts.
    """
    bare = TurnEnv(game, render_mode)
    checked = wrappers.TerminateIllegalWrapper(bare, illegal_reward=game.min_utility())
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


def parallel_env(game: Game, render_mode: str | None = None) -> "JointEnv":
    """The environment in which all players hand in an action at every step.

    The actions of those who do not act count for nothing.

    Args:
        game: any variant of any game.
        render_mode: None, or ``ansi`` for texts.
    """
    return JointEnv(game, render_mode)


class _Table:
    """What both kinds of environment share: a state, its chance, spaces and observations."""

    def __init__(self, game: Game, turn_based: bool) -> None:
        self.game = game
        self.turn_based = turn_based
        self.rng = Random(0)
        self.state: State = game.new_initial_state(turn_based)
        self.names = [f"player_{p}" for p in range(game.num_players())]
        self.told = [0.0] * len(self.names)
        self.number = {name: p for p, name in enumerate(self.names)}
        size, actions = len(self.state.observation(0)), game.num_distinct_actions()
        self.observation_spaces = {
            name: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (size,), numpy.uint8),
                    "action_mask": spaces.Box(0, 1, (actions,), numpy.int8),
                }
            )
            for name in self.names
        }
        self.action_spaces = {name: spaces.Discrete(actions) for name in self.names}

    def deal(self, seed: int | None) -> None:
        """Begin anew; without a seed the generator goes on."""
        if seed is not None:
            self.rng = Random(int(seed))
        self.state = self.game.new_initial_state(self.turn_based)
        self.told = [0.0] * len(self.names)
        self.settle_chance()

    def settle_chance(self) -> None:
        """Let chance move until a player acts or the game is over."""
        while self.state.is_chance_node():
            self.state.apply_action(self.state.sample_chance(self.rng))

    def observe(self, name: str) -> Observation:
        """What a player may know of the table, and his legal actions."""
        player = self.number[name]
        mask: Any = numpy.zeros(self.game.num_distinct_actions(), numpy.int8)
        mask[self.state.legal_actions(player)] = 1
        seen = numpy.frombuffer(self.state.observation(player), numpy.uint8).copy()
        return {"observation": seen, "action_mask": mask}

    def gains(self) -> dict[str, float]:
        """What each player has won since this was last asked; antes paid before the first move are in it."""
        before, self.told = self.told, self.state.returns()
        return {name: self.told[p] - before[p] for p, name in enumerate(self.names)}

    def render(self, mode: str | None) -> str | None:
        """The position as text, open to all eyes."""
        return repr(self.state.view()) if mode == "ansi" else None


class _AtTable:
    """What both kinds of environment have in common: a table, its spaces, and a view of it."""

    def _set_table(self, game: Game, render_mode: str | None, *, turn_based: bool) -> None:
        name = f"cardgods_{game.name}_v0"
        self.metadata = {"name": name, "render_modes": ["ansi"], "is_parallelizable": not turn_based}
        self.render_mode = render_mode
        self.table = _Table(game, turn_based=turn_based)
        self.possible_agents = list(self.table.names)
        self.observation_spaces = self.table.observation_spaces
        self.action_spaces = self.table.action_spaces
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """The position as text if the mode is ``ansi``."""
        return self.table.render(self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


class TurnEnv(_AtTable, AECEnv):  # type: ignore[misc]
    """One agent acts at a time; without wrappers an illegal action raises IllegalActionError."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        self._set_table(game, render_mode, turn_based=True)

    def observe(self, agent: str) -> Observation:
        """What an agent may know."""
        return self.table.observe(agent)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game; a seed fixes all its chance."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, self.table.state.is_terminal())
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """The selected agent acts; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.table.state
        state.apply_action(int(action))  # type: ignore[arg-type]
        self.table.settle_chance()
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self.table.gains()
        self._accumulate_rewards()
        if state.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()

    def _select(self) -> None:
        player = self.table.state.current_player()
        self.agent_selection = self.table.names[max(player, 0)]


class JointEnv(_AtTable, ParallelEnv):  # type: ignore[misc]
    """All agents hand in an action at every step."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        self._set_table(game, render_mode, turn_based=False)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; a seed fixes all its chance."""
        self.table.deal(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """All act; the actions of those who have nothing to decide count for nothing."""
        state = self.table.state
        chosen = {p: int(actions[self.table.names[p]]) for p in self._acting()}
        wrong = [p for p, action in chosen.items() if action not in state.legal_actions(p)]
        if wrong:
            least = self.table.game.min_utility()
            rewards = {name: least if p in wrong else 0.0 for p, name in enumerate(self.table.names)}
        else:
            self._apply(list(chosen.values()))
            rewards = self.table.gains()
        over = bool(wrong) or state.is_terminal()
        agents, self.agents = self.agents, [] if over else self.agents
        return (
            self._observations(),
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {} for agent in agents},
        )

    def _acting(self) -> list[int]:
        return [p for p in range(len(self.possible_agents)) if self.table.state.legal_actions(p)]

    def _apply(self, chosen: list[int]) -> None:
        state = self.table.state
        if state.is_simultaneous_node():
            state.apply_actions(chosen)
        else:
            state.apply_action(chosen[0])
        self.table.settle_chance()

    def _observations(self) -> dict[str, Observation]:
        return {name: self.table.observe(name) for name in self.possible_agents}
