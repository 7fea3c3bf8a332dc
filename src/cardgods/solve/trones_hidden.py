"""La Guerre des Trois Trônes with hidden hands: equilibria of small members of the family, with certificates.

What matters of the cards that a player got is which he holds, not in which order they came; the three fronts
can be renamed together with their trumps; and the last card goes to the only free place, where the strongest
is best. What is left is the tree of cards laid, and for each of its nodes a vector over hands.

Example:
    >>> import cardgods
    >>> from cardgods.solve.trones_hidden import solve_hidden
    >>> game = cardgods.load_game("trones", ranks=(13, 14), capacity=1, hand=1)
    >>> solution = solve_hidden(game, target=1e-5)
    >>> round(solution.value, 5)  # P(player 0 wins): 5063/10080
    0.50228
"""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

from cardgods._core.solve.trones_hidden import PARTS, HiddenMinimiser, measure
from cardgods._core.state import State
from cardgods.cards import cards_of, suit_of
from cardgods.errors import ParameterError, SolveError
from cardgods.games.trones import FRONTS, TRUMPS, TronesGame
from cardgods.solve import snapshot
from cardgods.walk import turn_based
from cardgods.work import interrupts

MEMORY_LIMIT = 4 << 30
"""Bytes that a solver may take, unless told otherwise."""

RENAMINGS = 6
"""Of the fronts."""

NODE_LIMIT = 1_000_000
"""Nodes of the public tree at which counting stops."""


@dataclass(frozen=True)
class HiddenSize:
    """What there is to solve, up to renaming of the fronts.

    Attributes:
        nodes: sequences of cards laid after which somebody decides.
        information_sets: those with each hand that the player on turn can hold.
        actions: actions of all information sets.
    """

    nodes: int
    information_sets: int
    actions: int

    def memory(self) -> int:
        """Bytes that a solver takes, a few megabytes for tables of hands aside."""
        return 12 * self.actions + 16 * self.nodes

    def __str__(self) -> str:
        return f"{self.nodes:,} nodes, {self.information_sets:,} information sets, {self.actions:,} actions"


def hidden_size(game: TronesGame) -> HiddenSize:
    """Count what there is to solve.

    Raises:
        SolveError: if the game is too large to be counted, or so small a deck that hands do not stay full
            until everybody has one card to lay (:mod:`cardgods.solve.general` takes most of those).
    """
    options = game.options
    cards = 4 * len(options.ranks)
    needed = 2 * options.hand + 6 * options.capacity - 2
    if cards < needed:
        raise SolveError(f"{game}: a deck of {cards} cards runs out too early, {needed} are needed here")
    deck = cards_of(game.deck_mask())
    nodes, sets, actions = measure(deck, options.capacity, options.hand, NODE_LIMIT)
    if nodes > NODE_LIMIT:
        raise SolveError(f"{game} is too large: more than {NODE_LIMIT:,} sequences of cards laid")
    return HiddenSize(nodes, sets, actions)


