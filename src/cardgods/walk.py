"""Counting and random play over any game: perft and bulk playouts on threads."""

from dataclasses import dataclass

from cardgods._core import walk as core
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError
from cardgods.work import run

SHARD = 8192
"""Games per random stream: fixed, so that results do not depend on the number of threads."""


@dataclass(frozen=True)
class Playouts:
    """What many random games came to.

    Attributes:
        games: how many were played.
        actions: actions and chance outcomes carried out in all.
        returns: mean return of each player.
        wins: games with a positive return, of each player.
    """

    games: int
    actions: int
    returns: list[float]
    wins: list[int]


def divide(state: State, depth: int, threads: int = 1) -> dict[int, int]:
    """Perft of each first action: action -> number of sequences of `depth` plies that begin with it.

    Chance outcomes are plies, and sealed decisions are counted one after the other.

    Raises:
        ParameterError: if the depth is not 1 or more.
    """
    if depth < 1:
        raise ParameterError(f"depth {depth} is too small: it is 1 or more here")
    root = turn_based(state)
    actions = root.legal_actions()
    counts = run(lambda a, cancel: core.perft(root.child(a), depth - 1, cancel), actions, threads)
    return dict(zip(actions, counts, strict=True))


def perft(state: State, depth: int, threads: int = 1) -> int:
    """Number of action sequences of exactly `depth` plies from a state.

    Raises:
        ParameterError: if the depth is negative.
    """
    if depth < 0:
        raise ParameterError(f"depth {depth} is too small: it is 0 or more")
    return 1 if depth == 0 else sum(divide(state, depth, threads).values())


def playouts(state: State, games: int, seed: int | str | bytes = 0, threads: int = 1) -> Playouts:
    """Play uniformly at random from a state to the end, many times.

    The games are dealt in shards with a random stream each, so the result depends on the seed alone.

    Raises:
        ParameterError: if the number of games is not 1 or more.
    """
    if games < 1:
        raise ParameterError(f"{games} games: at least one is needed")
    shards = [(at // SHARD, min(SHARD, games - at)) for at in range(0, games, SHARD)]

    def shard(item: tuple[int, int], cancel: Cancel) -> tuple[int, list[float], list[int]]:
        stream, count = item
        return core.playouts(state, count, Random(seed, stream), cancel)

    parts = run(shard, shards, threads)
    players = range(state.num_players())
    return Playouts(
        games,
        sum(actions for actions, _, _ in parts),
        [sum(sums[p] for _, sums, _ in parts) / games for p in players],
        [sum(wins[p] for _, _, wins in parts) for p in players],
    )


def turn_based(state: State) -> State:
    """The same position and history with sealed decisions taken in turn; the state itself if it does so."""
    if state.turn_based:
        return state
    game = state.game
    other = (
        game.new_initial_state(True)
        if state.setup is None
        else game.new_position(**state.setup, turn_based=True)
    )
    for action in state.history():
        other.apply_action(action)
    return other
