"""Whole games as trees: counting, building, strategy profiles, their values and exact best responses.

The algorithms know no game. They work on its *sequence form*: with perfect recall, what a player has done
on a path (his sequence) is all of him that an end depends on, so the tree shrinks to the players' own trees
and a sparse table of ends. Information sets are the classes of equal ``State.information_state`` bytes.

Example:
    >>> import cardgods
    >>> from cardgods.solve.tree import best_responses, build_tree, Profile
    >>> game = cardgods.load_game("encan", "goofspiel", cards=(1, 2, 3))
    >>> tree = build_tree(game.new_initial_state())
    >>> uniform = Profile(tree)
    >>> round(best_responses(uniform).nash_conv, 6)
    1.333333
"""

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from cardgods._core.rng import Random
from cardgods._core.search import count as counting
from cardgods._core.search.histories import Histories, best_response_value, values
from cardgods._core.search.profile import Profile, best_response, expected_returns
from cardgods._core.search.tree import Tree, build
from cardgods._core.search.witness import witnesses
from cardgods._core.state import State
from cardgods.errors import SolveError
from cardgods.walk import turn_based
from cardgods.work import run

__all__ = [
    "HISTORY_LIMIT",
    "MEMORY_LIMIT",
    "BestResponses",
    "Histories",
    "Profile",
    "Tree",
    "TreeSize",
    "best_response",
    "best_response_value",
    "best_responses",
    "build_histories",
    "build_tree",
    "count_tree",
    "expected_returns",
    "histories_of_sets",
    "profile_from_function",
    "profile_from_table",
    "table_from_profile",
    "values",
]

HISTORY_LIMIT = 200_000_000
"""Histories up to which a tree is counted, unless told otherwise."""

MEMORY_LIMIT = 4 << 30
"""Bytes that building a tree may take, unless told otherwise."""

Answer = int | Mapping[int, float]
"""What an agent does: one action, or the probability of each (missing ones have none)."""


@dataclass(frozen=True)
class TreeSize:
    """What a game tree holds.

    Attributes:
        histories: nodes: positions with the way that led there, the root and the ends included.
        terminals: ends.
        chance_nodes: histories where chance acts.
        depth: most actions and chance outcomes on one path.
        decisions: histories where each player acts.
        information_sets: information sets of each player.
        choices: those with more than one action.
        sequences: actions of the latter, in all.
        events: numbers that each player learns between those, over all of them.
    """

    histories: int
    terminals: int
    chance_nodes: int
    depth: int
    decisions: tuple[int, ...]
    information_sets: tuple[int, ...]
    choices: tuple[int, ...]
    sequences: tuple[int, ...]
    events: tuple[int, ...]

    def memory(self) -> int:
        """Bytes that :func:`build_tree` takes at most on the way."""
        players = len(self.decisions)
        sets, sequences = sum(self.choices), sum(self.sequences)
        draft = 12 * players * self.terminals + 48 * sets + 4 * sequences + 4 * sum(self.events)
        rows = 8 * self.terminals + players * (4 + 4 * players) * self.terminals
        return draft + rows + 40 * sets + 20 * sequences

    def histories_memory(self) -> int:
        """Bytes that :func:`build_histories` takes beside the tree."""
        return 33 * self.histories + 8 * len(self.decisions) * self.terminals

    def solver_memory(self) -> int:
        """Bytes that a regret solver takes beside the tree."""
        return 40 * sum(self.sequences)

    def __str__(self) -> str:
        sets = " + ".join(f"{n:,}" for n in self.information_sets)
        return f"{self.histories:,} histories, {self.terminals:,} ends, {sets} information sets"


def count_tree(state: State, limit: int = HISTORY_LIMIT) -> TreeSize:
    """Count the tree below a state.

    Args:
        state: the root.
        limit: histories after which to give up.

    Raises:
        SolveError: if there are more histories; the message has what was met until then.
    """
    complete, totals, by_player = run(lambda root, cancel: counting.count(root, limit, cancel), [state])[0]
    size = TreeSize(*totals, *(tuple(numbers) for numbers in by_player))
    if not complete:
        raise SolveError(f"{state.game} has more than {limit:,} histories: at the limit there were {size}")
    return size


def build_tree(
    state: State, limit: int = HISTORY_LIMIT, memory: int = MEMORY_LIMIT, size: TreeSize | None = None
) -> Tree:
    """The sequence form of the game below a state.

    The position of the root counts as known to all players, whatever was hidden on the way there.

    Args:
        state: the root.
        limit: histories after which to give up counting.
        memory: bytes that may be taken.
        size: what :func:`count_tree` said of this state, if it has been counted.

    Raises:
        SolveError: if the tree has more histories or would take more memory; the message has the counts.
    """
    size = count_tree(state, limit) if size is None else size
    need = size.memory()
    if need > memory:
        raise SolveError(f"{state.game} takes {_bytes(need)}, the limit is {_bytes(memory)}: {size}")
    if size.terminals > 0x7FFFFFFF:
        raise SolveError(f"{state.game} has too many ends: {size}")
    numbers = (size.histories, size.terminals, sum(size.choices), sum(size.events), size.sequences)
    return run(lambda root, cancel: build(root, *numbers, cancel), [turn_based(state)])[0]