class HiddenSolver:
    """Predictive CFR+ over the public tree.

    The state depends on the game and the number of iterations alone, not on threads or interruptions.

    Args:
        game: a small member of the family.
        memory: bytes that may be taken.

    Raises:
        SolveError: if it does not fit; the message has the counts.
    """

    def __init__(self, game: TronesGame, memory: int = MEMORY_LIMIT) -> None:
        self.game = game
        self.size = hidden_size(game)
        if self.size.memory() > memory:
            need, limit = self.size.memory() / 1e6, memory / 1e6
            raise SolveError(f"{game} takes {need:,.0f} MB, the limit is {limit:,.0f} MB: {self.size}")
        self._deck = cards_of(game.deck_mask())
        options = game.options
        self._core = HiddenMinimiser(
            self._deck, options.capacity, options.hand, self.size.nodes, self.size.actions
        )

    @property
    def iterations(self) -> int:
        """Finished iterations: a pass of each player."""
        return self._core.passes // 2

    def run(self, iterations: int, threads: int = 1, progress: Callable[[int], None] | None = None) -> None:
        """Go on for a number of iterations.

        A KeyboardInterrupt is answered after the pass under way, and leaves a state from which this goes on
        as if nothing had been.

        Args:
            iterations: how many.
            threads: how many to use.
            progress: called with the number of finished iterations after each.

        Raises:
            ParameterError: if a number is too small.
        """
        if iterations < 0 or threads < 1:
            raise ParameterError(f"{iterations} iterations on {threads} threads: 0 and 1 are the least")
        target = 2 * (self.iterations + iterations)
        with interrupts() as pressed:
            while self._core.passes < target and not pressed:
                self._pass(None, threads)
                if progress is not None and self._core.passes % 2 == 0:
                    progress(self.iterations)
        if pressed:
            raise KeyboardInterrupt

    def _pass(self, answer: int | None, threads: int) -> float:
        self._core.begin(answer)
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(self._core.walk, range(self._core.parts)))
        return self._core.end()

    def bounds(self, threads: int = 1) -> tuple[float, float]:
        """What the probability that player 0 wins lies between in the game's equilibria.

        They are what the average strategies guarantee: the best answers to them are computed exactly.
        """
        low = (1 - self._pass(1, threads)) / 2
        return low, (1 + self._pass(0, threads)) / 2

    def adopt(self, shares: Callable[[list[int], list[int]], Iterable[tuple[int, float]]]) -> None:
        """Measure another strategy from here on: it takes the place of the average.

        The fronts are given all their names in turn and the answers are averaged, since the tree knows one of
        the positions alone that renaming turns into each other. That changes nothing but which of moves is
        made that look alike, if the strategy minds no names otherwise.

        Args:
            shares: (action, probability) for the actions laid so far and the hand of the player on turn.
        """
        capacity = self.game.options.capacity

        def rows(laid: list[tuple[int, int]], hand: list[int]) -> list[list[float]]:
            mine = [front for _, front in laid[len(laid) % 2 :: 2]]
            free = [f for f in range(FRONTS) if mine.count(f) < capacity]
            sums = dict.fromkeys(((card, f) for card in hand for f in free), 0.0)
            for names in permutations(range(FRONTS)):
                cards = [_renamed(card, names) for card in self._deck]
                moves = [FRONTS * cards[place] + names[f] for place, f in laid]
                found = dict(shares(moves, sorted(cards[place] for place in hand)))
                for card, f in sums:
                    sums[card, f] += found.get(FRONTS * cards[card] + names[f], 0.0) / RENAMINGS
            return [[sums[card, f] for f in free] for card in hand]

        self._core.adopt(rows)

    def policy(self, state: State) -> dict[int, float]:
        """Action -> probability of the average strategy of the player on turn.

        On his last free place he lays what counts most there.

        Args:
            state: a state of this game where a player decides.
        """
        if state.game != self.game:
            raise SolveError(f"the state is of {state.game}, the solution of {self.game}")
        view = state.view()
        turn = view["turn"]
        actions = [action for actor, action in state.full_history() if actor >= 0]
        hand = view["hands"][turn]
        fronts = [f for f in range(FRONTS) if view["fronts"][f]["room"][turn]]
        if view["turns_left"][turn] == 1:
            return _last(hand, fronts[0], state.legal_actions())
        laid = [(self._deck.index(action // FRONTS), action % FRONTS) for action in actions]
        rows = self._core.average(laid, [self._deck.index(card) for card in hand])
        return {
            FRONTS * card + front: share
            for card, row in zip(hand, rows, strict=True)
            for front, share in row.items()
        }

    def save(self, path: str | Path) -> None:
        """Write the state to a file, whole or not at all.

        Raises:
            SolveError: if it cannot be written.
        """
        header = {**self._identity(), "passes": self._core.passes}
        snapshot.write(path, header, [self._core.part(name) for name in PARTS])

    @classmethod
    def load(cls, path: str | Path, game: TronesGame, memory: int = MEMORY_LIMIT) -> "HiddenSolver":
        """Take up a solver from a file.

        Raises:
            SolveError: if the file cannot be read, is damaged, or belongs to another game.
        """
        header, parts = snapshot.read(path)
        solver = cls(game, memory)
        snapshot.check_identity(path, header, solver._identity())
        solver._core.restore(header["passes"], parts)
        return solver

    def _identity(self) -> dict[str, Any]:
        return {"kind": "trones-hidden", **snapshot.state_identity(turn_based(self.game.new_initial_state()))}


def _renamed(card: int, names: Sequence[int]) -> int:
    """A card once each front and its trump have another's name."""
    if suit_of(card) not in TRUMPS:
        return card
    return card + 13 * (TRUMPS[names[TRUMPS.index(suit_of(card))]] - suit_of(card))


def _last(hand: Sequence[int], front: int, legal: Sequence[int]) -> dict[int, float]:
    from cardgods.games.trones import force

    best = max(hand, key=lambda card: (force(card, front), -card))
    return {action: float(action == FRONTS * best + front) for action in legal}


@dataclass(frozen=True)
class HiddenSolution:
    """Average strategies with their certificate.

    Attributes:
        solver: whose :meth:`~HiddenSolver.policy` plays them.
        target: how close the bounds were to come.
        bounds: what P(player 0 wins) in an equilibrium lies between; each side guarantees one of them.
        seconds: wall time.
        cpu_seconds: processor time, of all threads.
    """

    solver: HiddenSolver
    target: float
    bounds: tuple[float, float]
    seconds: float
    cpu_seconds: float

    @property
    def value(self) -> float:
        """The middle of the bounds."""
        return sum(self.bounds) / 2

    @property
    def gap(self) -> float:
        """Distance of the bounds: the exploitability, in returns of +1 and -1."""
        return self.bounds[1] - self.bounds[0]

    @property
    def reached(self) -> bool:
        """Whether the bounds came as close as wanted."""
        return self.gap <= self.target


def solve_hidden(
    game: TronesGame,
    target: float = 1e-4,
    limit: int = 100_000,
    *,
    memory: int = MEMORY_LIMIT,
    threads: int = 1,
    checkpoint: str | Path | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> HiddenSolution:
    """Iterate until the guarantees of both players meet up to a target.

    Args:
        game: a small member of the family.
        target: the largest distance of the bounds that is good enough.
        limit: iterations after which to stop.
        memory: bytes that may be taken.
        threads: how many to use.
        checkpoint: file to go on from, if it is there, and to keep the state in before each measurement
            and when interrupted.
        progress: called after each measurement with the number of iterations and the distance.

    Raises:
        ParameterError: if a number is out of range.
        SolveError: if the game does not fit, or the checkpoint belongs elsewhere.
    """
    if not target >= 0.0 or limit < 1:
        raise ParameterError(f"target {target}, limit {limit}: 0 and 1 are the least")
    begin, used = time.monotonic(), os.times()
    kept = checkpoint is not None and Path(checkpoint).exists()
    solver = HiddenSolver.load(checkpoint, game, memory) if kept else HiddenSolver(game, memory)  # type: ignore[arg-type]
    while True:
        snapshot.advance(solver, lambda count: solver.run(count, threads), limit, checkpoint)
        bounds = solver.bounds(threads)
        if progress is not None:
            progress(solver.iterations, bounds[1] - bounds[0])
        if bounds[1] - bounds[0] <= target or solver.iterations >= limit:
            now = os.times()
            cpu = now.user + now.system - used.user - used.system
            return HiddenSolution(solver, target, bounds, time.monotonic() - begin, cpu)
