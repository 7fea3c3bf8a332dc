"""Counting and random play over any game: perft and bulk playouts on threads."""

from dataclasses import dataclass

from cardgods._core import walk as core
from cardgods._core.rng import Random
from cardgods._core.state import State
from cardgods._core.walk import Cancel
from cardgods.errors import ParameterError, shown
from cardgods.work import run

MOST_PLIES = core.MOST_PLIES
"""Longest sequences that are counted."""
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
        ParameterError: if the depth is not from 1 to :data:`MOST_PLIES`, or there is no thread.
    """
    _check_depth(depth, 1)
    root = turn_based(state)
    actions = root.legal_actions()
    counts = run(lambda a, cancel: core.perft(root.child(a), depth - 1, cancel), actions, threads)
    return dict(zip(actions, counts, strict=True))


def perft(state: State, depth: int, threads: int = 1) -> int:
    """Number of action sequences of exactly `depth` plies from a state.

    Raises:
        ParameterError: if the depth is not from 0 to :data:`MOST_PLIES`, or there is no thread.
    """
    _check_depth(depth, 0)
    return 1 if depth == 0 else sum(divide(state, depth, threads).values())


def playouts(state: State, games: int, seed: int | str | bytes = 0, threads: int = 1) -> Playouts:
    """Play uniformly at random from a state to the end, many times.

    The games are dealt in shards with a random stream each, so the result depends on the seed alone.

    Raises:
        ParameterError: if the number of games is not 1 or more, or there is no thread.
    """
    if type(games) is not int or games < 1:
        raise ParameterError(f"{shown(games)} games: at least one is needed")
    # Cut as they are needed: a list of them could be larger than memory.
    shards = ((at // SHARD, min(SHARD, games - at)) for at in range(0, games, SHARD))

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


def _check_depth(depth: int, least: int) -> None:
    if type(depth) is not int or not least <= depth <= MOST_PLIES:
        raise ParameterError(f"depth {shown(depth)} is not from {least} to {MOST_PLIES}")


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