def build_histories(tree: Tree, memory: int = MEMORY_LIMIT) -> Histories:
    """The explicit tree of all histories, for walks node by node.

    Raises:
        SolveError: if it would take more memory.
    """
    need = 33 * tree.histories + 8 * tree.players * tree.terminals
    if need > memory:
        raise SolveError(
            f"{tree.root.game} takes {_bytes(need)} for {tree.histories:,} histories, "
            f"the limit is {_bytes(memory)}"
        )
    return run(Histories, [tree])[0]


def _bytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


# Values ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BestResponses:
    """How well a profile can be answered.

    Attributes:
        values: expected return of each player when all follow the profile.
        best: expected return of each player when he alone answers it as well as can be.
    """

    values: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player gains by the best deviation; 0 for all at a Nash equilibrium."""
        return tuple(best - value for best, value in zip(self.best, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        """Sum of the gains."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean gain; in a two-player zero-sum game the mean loss against a perfect opponent."""
        return self.nash_conv / len(self.values)


def best_responses(profile: Profile) -> BestResponses:
    """The exact value of the best response of every player to a profile."""
    best = [best_response(profile, player)[0] for player in range(profile.tree.players)]
    return BestResponses(tuple(expected_returns(profile)), tuple(best))


# Profiles -------------------------------------------------------------------------------------------------


def table_from_profile(profile: Profile) -> dict[tuple[int, bytes], dict[int, float]]:
    """A profile as a table: (player, information state) -> action -> probability."""
    tree = profile.tree
    return {
        (tree.player(number), tree.information_state(number)): dict(
            zip(tree.actions(number), profile.get(number), strict=True)
        )
        for number in range(len(tree))
    }


def profile_from_table(tree: Tree, table: Mapping[tuple[int, bytes], Answer]) -> Profile:
    """A profile from such a table; uniform where the table is silent.

    Raises:
        SolveError: if an entry does not belong to the tree, names an action that is not legal there, or its
            probabilities do not add up to 1.
    """
    profile = Profile(tree)
    for (player, information_state), answer in table.items():
        number = tree.find(player, information_state)
        if number < 0:
            raise SolveError(
                f"player {player} has no choice at the information state {information_state.hex()}"
            )
        profile.set(number, _probabilities(tree, number, answer))
    return profile


def profile_from_function(
    tree: Tree, function: Callable[[State, int], Answer], checks: int = 1, seed: int | str | bytes = 0
) -> Profile:
    """The profile of an agent, asked once at every information set, so that it can be measured exactly.

    Args:
        tree: the game.
        function: called with a turn-based state and the player to act; gives an action or the probability of
            each. It may use only what the player knows, and must answer the same question in the same way.
        checks: how many further times to ask at each information set, with what the player cannot know drawn
            anew; the answers must agree.
        seed: of these draws.

    Raises:
        SolveError: if an answer is no legal action or no probabilities, or two answers for one information
            set differ.
    """
    profile = Profile(tree)
    rng = Random(seed)
    for number, state in _states_of_sets(tree):
        player = tree.player(number)
        answer = _probabilities(tree, number, function(state, player))
        for _ in range(checks):
            world = state.resample(player, rng)
            if _probabilities(tree, number, function(world, player)) != answer:
                raise SolveError(
                    f"player {player} answers differently in worlds that he cannot tell apart, after "
                    f"{state.history()} and {world.history()}: an answer may use only what he knows"
                )
        profile.set(number, answer)
    return profile


def histories_of_sets(tree: Tree) -> list[list[int]]:
    """One history, from the root of the tree, for every information set."""
    starts, lengths, actions = _witnesses(tree)
    return [list(actions[a : a + n]) for a, n in zip(starts, lengths, strict=True)]


def _witnesses(tree: Tree) -> tuple["array[int]", "array[int]", "array[int]"]:
    raw = run(witnesses, [tree])[0]
    parts = array("q"), array("i"), array("i")
    for part, data in zip(parts, raw, strict=True):
        part.frombytes(data)
    return parts


def _states_of_sets(tree: Tree) -> Iterator[tuple[int, State]]:
    for number, history in enumerate(histories_of_sets(tree)):
        state = tree.root.clone()
        for action in history:
            state.apply_action(action)
        yield number, state


def _probabilities(tree: Tree, number: int, answer: Answer) -> list[float]:
    actions = tree.actions(number)
    given = answer if isinstance(answer, Mapping) else {answer: 1.0}
    strange = [action for action in given if action not in actions]
    if strange:
        raise SolveError(f"action {strange[0]} is not legal for player {tree.player(number)}: {actions} are")
    return [float(given.get(action, 0.0)) for action in actions]
