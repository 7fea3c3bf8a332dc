"""The game loop: agents decide, chance is drawn, and each event is recorded before the next is asked for."""

from collections.abc import Callable, Sequence
from typing import Protocol

from cardgods._core.autoplay import advance
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods.agents import Agent
from cardgods.errors import AgentError, CardgodsError, ParameterError, shown

Observer = Callable[[State, int, int], None]
"""Called after each event with the state it led to, who acted (-1: chance) and the action."""


class Writer(Protocol):
    """Keeps what happens, as :class:`cardgods.log.LogWriter` does; it is safe when a method returns."""

    def append(self, actor: int, action: int) -> None:
        """A decision of player `actor`, or a chance outcome (`actor` -1)."""

    def undo(self, player: int, events: int) -> None:
        """Player `player` took back the last `events` decisions and chance outcomes that stood."""

    def finish(self, state: State, reason: str) -> None:
        """The game is over, at this terminal state and for this reason, a short word."""


class GameStopped(CardgodsError):
    """Raised by an agent to stop the game in good order; it leaves :func:`play` as it is."""


class TakeBack(CardgodsError):
    """Raised by an agent instead of a decision, to take back what happened last.

    Args:
        events: how many decisions and chance outcomes (see :func:`since_last_decision`).
    """

    def __init__(self, events: int) -> None:
        super().__init__(f"the last {events} events are taken back")
        self.events = events


def since_last_decision(state: State, player: int) -> int:
    """How many events a player has to take back to decide anew what he decided last; 0 if he has not yet.

    Args:
        state: a turn-based state.
        player: 0..n-1.
    """
    actors = [actor for actor, _ in reversed(state.full_history())]
    return actors.index(player) + 1 if player in actors else 0


def event_stream(actor: int, count: int) -> int:
    """The stream of random numbers of one event.

    Each event has a stream of its own, named by who acts and how often he has acted. So a deal depends on no
    agent, an agent on no other, and a game goes on in the same way from any of its states.

    Args:
        actor: player, or -1 for chance.
        count: how many events of his came before.
    """
    return (actor + 1) << 40 | count


def play(
    state: State,
    agents: Sequence[Agent],
    rng: Random,
    writer: Writer | None = None,
    observer: Observer | None = None,
    agent_rngs: Sequence[Random | None] | None = None,
    on_undo: Observer | None = None,
) -> State:
    """Play a game to its end.

    Args:
        state: where to begin, turn-based; it is changed in place.
        agents: one for each player.
        rng: gives the key of all random numbers (see :func:`event_stream`).
        writer: told of each event before it is carried out.
        observer: told of each event after it is carried out.
        agent_rngs: generators whose keys stand in for that of `rng` for single players; None for the others.
        on_undo: told, after an agent took something back, of the state it led to, who did so, and how many
            events are gone. What comes then is drawn from the same streams: an undo changes nobody's luck.

    Returns:
        `state`, now terminal.

    Raises:
        ParameterError: if the state is not turn-based or the number of agents is wrong.
        AgentError: if an agent raises, chooses an illegal action, or takes back more than has happened; what
            was written is the game up to there.
        GameStopped: if an agent wishes so.
    """
    if not state.turn_based:
        raise ParameterError("a game is played on a turn-based state: new_initial_state(turn_based=True)")
    if len(agents) != state.num_players():
        raise ParameterError(f"{state.game} has {state.num_players()} players, not {len(agents)}")
    acted = _acted(state)
    while not state.is_terminal():
        actor = state.current_player()
        own = agent_rngs[actor] if agent_rngs is not None and actor >= 0 else None
        stream = (own or rng).spawn(event_stream(actor, acted[actor + 1]))
        try:
            action = _ask(state, actor, agents[actor], stream) if actor >= 0 else state.sample_chance(stream)
        except TakeBack as wish:
            _take_back(state, actor, wish.events, writer)
            acted = _acted(state)
            if on_undo is not None:
                on_undo(state, actor, wish.events)
            continue
        acted[actor + 1] += 1
        if writer is not None:
            writer.append(actor, action)
        state.apply_action(action)
        if observer is not None:
            observer(state, actor, action)
    if writer is not None:
        writer.finish(state, end_reason(state))
    return state


def play_unwatched(
    state: State, agents: Sequence[Agent], chance: Random, agent_rngs: Sequence[Random]
) -> None:
    """Play a game to its end that nobody watches, quickly: the events are those of :func:`play`.

    An agent whose attribute ``reflex`` is UNIFORM or POLICY of :mod:`cardgods._core.autoplay` says by it that
    the core can choose in its place. Nobody may take anything back.

    Args:
        state: where to begin, turn-based; it is changed in place.
        agents: one for each player.
        chance: gives the key of the chance draws.
        agent_rngs: give the keys of the random numbers of each player.

    Raises:
        AgentError: as :func:`play` does, or if an agent wants to take something back.
        GameStopped: if an agent wishes so.
    """
    reflexes = [getattr(agent, "reflex", 0) for agent in agents]
    keys = [rng.key for rng in (chance, *agent_rngs)]
    acted = _acted(state)
    while True:
        advance(state, reflexes, keys, acted)
        if state.is_terminal():
            return
        player = state.current_player()
        stream = agent_rngs[player].spawn(event_stream(player, acted[player + 1]))
        acted[player + 1] += 1
        try:
            action = _ask(state, player, agents[player], stream)
        except TakeBack as wish:
            raise AgentError(
                f"the agent of player {player} took {shown(wish.events)} events back, as no agent may here"
            ) from None
        state.apply_action(action)


def end_reason(state: State) -> str:
    """Why a finished game ended: ``end_reason`` of its view in games with several ends, else ``finished``."""
    return str(state.view().get("end_reason") or "finished")


def _acted(state: State) -> list[int]:
    """How often each has acted: chance, then the players."""
    acted = [0] * (state.num_players() + 1)
    for actor, _ in state.full_history():
        acted[actor + 1] += 1
    return acted


def _take_back(state: State, player: int, events: int, writer: Writer | None) -> None:
    if type(events) is not int or not 1 <= events <= len(state):
        raise AgentError(
            f"the agent of player {player} took back {shown(events)} events: {len(state)} have happened"
        )
    if writer is not None:
        writer.undo(player, events)
    state.undo(events)


def _ask(state: State, player: int, agent: Agent, rng: Random) -> int:
    """The agent's choice, which is legal."""
    who = f"the agent of player {player} ({type(agent).__name__})"
    try:
        action = agent.choose(state, player, rng)
    except (GameStopped, TakeBack):
        raise
    except Exception as error:
        raise AgentError(f"{who} failed: {type(error).__name__}: {error}") from error
    legal = state.legal_actions(player)
    if type(action) is not int or action not in legal:
        raise AgentError(
            f"{who} chose {shown(action)}, which is not legal: legal are {', '.join(map(str, legal))}"
        )
    return action
